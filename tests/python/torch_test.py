"""hipsplat.torch against torch's own operations: pictures, gradients, interfaces, refusals."""
import importlib.util
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import torch

import hipsplat.torch as hs
import plain_splats as plain
from hipsplat import shims
from hipsplat.torch import _draw

WIDTH, HEIGHT = 40, 30


def leaves(scene):
    return {name: t.clone().requires_grad_() for name, t in scene.items()}


def gradients(outputs, weights, inputs):
    loss = sum((o * w).sum() for o, w in zip(outputs, weights))
    return torch.autograd.grad(loss, list(inputs.values()), allow_unused=True)


def weights_like(outputs):
    g = torch.Generator().manual_seed(7)
    return [torch.randn(o.shape, generator=g, dtype=o.dtype) for o in outputs]


class Rasterization(unittest.TestCase):
    def close(self, ours, theirs, tolerance, what):
        scale = max(float(theirs.abs().max()), 1e-12)
        self.assertLess(float((ours - theirs).abs().max()) / scale, tolerance, what)

    def compare(self, dtype, tolerance, antialiased, mode="RGB+D", channels=3, through_covariances=False):
        scene, (pose, K) = plain.scene(60, channels, dtype), plain.camera(WIDTH, HEIGHT, dtype)
        background = torch.rand(1, channels, generator=torch.Generator().manual_seed(3), dtype=dtype)
        a, b = (leaves(dict(scene, pose=pose, background=background)) for _ in range(2))
        shape = dict(quats=a["quats"], scales=a["scales"])
        if through_covariances:
            shape = dict(quats=None, scales=None, covars=plain.covariances(a["quats"], a["scales"]))
        colours, alphas, _ = hs.rasterization(
            a["means"], opacities=a["opacities"], colors=a["colours"], viewmats=a["pose"][None], Ks=K[None],
            width=WIDTH, height=HEIGHT, backgrounds=a["background"], render_mode=mode, packed=False,
            rasterize_mode="antialiased" if antialiased else "classic", **shape)
        colour, alpha, depth, _ = plain.draw(b["means"], plain.covariances(b["quats"], b["scales"]), b["opacities"],
                                             b["colours"], b["pose"], K, WIDTH, HEIGHT, antialias=antialiased,
                                             background=b["background"])
        if mode.endswith("ED"):
            depth = depth / alpha.clamp_min(1e-10)
        theirs = [torch.cat([colour, depth[..., None]], -1), alpha]
        ours = [colours[0], alphas[0, ..., 0]]
        for o, t, what in zip(ours, theirs, ("colours", "alphas")):
            self.close(o, t, tolerance, what)
        w = weights_like(theirs)
        for name, ours_g, theirs_g in zip(a, gradients(ours, w, a), gradients(theirs, w, b)):
            if name == "pose":
                ours_g, theirs_g = ours_g[:3], theirs_g[:3]
            self.close(ours_g, theirs_g, tolerance, name)

    def test_float64_is_computed_in_double(self):
        self.compare(torch.float64, 1e-9, False)

    def test_float32(self):
        self.compare(torch.float32, 1e-3, False)

    def test_antialiased(self):
        self.compare(torch.float64, 1e-9, True)

    def test_expected_depth(self):
        self.compare(torch.float64, 1e-8, False, "RGB+ED")

    def test_many_channels(self):
        for channels in (1, 2, 7, 32):
            self.compare(torch.float64, 1e-9, False, channels=channels)

    def test_covariances(self):
        self.compare(torch.float64, 1e-9, False, through_covariances=True)

    def test_gradcheck(self):
        scene, (pose, K) = plain.scene(4), plain.camera(8, 6)

        def draw(means, quats, scales, opacities, colours):
            return hs.rasterization(means, quats, scales, opacities, colours, pose[None], K[None] * 0.2, 8, 6,
                                    packed=False)[0]
        self.assertTrue(torch.autograd.gradcheck(draw, tuple(leaves(scene).values()), eps=1e-6, atol=1e-5, rtol=1e-4))

    def test_spherical_harmonics_as_in_the_engine(self):
        scene, (pose, K) = plain.scene(50), plain.camera(WIDTH, HEIGHT)
        for degree in (0, 1, 2, 3):
            sh = 0.3 * torch.randn(50, 16, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(degree))
            a, b = leaves(dict(means=scene["means"], sh=sh)), leaves(dict(means=scene["means"], sh=sh))
            rest = dict(quats=scene["quats"], scales=scene["scales"], opacities=scene["opacities"], viewmats=pose[None],
                        Ks=K[None], width=WIDTH, height=HEIGHT)
            ours = hs.rasterization(a["means"], colors=a["sh"], sh_degree=degree, **rest)[0]
            centre = -pose[:3, :3].T @ pose[:3, 3]
            colours = (hs.spherical_harmonics(degree, b["means"] - centre, b["sh"]) + 0.5).clamp_min(0)
            theirs = hs.rasterization(b["means"], colors=colours, **rest)[0]
            self.close(ours, theirs, 1e-9, degree)
            w = weights_like([ours])
            for o, t in zip(gradients([ours], w, a), gradients([theirs], w, b)):
                self.close(o, t, 1e-9, degree)

    def test_what_strategies_read(self):
        scene, (pose, K) = plain.scene(50, dtype=torch.float32), plain.camera(WIDTH, HEIGHT, torch.float32)
        scene["means"][:10, 2] = -3  # behind the camera
        poses, Ks = torch.stack([pose, pose]), torch.stack([K, K])
        grads = {}
        for packed in (False, True):
            a = leaves(scene)
            colours, _, meta = hs.rasterization(a["means"], a["quats"], a["scales"], a["opacities"], a["colours"],
                                                poses, Ks, WIDTH, HEIGHT, packed=packed, absgrad=True)
            meta["means2d"].retain_grad()
            (colours ** 2).sum().backward()
            self.assertEqual((meta["width"], meta["height"], meta["n_cameras"]), (WIDTH, HEIGHT, 2))
            self.assertEqual(meta["radii"].dtype, torch.int32)
            self.assertTrue((meta["means2d"].absgrad >= meta["means2d"].grad.abs() * (1 - 1e-4) - 1e-6).all())
            grads[packed] = (meta, a["means"].grad)
        whole, packed = grads[False][0], grads[True][0]
        self.assertEqual(tuple(whole["means2d"].shape), (2, 50, 2))
        ids = packed["camera_ids"], packed["gaussian_ids"]
        self.assertGreaterEqual(int(ids[1].min()), 10)
        for name in ("means2d", "radii", "depths", "conics", "opacities"):
            self.assertTrue(torch.equal(whole[name][ids], packed[name]), name)
        self.assertTrue(torch.equal(whole["means2d"].grad[ids], packed["means2d"].grad))
        self.assertTrue(torch.equal(grads[False][1], grads[True][1]))

    def test_batches(self):
        scenes, (pose, K) = [plain.scene(20, seed=s) for s in (1, 2)], plain.camera(WIDTH, HEIGHT)
        batch = {name: torch.stack([s[name] for s in scenes]) for name in scenes[0]}
        colours, alphas, _ = hs.rasterization(batch["means"], batch["quats"], batch["scales"], batch["opacities"],
                                              batch["colours"], pose.expand(2, 1, 4, 4), K.expand(2, 1, 3, 3),
                                              WIDTH, HEIGHT)
        self.assertEqual(tuple(colours.shape), (2, 1, HEIGHT, WIDTH, 3))
        for i, s in enumerate(scenes):
            alone = hs.rasterization(s["means"], s["quats"], s["scales"], s["opacities"], s["colours"], pose[None],
                                     K[None], WIDTH, HEIGHT)
            self.assertTrue(torch.equal(alone[0], colours[i]) and torch.equal(alone[1], alphas[i]))

    def refuses(self, exception, word, scene=None, **options):
        scene, (pose, K) = scene or plain.scene(5), plain.camera(WIDTH, HEIGHT)
        with self.assertRaises(exception) as raised:
            hs.rasterization(scene["means"], scene["quats"], scene["scales"], scene["opacities"], scene["colours"],
                             pose[None], K[None], WIDTH, HEIGHT, **options)
        self.assertIn(word, str(raised.exception))

    def test_what_is_not_offered_is_named(self):
        for name, value in dict(with_ut=True, sparse_grad=True, camera_model="fisheye", distributed=True).items():
            self.refuses(NotImplementedError, name, **{name: value})
        scene = plain.scene(5)
        scene["scales"] = scene["scales"].half()
        self.refuses(TypeError, "scales", scene)
        scene["scales"] = scene["scales"].float()
        self.refuses(TypeError, "scales", scene)

    def test_nothing_to_draw(self):
        scene, (pose, K) = plain.scene(0), plain.camera(WIDTH, HEIGHT)
        for packed in (False, True):
            a = leaves(scene)
            colours = hs.rasterization(a["means"], a["quats"], a["scales"], a["opacities"], a["colours"], pose[None],
                                       K[None], WIDTH, HEIGHT, packed=packed)[0]
            self.assertEqual(float(colours.abs().max()), 0)
            colours.sum().backward()
            self.assertEqual(tuple(a["means"].grad.shape), (0, 3))

    def test_gradients_are_not_copied(self):
        scene, (pose, K) = plain.scene(30), plain.camera(WIDTH, HEIGHT)
        a, written, whole = leaves(scene), {}, _draw.Call.backward_scene

        def watched(call, *arguments):
            found = whole(call, *arguments)
            written.update({name: t.data_ptr() for name, t in found.items()})
            return found
        with unittest.mock.patch.object(_draw.Call, "backward_scene", watched):
            hs.rasterization(a["means"], a["quats"], a["scales"], a["opacities"], a["colours"], pose[None], K[None],
                             WIDTH, HEIGHT)[0].sum().backward()
        self.assertEqual(written, {name: t.grad.data_ptr() for name, t in a.items()})

    def test_strided_inputs(self):
        scene, (pose, K) = plain.scene(30), plain.camera(WIDTH, HEIGHT)
        strided = {n: t.repeat_interleave(2, 0)[::2] for n, t in scene.items()}
        draw = [hs.rasterization(s["means"], s["quats"], s["scales"], s["opacities"], s["colours"], pose[None], K[None],
                                 WIDTH, HEIGHT)[0] for s in (scene, strided)]
        self.assertTrue(torch.equal(*draw))

    def test_again_and_unchanged(self):
        scene, (pose, K) = plain.scene(10), plain.camera(WIDTH, HEIGHT)
        a = leaves(scene)

        def draw():
            return hs.rasterization(a["means"], a["quats"], a["scales"], a["opacities"], a["colours"], pose[None],
                                    K[None], WIDTH, HEIGHT, packed=False)[0].sum()
        loss = draw()
        loss.backward(retain_graph=True)
        first = a["means"].grad.clone()
        loss.backward()
        self.assertTrue(torch.equal(a["means"].grad, 2 * first))
        loss = draw()
        with torch.no_grad():
            a["means"].add_(1)
        with self.assertRaisesRegex(RuntimeError, "means was changed"):
            loss.backward()
        grad, = torch.autograd.grad(draw() ** 2, a["means"], create_graph=True)
        with self.assertRaisesRegex(RuntimeError, "once_differentiable"):
            grad.sum().backward()


