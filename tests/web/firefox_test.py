#!/usr/bin/env python3
"""A web page of splats in Firefox: firefox_test.py HIPSPLAT. Skipped, and said, where that or Xvfb is missing."""

import base64
import json
import pathlib
import sys
import tempfile
import unittest

import page_test
from browser import psnr, read_png
from firefox import Firefox, find_firefox
from page_test import HEIGHT, WIDTH, lens_of, ring, run, write_cameras, write_splats


class FirefoxPage(unittest.TestCase):
    def test_opens_from_disk_draws_like_the_program_and_asks_nobody(self):
        with tempfile.TemporaryDirectory(prefix="hipsplat-firefox-") as name:
            folder = pathlib.Path(name)
            cameras = write_cameras(folder / "cameras.json")
            write_splats(folder / "splats.ply", 2500, 2)
            run("convert", folder / "splats.ply", folder / "splats.spz", "--spz-version", "3")
            run("convert", folder / "splats.spz", folder / "scene.html")
            (folder / "profile").mkdir()
            with Firefox(str(folder / "profile")) as browser:
                browser.open(folder / "scene.html")
                self.assertEqual(browser.run("hipsplat.splats"), 2500)
                colours = browser.run("JSON.parse(document.getElementById('scene').textContent).background")
                run("render", folder / "splats.spz", "--cameras", folder / "cameras.json", "-o", folder / "ours",
                    "--background", ",".join(map(str, colours)), "--backend", "cpu")
                for camera, (p, q) in zip(cameras, ring(3)):
                    state = json.dumps(dict(p=p, q=q, d=3, lens=lens_of(camera)))
                    url = browser.run(f"hipsplat.picture({state}, {WIDTH}, {HEIGHT})")
                    theirs = read_png(base64.b64decode(url.split(",", 1)[1]))
                    ours = read_png((folder / "ours" / camera["img_name"].replace(".jpg", ".png")).read_bytes())
                    print(f"{browser.run('hipsplat.renderer')}, view {camera['id']}: {psnr(ours, theirs):.1f} dB")
                    self.assertGreaterEqual(psnr(ours, theirs), 40)
                moved = browser.run("""(async () => {
                    const {view, frame} = hipsplat;
                    hipsplat.go({...view, p: [0.5, 0, -3], lens: null, fov: 50});
                    while (hipsplat.frame === frame || hipsplat.drawn.moving)
                        await new Promise(done => setTimeout(done, 20));
                    return hipsplat.drawn;
                })()""")
                self.assertEqual((moved["every"], moved["scale"]), (1, 1))
                asked = [url for url in browser.requests if not url.startswith(("file:", "blob:", "data:"))]
                self.assertEqual(asked, [])
                self.assertEqual(browser.problems, [])


if __name__ == "__main__":
    if not find_firefox():
        print("skipped: there is no Firefox, or no Xvfb")
        sys.exit(0)
    page_test.PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
