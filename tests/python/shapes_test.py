"""What hipsplat.torch takes and refuses: shapes, types, devices, strides, numbers; gradients that come back; nothing to
draw; batches; processes that were forked."""
import math
import os
import signal
import traceback
import unittest

import torch

import hipsplat
import hipsplat.torch as hs
import plain_splats as plain
import plain_triangles
from hipsplat import shims
from hipsplat.torch import _draw

WIDTH, HEIGHT, N = 20, 16, 12


def scene(splats=N, seed=1, batch=()):
    """gsplat's arguments by name, float32."""
    count = math.prod(batch)
    parts = [plain.scene(splats, dtype=torch.float32, seed=seed + i) for i in range(count)]
    given = {name: torch.stack([p[name] for p in parts]).reshape(*batch, *parts[0][name].shape) for name in parts[0]}
    pose, K = plain.camera(WIDTH, HEIGHT, torch.float32)
    given.update(colors=given.pop("colours"), viewmats=pose.expand(*batch, 1, 4, 4), Ks=K.expand(*batch, 1, 3, 3))
    return given


def draw(given, **options):
    return hs.rasterization(**{**given, "width": WIDTH, "height": HEIGHT, **options})


class Refuses(unittest.TestCase):
    def refused(self, words, call, *more, exception=ValueError, **options):
        with self.assertRaises(exception) as raised:
            call(*more, **options)
        self.assertIn(words, str(raised.exception))