class Points(unittest.TestCase):
    def test_mean_of_three(self):
        points = torch.randn(200, 3, generator=torch.Generator().manual_seed(2))
        near = (torch.cdist(points.double(), points.double()) ** 2).sort(1).values[:, 1:4].mean(1)
        self.assertLess(float((hs.distCUDA2(points) - near).abs().max()), 1e-4)


class Inria(unittest.TestCase):
    def draw(self, variant, scene, *more, **extra):
        module = getattr(shims, variant)
        pose, K = plain.camera(WIDTH, HEIGHT, scene["means"].dtype)
        projection = torch.zeros(4, 4, dtype=pose.dtype)
        projection[0, 0], projection[1, 1] = 2 * K[0, 0] / WIDTH, 2 * K[1, 1] / HEIGHT
        projection[0, 2], projection[1, 2] = 2 * K[0, 2] / WIDTH - 1, 2 * K[1, 2] / HEIGHT - 1
        projection[2, 2], projection[2, 3], projection[3, 2] = 1, -0.01, 1
        fields = dict(image_height=HEIGHT, image_width=WIDTH, tanfovx=WIDTH / (2 * float(K[0, 0])),
                      tanfovy=HEIGHT / (2 * float(K[1, 1])), bg=torch.tensor([0.1, 0.2, 0.3], dtype=pose.dtype),
                      scale_modifier=1.0, viewmatrix=pose.T, projmatrix=(projection @ pose).T, sh_degree=0,
                      campos=torch.zeros(3), prefiltered=False, debug=False, **extra)
        settings = module.GaussianRasterizationSettings(**fields)
        return module.GaussianRasterizer(raster_settings=settings)(
            means3D=scene["means"], means2D=scene["screen"], opacities=scene["opacities"][:, None], shs=None,
            colors_precomp=scene["colours"], scales=scene["scales"], rotations=scene["quats"], cov3D_precomp=None)

    def scene(self, dtype=torch.float64):
        scene = plain.scene(40, dtype=dtype)
        scene["quats"] = torch.nn.functional.normalize(scene["quats"], dim=-1)
        scene["screen"] = torch.zeros(40, 3, dtype=dtype)
        return leaves(scene)

    def test_pictures_and_the_gradient_on_the_screen(self):
        a = self.scene()
        colour, radii = self.draw("inria", a)
        self.assertEqual((tuple(colour.shape), radii.dtype), ((3, HEIGHT, WIDTH), torch.int32))
        b = self.scene()
        pose, K = plain.camera(WIDTH, HEIGHT)
        theirs, _, _, means2d = plain.draw(b["means"], plain.covariances(b["quats"], b["scales"]), b["opacities"],
                                           b["colours"], pose, K, WIDTH, HEIGHT, alpha_max=0.99, near=0.2,
                                           background=torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64), margin=9)
        # Beyond 3 sigma nothing is drawn.
        self.assertLess(float((colour.permute(1, 2, 0) - theirs).abs().max()), 2.4 / 255)
        means2d.retain_grad()
        (colour ** 2).sum().backward()
        (theirs ** 2).sum().backward()
        half = torch.tensor([WIDTH / 2, HEIGHT / 2], dtype=torch.float64)
        wanted = means2d.grad * half
        self.assertLess(float((a["screen"].grad[:, :2] - wanted).abs().max() / wanted.abs().max()), 0.02)
        self.assertEqual(float(a["screen"].grad[:, 2].abs().max()), 0)
        self.assertTrue((radii > 0).any())

    def test_variants_return_what_their_callers_unpack(self):
        offset = torch.zeros(HEIGHT, WIDTH, 2)
        for variant, extra, count in (("inria", {}, 2), ("inria_aa", {"antialiasing": True}, 3),
                                      ("mip", {"kernel_size": 0.1, "subpixel_offset": offset}, 2), ("ashawkey", {}, 4),
                                      ("w_pose", {"projmatrix_raw": torch.eye(4)}, 5)):
            a = self.scene()
            out = self.draw(variant, a, **extra)
            self.assertEqual(len(out), count, variant)
            sum((o.double() ** 2).sum() for o in out if o.is_floating_point()).backward()
            self.assertTrue(all(torch.isfinite(t.grad).all() for t in a.values()), variant)
            self.assertEqual(float(a["screen"].grad[:, 2].abs().max()) > 0, variant == "mip")

    def test_exactly_one_of_two(self):
        settings = shims.inria.GaussianRasterizationSettings(*([None] * 12))
        with self.assertRaisesRegex(Exception, "exactly one"):
            shims.inria.GaussianRasterizer(settings)(None, None, None, shs=None, colors_precomp=None)
        with self.assertRaisesRegex(NotImplementedError, "subpixel_offset"):
            self.draw("mip", self.scene(), kernel_size=0.1, subpixel_offset=torch.ones(HEIGHT, WIDTH, 2))


