#!/usr/bin/env python3
"""Web pages of splats in Chromium: page_test.py HIPSPLAT [TEST ...]

Pages are written by the program, opened from disk and compared with its pictures. Skipped, and said, without Chromium.
"""

import base64
import contextlib
import functools
import gzip
import http.server
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from browser import Browser, find_chromium, psnr, read_png

PROGRAM = "hipsplat"
WIDTH, HEIGHT = 240, 180


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_splats(path, count, degree, seed=1, scale=-3.2):
    """A ball of coloured splats, as a PLY in INRIA's order."""
    rng = random.Random(seed)
    rest = 3 * ((degree + 1) ** 2 - 1)
    names = (["x", "y", "z"] + [f"f_dc_{i}" for i in range(3)] + [f"f_rest_{i}" for i in range(rest)] + ["opacity"] +
             [f"scale_{i}" for i in range(3)] + [f"rot_{i}" for i in range(4)])
    with open(path, "wb") as file:
        header = "".join(f"property float {name}\n" for name in names)
        file.write(f"ply\nformat binary_little_endian 1.0\nelement vertex {count}\n{header}end_header\n".encode())
        for _ in range(count):
            row = [rng.gauss(0, 0.5) for _ in range(3)] + [rng.gauss(0, 1) for _ in range(3)]
            row += [rng.gauss(0, 0.15) for _ in range(rest)] + [rng.gauss(0, 2)]
            row += [rng.gauss(scale, 0.6) for _ in range(3)] + [rng.gauss(0, 1) for _ in range(4)]
            file.write(struct.pack(f"<{len(row)}f", *row))


