-- wrk: posts the file BODY with the type TYPE; prints "requests/s p50 p99 errors", times in ms.
wrk.method = "POST"
wrk.body = io.open(os.getenv("BODY"), "rb"):read("*a")
wrk.headers["Content-Type"] = os.getenv("TYPE")

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("FIGURES %.1f %.2f %.2f %d\n", summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