class Shims(unittest.TestCase):
    def test_install(self):
        shims.install(diff_gaussian_rasterization="mip")
        from diff_gaussian_rasterization import GaussianRasterizationSettings
        self.assertIn("kernel_size", GaussianRasterizationSettings._fields)
        with self.assertRaises(ImportError):
            from diff_gaussian_rasterization import SparseGaussianAdam  # noqa: F401
        from simple_knn._C import distCUDA2
        self.assertEqual(tuple(distCUDA2(torch.rand(5, 3, device="cuda")).shape), (5,))
        from gsplat import rasterization
        self.assertIs(rasterization, hs.rasterization)
        import gsplat
        with self.assertRaisesRegex(NotImplementedError, "gsplat.fully_fused_projection"):
            gsplat.fully_fused_projection
        with self.assertRaisesRegex(ValueError, "no variant 'nobody'"):
            shims.install(diff_gaussian_rasterization="nobody")
        shims.install()  # again, with another variant
        from diff_gaussian_rasterization import GaussianRasterizationSettings
        self.assertNotIn("kernel_size", GaussianRasterizationSettings._fields)
        self.assertIsNotNone(importlib.util.find_spec("diff_gaussian_rasterization"))

    @unittest.skipIf(torch.cuda.is_available(), "torch sees a GPU")
    def test_cuda_means_the_processor(self):
        shims.install()
        self.assertEqual(torch.zeros(2, device="cuda:0").cuda().to(torch.device("cuda")).device.type, "cpu")
        weight = torch.nn.Linear(2, 2, device="cuda").cuda().weight.pin_memory()
        self.assertEqual(weight.new_zeros(3, device="cuda").device.type, "cpu")
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record(), end.record(), torch.cuda.synchronize()
        self.assertGreaterEqual(begin.elapsed_time(end), 0)
        weight = torch.nn.Parameter(torch.ones(2))
        weight.sum().backward()
        torch.optim.Adam([weight]).step()  # where torch looks at torch.cuda.Event

    def test_an_installed_gsplat_keeps_its_own_and_draws_by_ours(self):
        files = {"__init__": "from .rendering import rasterization\nfrom .utils import quat_scale_to_covar_preci\n"
                             "from .relocation import compute_relocation\nfrom .strategy import Strategy\n",
                 "rendering": "def rasterization(): 1 / 0\n", "relocation": "def compute_relocation(): 1 / 0\n",
                 "utils": "def quat_scale_to_covar_preci(): 1 / 0\ndef normalized_quat_to_rotmat(): return 'its own'\n",
                 "strategy": "from gsplat import quat_scale_to_covar_preci\nclass Strategy: pass\n"}
        check = ("import hipsplat.shims, hipsplat.torch as hs; hipsplat.shims.install(); hipsplat.shims.install();"
                 "import gsplat, gsplat.strategy, gsplat.utils, gsplat.rendering as r; from gsplat import Strategy;"
                 "assert gsplat.rasterization is r.rasterization is hs.rasterization;"
                 "assert gsplat.strategy.quat_scale_to_covar_preci is hs.quat_scale_to_covar_preci;"
                 "assert gsplat.relocation.compute_relocation is hs.compute_relocation;"
                 "assert gsplat.utils.normalized_quat_to_rotmat() == 'its own'")
        with tempfile.TemporaryDirectory() as folder:
            package = Path(folder) / "gsplat"
            package.mkdir()
            for name, text in files.items():
                (package / f"{name}.py").write_text(text)
            code = f"import sys; sys.path.insert(0, {folder!r}); {check}"
            subprocess.run([sys.executable, "-B", "-c", code], check=True)

    def test_relocation(self):
        binomials = torch.tensor([[1.0, 0, 0], [1, 1, 0], [1, 2, 1]])
        opacities, scales = hs.compute_relocation(torch.tensor([0.5, 0.5]), torch.ones(2, 3), torch.tensor([1, 2]),
                                                  binomials)
        self.assertAlmostEqual(float(opacities[0]), 0.5, places=6)
        self.assertAlmostEqual(float(opacities[1]), 1 - 0.5 ** 0.5, places=6)
        self.assertAlmostEqual(float(scales[0, 0]), 1, places=5)
        new = 1 - 0.5 ** 0.5  # equation 9 for two
        self.assertAlmostEqual(float(scales[1, 0]), 0.5 / (new + new - new ** 2 / 2 ** 0.5), places=5)


if __name__ == "__main__":
    unittest.main()
