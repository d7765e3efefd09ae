"""The settings: the environment overrides a file, and the command line overrides both."""
import os
import re
import shutil
import subprocess

from harness import *
from balancers import server_file


def main():
    precedence()
    wrong()
    memory()


def run(*options, env=None, status=0):
    """Runs ptxoptd with options with which it only prints; returns standard output and error."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PTXOPTD_")}
    done = subprocess.run([PTXOPTD, *map(str, options)], capture_output=True, env={**clean, **(env or {})}, timeout=HANGS)
    same(done.returncode, status, "status, with " + done.stderr.decode()[:300])
    return done.stdout.decode(), done.stderr.decode()


def settings(*options, env=None):
    """What --print-config prints, as lists of values by name."""
    found = {}
    for text in run("--print-config", *options, env=env)[0].splitlines():
        if not text.startswith("#"):
            name, value = text.split(" = ", 1)
            found.setdefault(name, []).append(value)
    return found


def precedence():
    file = text_file("ptxoptd.conf", "# a farm\nworkers = 3\nqueue=7\n  max-body =  2M \r\nisolate = false\n\n"
                     "listen = 127.0.0.1:1\nlisten = unix:/a path = b\nmetrics-without-auth = true\n")
    env = {"PTXOPTD_QUEUE": "8", "PTXOPTD_MAX_HEADER": "8K", "PTXOPTD_ALLOW_HOST": "a.example b.example",
           "PTXOPTD_PORT": "tcp://10.0.0.1:80"}  # as Kubernetes sets it for a service of this name

    @case("the command line overrides the environment, that the file, and that the defaults")
    def _():
        got = settings("--config", file, "--queue", 9, "--metrics-without-auth=false", env=env)
        same((got["workers"], got["queue"], got["max-body"], got["max-header"]), (["3"], ["9"], ["2097152"], ["8192"]))
        same((got["metrics-without-auth"], got["isolate"] if "isolate" in got else ["false"]), (["false"], ["false"]))
        same(settings("--config", file, env=env)["queue"], ["8"])
        same(settings("--config", file)["queue"], ["7"])
        same(settings()["queue"], ["64"])

    @case("what may be given several times is of the highest source that has it")
    def _():
        same(settings("--config", file)["listen"], ["127.0.0.1:1", "unix:/a path = b"])
        same(settings("--config", file, "--listen", "127.0.0.1:2")["listen"], ["127.0.0.1:2"])
        same(settings(env=env)["allow-host"], ["a.example", "b.example"])
        same(settings("--allow-host=c", "--allow-host=d", env=env)["allow-host"], ["c", "d"])

    @case("the file may be named by the environment, and the command line names another")
    def _():
        other = text_file("other.conf", "queue = 11\n")
        same(settings(env={"PTXOPTD_CONFIG": file})["queue"], ["7"])
        same(settings(f"--config={other}", env={"PTXOPTD_CONFIG": file})["queue"], ["11"])

    @case("what --print-config prints is a file for --config that means the same")
    def _():
        printed = run("--print-config", "--config", file, "--queue", 9, "--allow-host", "x", env=env)[0]
        again = run("--print-config", "--config", text_file("printed.conf", printed))[0]
        plain = lambda text: [one for one in text.splitlines() if not one.startswith("# of ")]
        same(plain(again), plain(printed))
        for source in ("--config", "the environment", "the command line"):
            same(f"# of {source}:" in printed, True, source)

    @case("the file of nginx.md has settings as the page names them")
    def _():
        text = re.search(r"```ini\n(.*?)```", server_file("nginx.md"), re.S).group(1)
        named = dict(one.split(" = ") for one in text.splitlines() if not one.startswith("#"))
        got = settings("--config", text_file("nginx.conf", text))
        same((len(named) > 5, {name: got[name] for name in named}), (True, {name: [value] for name, value in named.items()}))

    @case("every option but those that print is a setting of the file")
    def _():
        known = re.findall(r"^  --([a-z-]+)", run("--help")[0], re.M)
        printed = re.findall(r"^(?:# )?([a-z-]+) =", run("--print-config")[0], re.M)
        same(sorted(set(known) - {"config", "print-config"}), sorted(printed))

    @case("a URL with a password is not printed")
    def _():
        if "cache-http" in features():
            same("secret" in run("--print-config", "--cache-url", "http://me:secret@127.0.0.1/")[0], False)

    @case("a service has the settings of a file, and listens on each address")
    def _():
        where = path("several.sock")
        with Service("--config", text_file("own.conf", f"workers = 1\nlisten = 127.0.0.1:0\nlisten = unix:{where}\n"),
                     listen=None) as service:
            wait_until(lambda: sum('"listening"' in text for text in service.log) == 2)
            started = next(text for text in service.log if '"started"' in text)
            same(", 1 workers," in started, True, started)
            ports = [json.loads(text)["message"] for text in service.log if '"listening"' in text]
            same(ports[1], "unix:" + where)
            for address in ports:
                service.address = address
                same(service.post("/v1/optimize", MINIMAL).status, 200, address)
        same(os.path.exists(where), False)


def wrong():
    def refuses(name, text, *expected):
        @case("a file with " + name + " is refused")
        def _():
            file = text_file("wrong.conf", text)
            said = run("--config", file, status=2)[1]
            same((said.count("\n"), [one for one in expected if one not in said]), (1, []), said)

    refuses("an unknown name", "queue = 7\nquue = 8\n", "wrong.conf:2: quue: there is no such")
    refuses("a number that is none", "queue = many\n", "wrong.conf:1: queue=many: expected a whole number of requests")
    refuses("a number out of bounds", "queue = 0\n", "wrong.conf:1: queue=0: must be 1 to")
    refuses("a line without =", "isolate\n", "wrong.conf:1: isolate: a line is NAME = VALUE")
    refuses("a flag that is neither true nor false", "listen-without-auth = yes\n", "true or false")
    refuses("the name of another file", "config = other.conf\n", "wrong.conf:1: config:")

    @case("a wrong variable and a file that is not there are named")
    def _():
        same("PTXOPTD_QUEUE=x: expected" in run(env={"PTXOPTD_QUEUE": "x"}, status=2)[1], True)
        same("--config=/nowhere: No such file" in run("--config", "/nowhere", status=2)[1], True)
        same("--config: its value is missing" in run("--config", status=2)[1], True)


def memory():
    def needs(*options):
        return int(run("--print-memory", *options)[0])

    @case("--print-memory follows from the workers and the memory of each")
    def _():
        def of_one_more(*options):
            return needs("--workers", 4, *options) - needs("--workers", 3, *options)

        same(of_one_more("--work-memory", "3G") - of_one_more("--work-memory", "1G"), 2 << 30)
        same(of_one_more("--work-memory", "1G") >= 1 << 30, True)
        if "isolate" in features():
            same(of_one_more("--isolate", "--isolate-memory", "3G") - of_one_more("--isolate", "--isolate-memory", "1G"), 2 << 30)
            same(of_one_more("--isolate", "--isolate-memory", "1G") < 2 << 30, True, "not --work-memory, too")

    less_than_needed()
    if "isolate" not in features():
        skip("the memory of the unit and of the pod is enough for their settings", "no --isolate here")
        return

    @case("the memory of the unit and of the pod is enough for their settings")
    def _():
        unit = server_file("ptxoptd.service")
        options = re.search(r"^ExecStart=\S+ (.*)$", unit, re.M).group(1).split()
        given = [one for one in options if not one.startswith("$")]
        same(needs(*given) <= int(re.search(r"^MemoryMax=(\d+)G$", unit, re.M).group(1)) << 30, True, "unit")
        pod = server_file("kubernetes.yaml")
        numbers = re.findall(r"- (--(?:workers|isolate|isolate-memory|max-buffered|cache-bytes|max-connections|cache-value-bytes)(?:=\S+)?)$", pod, re.M)
        same(len(numbers) >= 4, True, str(numbers))
        same(needs("--cache-url-file=/x", *numbers) <= int(re.search(r"limits: {memory: (\d+)Gi", pod).group(1)) << 30, True, "pod")


def less_than_needed():
    """Replaces /sys/fs/cgroup by files of the test. The group is that of the test, so only the root has a limit."""
    # The roots of version 2 and of the controller of version 1: whichever the system has, the limit there is read.
    version_2 = any(one.startswith("0::") for one in open("/proc/self/cgroup"))
    version_1 = any("memory" in one.split(":")[1].split(",") for one in open("/proc/self/cgroup"))
    private = ["unshare", "-rm"]
    name = "a control group that allows less memory than --print-memory is warned of when the service starts"
    if subprocess.run([*private, "mount", "--bind", scratch.name, "/sys/fs/cgroup"], capture_output=True).returncode:
        skip(name, "no namespaces of our own here")
        return

    def warnings(file, limit):
        root = path("cgroup")
        shutil.rmtree(root, ignore_errors=True)
        os.makedirs(os.path.join(root, "memory"))
        with open(os.path.join(root, file), "w") as opened:
            opened.write(limit + "\n")
        log, listening = path("cgroup.log"), path("cgroup.sock")
        with open(log, "w") as error:
            process = subprocess.Popen([*private, "sh", "-c", 'mount --bind "$1" /sys/fs/cgroup && shift && exec "$@"', "sh", root, PTXOPTD,
                                        "--listen", "unix:" + listening], stderr=error)
        try:
            wait_until(lambda: '"listening"' in open(log).read())
        finally:
            process.terminate()
            process.wait()
        return [json.loads(one)["message"] for one in open(log) if '"warning"' in one]

    @case(name)
    def _():
        needed = int(run("--print-memory")[0])
        for file, there in (("memory.max", version_2), ("memory/memory.limit_in_bytes", version_1)):
            if not there:
                continue
            said = warnings(file, str(needed - 1))
            same(len(said), 1, file)
            same([one for one in (str(needed), str(needed - 1), "--work-memory") if one not in said[0]], [], said[0])
            same(warnings(file, str(needed)), [], file)
            same(warnings(file, "max"), [], file)
