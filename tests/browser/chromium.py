"""Drives Debian's Chromium over the DevTools protocol, on two pipes: nothing to install beside the browser itself.

https://chromedevtools.github.io/devtools-protocol/ ; messages are JSON, each ended by a zero byte
(--remote-debugging-pipe: the browser reads descriptor 3 and writes descriptor 4).
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The browser's path, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


class Chromium:
    def __init__(self, path, timeout=60):
        self.profile = tempfile.mkdtemp(prefix="tare-chromium-")
        self.timeout, self.id, self.buffer, self.events = timeout, 0, b"", []
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()
        flags = [
            "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--force-color-profile=srgb", f"--user-data-dir={self.profile}",
        ]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # as root there is none
        shell = f'exec "$0" "$@" 3<&{to_read} 4>&{from_write}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, path, *flags, "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self, until):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.back], [], [], max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise EOFError("the browser ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, **params):
        self.id += 1
        message = {"id": self.id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        until = time.monotonic() + self.timeout
        while True:
            answer = self._message(until)
            if answer.get("id") == self.id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait(self, method, session):
        until = time.monotonic() + self.timeout
        while True:
            for i, event in enumerate(self.events):
                if event["method"] == method and event.get("sessionId") == session:
                    return self.events.pop(i)
            answer = self._message(until)
            if "method" in answer:
                self.events.append(answer)

    def open(self, path, width=800, height=900, dark=False, script=True, media="", fragment=""):
        return Page(self, path, width, height, dark, script, media, fragment)


class Page:
    """One tab with one file in it, and what it said and asked for meanwhile."""

    def __init__(self, browser, path, width, height, dark, script, media, fragment=""):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.show(width, height, dark, media)
        if not script:
            self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.url = "file://" + os.path.abspath(path)
        answer = self.call("Page.navigate", url=self._escaped(path) + ("#" + fragment if fragment else ""))
        if answer.get("errorText"):
            raise RuntimeError(answer["errorText"])
        browser.wait("Page.loadEventFired", self.session)

    def show(self, width, height=900, dark=False, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    @staticmethod
    def _escaped(path):
        from pathlib import Path
        return Path(path).resolve().as_uri()

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def click(self, selector):
        box = self.evaluate(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", behavior: "instant"}});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def hover(self, selector):
        box = self.evaluate(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", behavior: "instant"}});
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()""")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])

    def press(self, key, code):
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def screenshot(self, path, full=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path, pages=""):
        data = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True, pageRanges=pages)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def _events(self, *methods):
        return [e for e in self.browser.events if e.get("sessionId") == self.session and e["method"] in methods]

    def messages(self):
        """Whatever the console would show: logs, warnings, exceptions, blocked content."""
        self.evaluate("0")  # collects what is under way
        return [e["params"] for e in self._events("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")]

    def requests(self):
        return [e["params"]["request"]["url"] for e in self._events("Network.requestWillBeSent")]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
        self.browser.events = [e for e in self.browser.events if e.get("sessionId") != self.session]
