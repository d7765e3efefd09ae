"""The image of server/image, and the files of server/ for Kubernetes, tested with the tools that read them."""
import os
import re
import shutil
import signal
import stat
import subprocess

from harness import *
from balancers import free_port, server_file

KERNEL = example("gemm-1cta")


def main():
    folder = path("image")
    image(folder)
    container(folder)
    kubernetes()


def image(folder):
    @case("the image has the program, what it loads and nothing that nobody may write")
    def _():
        done = subprocess.run(["bash", os.path.join(SOURCE, "server", "image", "collect.sh"), PTXOPTD, folder], capture_output=True)
        same((done.returncode, done.stderr), (0, b""))
        modes = {os.path.join(where, one): os.lstat(os.path.join(where, one)).st_mode for where, _, names in os.walk(folder) for one in names}
        same([one for one, mode in modes.items() if mode & (stat.S_IWGRP | stat.S_IWOTH)], [], "writable")
        same([one for one, mode in modes.items() if mode & (stat.S_ISUID | stat.S_ISGID)], [], "set-user-ID")
        same("bash" in " ".join(modes), False, "a shell")
        if not SANITIZED:
            size = sum(os.lstat(one).st_size for one in modes)
            same(size < 40 << 20, True, f"{size} bytes")

    @case("kubernetes.yaml pulls the image that `make image` names")
    def _():
        with open(os.path.join(SOURCE, "server", "local.mk")) as makefile:
            name = re.search(r"buildah build .*-t (\S+?):\$\(VERSION\)", makefile.read()).group(1)
        version = subprocess.run([PTXOPTD, "--version"], capture_output=True, check=True).stdout.decode().split()[1]
        same(re.search(r"image: (\S+)", server_file("kubernetes.yaml")).group(1), f"{name}:{version}")


def container(folder):
    ways = {"in a container of the image (buildah)": None, "in a container of the image with a read-only root (podman)": None}
    store = ["--storage-driver", "vfs", "--root", path("store"), "--runroot", path("run")]
    made = shutil.which("buildah") and not SANITIZED and asked(
        "buildah", *store, "build", "--isolation", "chroot", "-t", "ptxoptd:test", "-f",
        os.path.join(SOURCE, "server", "image", "Containerfile"), folder) is not None
    if made:
        name = asked("buildah", *store, "from", "ptxoptd:test")
        if name:
            ways["in a container of the image (buildah)"] = [
                "buildah", *store, "run", "--isolation", "chroot", name, "--", "/usr/sbin/ptxoptd"]
        runtime = ["--runtime", "runc"] if shutil.which("runc") else []
        # What kubernetes.yaml allows; the limits are for systems that let nobody raise them.
        ways["in a container of the image with a read-only root (podman)"] = [
            "podman", *store, *runtime, "run", "--rm", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges", "--network=host",
            "--ulimit=nofile=4000:4000", "--ulimit=nproc=1000:1000", "ptxoptd:test"]
    for way, command in ways.items():
        name = way + " nobody (65534) runs it, with --isolate, and it answers"
        if SANITIZED or "isolate" not in features() or not command or asked(*command, "--version") is None:
            skip(name, "not possible here, no --isolate, or a sanitizer")
        else:
            answers(name, command, "read-only" in way)
    if made:
        asked("buildah", *store, "rm", "--all")
        asked("buildah", *store, "rmi", "--all", "--force")


def asked(*command):
    """The output of the command; None if it failed or is not installed."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=HANGS, stdin=subprocess.DEVNULL)
    except OSError:
        return None
    return None if done.returncode else done.stdout.decode().strip()


def answers(name, command, is_read_only):
    @case(name)
    def _():
        port = free_port()
        process = subprocess.Popen([*command, "--isolate", f"--listen=127.0.0.1:{port}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            link = lambda: http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)

            def ready():
                try:
                    one = link()
                    one.request("GET", "/readyz")
                    return one.getresponse().status == 200
                except OSError:
                    return False

            wait_until(ready)
            one = link()
            one.request("POST", "/v1/optimize", KERNEL, {"Content-Type": "text/x-ptx"})
            answer = one.getresponse()
            same((answer.status, answer.read()), (200, optimized(KERNEL)))
            running = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if runs(pid, port)]
            same({proc_number(pid, "Uid") for pid in running}, {65534}, "users")
            if is_read_only:
                same({root_options(pid)[0] for pid in running}, {"ro"}, "the root is mounted")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            status = process.wait(HANGS)
        if is_read_only:  # buildah gives a status of its own
            same(status, 0, "status after SIGTERM")


def root_options(pid):
    """The mount of the root of that process (proc(5), mountinfo)."""
    with open(f"/proc/{pid}/mountinfo") as file:
        mounts = [one.split() for one in file]
    return [one[5] for one in mounts if one[4] == "/"][-1].split(",")


def runs(pid, port):
    """Whether the process is the ptxoptd of that port."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
        return words[-2:-1] == [b"--listen=127.0.0.1:%d" % port] and words[0] == b"/usr/sbin/ptxoptd"
    except OSError:
        return False


def kubernetes():
    name = "kustomize builds the base, which has probes, limits, a disruption budget and autoscaling"
    if not shutil.which("kubectl") or subprocess.run(["kubectl", "kustomize", "--help"], capture_output=True).returncode:
        skip(name, "no kubectl here")
        return
    built = []

    @case(name)
    def _():
        done = subprocess.run(["kubectl", "kustomize", os.path.join(SOURCE, "server")], capture_output=True)
        same((done.returncode, done.stderr), (0, b""))
        built.append(done.stdout)
        text = done.stdout.decode()
        for one in ("Deployment", "Service", "PodDisruptionBudget", "HorizontalPodAutoscaler"):
            same(len(re.findall(rf"^kind: {one}$", text, re.M)), 1, one)
        for one in ("startupProbe", "readinessProbe", "livenessProbe", "limits", "readOnlyRootFilesystem: true", "ptxopt_queue_length"):
            same(one in text, True, one)

    @case("the secret of kubernetes.md has the files that kubernetes.yaml names")
    def _():
        command = re.search(r"^    (kubectl create secret .*)$", server_file("kubernetes.md"), re.M).group(1).split()
        os.makedirs(path("secret"), exist_ok=True)
        for one in command[5:]:
            text_file(os.path.join("secret", one.split("=")[1]), "text\n")
        done = subprocess.run([*command, "--dry-run=client", "-o", "json"], capture_output=True, cwd=path("secret"))
        same((done.returncode, done.stderr), (0, b""))
        mounted = re.findall(r"=/etc/ptxoptd/(\S+)", server_file("kubernetes.yaml"))
        same(sorted(json.loads(done.stdout)["data"]), sorted(mounted))

    name = "each document of the base fits Kubernetes' schema"
    if not built or not shutil.which("kubernetes-validate"):
        skip(name, "no kubernetes-validate here")
        return

    @case(name)
    def _():
        done = subprocess.run(["kubernetes-validate", "--strict", "-"], input=built[0], capture_output=True)
        same(done.returncode, 0, (done.stdout + done.stderr).decode()[-600:])
