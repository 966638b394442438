"""hipsplat.torch by a GPU's plugin: run with HIPSPLAT_PLUGINS naming the emulated one, on tensors of the CPU."""

import unittest

import torch

import hipsplat
import hipsplat.torch as hs
import plain_splats as plain
from hipsplat.torch import _draw

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
