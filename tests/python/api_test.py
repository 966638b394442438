"""The package `hipsplat` as it is installed."""

import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np

import hipsplat


def some_splats(count=50, coefficients=4, seed=1):
    random = np.random.default_rng(seed)
    return dict(means=random.uniform(-1, 1, (count, 3)).astype(np.float32),
                quats=random.normal(size=(count, 4)).astype(np.float32),
                log_scales=random.uniform(-3, -1.5, (count, 3)).astype(np.float32),
                logit_opacities=random.uniform(-2, 3, count).astype(np.float32),
                sh=random.uniform(-0.6, 0.6, (count, coefficients, 3)).astype(np.float32))


CAMERA = hipsplat.look_at((0, 0, -4), (0, 0, 0), width=40, height=30)


class Importing(unittest.TestCase):
    def test_is_quick_and_brings_neither_numpy_nor_torch(self):
        code = ("import time, sys; begin = time.process_time(); import hipsplat; took = time.process_time() - begin;"
                "assert 'numpy' not in sys.modules and 'torch' not in sys.modules; print(took)")
        took = [float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
                for _ in range(5)]
        print(f"import: {1000 * min(took):.0f} ms of the processor")
        self.assertLessEqual(min(took), 0.05)

    def test_version_is_the_librarys(self):
        self.assertRegex(hipsplat.__version__, r"^\d+\.\d+\.\d+$")


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "größe.ply")

    def tearDown(self):
        self.folder.cleanup()

    def test_arrays_come_back_bit_by_bit(self):
        given = some_splats(coefficients=16)
        report = hipsplat.save(self.path, given)
        self.assertEqual((report.written, report.dropped, report.losses), (50, 0, []))
        read = hipsplat.load(Path(self.path))
        self.assertEqual(len(read), 50)
        for name, array in given.items():
            np.testing.assert_array_equal(read[name], array)
        self.assertIn("PLY", read.format)

    def test_facts_are_kept(self):
        hipsplat.save(self.path, hipsplat.Splats(**some_splats(), antialiased=True, up=(0, -1, 0),
                                                 origin=(500000, 1, 2), epsg=25832, low_pass=0.1))
        read = hipsplat.load(self.path)
        self.assertEqual((read.antialiased, read.up, read.origin, read.epsg, read.low_pass),
                         (True, (0, -1, 0), (500000, 1, 2), 25832, 0.1))
        for low_pass in (0, 0.3):
            hipsplat.save(self.path, hipsplat.Splats(**some_splats(), low_pass=low_pass))
            self.assertEqual(hipsplat.load(self.path).low_pass, low_pass)

    def test_arrays_outlive_their_splats_and_are_read_only(self):
        hipsplat.save(self.path, some_splats(20000))
        means = hipsplat.load(self.path).means
        np.testing.assert_array_equal(means, some_splats(20000)["means"])
        with self.assertRaises(ValueError):
            means[0] = 0

    def test_every_format_is_written(self):
        for end in (".compressed.ply", ".splat", ".spz", ".sog", ".glb"):
            path = os.path.join(self.folder.name, "a" + end)
            hipsplat.save(path, some_splats())
            self.assertEqual(len(hipsplat.load(path)), 50, end)

    def test_what_is_wrong_is_a_sentence(self):
        with self.assertRaisesRegex(hipsplat.FileError, "missing.ply") as raised:
            hipsplat.load(os.path.join(self.folder.name, "missing.ply"))
        self.assertIsInstance(raised.exception, OSError)
        with self.assertRaisesRegex(hipsplat.FileError, "a.xyz"):
            hipsplat.save("a.xyz", some_splats())
        wrong = some_splats()
        wrong["quats"] = wrong["quats"][:-1]
        with self.assertRaisesRegex(ValueError, r"quats has the shape \[49, 4\], and \[50,4\] is wanted"):
            hipsplat.save(self.path, wrong)
        with self.assertRaisesRegex(hipsplat.ArgumentError, "sh has 5 coefficients"):
            hipsplat.save(self.path, some_splats(coefficients=5))
        with self.assertRaisesRegex(hipsplat.ArgumentError, "colour"):
            hipsplat.save(self.path, {**some_splats(), "colour": 1})


