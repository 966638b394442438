#!/usr/bin/env python3
"""A run that trains, watched in Chromium by --serve: live_test.py HIPSPLAT [TEST ...]

Skipped, and said, without Chromium.
"""

import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from browser import Browser, find_chromium

PROGRAM, SOURCE = "hipsplat", pathlib.Path(__file__).resolve().parents[2]


class Served:
    """The program with --serve, until the end of the block."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([PROGRAM, *map(str, arguments), "--serve", "--json"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            said = json.loads(line)
            if said["type"] == "serving":
                self.url = said["url"]
                return
        raise AssertionError("no address was printed")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.stdout.close()
        self.process.wait(60)


class LivePage(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def text(self, browser, name):
        return browser.run(f"document.getElementById('{name}').textContent")

    def assert_apart(self, browser, *names):
        boxes = {name: browser.run(f"(r => [r.left, r.top, r.right, r.bottom])"
                                   f"(document.querySelector('{name}').getBoundingClientRect())") for name in names}
        for i, a in enumerate(names):
            for b in names[:i]:
                self.assertTrue(any(boxes[p][side + 2] <= boxes[q][side] for p, q in ((a, b), (b, a))
                                    for side in (0, 1)), (a, b, boxes))

    def until_page(self, browser, url):
        end = time.monotonic() + 60
        while True:  # the page may have to be made first, and asks again by itself
            browser.open(url, wait=False)
            if browser.run("Boolean(window.hipsplat)"):
                return browser.run("hipsplat.ready.then(() => true)")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.3)

    def test_a_run_is_watched_compared_and_stopped(self):
        out = self.folder / "out"
        with Served("train", SOURCE / "assets/demo", "-o", out, "-r", 8, "-i", 1000000, "--eval",
                    "--threads", 1) as served, Browser(self.folder, 900, 700) as browser:
            self.until_page(browser, served.url)
            browser.until("document.getElementById('live-shown').textContent.includes('iteration')", 90)
            shown = self.text(browser, "live-shown")
            browser.run("hipsplat.go({p: [0.3, -0.2, -2], q: [1, 0, 0, 0], fov: 60, d: 2})")
            view, frames = browser.run("hipsplat.view"), browser.run("hipsplat.frame")
            browser.until(f"document.getElementById('live-shown').textContent !== {json.dumps(shown)}", 90)
            browser.until(f"hipsplat.frame > {frames + 1}", 60)
            self.assertEqual(browser.run("hipsplat.view"), view)
            self.assertIsNone(browser.run("hipsplat.error || null"))

            browser.run("hipsplat.showPhoto(2)")
            browser.run("document.querySelector('[data-ask=pair]').click()")
            browser.until("document.querySelector('#pair p').textContent.includes(' dB at iteration')", 90)
            width, height = browser.run("(c => [c.width, c.height])(document.querySelector('#pair canvas'))")
            self.assertTrue(width > 50 and height > 50)
            whole = ("(() => {{ const c = document.querySelector('#pair canvas'), r = document.querySelector('#pair input');"
                     "r.value = {}; r.dispatchEvent(new Event('input')); return c.toDataURL(); }})()")
            self.assertNotEqual(browser.run(whole.format(1)), browser.run(whole.format(0)))
            browser.run("document.querySelector('#pair input').focus()")
            for kind in ("keyDown", "keyUp"):
                browser.send("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight",
                             windowsVirtualKeyCode=39)
            browser.until("document.querySelector('#pair input').value > 0")
            self.assertEqual(browser.run("hipsplat.photo"), 2)  # no camera turned behind it
            for width, height in ((900, 700), (390, 844), (844, 390)):
                browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2,
                             mobile=True)
                browser.until(f"window.innerWidth === {width}")
                self.assert_apart(browser, "#live", "nav", "#pair input", "#pair p")
                self.assert_apart(browser, "#live", "#pair canvas")
            browser.send("Emulation.setDeviceMetricsOverride", width=900, height=700, deviceScaleFactor=1, mobile=False)
            self.assertNotIn("· ·", browser.run("document.getElementById('live').innerText"))

            browser.run("document.querySelector('[data-ask=pause]').click()")
            browser.until("document.getElementById('live-state').textContent.startsWith('paused')", 30)
            browser.run("document.querySelector('[data-ask=pause]').click()")
            browser.until("document.getElementById('live-state').textContent.startsWith('training')", 30)
            for _ in range(2):  # it asks back
                browser.run("document.querySelector('[data-ask=stop]').click()")
            browser.until("document.getElementById('live-state').textContent.includes('ended')", 60)
            self.assertEqual(served.process.wait(60), 0)
            seen = "getComputedStyle(document.getElementById('picture')).visibility"
            self.assertEqual(browser.run(seen), "hidden")
            browser.run("document.querySelector('[data-ask=pair]').click()")  # back to the last splats
            self.assertEqual(browser.run(seen), "visible")
            self.assertTrue(browser.run("document.querySelector('[data-ask=pair]').disabled"))
            self.assertTrue((out / "metrics.json").exists())
            self.assertTrue(all(request.startswith((served.url, "blob:", "data:")) for request in browser.requests),
                            browser.requests)

    def test_splats_are_shown_without_a_run(self):
        scene = self.folder / "scene.ply"
        subprocess.run([PROGRAM, "train", SOURCE / "assets/demo", "-o", scene, "-r", "8", "-i", "3"], check=True,
                       capture_output=True)
        with Served(scene) as served, Browser(self.folder) as browser:
            self.until_page(browser, served.url)
            self.assertGreater(browser.run("hipsplat.splats"), 100)
            self.assertFalse(browser.run("Boolean(document.getElementById('live'))"))
            self.assertEqual(browser.problems, [])


if __name__ == "__main__":
    if not find_chromium():
        print("skipped: there is no Chromium")
        sys.exit(0)
    PROGRAM = sys.argv.pop(1)
    sys.exit(not unittest.main(exit=False, verbosity=2).result.wasSuccessful())
