r"""fuzz_boundary.py [SECONDS] [SEED]: wrong arguments of any kind for every function that takes arrays or tensors.

Good arguments are disturbed: shapes, types, strides, values, numbers beyond their range. Every call must end, in a
result or in an exception that a caller can expect. Without torch the numpy functions alone. For 10 minutes under ASan:

  cmake -B build-asan -DHIPSPLAT_SANITIZE=ON -DHIPSPLAT_HIP=OFF -DHIPSPLAT_CUDA=OFF
  cmake --build build-asan --target hipsplat_library
  export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4000 PYTHONPATH=python
  export HIPSPLAT_LIBRARY=build-asan/lib/libhipsplat.so.0
  LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so)" \
    python3 tests/python/fuzz_boundary.py 600
"""
import os
import random
import resource
import sys
import tempfile
import time
import warnings
from collections import Counter

import hipsplat

try:
    import numpy as np
except ImportError:  # hipsplat.torch does without
    np = None
try:
    import torch

    import hipsplat.torch as hs
    from hipsplat import shims
except ImportError:
    torch = None

EXPECTED = (hipsplat.ArgumentError, hipsplat.UnsupportedError, hipsplat.FileError, hipsplat.MemoryError, TypeError,
            NotImplementedError)
OF_TORCH = ("shape", "Mismatch", "allocate memory", "grad can be implicitly", "does not require grad", "storage",
            "memory location", "exactly one", "Sparse", "numel", "is too big", "overflow", "backward through", "invalid gradient")
NUMBERS = (0, 1, -1, 2, 3, 7, 1.5, 8.0, float("nan"), float("inf"), -float("inf"), 1e300, 1 << 31, (1 << 31) - 1, 1 << 32,
           (1 << 32) + 8, 8 - (1 << 32), 1 << 63, -(1 << 63), 1 << 70, None, "8", b"8", True, [], (1, 2), object())
VALUES = (float("nan"), float("inf"), -float("inf"), 0.0, -1.0, 1e38, -1e38, 1e-38, 1e-45, 3.0, 1e9)
W, H = 9, 8