class Gsplat(Refuses):
    def test_every_shape_is_refused_by_its_name(self):
        camera = dict(colors=torch.rand(2, N, 3), viewmats=torch.eye(4).expand(2, 4, 4), Ks=torch.eye(3).expand(2, 3, 3))
        for name, wrong, words in (
                ("means", torch.rand(N, 2), "means is [12, 2], but should be [...,N,3]"),
                ("means", torch.rand(3), "means is [3], but should be [...,N,3]"),
                ("means", torch.rand(N - 1, 3), "quats is [12, 4], but should be [11,4]"),
                ("quats", torch.rand(N, 1), "quats is [12, 1], but should be [12,4]"),
                ("quats", torch.rand(N, 3), "quats is [12, 3], but should be [12,4]"),
                ("quats", torch.rand(1, 4), "quats is [1, 4]"),
                ("scales", torch.rand(N, 1), "scales is [12, 1], but should be [12,3]"),
                ("scales", torch.rand(N), "scales is [12], but should be [12,3]"),
                ("scales", torch.rand(3, N).T[:5], "scales is [5, 3]"),
                ("scales", torch.rand(1, N, 3), "scales is [1, 12, 3]"),
                ("opacities", torch.rand(1), "opacities is [1], but should be [12]"),
                ("opacities", torch.rand(N, 1), "opacities is [12, 1], but should be [12]"),
                ("opacities", torch.tensor(0.5), "opacities is [], but should be [12]"),
                ("colors", torch.rand(2, 3), "colors is [2, 3], but should be [12,D] or [1,12,D]"),
                ("colors", torch.rand(2, N, 3), "colors is [2, 12, 3], but should be [12,D] or [1,12,D]"),
                ("colors", torch.rand(N), "colors is [12]"),
                ("colors", torch.rand(N, 33), "colors has 33 channels; hipsplat draws at most 32"),
                ("viewmats", torch.eye(4), "viewmats is [4, 4], but should be [C,4,4]"),
                ("viewmats", torch.eye(4)[None, :3], "viewmats is [1, 3, 4], but should be [C,4,4]"),
                ("viewmats", torch.zeros(0, 4, 4), "Ks is [1, 3, 3], but should be [0,3,3]"),
                ("Ks", torch.eye(3), "Ks is [3, 3], but should be [1,3,3]"),
                ("Ks", torch.eye(4)[None], "Ks is [1, 4, 4], but should be [1,3,3]"),
                ("Ks", torch.eye(3).expand(2, 3, 3), "Ks is [2, 3, 3], but should be [1,3,3]"),
                ("backgrounds", torch.rand(3), "backgrounds is [3], but should be [1,3]"),
                ("backgrounds", torch.rand(1, 1), "backgrounds is [1, 1], but should be [1,3]"),
                ("backgrounds", torch.rand(2, 3), "backgrounds is [2, 3], but should be [1,3]"),
                ("covars", torch.rand(N, 3), "covars is [12, 3], but should be [12,3,3]"),
                ("covars", torch.rand(N - 1, 3, 3), "covars is [11, 3, 3], but should be [12,3,3]")):
            for packed in (False, True):
                self.refused(words, draw, {**scene(), name: wrong}, packed=packed)
        self.refused("colors is [2, 11, 3]", draw, {**scene(), **camera, "colors": torch.rand(2, N - 1, 3)})
        draw({**scene(), **camera})

    def test_coefficients(self):
        for wrong, degree, words in ((torch.rand(N, 3, 3), 1, "3 coefficients are too few for sh_degree 1"),
                                     (torch.rand(N, 4, 4), 1, "colors is [12, 4, 4], but should be [12,K,3]"),
                                     (torch.rand(N, 12), 1, "colors is [12, 12], but should be [12,K,3]"),
                                     (torch.rand(2, N, 4, 3), 1, "colors is [2, 12, 4, 3]"),
                                     (torch.rand(N, 4, 3), -1, "sh_degree is -1; it is 0 to 4"),
                                     (torch.rand(N, 4, 3), 1 << 32, "sh_degree is 4294967296; it is 0 to 4"),
                                     (torch.rand(N, 4, 3), 0.5, "sh_degree is 0.5, but should be a whole number")):
            self.refused(words, draw, {**scene(), "colors": wrong}, sh_degree=degree)
        self.refused("backgrounds is [1, 4], but should be [1,3]", draw,
                     {**scene(), "colors": torch.rand(N, 4, 3), "backgrounds": torch.rand(1, 4)}, sh_degree=1)
        many = torch.rand(N, 25, 3) - 0.5  # more than the degree needs, as gsplat's models of degree 4 have
        self.assertTrue(torch.equal(draw({**scene(), "colors": many}, sh_degree=2)[0],
                                    draw({**scene(), "colors": many[:, :9]}, sh_degree=2)[0]))
        draw({**scene(), "colors": many[None]}, sh_degree=torch.tensor(4))

    def test_types_and_devices(self):
        for name in ("means", "quats", "scales", "opacities", "colors", "viewmats"):
            good = scene()[name]
            for wrong, kind in ((good.long(), TypeError), (good.half(), TypeError), (good.bool(), TypeError),
                                (torch.complex(good, good), TypeError), (None, TypeError), ([1.0], TypeError),
                                (good.numpy(), TypeError), (good.to("meta"), (NotImplementedError, ValueError))):
                self.refused(name, draw, {**scene(), name: wrong}, exception=kind)
            if name != "means":
                self.refused(f"{name} is torch.float64, but means is torch.float32", draw,
                             {**scene(), name: good.double()}, exception=TypeError)
        self.refused("Ks is torch.complex64", draw, {**scene(), "Ks": torch.ones(1, 3, 3) * 1j}, exception=TypeError)
        draw({**scene(), "Ks": scene()["Ks"].double()})

    def test_numbers(self):
        for name, wrong, words in (
                ("width", 0, "width is 0; it is 1 to 32768"), ("width", -1, "width is -1"),
                ("height", 32769, "height is 32769"), ("height", (1 << 32) + HEIGHT, "height is 4294967312"),
                ("width", WIDTH - (1 << 32), "width is -4294967276"), ("width", 1.5, "width is 1.5, but should be a whole"),
                ("width", "20", "width is '20', but should be a whole number"), ("width", None, "width is None"),
                ("tile_size", 0, "tile_size is 0"), ("near_plane", math.nan, "near_plane is nan, but should be finite"),
                ("far_plane", math.inf, "far_plane is inf"), ("eps2d", -1, "eps2d is -1.0; it must not be negative"),
                ("eps2d", "a", "eps2d is 'a', but should be a number"), ("radius_clip", None, "radius_clip is None")):
            self.refused(words, draw, scene(), **{name: wrong})
        size = dict(width=torch.tensor(WIDTH), height=float(HEIGHT))
        self.assertTrue(torch.equal(draw(scene(), **size)[0], draw(scene())[0]))

    def test_what_is_huge_is_refused_before_it_is_copied(self):
        self.refused("where 2147483647 is the most that N can be", draw,
                     {**scene(), "means": torch.zeros(1, 3).expand(1 << 31, 3)})
        self.refused("quats is [68719476736, 4]", draw, {**scene(), "quats": torch.zeros(1, 4).expand(1 << 36, 4)})
        self.refused("where 65536 is the most that C can be", draw,
                     {**scene(), "viewmats": torch.eye(4).expand(1 << 33, 4, 4)})

    def test_memory_of_any_kind_is_read_as_it_is_meant(self):
        given = scene()
        bytes_ = torch.zeros(4 * 3 * N + 1, dtype=torch.uint8)
        unaligned = torch.frombuffer(memoryview(bytes_.numpy()), dtype=torch.float32, offset=1).view(N, 3)
        unaligned.copy_(given["means"])
        odd = dict(given, means=unaligned, quats=torch._neg_view(-given["quats"]), scales=given["scales"].T.contiguous().T,
                   opacities=given["opacities"].flip(0).flip(0), colors=given["colors"].to_sparse())
        self.assertTrue(torch.equal(draw(given)[0], draw(odd)[0]))
        one = {name: t if name in ("viewmats", "Ks") else t[:1].expand_as(t) for name, t in given.items()}
        again = {name: t.contiguous() for name, t in one.items()}
        self.assertTrue(torch.equal(draw(one)[0], draw(again)[0]))

    def test_batches_of_other_sizes(self):
        given = scene(batch=(2, 1))
        draw(given)
        for name in ("quats", "scales", "opacities", "colors", "viewmats", "Ks"):
            self.refused(f"{name} is ", draw, {**given, name: given[name][:1]})
            self.refused(f"{name} is ", draw, {**given, name: given[name][0, 0]})
        self.refused("there is no camera to draw for", draw, {name: t[:0] for name, t in given.items()})
        self.refused("there is no camera to draw for", draw,
                     {**scene(), "viewmats": torch.zeros(0, 4, 4), "Ks": torch.zeros(0, 3, 3)})

    def test_beside_rasterization(self):
        self.refused("coeffs is [4, 4, 3], but should be [5,K,D]", hs.spherical_harmonics, 1, torch.rand(5, 3),
                     torch.rand(4, 4, 3))
        self.refused("dirs is [5, 2]", hs.spherical_harmonics, 1, torch.rand(5, 2), torch.rand(5, 4, 3))
        self.refused("degrees_to_use is 1, and coeffs hold 3", hs.spherical_harmonics, 1, torch.rand(5, 3),
                     torch.rand(5, 3, 3))
        self.refused("masks is [4], but should be [5]", hs.spherical_harmonics, 1, torch.rand(5, 3), torch.rand(5, 4, 3),
                     torch.ones(4).bool())
        dirs, coeffs = torch.rand(2, 5, 3), torch.rand(5, 4, 3)
        self.assertTrue(torch.equal(hs.spherical_harmonics(1, dirs, coeffs),
                                    hs.spherical_harmonics(1, dirs, coeffs.expand(2, 5, 4, 3))))
        self.refused("quats is [5, 3], but should be [...,4]", hs.quat_scale_to_covar_preci, torch.rand(5, 3),
                     torch.rand(5, 3))
        self.refused("scales is [5, 1], but should be [5,3]", hs.quat_scale_to_covar_preci, torch.rand(5, 4),
                     torch.rand(5, 1))
        for name, call in (("dirs", lambda half: hs.spherical_harmonics(0, half[:, :3], torch.rand(5, 1, 3))),
                           ("quat", hs.normalized_quat_to_rotmat),
                           ("quats", lambda half: hs.quat_scale_to_covar_preci(half, torch.rand(5, 3)))):
            self.refused(f"{name} is torch.float16", call, torch.rand(5, 4).half(), exception=TypeError)
        self.refused("quat is [3]", hs.normalized_quat_to_rotmat, torch.rand(3))
        for wrong in (torch.rand(3), torch.rand(5, 2), torch.rand(2, 5, 3)):
            self.refused("points is ", hs.distCUDA2, wrong)
        self.assertEqual(hs.distCUDA2(torch.zeros(0, 3)).shape, (0,))

    def test_relocation(self):
        binoms = torch.tensor([[math.comb(n, k) for k in range(8)] for n in range(8)]).float()
        opacities, scales, ratios = torch.tensor([1e-6, 2e-3, 0.2]), torch.rand(3, 3) + 0.1, torch.tensor([8, 4, 2])
        for least in (None, 0.005):
            new, sizes = hs.compute_relocation(opacities, scales, ratios, binoms,
                                               **({} if least is None else {"min_opacity": least}))
            for i, n in enumerate(ratios.tolist()):
                o = max(1 - (1 - float(opacities[i])) ** (1 / n), least or 0)
                total = sum(math.comb(m - 1, k) * (-1) ** k * o ** (k + 1) / math.sqrt(k + 1)
                            for m in range(1, n + 1) for k in range(m))
                self.assertAlmostEqual(float(new[i]), o, delta=1e-6)
                if least:
                    self.assertTrue(torch.allclose(sizes[i], scales[i] * float(opacities[i]) / total, rtol=1e-4))
        column = hs.compute_relocation(opacities[:, None], scales, ratios, binoms)
        self.assertEqual((column[0].shape, column[1].shape), ((3, 1), (3, 3)))
        in_double = hs.compute_relocation(opacities.double(), scales.double(), ratios, binoms)[0]
        self.assertAlmostEqual(float(in_double[1]), 1 - (1 - float(opacities[1])) ** 0.25, delta=1e-15)
        self.assertEqual([len(t) for t in hs.compute_relocation(opacities[:0], scales[:0], ratios[:0], binoms)], [0, 0])
        for name, wrong in (("scales", scales[:2]), ("scales", scales[:, :1]), ("ratios", ratios[:2]),
                            ("ratios", ratios[:, None]), ("binoms", binoms[:3]), ("binoms", binoms[:0, :0]),
                            ("opacities", opacities.expand(2, 3))):
            given = {**dict(opacities=opacities, scales=scales, ratios=ratios, binoms=binoms), name: wrong}
            self.refused("is ", hs.compute_relocation, **given)

    def test_arguments_of_gsplat_1_6(self):
        given = scene()
        colours = draw(given, render_mode="D")[0]
        for mode in ("D", "ED"):
            for packed in (False, True):
                _, alphas, meta = draw({**given, "colors": None}, render_mode=mode, packed=packed, tile_size=None,
                                       sh_degree=1, backgrounds=torch.rand(3))
                self.assertEqual(meta["tile_size"], 16)
        self.assertTrue(torch.equal(draw({**given, "colors": None}, render_mode="D")[0], colours))
        self.refused("colors is NoneType, not a tensor", draw, {**given, "colors": None}, exception=TypeError)
        self.refused("colors is [3, 3]", draw, {**given, "colors": torch.rand(3, 3)}, render_mode="D")
        draw(given, global_z_order=True, return_normals=False, extra_signals=None, rays=None)
        for name, value in dict(return_normals=True, extra_signals=torch.rand(N, 2), rays=torch.rand(1, 2)).items():
            self.refused(name, draw, given, exception=NotImplementedError, **{name: value})


