"""Firefox on a display of its own (Xvfb), by WebDriver BiDi and nothing but Python's own library.

with Firefox(folder) as page: page.open(path); page.run('1 + 1')
Drawn by llvmpipe, on the processor: without a display Firefox has no WebGL. page.requests: what the page asked for.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import time

PREFERENCES = {"webgl.force-enabled": True, "browser.shell.checkDefaultBrowser": False,
               "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False}


def find_firefox():
    names = ("firefox-esr", "firefox")
    return shutil.which("Xvfb") and next((path for name in names if (path := shutil.which(name))), None)


class Firefox:
    def __init__(self, folder, width=800, height=600):
        self.folder, self.size, self.socket, self.stream = folder, (width, height), None, None

    def __enter__(self):
        read, write = os.pipe()
        self.display = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], pass_fds=[write],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with open(read) as line:
            number = line.readline().strip()
        with open(os.path.join(self.folder, "user.js"), "w") as file:
            file.writelines(f'user_pref("{name}", {json.dumps(value)});\n' for name, value in PREFERENCES.items())
        log = pathlib.Path(self.folder) / "firefox.log"
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                [find_firefox(), "--no-remote", "--profile", self.folder, "--remote-debugging-port", "0"],
                stdout=output, stderr=output,
                env={**os.environ, "HOME": self.folder, "DISPLAY": f":{number}", "LIBGL_ALWAYS_SOFTWARE": "1"})
        try:
            self.connect(log)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for opened in (self.stream, self.socket):
            if opened:
                opened.close()
        for process in (self.process, self.display):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def connect(self, log):
        end = time.monotonic() + 120
        while not (found := re.search(r"ws://([\d.]+):(\d+)", said := log.read_text(errors="replace"))):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError("Firefox did not start: " + said[-500:])
            time.sleep(0.1)
        host, port = found[1], int(found[2])
        self.socket = socket.create_connection((host, port), timeout=120)
        self.number, self.requests, self.problems = 0, [], []
        self.stream = self.socket.makefile("rb")
        self.socket.sendall((f"GET /session HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
                             "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
                             f"{base64.b64encode(os.urandom(16)).decode()}\r\n\r\n").encode())
        while self.stream.readline() not in (b"\r\n", b""):
            pass
        self.send("session.new", capabilities={})
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        width, height = self.size
        self.send("browsingContext.setViewport", context=self.context, viewport=dict(width=width, height=height))

    def send(self, method, **parameters):
        self.number += 1
        data, mask = json.dumps({"id": self.number, "method": method, "params": parameters}).encode(), os.urandom(4)
        short = len(data) < 126
        size = struct.pack(">BB", 0x81, 0x80 | len(data)) if short else struct.pack(">BBH", 0x81, 0xfe, len(data))
        self.socket.sendall(size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))
        while True:
            answer = json.loads(self.frame())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}: {answer.get('message')}")
                return answer["result"]
            of = answer.get("params", {})
            if answer.get("method") == "network.beforeRequestSent":
                self.requests.append(of["request"]["url"])
            elif answer.get("method") == "log.entryAdded" and of["level"] == "error":
                self.problems.append(of["text"])

    def frame(self):
        data, last = b"", False
        while not last:
            first, size = self.stream.read(2)
            last, size = first & 0x80, size & 0x7f
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data += self.stream.read(size)
        return data

    def open(self, path):
        self.send("browsingContext.navigate", context=self.context, url=f"file://{path}", wait="complete")
        self.run("hipsplat.ready.then(() => true)")

    def run(self, expression):
        """Its value as JSON."""
        answer = self.send("script.evaluate", expression=f"(async () => JSON.stringify(await ({expression})))()",
                           target={"context": self.context}, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"].get("value", "null"))
