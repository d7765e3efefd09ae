"""The page at / in a headless Chromium, controlled through its debugging pipe."""
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

    extras(service, browser, run)

    @case("the page in Chromium asks its own service alone")
    def _():
        same([url for url in browser.asked if not url.startswith((origin, "about:", "data:"))], [])
        same(any("/v1/optimize" in url for url in browser.asked), True)


def extras(service, browser, run):
    has_editor = browser.value("!!editor")
    kernel = json.dumps(KERNEL.decode())
    wait_for = lambda expression: wait_until(lambda: browser.value(expression))
    message = "document.getElementById('message').textContent"

    def type_text(text, editor=True):
        if editor:
            browser.value(f"editor.replaceRange({json.dumps(text)}, {{line: 0, ch: 0}}, undefined, '+input')")
        else:
            browser.value(f"document.getElementById('source').value = {json.dumps(text)} + document.getElementById('source').value;"
                          "document.getElementById('source').dispatchEvent(new Event('input'))")

    @case("an example of the page is a click away, and its answers come without another")
    def _():
        names = json.loads(browser.value("JSON.stringify([...document.getElementById('example').options].map((one) => one.value))"))
        same(len(names) > 3 and "gemm-1cta" in names, True, str(names))
        browser.value("document.getElementById('example').value = 'gemm-1cta'; document.getElementById('example').dispatchEvent(new Event('change'))")
        wait_for(message + " === '15 of 18 candidates removed'")
        same(browser.value("text()"), KERNEL.decode())

    @case("the page answers while one types, a while after the last key, and the last text counts")
    def _():
        browser.value(f"setText({kernel})")
        wait_for(message + " === '15 of 18 candidates removed'")
        before = sum("/v1/optimize" in url for url in browser.asked)
        for _ in range(5):
            type_text("// x\n", has_editor)
        wait_for("!!document.querySelector('#edits td button') && document.querySelector('#edits td button').textContent === '294'")
        same(sum("/v1/optimize" in url for url in browser.asked) - before <= 2, True, "a request a key")
        same(browser.value("(() => { run(true); const first = running; setText('tcgen05 {'); return first.signal.aborted; })()"), True)
        wait_for(message + ".startsWith('line 1, column 1: ')")

    @case("the page's tabs go by keyboard, and have the picture and what lint finds")
    def _():
        run(browser, WRONG_WAIT)
        same(browser.value("document.querySelectorAll('#lint tbody tr').length"), 1)
        run(browser, KERNEL.decode())
        browser.value("document.getElementById('tab-edits').focus()")
        for _ in range(3):
            for kind in ("keyDown", "keyUp"):
                browser.do("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
        same(browser.value("document.activeElement.id"), "tab-picture")
        wait_for("!!document.querySelector('#picture img') && document.querySelector('#picture img').naturalWidth > 100")
        same(browser.value("[...document.querySelectorAll('[role=tabpanel]')].filter((one) => !one.hidden).map((one) => one.id).join()"), "panel-picture")

    @case("a rule or an assumption that is switched counts")
    def _():
        run(browser, KERNEL.decode())
        wait_for("document.querySelectorAll('#rules input').length > 10")
        browser.value("document.querySelector('#rules input[value=wait-covered]').click()")
        answer = service.post("/v1/optimize?rules=" + browser.value("chosen().get('rules')"), KERNEL, Accept="application/json").json()
        same(answer["stats"]["deleted"] < 15, True)
        wait_for(message + f" === '{answer['stats']['deleted']} of 18 candidates removed'")
        browser.value("document.querySelector('#rules input[value=wait-covered]').click();"
                      "document.querySelector('#assumptions input[value=exit-silent]').click()")
        same(browser.value("chosen().toString()"), "style=blank&assume=exit-silent")
        browser.value("document.querySelector('#assumptions input[value=exit-silent]').click()")
        wait_for(message + " === '15 of 18 candidates removed'")

    @case("nothing of the page is cut at 400 pixels, light and dark")
    def _():
        for width in (400, 1300):
            browser.do("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            for scheme in ("light", "dark"):
                browser.do("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
                for tab in ("edits", "kept", "diff", "picture", "lint"):
                    browser.value(f"select('{tab}'); document.getElementById('choices').open = true")
                    cut = browser.value("JSON.stringify([...document.querySelectorAll('body, header, main, footer, #panels *')].filter((one) => "
                                        "one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.tagName + '.' + one.id))")
                    same((width, scheme, tab, cut, browser.value("document.documentElement.scrollWidth <= innerWidth")), (width, scheme, tab, "[]", True))
                colours = json.loads(browser.value("JSON.stringify([getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
                                                   ".map((one) => one.match(/\\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)))"))
                same((colours[0] > colours[1]), scheme == "dark", f"{scheme}: {colours}")
        browser.do("Emulation.clearDeviceMetricsOverride")

    @case("the whole report is a click away, under its own policy")
    def _():
        browser.value("window.clicked = null; HTMLAnchorElement.prototype.click = function () { window.clicked = this.getAttribute('href'); };"
                      "document.getElementById('report').click()")
        wait_for("!!window.clicked")
        report = service.ask("GET", "/" + browser.value("window.clicked"))
        same((report.status, report.header("Content-Type"), "sandbox" in report.header("Content-Security-Policy")), (200, "text/html; charset=utf-8", True))

    if has_editor:
        @case("the page's editor has line numbers, colours, and marks in its margin")
        def _():
            run(browser, KERNEL.decode())
            edits = service.post("/v1/optimize", KERNEL, Accept="application/json").json()["edits"]
            marked = json.loads(browser.value("JSON.stringify([...Array(editor.lineCount()).keys()].filter((line) => (editor.lineInfo(line).bgClass || '')"
                                              ".includes('removed')).map((line) => line + 1))"))
            same(marked, sorted({edit["line"] for edit in edits}))
            browser.value(f"goTo({edits[0]['line']})")
            wait_for("!!document.querySelector('.mark.removed') && !!document.querySelector('.CodeMirror-linenumber')")
            same(browser.value("document.querySelector('.mark.removed').title.startsWith('removed: ')"), True)
            same(browser.value("editor.getTokenTypeAt({line: " + str(edits[0]["line"] - 1) + ", ch: 4})"), "builtin")
            run(browser, MINIMAL.decode() + "{ tcgen05")
            wait_for("!!editor.lineInfo(3).gutterMarkers")
    else:
        skip("the page's editor has line numbers, colours, and marks in its margin", "libjs-codemirror was not there at build")

    @case("without the editor the plain text area does")
    def _():
        browser.do("Page.enable")
        browser.do("Page.addScriptToEvaluateOnNewDocument", source="Object.defineProperty(window, 'CodeMirror', { get() {}, set() {} })")
        browser.do("Page.navigate", url=f"http://{service.address}/")
        wait_for("document.readyState === 'complete' && !!document.getElementById('run') && typeof editor !== 'undefined' && editor === null")
        same(run(browser, KERNEL.decode()), "15 of 18 candidates removed")
        type_text("// ", False)
        wait_for(message + " === '15 of 18 candidates removed' && text().startsWith('// ')")