def rotation_of(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def ring(count, distance=3):
    """Poses around the origin, looking at it: (position, quaternion wxyz)."""
    poses = []
    for i in range(count):
        angle = 0.7 * i
        poses.append(([distance * math.sin(angle), 0, -distance * math.cos(angle)],
                      [math.cos(angle / 2), 0, -math.sin(angle / 2), 0]))
    return poses


def write_cameras(path):
    cameras = [dict(id=i, img_name=f"photo_{i}.jpg", width=WIDTH, height=HEIGHT, position=p, rotation=rotation_of(q),
                    fx=230 + i, fy=232 + i, cx=WIDTH / 2 + 3, cy=HEIGHT / 2 - 2) for i, (p, q) in enumerate(ring(3))]
    path.write_text(json.dumps(cameras))
    return cameras


def lens_of(camera):
    return dict(fx=camera["fx"], fy=camera["fy"], cx=camera["cx"], cy=camera["cy"], w=WIDTH, h=HEIGHT)


def distance(a, b):
    return math.dist(a, b)


def forward(q):
    return [row[2] for row in rotation_of(q)]


def pivot(view):
    return [p + view["d"] * f for p, f in zip(view["p"], forward(view["q"]))]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


# A headset of two eyes 64 mm apart, whose frames are drawn beside each other into a texture.
HEADSET = """
const fake = window.fake = {frames: 0, sorts: 0, sources: [], steered: 0, events: {}};
const move = x => [1, 0, 0, 0,  0, 1, 0, 0,  0, 0, 1, 0,  x, 0, 0, 1], w = WIDTH, h = HEIGHT;
const projection = side => [1.5, 0, 0, 0,  0, 2, 0, 0,  0.1 * side, 0.05, -1, -1,  0, 0, -0.1, 0];
const views = [-1, 1].map(side => ({side, projectionMatrix: projection(side),
                                    transform: {matrix: move(0.032 * side)}}));
fake.session = {
  get inputSources() { return fake.steered-- > 0 ? fake.sources : []; }, renderState: {},
  addEventListener: (name, handle) => fake.events[name] = handle,
  updateRenderState(state) { this.renderState = state; },
  requestReferenceSpace: async () => ({}),
  requestAnimationFrame: handle => fake.ended || setTimeout(() => {
    handle(50 * ++fake.frames, {getViewerPose: () => ({views, transform: {matrix: move(0)}})}); }, 50),
  end: async () => { fake.ended = true, fake.events.end(); },
};
Object.defineProperty(navigator, 'xr', {value: {
  isSessionSupported: async mode => mode === 'immersive-vr',
  requestSession: async () => (fake.asked = true, fake.session)}});
WebGL2RenderingContext.prototype.makeXRCompatible = async () => 0;
window.XRWebGLLayer = class {
  constructor(session, gl) {
    fake.gl = gl, fake.target = this.framebuffer = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2 * w, h);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  }
  getViewport(view) { return {x: view.side < 0 ? 0 : w, y: 0, width: w, height: h}; }
};
fake.look = () => [0, 1].map(right => {
  const {gl} = fake, read = new Uint8Array(4 * w * h), pixels = [];
  gl.bindFramebuffer(gl.FRAMEBUFFER, fake.target);
  gl.readPixels(right * w, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, read);
  for (let y = h - 1; y >= 0; --y)
    for (let x = 0; x < w; ++x) pixels.push(...read.slice(4 * (y * w + x), 4 * (y * w + x) + 3));
  const side = right ? 1 : -1;
  return {pixels, lens: {fx: 1.5 * w / 2, fy: 2 * h / 2, cx: (1 - 0.1 * side) * w / 2, cy: 1.05 * h / 2, w, h}};
});
fake.steer = async (handedness, axes, frames) => {  // of 50 ms; until these are over and sorted
  Object.assign(fake, {sources: [{handedness, gamepad: {axes, buttons: []}}], steered: frames});
  while (fake.steered > 0) await new Promise(done => setTimeout(done, 20));
  for (const wanted = fake.sorts + 3; fake.sorts < wanted;) await new Promise(done => setTimeout(done, 20));
};
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function(message, ...more) {
  if (message.sort && message.sort.key.startsWith('vr')) {
    const r = fake.rows = message.sort.rows;
    fake.last = [0, 1, 2].map(c => -(r[c] * r[3] + r[4 + c] * r[7] + r[8 + c] * r[11]));
    ++fake.sorts;
  }
  return post.call(this, message, ...more);
};
""".replace("WIDTH", str(WIDTH)).replace("HEIGHT", str(HEIGHT))


class WebPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="hipsplat-web-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.run_folder = cls.folder / "run"
        cls.run_folder.mkdir()
        cls.cameras = write_cameras(cls.run_folder / "cameras.json")
        write_splats(cls.run_folder / "splats.ply", 2500, 3)
        cls.page = cls.folder / "scene.html"
        cls.said = run("convert", cls.run_folder / "splats.ply", cls.page)
        cls.background = cls.scene_of(cls.page)["background"]

    @staticmethod
    def scene_of(page):
        text = page.read_text()
        begin = text.index('id="scene">') + len('id="scene">')
        return json.loads(text[begin:text.index("</script>", begin)])

    def changed_page(self, name, **fields):
        scene = self.scene_of(self.page)
        text = self.page.read_text()
        begin = text.index('id="scene">') + len('id="scene">')
        path = self.folder / name
        path.write_text(text[:begin] + json.dumps({**scene, **fields}) + text[text.index("</script>", begin):])
        return path

    def browser(self, **options):
        folder = tempfile.mkdtemp(dir=self.folder)
        return Browser(folder, **{"width": 400, "height": 300, **options})

    @contextlib.contextmanager
    def server(self, folder, handler=Quiet):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            server.server_close()

    def assert_quiet(self, browser, *also):
        strange = [url for url in browser.requests if not url.startswith(("file:", "blob:", "data:", *also))]
        self.assertEqual(strange, [])
        self.assertEqual(browser.problems, [])

    def assert_like_the_program(self, name, count, degree, antialiased=False, low_pass=None):
        write_splats(self.folder / f"{name}.ply", count, degree, seed=7)
        splats = self.folder / f"{name}.spz"
        run("convert", self.folder / f"{name}.ply", splats, "--spz-version", "3")
        if antialiased:
            data = bytearray(gzip.decompress(splats.read_bytes()))
            data[14] = 1
            splats.write_bytes(gzip.compress(data))
        if low_pass is not None:
            (self.folder / f"{name}.scene.json").write_text(json.dumps({"version": 1, "low_pass": low_pass}))
        run("convert", splats, self.folder / f"{name}.html")
        self.assertEqual(self.header_of(self.folder / f"{name}.html")[14], int(antialiased))
        colours = ",".join(str(x) for x in self.background)
        run("render", splats, "--cameras", self.run_folder / "cameras.json", "-o", self.folder / name,
            "--background", colours, "--backend", "cpu")
        with self.browser() as browser:
            browser.open(self.folder / f"{name}.html")
            for camera in self.cameras:
                ours = read_png((self.folder / name / camera["img_name"].replace(".jpg", ".png")).read_bytes())
                p, q = ring(3)[camera["id"]]
                theirs = browser.picture(dict(p=p, q=q, d=3, lens=lens_of(camera)), WIDTH, HEIGHT)
                figure = psnr(ours, theirs)
                print(f"{name}, view {camera['id']}: {figure:.1f} dB")
                self.assertGreater(max(ours[2]), 200)
                self.assertGreaterEqual(figure, 40)

    def test_pictures_are_those_of_the_program_degree_3(self):
        self.assert_like_the_program("degree3", 2500, 3)

    def test_pictures_are_those_of_the_program_lower_degrees(self):
        for degree in (0, 1, 2):
            self.assert_like_the_program(f"degree{degree}", 600, degree)

    def test_antialiased_splats_are_drawn_so(self):
        self.assert_like_the_program("thin", 600, 0, antialiased=True)

    def test_the_low_pass_of_the_splats_counts(self):
        self.assert_like_the_program("sharp", 600, 0, low_pass=0.05)

    def test_small_and_large_scenes_are_seen(self):
        """As the program films them: SPZ's own sizes and the near plane would leave nothing of them."""
        write_splats(self.folder / "usual.ply", 400, 1, seed=3)
        usual = None
        for scale in ("1", "0.002", "0.00001", "20000"):
            folder = self.folder / f"scale_{scale}"
            run("convert", self.folder / "usual.ply", folder / "a.ply", "--transform", f"scale {scale}")
            run("convert", folder / "a.ply", folder / "a.html")
            run("render", folder / "a.ply", "--path", "orbit", "-o", folder / "film", "--range", "0:1", "--size",
                f"{WIDTH}x{HEIGHT}", "--background", ",".join(str(x) for x in self.background), "--backend", "cpu")
            film = read_png(next((folder / "film").glob("*.png")).read_bytes())
            with self.browser() as browser:
                browser.open(folder / "a.html")
                page = browser.picture(None, WIDTH, HEIGHT)
                self.assert_quiet(browser)
            if usual is None:
                usual = film, page
            for name, now, then in zip(("film", "page"), (film, page), usual):
                print(f"{name}, scale {scale}: {psnr(now, then):.1f} dB of the usual one")
                self.assertGreater(max(now[2]), 200)
                self.assertGreater(psnr(now, then), 38)

    def test_a_lost_context_is_said(self):
        with self.browser() as browser:
            browser.open(self.page)
            browser.run("document.getElementById('picture').getContext('webgl2').getExtension('WEBGL_lose_context')"
                        ".loseContext()")
            browser.until("document.getElementById('failure').textContent.includes('reload')")

    def header_of(self, page):
        """Of the SPZ within: what its text begins with, read as io/splats/html/page_splats.h says."""
        text, bits = page.read_text().split('class="spz">')[1].split("</script>")[0], ""
        for code in map(ord, text):
            if code > 255:
                bits += f"{[0, 10, 13, 60][(code >> 7) - 2]:07b}"
            bits += f"{code & 127:07b}"
        data = bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits) - 7, 8))
        return gzip.decompress(data)[:16]

    def test_opens_from_disk_and_asks_nobody(self):
        self.assertIn("from disk", self.said)
        with self.browser() as browser:
            browser.open(self.page)
            self.assertEqual(browser.run("hipsplat.splats"), 2500)
            self.assertIn("SwiftShader", browser.run("hipsplat.renderer"))
            self.assertEqual(browser.run("hipsplat.photo"), 0)
            self.assertGreater(browser.run("hipsplat.frame"), 0)
            self.assert_quiet(browser)

    def test_mouse_moves_the_camera(self):
        with self.browser() as browser:
            browser.open(self.page)
            before = browser.run("hipsplat.view")
            browser.drag(200, 150, 60, 20)
            turned = browser.run("hipsplat.view")
            self.assertGreater(distance(before["p"], turned["p"]), 0.1)
            self.assertLess(distance(pivot(before), pivot(turned)), 1e-6)
            self.assertIsNone(turned["lens"])
            self.assertEqual(browser.run("hipsplat.photo"), -1)
            browser.drag(200, 150, 50, 0, "right")
            moved = browser.run("hipsplat.view")
            self.assertEqual(moved["q"], turned["q"])
            self.assertGreater(distance(pivot(moved), pivot(turned)), 0.1)
            browser.send("Input.dispatchMouseEvent", type="mouseWheel", x=200, y=150, deltaX=0, deltaY=-200)
            browser.until(f"hipsplat.view.d < {0.9 * moved['d']}")
            self.assert_quiet(browser)

    def test_keys_fly_step_through_photos_and_go_home(self):
        with self.browser() as browser:
            browser.open(self.page)
            start = browser.run("hipsplat.view")
            browser.key("BracketRight", "]")
            browser.until("hipsplat.photo === 1 && !hipsplat.playing")
            self.assertLess(distance(browser.run("hipsplat.view.p"), self.cameras[1]["position"]), 1e-4)
            browser.key("BracketLeft", "[")
            browser.key("BracketLeft", "[")
            browser.until("hipsplat.photo === 2 && !hipsplat.playing")
            before = browser.run("hipsplat.view")
            browser.key("KeyW", "w", 0.4)
            after = browser.until(f"String(hipsplat.view.p) !== '{','.join(map(str, before['p']))}' && hipsplat.view")
            way = [b - a for a, b in zip(before["p"], after["p"])]
            self.assertGreater(sum(w * f for w, f in zip(way, forward(before["q"]))), 0)
            browser.key("KeyR", "r")
            browser.until("hipsplat.photo === 0 && !hipsplat.playing")
            self.assertLess(distance(browser.run("hipsplat.view.p"), start["p"]), 1e-9)
            browser.key("Slash", "?")
            browser.until("!document.getElementById('help').hidden")
            browser.run("document.querySelector('summary').focus()")
            browser.send("Input.dispatchKeyEvent", type="keyDown", code="Space", key=" ", text=" ")
            browser.send("Input.dispatchKeyEvent", type="keyUp", code="Space", key=" ")
            browser.until("document.querySelector('details').open")
            browser.key("Escape", "Escape")
            browser.until("document.getElementById('help').hidden")
            self.assert_quiet(browser)

    def test_without_photos_the_scene_fills_the_page_whatever_its_shape(self):
        page = self.changed_page("no_photos.html", views=[])
        scene = self.scene_of(page)
        rotation, box = rotation_of(scene["home"]["q"]), scene["home"]["box"]
        for width, height in (400, 300), (900, 300), (300, 700):
            with self.browser(width=width, height=height) as browser:
                browser.open(page)
                home = browser.run("hipsplat.view")
                for c in range(3):  # looks at the middle of the box
                    self.assertAlmostEqual(pivot(home)[c], scene["centre"][c], delta=1e-4)
                focal = min(height, max(width, height / 2)) / (2 * math.tan(math.radians(home["fov"] / 2)))
                reach = max(max(2 * x / width, 2 * y / height) * focal / (z + home["d"]) / 1.1 for x, y, z in box)
                self.assertAlmostEqual(reach, 1 / 1.1, delta=1e-3, msg=(width, height))
                browser.drag(200, 150, 60, 20)
                self.assertGreater(distance(browser.run("hipsplat.view.p"), home["p"]), 0.1)
                browser.key("KeyR", "r")
                browser.until("!hipsplat.playing")
                self.assertLess(distance(browser.run("hipsplat.view.p"), home["p"]), 1e-6)
                self.assert_quiet(browser)

    def test_one_splat_is_one(self):
        write_splats(self.folder / "one.ply", 1, 0)
        run("--convert", self.folder / "one.ply", self.folder / "one.html")
        with self.browser() as browser:
            browser.open(self.folder / "one.html")
            self.assertEqual(browser.run("document.getElementById('count').textContent"), "1 splat")

    def test_fingers_turn_move_and_pinch(self):
        with self.browser(width=360, height=640, density=2, touch=True) as browser:
            browser.open(self.page)
            before = browser.run("hipsplat.view")
            browser.fingers([(180, 300)], [(200, 300)], [(240, 310)])
            turned = browser.run("hipsplat.view")
            self.assertGreater(distance(before["p"], turned["p"]), 0.05)
            self.assertLess(distance(pivot(before), pivot(turned)), 1e-6)
            browser.fingers([(150, 300), (210, 300)], [(120, 300), (240, 300)], [(90, 300), (270, 300)])
            nearer = browser.run("hipsplat.view")
            self.assertAlmostEqual(nearer["d"] / turned["d"], 1 / 3, delta=0.05)
            browser.fingers([(150, 300), (210, 300)], [(150, 340), (210, 340)], [(150, 380), (210, 380)])
            moved = browser.run("hipsplat.view")
            self.assertGreater(distance(pivot(moved), pivot(nearer)), 0.02)
            self.assertAlmostEqual(moved["d"], nearer["d"], delta=1e-6)
            # Nothing lies on anything else on a narrow phone, and every button is large enough for a finger.
            boxes = browser.run("""[...document.querySelectorAll('header, nav button')]
                .map(e => e.getBoundingClientRect()).filter(r => r.width)
                .map(r => [r.left, r.top, r.right, r.bottom])""")
            for i, a in enumerate(boxes):
                self.assertTrue(0 <= a[0] and a[2] <= 360 and a[3] <= 640, a)
                for b in boxes[:i]:
                    self.assertTrue(a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b))
                self.assertTrue(i == 0 or (a[2] - a[0] >= 44 and a[3] - a[1] >= 44), a)

    def test_double_click_centres_what_is_there(self):
        with self.browser() as browser:
            browser.open(self.page)
            before = browser.run("hipsplat.view")
            for count in (1, 2):
                for kind in ("mousePressed", "mouseReleased"):
                    browser.send("Input.dispatchMouseEvent", type=kind, x=220, y=150, button="left", clickCount=count)
            browser.until(f"hipsplat.view.d !== {before['d']} && !hipsplat.playing")
            self.assertLess(math.dist(pivot(browser.run("hipsplat.view")), [0, 0, 0]), 1.6)

    def test_link_restores_the_view(self):
        with self.browser() as browser:
            browser.open(self.page)
            browser.drag(200, 150, 60, 20)
            wanted = browser.run("hipsplat.view")
            browser.run("hipsplat.command('link')")
            link = browser.until("location.hash")
            browser.open(self.page, link)
            view = browser.run("hipsplat.view")
            self.assertLess(distance(view["p"], wanted["p"]), 1e-4)
            self.assertLess(distance(view["q"], wanted["q"]), 1e-4)
            self.assertAlmostEqual(view["d"], wanted["d"], delta=1e-4)
            far = [1e6 + 0.25, -5e5, 3.125]
            browser.run(f"hipsplat.go({{p: {far}, q: [1, 0, 0, 0], fov: 50, d: 3}}), hipsplat.command('link')")
            browser.open(self.page, browser.run("location.hash"))
            self.assertEqual(browser.run("hipsplat.view.p"), far)
            for broken in ("#view=1,2,nonsense", "#view=0,0,-4,0,0,0,0,50,3"):  # no rotation
                browser.open(self.page, broken)
                self.assertEqual(browser.run("hipsplat.photo"), 0)
            self.assert_quiet(browser)

    def test_plays_a_path(self):
        poses = [[*p, *q, 50] for p, q in ring(30)]
        once = self.changed_page("once.html", path=dict(fps=30, mode="once", poses=poses))
        with self.browser() as browser:
            browser.open(once)
            browser.key("Space", " ")
            browser.until("hipsplat.playing")
            browser.until("!hipsplat.playing", 60)
            self.assertLess(distance(browser.run("hipsplat.view.p"), poses[-1][:3]), 1e-6)
            browser.open(self.changed_page("repeat.html", path=dict(fps=30, mode="repeat", poses=poses)))
            browser.key("Space", " ")
            browser.until("hipsplat.playing")
            browser.drag(200, 150, 10, 0)  # a hand on the camera ends it
            self.assertFalse(browser.run("hipsplat.playing"))
            self.assert_quiet(browser)

    def test_of_a_folder_comes_from_a_server(self):
        out = self.folder / "site" / "index.html"
        said = run("convert", self.run_folder / "splats.ply", out)
        self.assertIn("web server", said)
        self.assertEqual(gzip.decompress((out.parent / "index.spz").read_bytes())[:15], self.header_of(self.page)[:15])

        with self.server(out.parent) as address, self.browser() as browser:
            browser.open(address)
            self.assertEqual(browser.run("hipsplat.splats"), 2500)
            self.assert_quiet(browser, address)
            browser.open(out, wait=False)
            self.assertIn("web server", browser.until("hipsplat.error"))

    def test_broken_connections_are_taken_up_again(self):
        run("convert", self.run_folder / "splats.ply", self.folder / "broken" / "index.html")
        for ranges in (True, False):
            asked = []

            class Breaks(Quiet):  # after a third of the file, twice
                def do_GET(self):
                    if not self.path.endswith(".spz"):
                        return super().do_GET()
                    data, wanted = (pathlib.Path(self.directory) / "index.spz").read_bytes(), self.headers.get("Range")
                    asked.append(wanted)
                    begin = int(wanted[6:-1]) if wanted and ranges else 0
                    self.send_response(206 if begin else 200)
                    self.send_header("Content-Length", len(data) - begin)
                    self.end_headers()
                    third = len(data) // 3
                    end = len(data) if len(asked) > 2 else third * len(asked) + 1
                    self.wfile.write(data[begin:end])
                    self.wfile.flush()
                    time.sleep(0.5)  # until the browser has it
                    self.close_connection = True

            with self.server(self.folder / "broken", Breaks) as address, self.browser() as browser:
                browser.open(address)
                self.assertEqual(browser.run("hipsplat.splats"), 2500)
                self.assertEqual(len(asked), 3)
                self.assertIsNone(asked[0])
                third = (self.folder / "broken" / "index.spz").stat().st_size // 3
                self.assertEqual(asked[1:], [f"bytes={third + 1}-", f"bytes={2 * third + 1}-"])

    def test_moves_at_a_pace_and_rests_sharp(self):
        """Many splats without a graphics card: fewer and fewer pixels while it moves, everything once it rests."""
        write_splats(self.folder / "many.ply", 60000, 0, scale=-5)
        page = self.folder / "many.html"
        run("convert", self.folder / "many.ply", page)
        with self.browser(width=1200, height=900) as browser:
            browser.open(page)
            whole = browser.until("hipsplat.drawn.every === 1 && hipsplat.drawn.scale === 1 && hipsplat.view")
            moved = browser.run("""(async () => {
                const {view} = hipsplat, frames = hipsplat.frame, began = performance.now();
                let least = {every: 1, scale: 1}, canvas = 0;
                while (performance.now() - began < 20000 && (hipsplat.frame < frames + 20 || least.every === 1)) {
                    const a = 0.1 * Math.sin((performance.now() - began) / 500);
                    hipsplat.go({...view, q: [Math.cos(a), 0, Math.sin(a), 0]});
                    await new Promise(done => requestAnimationFrame(done));
                    if (hipsplat.drawn.every >= least.every) least = hipsplat.drawn;
                    canvas = document.getElementById('picture').width;
                }
                return {least, canvas, frames: hipsplat.frame - frames};
            })()""")
            print(moved)
            self.assertGreaterEqual(moved["frames"], 20)
            self.assertGreater(moved["least"]["every"], 1)
            self.assertEqual(moved["canvas"], 1200 * moved["least"]["scale"])
            browser.run(f"hipsplat.go({json.dumps(whole)})")
            browser.until("!hipsplat.drawn.moving && document.getElementById('picture').width === 1200")
            sharp = browser.run("""new Promise(done => requestAnimationFrame(() => done(hipsplat.drawn)))""")
            self.assertEqual((sharp["every"], sharp["scale"]), (1, 1))
            self.assert_quiet(browser)

    def test_virtual_reality_draws_both_eyes_and_sorts_once(self):
        page = self.changed_page("vr.html", frame=dict(origin=[0, 0, 0], epsg=0, metres_per_unit=0.5))
        with self.browser() as browser:
            browser.open(self.page)
            self.assertFalse(browser.run("document.body.classList.contains('has-vr')"))
            browser.send("Page.addScriptToEvaluateOnNewDocument", source=HEADSET)
            browser.open(page)
            browser.until("document.body.classList.contains('has-vr')")
            # What the card cannot do is said before a session is there, which would stay black.
            browser.run("const card = WebGL2RenderingContext.prototype, works = card.makeXRCompatible;"
                        "card.makeXRCompatible = async () => { throw new Error('another card'); };"
                        "fake.mend = () => card.makeXRCompatible = works; 0")
            browser.key("KeyV", "v")
            browser.until("document.getElementById('note').textContent.includes('another card')")
            self.assertFalse(browser.run("Boolean(fake.asked)"))
            browser.run("fake.mend(), 0")
            browser.key("KeyV", "v")
            browser.until("fake.frames > 3", 60)
            eyes = browser.run("fake.look()")
            start = self.cameras[0]["position"]
            for eye, side in zip(eyes, (-1, 1)):
                # At the start the headset's space stands where the camera stood; a metre is two units.
                state = dict(p=[start[0] + side * 0.032 * 2, start[1], start[2]], q=[1, 0, 0, 0], d=3, lens=eye["lens"])
                theirs = browser.picture(state, WIDTH, HEIGHT)
                figure = psnr((WIDTH, HEIGHT, bytes(eye["pixels"])), theirs)
                print(f"eye {side}: {figure:.1f} dB")
                self.assertGreaterEqual(figure, 40)
            self.assertLess(psnr(*((WIDTH, HEIGHT, bytes(eye["pixels"])) for eye in eyes)), 35)
            counts = browser.run("({sorts: fake.sorts, frames: fake.frames})")
            self.assertLessEqual(counts["sorts"], counts["frames"] + 1)
            # The left stick walks two metres a second along the gaze.
            browser.run("fake.steer('left', [0, 0, 0, -1], 10)")
            there = browser.run("fake.last")
            self.assertAlmostEqual(there[2] - start[2], 2 * 0.5 * 2, delta=1e-3)
            # The right one turns by 30 degrees at once, once, about the head.
            browser.run("fake.steer('right', [0, 0, 1, 0], 6)")
            turned = browser.run("fake.rows")
            self.assertAlmostEqual(math.degrees(math.atan2(turned[8], turned[10])), 30, delta=0.01)
            self.assertLess(distance(browser.run("fake.last"), there), 1e-3)
            browser.key("KeyV", "v")
            browser.until("fake.ended")
            frames = browser.run("hipsplat.frame")
            browser.drag(200, 150, 40, 0)
            browser.until(f"hipsplat.frame > {frames}")
            self.assert_quiet(browser)

    def test_damaged_splats_are_said_to_be(self):
        text = self.page.read_text()
        at = text.index('class="spz">') + 2000
        broken = self.folder / "broken.html"
        broken.write_text(text[:at] + ("AAAA" * 200) + text[at + 800:])
        with self.browser() as browser:
            browser.open(broken, wait=False)
            self.assertTrue(browser.until("hipsplat.error"))
            self.assertFalse(browser.run("document.getElementById('failure').hidden"))


if __name__ == "__main__":
    if not find_chromium():
        print("skipped: there is no Chromium")
        sys.exit(0)
    PROGRAM = sys.argv.pop(1)
    began = time.monotonic()
    result = unittest.main(exit=False, verbosity=2).result
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(not result.wasSuccessful())