class Pictures(unittest.TestCase):
    def test_processor_and_reference_agree(self):
        cameras = [CAMERA, hipsplat.look_at((1, 0, -4), (0, 0, 0), width=40, height=30)]
        cpu = hipsplat.render(some_splats(), cameras, 40, 30, depth=True, device=hipsplat.Device("cpu"))
        with hipsplat.Device("reference") as device:
            reference = hipsplat.render(some_splats(), cameras, 40, 30, depth=True, device=device)
        self.assertEqual((cpu.rgb.shape, cpu.alpha.shape, cpu.depth.shape), ((2, 30, 40, 3), (2, 30, 40), (2, 30, 40)))
        for a, b, most in zip(cpu, reference, (1e-4, 1e-4, 1e-2)):
            self.assertLess(np.abs(a - b).max(), most)
        self.assertGreater(np.abs(cpu.rgb[0] - cpu.rgb[1]).max(), 0.05)

    def test_one_camera_gives_one_picture(self):
        drawn = hipsplat.render(some_splats(), CAMERA, 40, 30, background=(0, 0, 1))
        self.assertEqual(drawn.rgb.shape, (30, 40, 3))
        self.assertIsNone(drawn.depth)
        sharper = hipsplat.render(some_splats(), CAMERA, 40, 30, background=(0, 0, 1), low_pass=0)
        self.assertGreater(np.abs(sharper.rgb - drawn.rgb).max(), 1e-3)
        as_they_say = hipsplat.render(hipsplat.Splats(**some_splats(), low_pass=0), CAMERA, 40, 30,
                                      background=(0, 0, 1))
        np.testing.assert_array_equal(as_they_say.rgb, sharper.rgb)

    def test_look_at_puts_the_target_in_the_middle_and_up_above(self):
        for eye in ((3, 0, 0), (0, -2, 5), (1, 1, 1)):
            camera = hipsplat.look_at(eye, (0.5, 0, 0), up=(0, 0, 1), width=40, height=30)
            rows = np.array(camera.cam_from_world)
            target = rows @ [0.5, 0, 0, 1]
            np.testing.assert_allclose(target[:2], 0, atol=1e-12)
            self.assertGreater(target[2], 0)
            self.assertLess((rows @ [0.5, 0, 0.1, 1])[1], 0)
            np.testing.assert_allclose(np.linalg.det(rows[:, :3]), 1)

    def test_changed_arrays_of_a_file_are_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.ply")
            hipsplat.save(path, some_splats())
            splats = hipsplat.load(path)
        before = hipsplat.render(splats, CAMERA, 40, 30).rgb
        np.testing.assert_array_equal(hipsplat.render(splats, CAMERA, 40, 30).rgb, before)
        splats.sh = -splats.sh
        self.assertGreater(np.abs(hipsplat.render(splats, CAMERA, 40, 30).rgb - before).max(), 0.05)

    def test_threads_draw_side_by_side(self):
        expected = hipsplat.render(some_splats(), CAMERA, 40, 30).rgb
        wrong = []

        def work(device):
            for _ in range(20):
                if not np.array_equal(hipsplat.render(some_splats(), CAMERA, 40, 30, device=device).rgb, expected):
                    wrong.append(device)

        threads = [threading.Thread(target=work, args=(device,)) for device in (None, None, hipsplat.Device())]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_what_is_wrong_is_a_sentence(self):
        with self.assertRaisesRegex(hipsplat.ArgumentError, "a picture of 0x30 px"):
            hipsplat.render(some_splats(), CAMERA, 0, 30)
        with self.assertRaisesRegex(hipsplat.ArgumentError, "those of a rotation"):
            hipsplat.render(some_splats(), CAMERA._replace(cam_from_world=np.ones((4, 4))), 40, 30)
        with self.assertRaisesRegex(hipsplat.ArgumentError, r"not of the shape \[3,4\]"):
            hipsplat.render(some_splats(), CAMERA._replace(cam_from_world=np.eye(3)), 40, 30)
        with self.assertRaisesRegex(hipsplat.ArgumentError, "there is no backend 'vulkan'"):
            hipsplat.Device("vulkan")
        with self.assertRaisesRegex(hipsplat.DeviceError, "only device 0"):
            hipsplat.Device("cpu", index=1)
        device = hipsplat.Device("cpu")
        device.close()
        with self.assertRaisesRegex(hipsplat.DeviceError, "closed"):
            hipsplat.render(some_splats(), CAMERA, 40, 30, device=device)

    def test_backend_says_what_draws_and_proves_it(self):
        backend = hipsplat.backend()
        self.assertIn(backend.name, ("cpu", "hip", "cuda"))
        self.assertIn("differs from the reference's by at most", backend.proof)
        self.assertTrue(backend.device and backend.reason)
        pickle.dumps(tuple(backend))


class Points(unittest.TestCase):
    def test_distances_are_those_of_every_pair_tried(self):
        points = some_splats(100)["means"]
        squared = ((points[:, None].astype(float) - points[None]) ** 2).sum(-1)
        expected = np.sort(squared, 1)[:, 1:4].mean(1)
        np.testing.assert_allclose(hipsplat.knn_distances(points), expected, rtol=1e-4)
        with self.assertRaisesRegex(hipsplat.ArgumentError, "not finite"):
            hipsplat.knn_distances(points * np.nan)