class Fuzzer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counts = Counter()
        self.folder = tempfile.TemporaryDirectory()
        if torch:
            torch.manual_seed(seed)

    def one_in(self, n):
        return self.random.randrange(n) == 0

    def pick(self, values):
        return self.random.choice(values)

    # ---- arguments

    def tensor(self, *shape, kind=None):
        if kind == "triangles":
            return torch.randint(0, 7, shape, dtype=torch.int32)
        return torch.rand(shape) if self.one_in(2) else torch.randn(shape)

    def shape_of(self, shape):
        """Another one."""
        shape = list(shape)
        for _ in range(self.pick((1, 1, 2))):
            what = self.random.randrange(6)
            at = self.random.randrange(len(shape) + 1)
            if what == 0 or not shape:
                shape.insert(at, self.pick((0, 1, 2, 3)))
            elif what == 1:
                del shape[at - 1]
            elif what == 2:
                shape[at - 1] = self.pick((0, 1, 2, 3, 4, 5, 6, 16, 33, 64))
            elif what == 3:
                shape[at - 1] += self.pick((-1, 1)) if shape[at - 1] else 1
            elif what == 4:
                self.random.shuffle(shape)
            else:
                shape = shape[::-1]
        return shape

    def disturbed_tensor(self, t):
        if max(t.shape, default=0) > 1 << 20 or t.is_meta or t.layout != torch.strided:
            return t
        what = self.random.randrange(14)
        if what <= 4:
            other = torch.zeros(self.shape_of(t.shape)) + (torch.rand(()) if self.one_in(2) else 0)
            return other.to(t.dtype)
        if what == 5:
            return t.to(self.pick((torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64, torch.uint8,
                                   torch.bool, torch.complex64, torch.float32)))
        if what == 6:  # stride 0
            return t[:1].expand(t.shape) if t.dim() and t.shape[0] else t
        if what == 7:
            return t.repeat_interleave(2, 0)[::2] if t.dim() else t
        if what == 8:
            return t.transpose(0, -1).contiguous().transpose(0, -1) if t.dim() > 1 else t
        if what == 9 and t.is_floating_point() and t.numel():  # a value
            t = t.clone()
            t.view(-1)[self.random.randrange(t.numel())] = self.pick(VALUES)
            return t
        if what == 10 and t.dtype == torch.int32 and t.numel():
            t = t.clone()
            t.view(-1)[self.random.randrange(t.numel())] = self.pick((-1, 7, 8, 1 << 20, (1 << 31) - 1, -(1 << 31)))
            return t
        if what == 11:  # huge, but in name
            shape = list(t.shape) or [1]
            shape[self.random.randrange(len(shape))] = self.pick((1 << 31, 1 << 33, 1 << 40))
            return torch.zeros([1] * len(shape), dtype=t.dtype).expand(shape)
        if what == 12 and t.numel() > 4:  # rows overlap
            flat = t.contiguous().view(-1)
            return flat.as_strided(t.shape, [1] * t.dim()) if sum(t.shape) - t.dim() < flat.numel() else t
        if what == 13:
            return self.pick((None, 3, [1.0], "t", torch.zeros(0), torch.tensor(1.0), t.to("meta"),
                              t.to_sparse() if t.dim() else t, t.tolist()))
        return t.clone().requires_grad_() if t.is_floating_point() else t

    def disturbed_array(self, a):
        if not a.ndim or max(a.shape) > 1 << 20:
            return a
        what = self.random.randrange(10)
        if what <= 3:
            return np.zeros(self.shape_of(a.shape), np.float32)
        if what == 4:
            return a.astype(self.pick((np.float64, np.float16, np.int8, np.complex64, bool, ">f4", object, "U8")))
        if what == 5:
            return np.broadcast_to(a[:1], a.shape)
        if what == 6:
            return self.pick((a[::-1], np.asfortranarray(a), np.repeat(a, 2, 0)[::2]))
        if what == 7 and a.size:
            a = a.copy()
            a.reshape(-1)[self.random.randrange(a.size)] = self.pick(VALUES)
            return a
        if what == 8:
            shape = list(a.shape)
            shape[self.random.randrange(len(shape))] = self.pick((1 << 31, 1 << 33))
            return np.broadcast_to(np.float32(0), shape)
        memory = np.zeros(a.nbytes + 1, np.uint8)
        return self.pick((None, 3, "a", [], [[1.0], [1, 2]], a.tolist(), memory[1:].view(a.dtype).reshape(a.shape)))

    def disturbed(self, arguments):
        """Some of them."""
        for _ in range(self.pick((0, 0, 1, 1, 1, 2))):
            name = self.pick(list(arguments))
            value = arguments[name]
            if torch and isinstance(value, torch.Tensor):
                arguments[name] = self.disturbed_tensor(value)
            elif np and isinstance(value, np.ndarray):
                arguments[name] = self.disturbed_array(value)
            else:
                arguments[name] = self.pick(NUMBERS)
        return arguments

    # ---- calls

    def rasterization(self):
        n, c, batch = self.pick((0, 1, 5, 17)), self.pick((1, 1, 2)), self.pick(((), (), (), (1,), (2,), (1, 2)))
        d, degree = self.pick((1, 3, 5)), self.pick((None, None, 0, 1, 3, 4))
        colours = (n, d) if degree is None else (n, (degree + 1) ** 2, 3)
        pose = torch.eye(4).expand(*batch, c, 4, 4).clone()
        pose[..., 2, 3] = 3
        K = torch.tensor([[8.0, 0, W / 2], [0, 8, H / 2], [0, 0, 1]]).expand(*batch, c, 3, 3)
        given = dict(means=self.tensor(*batch, n, 3), quats=self.tensor(*batch, n, 4),
                     scales=torch.rand(*batch, n, 3) * 0.5, opacities=torch.rand(*batch, n),
                     colors=self.tensor(*batch, *(() if self.one_in(2) else (c,)), *colours), viewmats=pose, Ks=K, width=W,
                     height=H, sh_degree=degree, packed=self.one_in(2), absgrad=self.one_in(3), near_plane=0.01,
                     eps2d=0.3, tile_size=16, render_mode=self.pick(("RGB", "RGB", "D", "ED", "RGB+D", "RGB+ED")),
                     rasterize_mode=self.pick(("classic", "antialiased")))
        if self.one_in(3):
            given["backgrounds"] = self.tensor(*batch, c, d if degree is None else 3)
        if self.one_in(4):
            given["covars"] = self.tensor(*batch, n, 3, 3)
        for name in ("means", "colors", "viewmats"):
            if self.one_in(2):
                given[name].requires_grad_()
        colours, alphas, meta = hs.rasterization(**self.disturbed(given))
        if meta["means2d"].requires_grad and self.one_in(2):
            meta["means2d"].retain_grad()
        self.backward((colours, alphas))

    def gaussians(self):
        n = self.pick((0, 1, 5, 17))
        variant = self.pick(shims.VARIANTS)
        extra = {"inria_aa": {"antialiasing": True}, "w_pose": {"projmatrix_raw": torch.eye(4)},
                 "mip": {"kernel_size": 0.1, "subpixel_offset": torch.zeros(H, W, 2)}}.get(variant, {})
        pose = torch.eye(4)
        pose[2, 3] = 3
        projection = torch.tensor([[16 / W, 0, 0, 0], [0, 16 / H, 0, 0], [0, 0, 1, -0.01], [0, 0, 1, 0]])
        settings = dict(image_height=H, image_width=W, tanfovx=W / 16, tanfovy=H / 16, bg=torch.rand(3),
                        scale_modifier=1.0, viewmatrix=pose.T, projmatrix=(projection @ pose).T, sh_degree=1,
                        campos=torch.zeros(3), prefiltered=False, debug=False, **extra)
        given = dict(means3D=self.tensor(n, 3), means2D=torch.zeros(n, 3, requires_grad=True),
                     opacities=torch.rand(n, 1))
        given.update(self.pick((dict(shs=self.tensor(n, 4, 3)), dict(colors_precomp=self.tensor(n, 3)))))
        given.update(self.pick((dict(scales=torch.rand(n, 3) * 0.5, rotations=self.tensor(n, 4)),
                                dict(cov3D_precomp=self.tensor(n, 6)))))
        if variant == "w_pose":
            given.update(theta=torch.zeros(3, requires_grad=True), rho=torch.zeros(3))
        module = getattr(shims, variant)
        settings = module.GaussianRasterizationSettings(**(self.disturbed(settings) if self.one_in(2) else settings))
        rasterizer = module.GaussianRasterizer(settings)
        if self.one_in(10):
            rasterizer.markVisible(self.disturbed({"positions": given["means3D"]})["positions"])
        self.backward(rasterizer(**self.disturbed(given))[:1])

    def triangles(self):
        b, v, t, a = self.pick((1, 1, 2)), self.pick((3, 7)), self.pick((0, 1, 5)), self.pick((1, 3))
        pos, tri = self.tensor(b, v, 4), torch.randint(0, v, (t, 3), dtype=torch.int32)
        given = dict(pos=pos, tri=tri, resolution=(H, W), ranges=None, grad_db=True)
        if self.one_in(3):
            given.update(pos=pos[0], ranges=torch.tensor([[0, t], [0, 0]], dtype=torch.int32))
        given = self.disturbed(given)
        if isinstance(given["pos"], torch.Tensor) and given["pos"].dtype == torch.float32 and self.one_in(2):
            given["pos"] = given["pos"].clone().requires_grad_() if given["pos"].numel() < 1000 else given["pos"]
        rast, rast_db = hs.rasterize(None, **given)
        attributes = dict(attr=self.pick((self.tensor(v, a), self.tensor(b, v, a))).requires_grad_(self.one_in(2)),
                          rast=rast, tri=tri, rast_db=rast_db, diff_attrs=self.pick(("all", None, [0], [a - 1, 0])))
        out = hs.interpolate(**self.disturbed(attributes))
        self.backward((*out, rast))

    def faces(self):
        v, t = self.pick((3, 7)), self.pick((0, 1, 5))
        corners, faces = self.tensor(v, 4), torch.randint(0, v, (t, 3), dtype=torch.int32)
        numbers, shares = hs.rasterize_image(**self.disturbed(dict(
            V=corners, F=faces, D=self.tensor(H, W), width=W, height=H, occlusion_truncation=1e-6,
            use_depth_prior=self.one_in(2))))
        out = hs.interpolate_faces(**self.disturbed(dict(
            col=self.tensor(1, v, 3).requires_grad_(self.one_in(3)), findices=numbers, barycentric=shares, tri=faces)))
        hs.rasterize_faces(**self.disturbed(dict(pos=corners[None], tri=faces, resolution=(H, W))))
        self.backward((out,))

    def helpers(self):
        n = self.pick((0, 1, 6))
        self.pick((
            lambda: hs.distCUDA2(**self.disturbed(dict(points=self.tensor(n, 3)))),
            lambda: hs.spherical_harmonics(**self.disturbed(dict(
                degrees_to_use=1, dirs=self.tensor(n, 3), coeffs=self.tensor(n, 4, 3), masks=torch.ones(n).bool()))),
            lambda: hs.quat_scale_to_covar_preci(**self.disturbed(dict(
                quats=self.tensor(n, 4), scales=self.tensor(n, 3), triu=self.one_in(2)))),
            lambda: hs.normalized_quat_to_rotmat(**self.disturbed(dict(quat=self.tensor(n, 4)))),
            lambda: hs.compute_relocation(**self.disturbed(dict(
                opacities=torch.rand(n), scales=torch.rand(n, 3), ratios=torch.ones(n), binoms=torch.rand(5, 5),
                min_opacity=0.005)))))()

    def numpys(self):
        n, k = self.pick((0, 1, 5)), self.pick((1, 4, 9, 16))
        r = np.random.default_rng(self.random.randrange(1 << 30))
        arrays = self.disturbed(dict(
            means=r.normal(size=(n, 3)).astype(np.float32), quats=r.normal(size=(n, 4)).astype(np.float32),
            log_scales=np.full((n, 3), -2, np.float32), logit_opacities=r.normal(size=n).astype(np.float32),
            sh=r.normal(size=(n, k, 3)).astype(np.float32)))
        if self.one_in(4):
            facts = dict(up=(0, 1, 0), origin=(0, 0, 0), epsg=0, metres_per_unit=0.0, low_pass=0.3, antialiased=True)
            arrays.update(self.disturbed(facts))
        camera = hipsplat.look_at(**self.disturbed(dict(eye=(0, 0, -3), target=(0, 0, 0), fov_y_deg=50, width=W, height=H)))
        if self.one_in(8):
            camera = camera._replace(**self.disturbed(dict(fx=8.0, cx=4.0, cam_from_world=np.eye(4)[:3])))
        if self.one_in(3):
            folder = self.folder.name
            path = os.path.join(folder, self.pick(("a.ply", "b.spz", "c.splat", "d.glb", "e.txt", "f.compressed.ply")))
            hipsplat.save(**self.disturbed(dict(path=path, splats=arrays, spz_version=4, threads=1)))
            hipsplat.load(path)
        elif self.one_in(3):
            hipsplat.knn_distances(**self.disturbed(dict(points=r.normal(size=(n, 3)).astype(np.float32), k=3, threads=1)))
        else:
            hipsplat.render(**self.disturbed(dict(
                splats=arrays, cameras=self.pick((camera, [camera], [camera, camera], [])), width=W, height=H,
                background=(0, 0, 1), max_sh_degree=3, low_pass=None, depth=self.one_in(2))))

    def backward(self, outputs):
        outputs = [o for o in outputs if o.requires_grad]
        if not outputs:
            return
        if self.one_in(8):
            gradient = self.disturbed_tensor(torch.ones_like(outputs[0]))
            outputs[0].backward(gradient, retain_graph=True)
        loss = sum((o * self.pick(VALUES)).sum() if self.one_in(6) else (o ** 2).sum() for o in outputs)
        loss.backward(retain_graph=self.one_in(4))
        if self.one_in(6):
            loss.backward()

    # ---- the run

    def step(self, calls):
        call = self.pick(calls)
        try:
            call()
            self.counts[call.__name__ + " done"] += 1
        except EXPECTED:
            self.counts[call.__name__ + " refused"] += 1
        except Exception as error:  # torch's own, and "exactly one"
            if type(error) not in (RuntimeError, Exception, MemoryError) or \
                    not (any(word in str(error) for word in OF_TORCH) or isinstance(error, MemoryError)):
                raise
            self.counts[call.__name__ + " refused"] += 1


def main(seconds=1.5, seed=1):
    warnings.simplefilter("ignore")
    if "asan" not in os.environ.get("LD_PRELOAD", ""):  # what is huge ends at once, on every machine
        resource.setrlimit(resource.RLIMIT_AS, (1 << 34, resource.getrlimit(resource.RLIMIT_AS)[1]))
    fuzzer = Fuzzer(int(seed))
    calls = [fuzzer.numpys] if np else []
    if torch:
        torch.set_num_threads(2)
        calls += [fuzzer.rasterization, fuzzer.rasterization, fuzzer.gaussians, fuzzer.triangles, fuzzer.faces, fuzzer.helpers]
    end, steps = time.monotonic() + float(seconds), 0
    while time.monotonic() < end and calls:
        state = fuzzer.random.getstate()
        try:
            fuzzer.step(calls)
        except BaseException:
            print(f"step {steps} of seed {seed}; {hash(state)}", file=sys.stderr)
            raise
        steps += 1
    print(f"{steps} calls: " + ", ".join(f"{n} {name}" for name, n in sorted(fuzzer.counts.items())))


if __name__ == "__main__":
    main(*sys.argv[1:3])
