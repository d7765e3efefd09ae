"""Starts proxies in front of replicas, with the files of server/, for other parts of this folder."""
import os
import shutil
import socket
import subprocess

from harness import *


def server_file(name):
    with open(os.path.join(SOURCE, "server", name)) as file:
        return file.read()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def program(name):
    """The path of the program, or None."""
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


class Proxy:
    """Runs a program in front of three replicas, and ends it afterwards."""

    def configure(self, name, replicas):
        """A file of server/ with the ports of this test."""
        self.port = free_port()
        text = server_file(name)
        for i, replica in enumerate(replicas):
            text = text.replace(f"127.0.0.1:{8081 + i}", replica.address)
        return text.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")

    def ask(self, method, where, body=None, kind=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        try:
            link.request(method, where, body, {"Content-Type": kind} if kind else {})
            response = link.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            link.close()

    def answers(self):
        try:
            return self.ask("GET", "/healthz").status == 200
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Nginx(Proxy):
    """nginx with server/nginx.conf."""

    def __init__(self, replicas):
        text = self.configure("nginx.conf", replicas)
        config = text_file("nginx.conf", f"""
            {'user root;' if os.geteuid() == 0 else ''} daemon off; pid {path('nginx.pid')}; error_log {path('nginx.log')}; events {{}}
            http {{ access_log off; client_body_temp_path {path('nginx-body')}; proxy_temp_path {path('nginx-proxy')};
                    fastcgi_temp_path {path('x1')}; uwsgi_temp_path {path('x2')}; scgi_temp_path {path('x3')};
                    {text} }}""")
        self.process = subprocess.Popen([program("nginx"), "-c", config, "-e", path("nginx.log")],
                                        stderr=subprocess.DEVNULL)


class HAProxy(Proxy):
    """HAProxy with server/haproxy.cfg, but with more frequent requests to /readyz."""

    def __init__(self, replicas):
        config = text_file("haproxy.cfg", self.configure("haproxy.cfg", replicas).replace("inter 1s", "inter 200ms"))
        self.process = subprocess.Popen([program("haproxy"), "-db", "-f", config], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