class Gradients(Refuses):
    def drawn(self, **options):
        given = scene()
        given["means"].requires_grad_()
        return given, *draw(given, packed=False, **options)

    def test_any_gradient_may_come_back(self):
        given, colours, _, meta = self.drawn()
        wanted, = torch.autograd.grad(colours, given["means"], torch.ones_like(colours), retain_graph=True)
        for gradient in (torch.ones(1).expand_as(colours), torch.ones_like(colours).transpose(1, 2).contiguous()
                         .transpose(1, 2)):
            found, = torch.autograd.grad(colours, given["means"], gradient, retain_graph=True)
            self.assertTrue(torch.equal(found, wanted))
        for wrong in (torch.ones(1), torch.ones(*colours.shape[:3], 2), torch.ones(0)):
            self.refused("shape", torch.autograd.grad, colours, given["means"], wrong, retain_graph=True,
                         exception=RuntimeError)
        torch.autograd.grad(colours, given["means"], torch.full_like(colours, math.nan))

    def test_a_wrong_one_is_refused_in_the_functions_too(self):
        given, colours, _, meta = self.drawn()
        call = colours.grad_fn.call if hasattr(colours.grad_fn, "call") else None
        self.assertIsNotNone(call)
        self.refused("the gradient of colour is [1, 3]", call.backward_pictures, {"colour": torch.ones(1, 3)})
        self.refused("the gradient of means2d is [2]", call.backward_scene, torch.ones(2), ["means"])

    def test_other_data_between_drawing_and_backward(self):
        given, colours, _, meta = self.drawn()
        wanted, = torch.autograd.grad(colours.sum(), given["means"], retain_graph=True)
        for name in ("quats", "scales", "opacities", "colors"):
            given[name].data = torch.zeros(1)  # the tensors that were drawn are still there
        found, = torch.autograd.grad(colours.sum(), given["means"], retain_graph=True)
        self.assertTrue(torch.equal(found, wanted))
        given, colours, _, meta = self.drawn()
        given["scales"].storage().resize_(0)
        self.refused("scales was changed in place", colours.sum().backward, exception=RuntimeError)

    def test_other_data_of_triangles(self):
        pos, tri = plain_triangles.scene(5, 0.5)
        a = pos.clone().requires_grad_()
        rast, _ = hs.rasterize(None, a, tri, (8, 9))
        loss = rast[..., :2].sum()
        a.data = torch.zeros(1, 2, 4)
        self.refused("of 2", loss.backward)
        attr, (rast, _) = torch.rand(1, 15, 2, requires_grad=True), hs.rasterize(None, pos, tri, (8, 9))
        out, _ = hs.interpolate(attr, rast, tri)
        rast.data = torch.zeros(1, 1, 1, 4)
        self.refused("gradient of out is [1, 8, 9, 2], but should be [1,1,1,2]", out.sum().backward)


