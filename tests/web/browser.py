"""Chromium without a window, by its debugging pipe and nothing but Python's own library.

with Browser(folder) as page: page.open(path); page.run('1 + 1')
Drawn by SwiftShader, on the processor. What the page asks for is kept in page.requests, its errors in page.problems.
"""

import base64
import json
import os
import select
import shutil
import struct
import subprocess
import time
import zlib


def find_chromium():
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


class Browser:
    def __init__(self, folder, width=800, height=600, density=1, touch=False):
        self.folder, self.size, self.density, self.touch = folder, (width, height), density, touch

    def __enter__(self):
        to_browser, self.to_browser = os.pipe()
        self.from_browser, from_browser = os.pipe()

        def as_3_and_4():  # where the browser expects them
            in_fd, out_fd = os.dup(to_browser), os.dup(from_browser)
            high_in, high_out = os.dup2(in_fd, 103), os.dup2(out_fd, 104)
            os.dup2(high_in, 3), os.dup2(high_out, 4)

        self.log = open(os.path.join(self.folder, "chromium.log"), "wb")
        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--no-sandbox", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder}/profile", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
             "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
             "--hide-scrollbars", "--disable-gpu-compositing", "--disable-dev-shm-usage", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=as_3_and_4, close_fds=False,
            start_new_session=True)
        os.close(to_browser), os.close(from_browser)
        self.number, self.buffer, self.session, self.events = 0, b"", None, []
        self.requests, self.problems = [], []
        target = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(domain + ".enable")
        width, height = self.size
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=self.density,
                  mobile=self.touch)
        if self.touch:
            self.send("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.send("Browser.close", seconds=10)
            self.process.wait(10)
        except (subprocess.TimeoutExpired, OSError, RuntimeError, TimeoutError):
            os.killpg(self.process.pid, 9)
            self.process.wait()
        os.close(self.to_browser), os.close(self.from_browser), self.log.close()

    def send(self, method, seconds=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data):]
        end = time.monotonic() + seconds
        while True:
            answer = self.read(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def read(self, end):
        while b"\0" not in self.buffer:
            if not select.select([self.from_browser], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.from_browser, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, event, of):
        if event == "Network.requestWillBeSent":
            self.requests.append(of["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.problems.append(str(of["exceptionDetails"].get("exception", {}).get("description", of)))
        elif event == "Log.entryAdded" and of["entry"]["level"] == "error":
            self.problems.append(of["entry"]["text"])
        elif event:
            self.events.append(event)

    def open(self, path, hash="", wait=True):
        """A path, or a URL; with `wait` until the first picture is there."""
        url = path if "://" in str(path) else f"file://{path}"
        self.send("Page.navigate", url="about:blank")  # another hash alone would load nothing
        self.until("location.href === 'about:blank'")
        self.requests.clear()
        self.send("Page.navigate", url=url + hash)
        self.until("location.href !== 'about:blank' && document.readyState === 'complete'", 60)
        if wait:
            self.run("hipsplat.ready.then(() => true)")

    def run(self, expression, seconds=120):
        answer = self.send("Runtime.evaluate", seconds=seconds, expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def until(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not (value := self.run(expression)):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.05)
        return value

    def mouse(self, kind, x, y, button="left", **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1, **more)

    def drag(self, x, y, dx, dy, button="left", modifiers=0):
        buttons = {"left": 1, "right": 2, "middle": 4}[button]
        self.mouse("mousePressed", x, y, button, buttons=buttons, modifiers=modifiers)
        for step in range(1, 5):
            self.mouse("mouseMoved", x + dx * step / 4, y + dy * step / 4, button, buttons=buttons, modifiers=modifiers)
        self.mouse("mouseReleased", x + dx, y + dy, button, modifiers=modifiers)

    def fingers(self, *steps):
        """Each step: where the fingers are, [(x, y), ...]; then they are lifted."""
        for i, points in enumerate(steps):
            self.send("Input.dispatchTouchEvent", type="touchMove" if i else "touchStart",
                      touchPoints=[{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)])
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, code, key, seconds=0.0):
        self.send("Input.dispatchKeyEvent", type="keyDown", code=code, key=key)
        time.sleep(seconds)
        self.send("Input.dispatchKeyEvent", type="keyUp", code=code, key=key)

    def screenshot(self, path):
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
        with open(path, "wb") as file:
            file.write(data)

    def picture(self, state, width, height):
        """What the page draws of exactly this view: (width, height, RGB bytes)."""
        url = self.run(f"hipsplat.picture({json.dumps(state)}, {width}, {height})")
        return read_png(base64.b64decode(url.split(",", 1)[1]))


def read_png(data):
    """8-bit RGB or RGBA without interlacing: (width, height, RGB bytes)."""
    at, packed, channels = 8, b"", 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[colours]
            assert depth == 8
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride = zlib.decompress(packed), width * channels
    above, rows = bytearray(stride), []
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        if kind == 1:
            for i in range(channels, stride):
                row[i] = (row[i] + row[i - channels]) & 255
        elif kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, above))
        elif kind == 3:
            for i in range(stride):
                left = row[i - channels] if i >= channels else 0
                row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            for i in range(stride):
                a, b, c = (row[i - channels], above[i], above[i - channels]) if i >= channels else (0, above[i], 0)
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        rows.append(row)
        above = row
    if channels == 4:
        rows = [b"".join(bytes(row[i:i + 3]) for i in range(0, stride, 4)) for row in rows]
    return width, height, b"".join(bytes(row) for row in rows)


def psnr(a, b):
    import math

    assert a[:2] == b[:2], (a[:2], b[:2])
    squares = sum((x - y) * (x - y) for x, y in zip(a[2], b[2]))
    return 10 * math.log10(255 * 255 * len(a[2]) / max(squares, 1))
