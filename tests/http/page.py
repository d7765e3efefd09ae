"""The page at / in a headless Chromium, spoken to through its debugging pipe."""
import json
import os
import select
import shutil
import subprocess
import time

from harness import *

KERNEL = example("gemm-1cta")


class Browser:
    def __init__(self, program):
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()
        # It reads commands from file 3 and writes to file 4, which ours may be in the way of.
        high = os.dup2(to_read, 100), os.dup2(to_write, 101)

        def place():
            os.dup2(100, 3)
            os.dup2(101, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", "--user-data-dir=" + path("chromium"), "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        for fd in (to_read, to_write, *high):
            os.close(fd)
        self.rest, self.number, self.session, self.asked = b"", 0, None, []
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.do("Network.enable")

    def message(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.of], [], [], max(0, until - time.monotonic()))[0]:
                raise AssertionError("Chromium does not answer")
            block = os.read(self.of, 1 << 16)
            if not block:
                raise AssertionError("Chromium ended")
            self.rest += block
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def do(self, method, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + 30
        while True:
            answer = self.message(until)
            if answer.get("method") == "Network.requestWillBeSent":
                self.asked.append(answer["params"]["request"]["url"])
            if answer.get("id") == self.number:
                return answer["result"]

    def value(self, expression):
        return self.do("Runtime.evaluate", expression=expression)["result"].get("value")

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.of)


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program or SANITIZED:
        skip("the page shows what is deleted", "no Chromium here" if not program else "once is enough")
        return

    def run(browser, text):
        browser.value(f"document.getElementById('source').value = {json.dumps(text)};"
                      "document.getElementById('message').textContent = '';"
                      "document.getElementById('run').click()")
        wait_until(lambda: browser.value("document.getElementById('message').textContent") not in ("", "…", None))
        return browser.value("document.getElementById('message').textContent")

    with Service() as service:
        try:
            browser = Browser(program)
        except AssertionError as error:
            skip("the page shows what is deleted", str(error))
            return
        try:
            pages(service, browser, run)
        finally:
            browser.end()


def pages(service, browser, run):
    origin = f"http://{service.address}"
    browser.do("Page.navigate", url=origin + "/")
    wait_until(lambda: browser.value("!!document.getElementById('run')"))

    @case("the page shows what is deleted")
    def _():
        edits = service.post("/v1/optimize", KERNEL, Accept="application/json").json()["edits"]
        same(run(browser, KERNEL.decode()), f"{len(edits)} of 18 candidates removed")
        gone = json.loads(browser.value(
            "JSON.stringify([...document.querySelectorAll('#diff .gone')].map((div) => div.textContent.trim()))"))
        same(len(gone), len(edits))
        same(all(edit["text"] in " ".join(gone) for edit in edits), True)
        same(browser.value("document.querySelectorAll('#edits tbody tr').length"), len(edits))

    @case("the page shows where PTX does not parse, as text")
    def _():
        said = run(browser, MINIMAL.decode() + "<img src=x onerror=alert(1)> { tcgen05")
        same(said.startswith("line 4, column 1: "), True, said)
        same(browser.value("document.images.length"), 0)

    @case("the page in Chromium asks its own service alone")
    def _():
        same([url for url in browser.asked if not url.startswith((origin, "about:", "data:"))], [])
        same(any("/v1/optimize" in url for url in browser.asked), True)