class Batches(unittest.TestCase):
    def test_as_a_loop_over_the_batch(self):
        for batch in ((2,), (1,), (2, 3)):
            for packed in (False, True):
                self.compare(batch, packed)

    def compare(self, batch, packed):
        cameras, number = 2, math.prod(batch)
        given = scene(batch=batch)
        given["means"][..., :3, 2] = -4  # behind the cameras
        given["viewmats"] = given["viewmats"].expand(*batch, cameras, 4, 4).clone()
        given["viewmats"][..., 1, 0, 3] += 0.4
        given["Ks"] = given["Ks"].expand(*batch, cameras, 3, 3)
        weights = torch.randn(number, cameras, HEIGHT, WIDTH, 3, generator=torch.Generator().manual_seed(2))
        given["means"].requires_grad_()
        colours, _, meta = draw(given, packed=packed, absgrad=True)
        meta["means2d"].retain_grad()
        (colours * weights.reshape(colours.shape)).sum().backward()
        self.assertEqual((meta["n_batches"], meta["n_cameras"]), (number, cameras))
        if not packed:
            self.assertEqual(meta["means2d"].shape, (*batch, cameras, N, 2))
            self.assertEqual(meta["conics"].shape, (*batch, cameras, N, 3))
        found = []
        for i in range(number):
            one = {name: t.detach().reshape(number, *t.shape[len(batch):])[i].clone() for name, t in given.items()}
            one["means"].requires_grad_()
            picture, _, alone = draw(one, packed=packed, absgrad=True)
            alone["means2d"].retain_grad()
            (picture * weights[i]).sum().backward()
            alone["v_means"] = one["means"].grad
            if packed:
                alone["batch_ids"] = torch.full_like(alone["camera_ids"], i)
            found.append(alone)
        of_batch = dict(meta, grad=meta["means2d"].grad, absgrad=meta["means2d"].absgrad, v_means=given["means"].grad)
        names = ["means2d", "radii", "depths", "conics", "opacities", "grad", "absgrad", "v_means"]
        for alone in found:
            alone.update(grad=alone["means2d"].grad, absgrad=alone["means2d"].absgrad)
        for name in [*names, *(["batch_ids", "camera_ids", "gaussian_ids"] if packed else [])]:
            parts = [alone[name] for alone in found]
            together = torch.cat(parts) if packed and name != "v_means" else torch.stack(parts)
            self.assertTrue(torch.equal(of_batch[name], together.reshape(of_batch[name].shape)), (batch, packed, name))
            self.assertTrue(name.endswith("_ids") or float(together.double().abs().sum()) > 0, name)

    def test_a_loss_by_a_part_of_the_batch(self):
        given = scene(batch=(3,))
        given["means"].requires_grad_()
        for packed in (False, True):
            colours, _, meta = draw(given, packed=packed, absgrad=True)
            meta["means2d"].retain_grad()
            colours[1].sum().backward()
            places = meta["batch_ids"] == 1 if packed else torch.arange(3) == 1
            for values in (meta["means2d"].grad, meta["means2d"].absgrad):
                self.assertEqual(float(values[~places].abs().sum()), 0)
                self.assertGreater(float(values[places].abs().sum()), 0)

    def test_nothing_in_a_batch(self):
        for packed in (False, True):
            given = scene(0, batch=(2,))
            given["means"].requires_grad_()
            colours, _, meta = draw(given, packed=packed, absgrad=True)
            self.assertEqual(colours.shape, (2, 1, HEIGHT, WIDTH, 3))
            colours.sum().backward()
            self.assertEqual(given["means"].grad.shape, (2, 0, 3))


