"""hipsplat.torch by a GPU's plugin: run with HIPSPLAT_PLUGINS naming the emulated one, on tensors of the CPU."""

import unittest

import torch

import hipsplat
import hipsplat.torch as hs
import plain_splats as plain
import plain_triangles
from hipsplat.torch import _draw, _triangles

WIDTH, HEIGHT = 40, 30


class OnAGpu(unittest.TestCase):
    def drawn(self, **options):
        """Pictures and gradients, by whatever _draw.device_of() gives."""
        scene, (pose, K) = plain.scene(60, dtype=torch.float32), plain.camera(WIDTH, HEIGHT, torch.float32)
        leaves = {name: t.clone().requires_grad_() for name, t in dict(scene, pose=pose).items()}
        colours, alphas, meta = hs.rasterization(
            leaves["means"], leaves["quats"], leaves["scales"], leaves["opacities"], leaves["colours"],
            leaves["pose"][None], K[None], WIDTH, HEIGHT, **options)
        meta["means2d"].retain_grad()
        weights = torch.randn(colours.shape, generator=torch.Generator().manual_seed(3))
        ((colours * weights).sum() + alphas.sum()).backward()
        return [colours, alphas, meta["means2d"].grad, *(t.grad for t in leaves.values())]

    def test_draws_as_the_processor_does(self):
        for options in (dict(packed=False), dict(packed=True, render_mode="RGB+ED", rasterize_mode="antialiased")):
            by_cpu = self.drawn(**options)
            gpu, of_cpu = hipsplat.Device("hip"), _draw.device_of
            self.assertIn("emulated", gpu.info().device)
            _draw.device_of = lambda tensor: gpu
            try:
                by_gpu = self.drawn(**options)
            finally:
                _draw.device_of = of_cpu
            for ours, theirs in zip(by_gpu, by_cpu):
                scale = max(float(theirs.abs().max()), 1e-12)
                self.assertLess(float((ours - theirs).abs().max()) / scale, 1e-3)

    def drawn_triangles(self):
        """Pictures and gradients of triangles, in nvdiffrast's way and in Hunyuan3D's."""
        pos, tri = plain_triangles.scene(40, 0.4, pictures=2)
        attr = torch.randn(pos.shape[1], 3, generator=torch.Generator().manual_seed(4))
        pos, attr = pos.requires_grad_(), attr.requires_grad_()
        rast, rast_db = hs.rasterize(None, pos, tri, (HEIGHT, WIDTH))
        out, out_da = hs.interpolate(attr, rast, tri, rast_db, [2, 0])
        ranges = torch.tensor([[0, 20], [20, 20]], dtype=torch.int32)
        parts, _ = hs.rasterize(None, pos[0], tri, (HEIGHT, WIDTH), ranges=ranges)
        weights = torch.randn(out.shape, generator=torch.Generator().manual_seed(3))
        ((out * weights).sum() + (parts[..., :2]).sum() + 0.1 * out_da.square().sum()).backward()
        numbers, shares = hs.rasterize_image(pos[0].detach(), tri, None, WIDTH, HEIGHT, 1e-6, 0)
        faces = hs.interpolate_faces(attr.detach()[None], numbers, shares, tri)
        return [rast, rast_db, out, out_da, parts, pos.grad, attr.grad, numbers, shares, faces]

    def test_draws_triangles_as_the_processor_does(self):
        by_cpu, gpu, of_cpu = self.drawn_triangles(), hipsplat.Device("hip"), _triangles._device_of
        _triangles._device_of = lambda tensor: gpu
        try:
            by_gpu = self.drawn_triangles()
        finally:
            _triangles._device_of = of_cpu
        for i, (ours, theirs) in enumerate(zip(by_gpu, by_cpu)):
            self.assertGreater(float(theirs.abs().max()), 0, i)
            self.assertLess(float((ours - theirs).abs().max()) / float(theirs.abs().max()), 1e-5, i)
        self.assertTrue(torch.equal(by_gpu[0][..., 2:], by_cpu[0][..., 2:]) and torch.equal(by_gpu[7], by_cpu[7]))

    def test_says_what_is_wrong_with_corners(self):
        gpu, of_cpu = hipsplat.Device("hip"), _triangles._device_of
        _triangles._device_of = lambda tensor: gpu
        try:
            with self.assertRaisesRegex(ValueError, "triangle 0 has vertex 7 of 3"):
                hs.rasterize(None, torch.zeros(1, 3, 4), torch.tensor([[0, 1, 7]], dtype=torch.int32), (4, 4))
        finally:
            _triangles._device_of = of_cpu


    def test_scratch_is_torchs(self):
        gpu, of_cpu, none = hipsplat.Device("hip"), _draw.device_of, _draw.scratch_of
        scratch = _draw.Scratch(torch.device("cpu"))
        scene, (pose, K) = plain.scene(60, dtype=torch.float32), plain.camera(WIDTH, HEIGHT, torch.float32)
        means = scene["means"].clone().requires_grad_()

        def draw():
            return hs.rasterization(means, scene["quats"], scene["scales"], scene["opacities"], scene["colours"],
                                    pose[None], K[None], WIDTH, HEIGHT, render_mode="RGB+ED", absgrad=True)[0]
        _draw.device_of = lambda tensor: gpu
        try:
            draw().sum().backward()
            by_library = means.grad
            _draw.scratch_of = lambda tensor: scratch
            with torch.no_grad():
                draw()
            self.assertFalse(scratch.held)
            means.grad, colours = None, draw()
            self.assertGreater(sum(t.numel() for t in scratch.held.values()), 4 * 4 * WIDTH * HEIGHT)
            colours.sum().backward()
            self.assertFalse(scratch.held)
            self.assertTrue(torch.allclose(means.grad, by_library, atol=1e-5 * float(by_library.abs().max())))
            draw()  # nobody asks for its gradient
            self.assertFalse(scratch.held)
            scratch._device = "none"
            with self.assertRaises(hipsplat.MemoryError):
                draw()
        finally:
            _draw.device_of, _draw.scratch_of = of_cpu, none


if __name__ == "__main__":
    unittest.main()
