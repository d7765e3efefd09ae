"""--cache-dir: answers in files survive restarts, kill -9, full disks and damaged files."""
import os
import resource
import signal
import stat
import threading

from harness import *

KERNEL = example("gemm-1cta")


def main():
    survives()
    bounded()
    damaged()
    refused()


def files(folder):
    """The entries, without the lock."""
    return sorted(one for one in os.listdir(folder) if len(one) == 64)


def ask(service, i=0):
    answer = service.post(f"/v1/optimize?name=n{i}", KERNEL)
    same((answer.status, answer.body), (200, optimized(KERNEL)), f"n{i}")
    return answer


def survives():
    @case("what one process worked out, the next has from --cache-dir, and keeps in memory")
    def _():
        folder = path("kept")
        with Service("--cache-dir", folder) as service:
            answer = ask(service)
            same(service.metric("ptxopt_disk_cache_misses_total"), 1)
            same(service.metric("ptxopt_disk_cache_bytes") > len(answer.body), True)
        same((len(files(folder)), stat.S_IMODE(os.stat(folder).st_mode)), (1, 0o700))
        with Service("--cache-dir", folder) as service:
            again = ask(service)
            same((again.header("ETag"), again.header("Ptxopt-Deleted")), (answer.header("ETag"), answer.header("Ptxopt-Deleted")))
            same(service.ask("GET", answer.header("Content-Location")).body, answer.body)
            same((service.metric("ptxopt_disk_cache_hits_total"), service.metric("ptxopt_cache_hits_total")), (1, 1))

    @case("kill -9 in the middle of writing loses entries only")
    def _():
        folder = path("killed")
        for which in range(3):
            service = Service("--cache-dir", folder)
            seen = []

            def load(client):
                for i in range(400):
                    try:
                        seen.append(service.post(f"/v1/optimize?name=k{which}-{client}-{i}", KERNEL, check=False).status)
                    except (OSError, http.client.HTTPException):
                        return

            threads = [threading.Thread(target=load, args=(client,)) for client in range(3)]
            for one in threads:
                one.start()
            wait_until(lambda: len(seen) > 20 * (which + 1))
            service.stop(signal.SIGKILL)
            for one in threads:
                one.join()
        with open(os.path.join(folder, "unfinished-7"), "w") as left:
            left.write("half")
        kept = len(files(folder))
        with Service("--cache-dir", folder) as service:
            same([one for one in os.listdir(folder) if one.startswith("unfinished")], [], "what was half written")
            for which in range(3):
                for i in range(5):
                    ask_killed = service.post(f"/v1/optimize?name=k{which}-0-{i}", KERNEL)
                    same(ask_killed.body, optimized(KERNEL))
            same(service.metric("ptxopt_disk_cache_errors_total"), 0)
            same((kept >= 60, service.metric("ptxopt_disk_cache_hits_total")), (True, 15))


def bounded():
    @case("the files stay within --cache-dir-bytes, and those that were used last stay, over a restart too")
    def _():
        folder, most = path("bounded"), 1 << 20
        options = ("--cache-dir", folder, "--cache-dir-bytes", most, "--cache-bytes", 0)
        size = lambda: sum(os.stat(os.path.join(folder, one)).st_size for one in files(folder))
        with Service(*options) as service:
            ask(service)
            room = most // (size() + 8192)
            for i in range(1, room - 2):
                ask(service, i)
            ask(service, 0)  # the oldest is used again
        with Service(*options) as service:
            for i in range(room, room + room // 2):
                ask(service, i)
            same(size() <= most and service.metric("ptxopt_disk_cache_bytes") <= most, True, str(size()))
            hits = service.metric("ptxopt_disk_cache_hits_total")
            ask(service, 0)
            same(service.metric("ptxopt_disk_cache_hits_total"), hits + 1, "used last before the restart")
            ask(service, 1)
            same(service.metric("ptxopt_disk_cache_hits_total"), hits + 1, "not used since")


def damaged():
    @case("a file that rotted, was cut or is another's is a miss, and is written anew")
    def _():
        folder = path("rotten")
        with Service("--cache-dir", folder) as service:
            for i in range(4):
                ask(service, i)
        names = [os.path.join(folder, one) for one in files(folder)]
        with open(names[0], "r+b") as file:
            file.seek(-100, os.SEEK_END)
            byte = file.read(1)
            file.seek(-100, os.SEEK_END)
            file.write(bytes([byte[0] ^ 1]))
        os.truncate(names[1], 100)
        os.truncate(names[2], 0)
        os.replace(names[3], names[2])
        with Service("--cache-dir", folder, "--cache-bytes", 0) as service:
            for i in range(4):
                ask(service, i)
            same((service.metric("ptxopt_disk_cache_hits_total"), service.metric("ptxopt_disk_cache_errors_total")), (0, 3))
            for i in range(4):
                ask(service, i)
            same(service.metric("ptxopt_disk_cache_hits_total"), 4)

    name = "a disk that is full costs entries, is in the log once, and leaves no half files"
    if SANITIZED:
        skip(name, "a sanitizer writes files of its own")
        return

    @case(name)
    def _():
        folder = path("full")
        few = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
        with Service("--cache-dir", folder, "--cache-bytes", 0, preexec=few) as service:
            for i in range(5):
                ask(service, i)
            same(service.post("/v1/optimize", MINIMAL).status, 200)
            same((len(files(folder)), len(os.listdir(folder))), (1, 2), "the small one and the lock")
            same(service.metric("ptxopt_disk_cache_errors_total"), 5)
            told = [json.loads(text)["message"] for text in service.log if '"disk-cache"' in text]
            same(told, ["--cache-dir cannot be written: File too large", "it works again"])


def refused():
    @case("a directory that others may write to, that another has or that cannot be made is refused")
    def _():
        open_to_all = path("open")
        os.mkdir(open_to_all)
        os.chmod(open_to_all, 0o777)
        same("others could write" in refuses_to_start("--cache-dir", open_to_all), True)
        with Service("--cache-dir", path("taken")):
            same("in use by another ptxoptd" in refuses_to_start("--cache-dir", path("taken")), True)
        same("No such file" in refuses_to_start("--cache-dir", "/nowhere/at/all"), True)