VARIANTS = {"inria": {}, "inria_aa": {"antialiasing": True}, "ashawkey": {}, "w_pose": {"projmatrix_raw": None},
            "mip": {"kernel_size": 0.1, "subpixel_offset": torch.zeros(HEIGHT, WIDTH, 2)}}


class Inria(Refuses):
    def draw(self, variant="inria", splats=N, settings=(), **given):
        pose, K = plain.camera(WIDTH, HEIGHT, torch.float32)
        projection = torch.zeros(4, 4)
        projection[0, 0], projection[1, 1] = 2 * K[0, 0] / WIDTH, 2 * K[1, 1] / HEIGHT
        projection[0, 2], projection[1, 2] = 2 * K[0, 2] / WIDTH - 1, 2 * K[1, 2] / HEIGHT - 1
        projection[2, 2], projection[2, 3], projection[3, 2] = 1, -0.01, 1
        fields = dict(image_height=HEIGHT, image_width=WIDTH, tanfovx=WIDTH / (2 * float(K[0, 0])),
                      tanfovy=HEIGHT / (2 * float(K[1, 1])), bg=torch.rand(3), scale_modifier=1.0, viewmatrix=pose.T,
                      projmatrix=(projection @ pose).T, sh_degree=1, campos=torch.zeros(3), prefiltered=False, debug=False,
                      **VARIANTS[variant])
        fields.update(settings)
        s = plain.scene(splats, dtype=torch.float32)
        arguments = dict(means3D=s["means"], means2D=torch.zeros(splats, 3), opacities=s["opacities"][:, None],
                         shs=torch.rand(splats, 4, 3), scales=s["scales"], rotations=s["quats"])
        arguments.update(given)
        module = getattr(shims, variant)
        return module.GaussianRasterizer(module.GaussianRasterizationSettings(**fields))(**arguments)

    def test_every_shape_is_refused_by_its_name(self):
        for name, wrong, words in (
                ("means3D", torch.rand(N, 4), "means3D is [12, 4], but should be [N,3]"),
                ("means2D", torch.rand(N, 2), "means2D is [12, 2], but should be [12,3]"),
                ("means2D", torch.rand(N, 4), "means2D is [12, 4], but should be [12,3]"),
                ("opacities", torch.rand(1), "opacities is [1], but should be [12,1] or [12]"),
                ("opacities", torch.rand(N - 1, 1), "opacities is [11, 1], but should be [12,1] or [12]"),
                ("shs", torch.rand(N, 48), "shs is [12, 48], but should be [12,K,3]"),
                ("shs", torch.rand(N, 3, 3), "3 coefficients are too few for sh_degree 1"),
                ("shs", torch.rand(N - 2, 4, 3), "shs is [10, 4, 3]"),
                ("scales", torch.rand(N, 1), "scales is [12, 1], but should be [12,3]"),
                ("rotations", torch.rand(N, 3), "rotations is [12, 3], but should be [12,4]"),
                ("rotations", torch.rand(1, 4), "rotations is [1, 4]"),
                ("theta", torch.rand(2), "theta is [2], but should be [3] or [1,3]")):
            for variant in VARIANTS:
                self.refused(words, self.draw, variant, **{name: wrong})
        both = dict(scales=None, rotations=None)
        self.refused("cov3D_precomp is [12, 3, 3], but should be [12,6]", self.draw, **both,
                     cov3D_precomp=torch.rand(N, 3, 3))
        self.refused("bg is [3], but should be [5] or [1,5]", self.draw, shs=None, colors_precomp=torch.rand(N, 5))
        self.refused("bg is [3], but should be [1]", self.draw, shs=None, colors_precomp=torch.rand(N, 1))
        self.refused("has 33 channels", self.draw, shs=None, colors_precomp=torch.rand(N, 33),
                     settings=dict(bg=torch.zeros(33)))

    def test_settings(self):
        for name, wrong, words in (
                ("bg", torch.rand(4), "bg is [4], but should be [3]"), ("bg", None, "bg is NoneType"),
                ("viewmatrix", torch.eye(4)[None], "viewmatrix is [1, 4, 4], but should be [4,4]"),
                ("viewmatrix", torch.zeros(4, 4), "viewmatrix has no inverse"),
                ("projmatrix", torch.eye(3), "projmatrix is [3, 3]"), ("image_width", 0, "image_width is 0"),
                ("image_height", (1 << 32) + HEIGHT, "image_height is 4294967312"),
                ("tanfovx", 0, "tanfovx is 0.0; it must be above 0"), ("tanfovy", math.nan, "tanfovy is nan"),
                ("scale_modifier", -1, "scale_modifier is -1.0"), ("sh_degree", 4, "sh_degree is 4; it is 0 to 3"),
                ("sh_degree", -1, "sh_degree is -1")):
            self.refused(words, self.draw, settings={name: wrong}, exception=(ValueError, TypeError))
        self.refused("kernel_size is -0.5", self.draw, "mip", settings=dict(kernel_size=-0.5))
        self.refused("subpixel_offset is [2, 2, 2], but should be [16,20,2]", self.draw, "mip",
                     settings=dict(subpixel_offset=torch.zeros(2, 2, 2)))
        rasterizer = shims.inria.GaussianRasterizer(type("S", (), {"viewmatrix": torch.eye(4)}))
        self.refused("positions is [5], but should be [N,3]", rasterizer.markVisible, torch.rand(5))
        self.assertEqual(rasterizer.markVisible(torch.zeros(0, 3)).shape, (0,))

    def test_nothing_to_draw(self):
        for variant in VARIANTS:
            for colours in (dict(), dict(shs=None, colors_precomp=torch.zeros(0, 3))):
                for shape in (dict(), dict(scales=None, rotations=None, cov3D_precomp=torch.zeros(0, 6))):
                    screen, background = torch.zeros(0, 3, requires_grad=True), torch.tensor([0.1, 0.2, 0.3])
                    out = self.draw(variant, 0, means2D=screen, settings=dict(bg=background), **colours, **shape)
                    self.assertTrue(torch.equal(out[0], background[:, None, None].expand(3, HEIGHT, WIDTH)), variant)
                    self.assertEqual(out[1].shape, (0,))
                    out[0].sum().backward()
                    self.assertEqual(screen.grad.shape, (0, 3))

    def test_the_function_takes_empty_tensors_for_none(self):
        none, s = torch.Tensor([]), plain.scene(N, dtype=torch.float32)
        with self.assertRaisesRegex(Exception, "exactly one"):
            self.draw(colors_precomp=torch.rand(N, 3))
        wanted = self.draw(shs=None, colors_precomp=s["colours"], settings=dict(bg=torch.zeros(3)))
        found = self.draw(shs=none, colors_precomp=s["colours"], cov3D_precomp=none, settings=dict(bg=torch.zeros(3)))
        self.assertTrue(torch.equal(wanted[0], found[0]))

    def test_a_gradient_by_the_screen_alone(self):
        for variant in VARIANTS:
            grads = []
            for also in (False, True):
                torch.manual_seed(3)
                screen, means = torch.zeros(N, 3, requires_grad=True), plain.scene(N, dtype=torch.float32)["means"]
                colour = self.draw(variant, means2D=screen, means3D=means.requires_grad_(also),
                                   settings=dict(bg=torch.zeros(3)))[0]
                (colour ** 2).sum().backward(retain_graph=True)
                grads.append(screen.grad.clone())
                (colour ** 2).sum().backward()  # again
                self.assertTrue(torch.allclose(screen.grad, 2 * grads[-1]))
            self.assertGreater(float(grads[0].abs().max()), 0)
            self.assertTrue(torch.equal(*grads), variant)