class Boundaries(unittest.TestCase):
    """What ctypes and numpy would let pass, or answer in their own words."""

    def refused(self, words, call, *more, **options):
        with self.assertRaises(hipsplat.ArgumentError) as raised:
            call(*more, **options)
        self.assertIn(words, str(raised.exception))

    def test_numbers_beyond_32_bits(self):
        """ctypes cuts them off: a width of 40 - 2^32 was an array of nothing, into which 40 columns were drawn."""
        for name, wrong, words in (("width", 40 - (1 << 32), "width is -4294967256"),
                                   ("height", (1 << 32) + 30, "height is 4294967326"),
                                   ("width", 1 << 14 | 1, "a picture of 16385x30 px is not possible"),
                                   ("max_sh_degree", 1 << 32, "max_sh_degree is 4294967296"),
                                   ("width", 1.5, "width is 1.5, but should be a whole number"),
                                   ("width", None, "width is None"), ("low_pass", "a", "low_pass is 'a'"),
                                   ("background", (0, 0), "background has 2 values, but should have 3"),
                                   ("background", np.broadcast_to(0.0, 1 << 40), "background has more than 3"),
                                   ("background", (0, np.nan, 0), "background[1] is nan, but should be finite"),
                                   ("cameras", None, "cameras are a Camera or a list of them"),
                                   ("cameras", [3], "a camera is"),
                                   ("cameras", CAMERA._replace(cam_from_world=np.broadcast_to(0.0, (1 << 40, 3))),
                                    "not of the shape [3,4]"), ("device", "cpu", "device is a hipsplat.Device")):
            self.refused(words, hipsplat.render,
                         **{**dict(splats=some_splats(), cameras=CAMERA, width=40, height=30), name: wrong})
        for name in ("k", "threads"):
            self.refused(f"{name} is 4294967299", hipsplat.knn_distances, some_splats()["means"], **{name: (1 << 32) + 3})
        self.refused("threads is 4294967297", hipsplat.Device, "cpu", threads=(1 << 32) + 1)
        self.refused("index is 4294967296", hipsplat.Device, "cpu", index=1 << 32)
        self.refused("spz_version is 4294967300", hipsplat.save, "a.spz", some_splats(), spz_version=(1 << 32) + 4)
        self.refused("epsg is 4294967296", hipsplat.save, "a.ply", {**some_splats(), "epsg": 1 << 32})
        drawn = hipsplat.render(some_splats(), CAMERA, np.int64(40), np.float64(30))
        self.assertEqual(drawn.rgb.shape, (30, 40, 3))

    def test_arrays_of_any_kind(self):
        given, name = some_splats(), "quats"
        wanted = hipsplat.render(given, CAMERA, 40, 30).rgb
        memory = np.zeros(given[name].nbytes + 1, np.uint8)
        unaligned = memory[1:].view(np.float32).reshape(given[name].shape)
        unaligned[:] = given[name]
        for array in (unaligned, np.asfortranarray(given[name]), given[name][::-1][::-1], given[name].astype(">f4"),
                      given[name].astype(float), given[name].tolist(), given[name].astype(object)):
            np.testing.assert_array_equal(hipsplat.render({**given, name: array}, CAMERA, 40, 30).rgb, wanted)
        for wrong, words in ((given[name].astype(complex), "of the type complex"), (given[name].astype("U8"), "of the type"),
                             ([[1.0], [1, 2]], "quats is no array of numbers"), (None, "quats "), (3, "quats has the shape []"),
                             (given[name][:, :1], r"quats has the shape [50, 1], and [50,4] is wanted"),
                             (given[name][:1], "quats has the shape [1, 4]"),
                             (np.broadcast_to(np.float32(0), (1 << 40, 4)), "quats has the shape [1099511627776, 4]")):
            self.refused(words, hipsplat.render, {**given, name: wrong}, CAMERA, 40, 30)
        for name in given:
            self.refused(name, hipsplat.render, {**given, name: given[name][..., None]}, CAMERA, 40, 30)
        for most in (1 << 31, 1 << 45):
            self.refused("rows; at most 2147483647 are possible", hipsplat.knn_distances,
                         np.broadcast_to(np.float32(0), (most, 3)))
        with self.assertRaises(hipsplat.MemoryError):
            hipsplat.render(given, [CAMERA] * 1000, 16384, 16384)
        none = {name: array[:0] for name, array in given.items()}
        self.assertEqual(float(hipsplat.render(none, CAMERA, 40, 30).alpha.max()), 0)
        self.assertEqual(hipsplat.knn_distances(none["means"]).shape, (0,))

    def test_a_path_is_whole(self):
        """What comes after a zero byte was left out: another file than the named one was written."""
        with tempfile.TemporaryDirectory() as folder:
            for call in (lambda path: hipsplat.save(path, some_splats()), hipsplat.load):
                self.refused("has a zero byte in it", call, os.path.join(folder, "a.ply\0.spz"))
                self.refused("a path is text, not int", call, 3)
            self.assertEqual(os.listdir(folder), [])

    def test_look_at(self):
        for name, wrong in (("eye", 3), ("target", (0, 0)), ("up", (0, 0, np.inf)), ("fov_y_deg", 180), ("fov_y_deg", 0),
                            ("height", "30")):
            self.refused(name, hipsplat.look_at, **{**dict(eye=(0, 0, -4), target=(0, 0, 0)), name: wrong})

    def test_a_forked_process_draws(self):
        wanted = hipsplat.render(some_splats(), CAMERA, 40, 30).rgb
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if np.array_equal(hipsplat.render(some_splats(), CAMERA, 40, 30).rgb, wanted) else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


if __name__ == "__main__":
    unittest.main()