class Triangles(Refuses):
    def test_sizes(self):
        pos, tri = plain_triangles.scene(5, 0.5)
        for resolution, words in (((8,), "resolution has 1 values, but should have 2"), ((8, 9, 3), "resolution has more than 2 values"),
                                  ((-1, 9), "height is -1; it is 0 to 65535"), (8, "resolution is 8, but should be 2 numbers"),
                                  ((8, (1 << 32) + 9), "width is 4294967305"), ((8.5, 9), "height is 8.5")):
            self.refused(words, hs.rasterize, None, pos, tri, resolution)
            self.refused(words, hs.rasterize_faces, pos, tri, resolution)
        self.refused("most that T can be", hs.rasterize, None, pos, tri[:1].expand(1 << 40, 3), (8, 9))
        self.refused("pos is empty", hs.rasterize_faces, pos[:0], tri, (8, 9))
        rast, rast_db = hs.rasterize(None, pos, tri, (8, 9))
        self.refused("where 65536 is the most that A can be", hs.interpolate, torch.zeros(15, 1).expand(15, 1 << 40), rast, tri,
                     rast_db, "all")
        self.refused("diff_attrs is 3, but should be a list", hs.interpolate, pos, rast, tri, rast_db, 3)
        self.refused("an attribute of diff_attrs is 4294967296", hs.interpolate, pos, rast, tri, rast_db, [1 << 32])
        self.refused("attr is [2, 15, 4], but should be [1,V,A] or [V,A]", hs.interpolate, pos.repeat(2, 1, 1), rast, tri)

    def test_faces_that_are_not_there(self):
        pos, tri = plain_triangles.scene(5, 0.5)
        numbers, shares = hs.rasterize_image(pos[0], tri, None, 9, 8, 1e-6, 0)
        col = torch.rand(1, 15, 2)
        by_torch = [hs.interpolate_faces(c, n, shares, tri) for n in (numbers, numbers.float())
                    for c in (col, col.clone().requires_grad_())]
        for found in by_torch:
            self.assertTrue(torch.allclose(found, by_torch[0], atol=1e-6))
        for c in (col, col.clone().requires_grad_()):
            self.assertEqual(float(hs.interpolate_faces(c, numbers + 5, shares, tri[:0]).abs().max()), 0)
            self.assertEqual(float(hs.interpolate_faces(c, numbers + 99, shares, tri).abs().max()), 0)
            self.refused("vert", hs.interpolate_faces, c, numbers, shares, tri.long() + (1 << 32))
            self.refused("barycentric is [8, 9, 2]", hs.interpolate_faces, c, numbers, shares[..., :2], tri)
            self.refused("col is [15, 2]", hs.interpolate_faces, c[0], numbers, shares, tri)


class Forked(unittest.TestCase):
    def in_child(self, work):
        """Whether work() is true in a process that is forked here."""
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            try:
                os._exit(0 if work() else 1)
            finally:
                traceback.print_exc()
                os._exit(2)
        return os.waitpid(child, 0)[1] == 0

    def test_a_child_opens_its_device_anew(self):
        given = scene()
        given["means"].requires_grad_()
        colours, _, _ = draw(given)
        wanted, = torch.autograd.grad(colours.sum(), given["means"], retain_graph=True)
        parents = _draw.device_of(given["means"])

        def draws():
            again, _, _ = draw(given)
            found, = torch.autograd.grad(again.sum(), given["means"])
            return _draw.device_of(given["means"]) is not parents and torch.equal(again, colours) and \
                torch.equal(found, wanted)

        def differentiates_what_its_parent_drew():
            return torch.equal(torch.autograd.grad(colours.sum(), given["means"])[0], wanted)

        def torch_computes():  # its threads are gone, and it would wait for them
            return float(torch.ones(1 << 20).sum()) == 1 << 20

        def goes_on_while_a_thread_of_the_parent_draws():
            return torch.equal(draw(given)[0], colours)
        torch.ones(1 << 20).sum()  # by torch's threads
        for work in (draws, differentiates_what_its_parent_drew, torch_computes):
            self.assertTrue(self.in_child(work), work.__name__)
        with _draw._devices_lock:  # as by another thread
            self.assertTrue(self.in_child(goes_on_while_a_thread_of_the_parent_draws))
        self.assertTrue(self.in_child(lambda: self.in_child(draws)), "a child of a child")
        self.assertTrue(torch.equal(draw(given)[0], colours))
        self.assertIs(_draw.device_of(given["means"]), parents)
        self.assertIsInstance(parents, hipsplat.Device)


if __name__ == "__main__":
    unittest.main()
