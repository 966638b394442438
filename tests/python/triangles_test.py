"""hipsplat.torch's triangles against torch's own operations: pictures, gradients, interfaces, refusals."""
import unittest

import torch

import hipsplat.torch as hs
import plain_triangles as plain
from hipsplat import shims

WIDTH, HEIGHT = 40, 30
CONTEXT = hs.RasterizeCudaContext()


def random(*shape, seed=5):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


class Compared(unittest.TestCase):
    def close(self, ours, theirs, tolerance, what=""):
        self.assertEqual(ours.shape, theirs.shape, what)
        scale = max(float(theirs.abs().max()), 1e-12)
        self.assertLess(float((ours - theirs).abs().max()) / scale, tolerance, what)


class Rasterize(Compared):
    def test_pictures(self):
        for count, size, behind in ((2, 2.0, False), (40, 0.4, False), (200, 0.15, False), (40, 0.5, True)):
            pos, tri = plain.scene(count, size, behind)
            rast, rast_db = hs.rasterize(CONTEXT, pos, tri, (HEIGHT, WIDTH))
            self.assertEqual((rast.shape, rast_db.shape), ((1, HEIGHT, WIDTH, 4), (1, HEIGHT, WIDTH, 4)))
            numbers, sure = plain.nearest(pos[0], tri, WIDTH, HEIGHT)
            self.assertGreater(float(sure.float().mean()), 0.9)
            self.assertTrue(torch.equal(rast[0, ..., 3].long()[sure], numbers[sure]), (count, behind))
            self.assertGreater(int((numbers > 0).sum()), 50)
            theirs = plain.rasterize(pos[0], tri, rast[0, ..., 3])
            self.close(rast[0], theirs[0], 1e-4, (count, behind))
            self.close(rast_db[0], theirs[1], 1e-3, (count, behind))

    def compare_gradients(self, pos, tri, ours, parts):
        """ours(pos) gives rast, rast_db; parts(pos): the positions [V,4] of each picture."""
        a, b = pos.clone().requires_grad_(), pos.clone().requires_grad_()
        rast, rast_db = ours(a)
        weights = random(*rast.shape), random(*rast.shape, seed=6) * WIDTH
        ((rast * weights[0]).sum() + (rast_db * weights[1]).sum()).backward()
        loss = 0
        for i, one in enumerate(parts(b)):
            r, d = plain.rasterize(one, tri, rast[i, ..., 3].detach())
            loss = loss + (r[..., :2] * weights[0][i, ..., :2]).sum() + (d * weights[1][i]).sum()
        loss.backward()
        self.close(a.grad, b.grad, 2e-3)
        self.assertGreater(float(b.grad.abs().max()), 0)

    def test_gradients_of_several_pictures(self):
        pos, tri = plain.scene(30, 0.5, pictures=3)
        self.compare_gradients(pos, tri, lambda p: hs.rasterize(CONTEXT, p, tri, (HEIGHT, WIDTH)), lambda p: p)

    def test_gradients_of_ranges(self):
        pos, tri = plain.scene(30, 0.5)
        ranges = torch.tensor([[0, 30], [10, 5], [3, 0]], dtype=torch.int32)
        rast, _ = hs.rasterize(CONTEXT, pos[0], tri, (HEIGHT, WIDTH), ranges=ranges)
        seen = [set(r[..., 3].unique().int().tolist()) - {0} for r in rast]
        self.assertTrue(seen[1] and seen[1] <= set(range(11, 16)) and not seen[2] and len(seen[0]) > 10)
        self.compare_gradients(pos[0], tri, lambda p: hs.rasterize(CONTEXT, p, tri, (HEIGHT, WIDTH), ranges=ranges),
                               lambda p: [p, p, p])

    def test_central_differences(self):
        pos, tri = plain.scene(4, 0.8, seed=4)
        numbers, _ = plain.nearest(pos[0], tri, WIDTH, HEIGHT)
        weights = random(1, HEIGHT, WIDTH, 2)

        def loss(p):
            rast, _ = hs.rasterize(CONTEXT, p, tri, (HEIGHT, WIDTH))
            same = rast[..., 3] == numbers  # pixels that change triangles count as fixed
            return (rast[..., :2] * weights * same[..., None]).double().sum(), same
        a = pos.clone().requires_grad_()
        steady = torch.ones(1, HEIGHT, WIDTH, dtype=torch.bool)
        nudged = []
        for i in range(pos.numel()):
            if i % 4 == 2:
                continue
            for step in (2e-3, -2e-3):
                p = pos.clone()
                p.view(-1)[i] += step
                nudged.append((i, p))
                steady &= loss(p)[1]
        weights = weights * steady[..., None]
        loss(a)[0].backward()
        for (i, above), (_, below) in zip(nudged[::2], nudged[1::2]):
            numeric = float(loss(above)[0] - loss(below)[0]) / float((above - below).view(-1)[i])
            self.assertAlmostEqual(numeric, float(a.grad.view(-1)[i]), delta=5e-3 * float(a.grad.abs().max()))

    def test_without_derivatives(self):
        pos, tri = plain.scene(20, 0.5)
        grads = []
        for context, options in ((CONTEXT, {}), (CONTEXT, {"grad_db": False}), (hs.RasterizeGLContext(False), {}),
                                 (None, {"grad_db": False})):
            a = pos.clone().requires_grad_()
            rast, rast_db = hs.rasterize(context, a, tri, [HEIGHT, WIDTH], **options)
            self.assertEqual(rast_db.shape[-1], 0 if getattr(context, "output_db", True) is False else 4)
            (rast.sum() + (rast_db ** 2).sum()).backward()
            grads.append(a.grad)
        self.assertFalse(torch.equal(grads[0], grads[1]))
        self.assertTrue(torch.equal(grads[1], grads[2]) and torch.equal(grads[1], grads[3]))

    def test_again_strided_and_unchanged(self):
        pos, tri = plain.scene(20, 0.5)
        a = pos.clone().requires_grad_()
        rast, _ = hs.rasterize(CONTEXT, a, tri, (HEIGHT, WIDTH))
        strided = hs.rasterize(CONTEXT, pos.repeat_interleave(2, 1)[:, ::2], tri.t().contiguous().t(), (HEIGHT, WIDTH))
        self.assertTrue(torch.equal(strided[0], rast))
        loss = (rast[..., :2] ** 2).sum()
        loss.backward(retain_graph=True)
        first = a.grad.clone()
        loss.backward()
        self.assertTrue(torch.equal(a.grad, 2 * first))
        loss = (hs.rasterize(CONTEXT, a, tri, (HEIGHT, WIDTH))[0] ** 2).sum()
        with torch.no_grad():
            a.add_(0.1)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace"):
            loss.backward()

    def test_nothing_to_draw(self):
        for pos, tri in ((torch.zeros(1, 0, 4), torch.zeros(0, 3)), (torch.zeros(1, 3, 4), torch.zeros(0, 3)),
                         (torch.zeros(0, 3, 4), torch.zeros(1, 3))):
            a = pos.requires_grad_()
            rast, rast_db = hs.rasterize(CONTEXT, a, tri.int(), (8, 9))
            self.assertEqual(rast.shape, (len(pos), 8, 9, 4))
            self.assertEqual(float(rast.abs().sum() + rast_db.abs().sum()), 0)
            out, _ = hs.interpolate(random(*pos.shape[:2], 2), rast, tri.int())
            (rast.sum() + out.sum()).backward()
            self.assertEqual((a.grad.shape, float(a.grad.abs().sum()), float(out.abs().sum())), (pos.shape, 0, 0))
        self.assertEqual(hs.rasterize(CONTEXT, torch.zeros(1, 3, 4), torch.zeros(1, 3).int(), (0, 5))[0].shape,
                         (1, 0, 5, 4))

    def refuses(self, exception, words, pos, tri, **options):
        with self.assertRaises(exception) as raised:
            hs.rasterize(CONTEXT, pos, tri, (8, 8), **options)
        self.assertIn(words, str(raised.exception))

    def test_wrong_inputs(self):
        pos, tri = plain.scene(2, 0.5)
        self.refuses(TypeError, "pos is torch.float64, but triangles take torch.float32", pos.double(), tri)
        self.refuses(TypeError, "tri is torch.int64, but triangles take torch.int32", pos, tri.long())
        self.refuses(TypeError, "pos is list, not a tensor", [1], tri)
        self.refuses(ValueError, "pos is [1, 6, 3], but should be [B,V,4]", pos[..., :3], tri)
        self.refuses(ValueError, "pos is [6, 4], but should be [B,V,4]", pos[0], tri)
        self.refuses(ValueError, "tri is [6], but should be [T,3]", pos, tri.view(-1))
        self.refuses(ValueError, "triangle 1 has vertex 6 of 6", pos, torch.tensor([[0, 1, 2], [3, 6, 5]]).int())
        self.refuses(ValueError, "triangle 0 has vertex -1 of 6", pos, torch.tensor([[0, 1, -1]]).int())
        beyond = torch.tensor([[1, 2]]).int()
        self.refuses(ValueError, "range 0 is of triangles 1 to 3 of 2", pos[0], tri, ranges=beyond)
        self.refuses(TypeError, "ranges is torch.int64", pos[0], tri, ranges=torch.tensor([[0, 2]]))


class Interpolate(Compared):
    def compare(self, attr, wanted=None, pictures=3):
        """Through rasterising and interpolating, in float32, and by the plain formulas in float64."""
        pos, tri = plain.scene(30, 0.5, pictures=pictures)
        a, b = ([t.clone().requires_grad_() for t in (pos, attr)] for _ in range(2))
        rast, rast_db = hs.rasterize(CONTEXT, a[0], tri, (HEIGHT, WIDTH))
        for t in (rast, rast_db) if wanted else (rast,):
            t.retain_grad()
        out, out_da = hs.interpolate(a[1], rast, tri, rast_db if wanted else None, diff_attrs=wanted)
        wanted = list(range(attr.shape[-1])) if wanted == "all" else wanted or []
        self.assertEqual(out_da.shape, (pictures, HEIGHT, WIDTH, 2 * len(wanted)))
        weights = random(*out.shape), random(*out_da.shape, seed=6) * WIDTH
        ((out * weights[0]).sum() + (out_da * weights[1]).sum()).backward()
        between, loss = [], 0
        for i in range(pictures):
            own = b[1] if attr.dim() == 2 else b[1][i if len(attr) > 1 else 0]
            between.append(plain.rasterize(b[0][i], tri, rast[i, ..., 3].detach()))
            for t in between[-1] if wanted else between[-1][:1]:
                t.retain_grad()
            o, d = plain.interpolate(own, between[-1][0], tri, between[-1][1], wanted)
            self.close(out[i], o, 1e-4)
            if wanted:
                self.close(out_da[i], d, 1e-3)
            loss = loss + (o * weights[0][i]).sum() + (d * weights[1][i]).sum()
        loss.backward()
        self.close(a[0].grad, b[0].grad, 2e-3, "pos")
        self.close(a[1].grad, b[1].grad, 1e-3, "attr")
        self.close(rast.grad[..., :2], torch.stack([r.grad for r, _ in between])[..., :2], 1e-4, "rast")
        self.assertEqual(float(rast.grad[..., 2:].abs().max()), 0)
        if wanted:
            self.close(rast_db.grad, torch.stack([d.grad for _, d in between]), 1e-4, "rast_db")

    def test_attributes_of_every_picture(self):
        self.compare(random(3, 90, 4))
        self.compare(random(3, 90, 4), "all")
        self.compare(random(3, 90, 4), [2, 0])

    def test_attributes_that_pictures_share(self):
        self.compare(random(90, 5))
        self.compare(random(1, 90, 5), [4])
        self.compare(random(1, 90, 1), "all", pictures=1)

    def test_half_of_the_gradients(self):
        pos, tri = plain.scene(10, 0.5)
        rast, rast_db = hs.rasterize(CONTEXT, pos, tri, (HEIGHT, WIDTH))
        attr = random(1, 30, 2).requires_grad_()
        out, out_da = hs.interpolate(attr, rast, tri, rast_db, "all")
        both, = torch.autograd.grad(out.sum() + out_da.sum(), attr, retain_graph=True)
        halves = [torch.autograd.grad(o.sum(), attr, retain_graph=True)[0] for o in (out, out_da)]
        self.close(halves[0] + halves[1], both, 1e-5)
        self.assertGreater(float(halves[1].abs().max()), 0)

    def refuses(self, exception, words, attr, rast, tri, *more):
        with self.assertRaises(exception) as raised:
            hs.interpolate(attr, rast, tri, *more)
        self.assertIn(words, str(raised.exception))

    def test_wrong_inputs(self):
        pos, tri = plain.scene(2, 0.5)
        rast, rast_db = hs.rasterize(CONTEXT, pos, tri, (8, 9))
        attr = random(1, 6, 2)
        self.refuses(TypeError, "attr is torch.float16", attr.half(), rast, tri)
        self.refuses(TypeError, "attr is NoneType, not a tensor", None, rast, tri)
        self.refuses(TypeError, "rast is torch.float64", attr, rast.double(), tri)
        self.refuses(ValueError, "attr is [6], but should be [1,V,A] or [V,A]", attr[0, :, 0], rast, tri)
        self.refuses(ValueError, "rast is [8, 9, 4], but should be [B,H,W,4]", attr, rast[0], tri)
        self.refuses(ValueError, "attr is [3, 6, 2], but should be [1,V,A] or [V,A]", attr.repeat(3, 1, 1), rast, tri)
        self.refuses(ValueError, "rast_db is [1, 8, 8, 4], but should be [1,8,9,4]", attr, rast, tri, rast_db[:, :, 1:],
                     "all")
        self.refuses(ValueError, "diff_attrs are given, but no rast_db", attr, rast, tri, None, [0])
        self.refuses(ValueError, "derivatives are wanted of attribute 2 of 2", attr, rast, tri, rast_db, [2])
        self.refuses(ValueError, "has vertex 5 of 5", attr[:, :5], rast, tri)


class Hunyuan(Compared):
    def plain(self, V, F, width, height):
        """Numbers, shares and whether rounding decides nothing, with the habits that triangles.h describes."""
        corner = V.double()[F.long()]
        w = corner[..., 3]
        x, y = ((corner[..., i] / w / 2 + 0.5) * (n - 1) + 0.5 for i, n in ((0, width), (1, height)))
        z = 0.1 * (corner[..., 2] / w * 0.49999 + 0.5) - 1  # cut at 0 of what is in brackets, and far beyond 1
        flat = torch.stack([x, y, z, torch.ones_like(x)], -1).reshape(-1, 4)
        flat[:, 0], flat[:, 1] = 2 * flat[:, 0] / width - 1, 2 * flat[:, 1] / height - 1  # back into clip space
        corners = torch.arange(len(flat)).reshape(-1, 3)
        number, sure = plain.nearest(flat, corners, width, height)
        rast, _ = plain.rasterize(flat, corners, number)
        share = torch.stack([rast[..., 0], rast[..., 1], 1 - rast[..., 0] - rast[..., 1]], -1)
        share = share / w[(number - 1).clamp_min(0)]
        return number, share / share.sum(-1, keepdim=True) * (number > 0)[..., None], sure

    def test_pictures(self):
        for count, size in ((3, 1.0), (100, 0.3)):
            pos, tri = plain.scene(count, size, seed=count)
            V = pos[0]
            numbers, shares = hs.rasterize_image(V, tri, torch.zeros(0), WIDTH, HEIGHT, 1e-6, 0)
            self.assertEqual((numbers.dtype, numbers.shape, shares.shape),
                             (torch.int32, (HEIGHT, WIDTH), (HEIGHT, WIDTH, 3)))
            number, share, sure = self.plain(V, tri, WIDTH, HEIGHT)
            self.assertGreater(float(sure.float().mean()), 0.9)
            self.assertGreater(int((number > 0).sum()), 100)
            self.assertTrue(torch.equal(numbers.long()[sure], number[sure]))
            self.close(shares[sure], share[sure], 1e-3)

    def test_a_depth_prior_peels(self):
        V = torch.tensor([[x, y, z, 1] for z in (0, 0.5) for x, y in ((-1, -1), (3, -1), (-1, 3))])
        F = torch.arange(6).reshape(2, 3).int()
        prior = torch.zeros(HEIGHT, WIDTH)
        prior[:, WIDTH // 2:] = 0.2
        for use, numbers in ((0, (1, 1)), (1, (1, 2))):
            found, _ = hs.rasterize_image(V, F, prior, WIDTH, HEIGHT, -1e-3, use)
            self.assertEqual((int(found[3, 3]), int(found[3, -3])), numbers)
        with self.assertRaisesRegex(ValueError, r"D is \[0\], but should be \[30,40\]"):
            hs.rasterize_image(V, F, torch.zeros(0), WIDTH, HEIGHT, 1e-6, 1)
        with self.assertRaisesRegex(TypeError, "F is torch.int64"):
            hs.rasterize_image(V, F.long(), prior, WIDTH, HEIGHT, 1e-6, 0)
        with self.assertRaisesRegex(ValueError, "triangle 1 has vertex 5 of 5"):
            hs.rasterize_image(V[:5], F, prior, WIDTH, HEIGHT, 1e-6, 0)

    def test_values_at_pixels(self):
        pos, tri = plain.scene(50, 0.4)
        numbers, shares = hs.rasterize_faces(pos, tri, (HEIGHT, WIDTH))
        col = random(1, 150, 3)
        wanted = (shares[..., None] * col[0][tri.long()[(numbers.long() - 1).clamp_min(0)]]).sum(-2)[None]
        self.close(hs.interpolate_faces(col, numbers, shares, tri), wanted, 1e-6)
        self.close(hs.interpolate_faces(col, numbers, shares, tri.long()), wanted, 1e-6)
        self.close(hs.interpolate_faces(col.double(), numbers, shares, tri), wanted.double(), 1e-6)
        a, b = col.clone().requires_grad_(), shares.clone().requires_grad_()
        out = hs.interpolate_faces(a, numbers, b, tri)
        self.close(out.detach(), wanted, 1e-6)
        out.sum().backward()
        self.assertTrue(float(a.grad.abs().max()) > 0 and float(b.grad.abs().max()) > 0)


def sphere(radius, rings=6, segments=10):
    """Vertices and faces of a closed ball, faces counter-clockwise from outside."""
    angle = torch.arange(1, rings) * torch.pi / rings
    turn = torch.arange(segments) * 2 * torch.pi / segments
    rows = torch.stack([angle.sin()[:, None] * turn.cos(), angle.sin()[:, None] * turn.sin(),
                        angle.cos()[:, None].expand(-1, segments)], -1).reshape(-1, 3)
    poles, last, faces = torch.tensor([[0, 0, 1.0], [0, 0, -1]]), (rings - 2) * segments, []
    for i in range(segments):
        j = (i + 1) % segments
        faces += [(len(rows), i, j), (len(rows) + 1, last + j, last + i)]
        for row in range(0, last, segments):
            faces += [(row + i, row + segments + i, row + j), (row + j, row + segments + i, row + segments + j)]
    return radius * torch.cat([rows, poles]), torch.tensor(faces)


class Shims(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shims.install()

    def test_modules(self):
        import custom_rasterizer
        import custom_rasterizer_kernel
        import nvdiffrast.torch as dr
        pos, tri = plain.scene(10, 0.5)
        context = dr.RasterizeCudaContext(device="cuda")
        rast, rast_db = dr.rasterize(context, pos.cuda(), tri, resolution=[HEIGHT, WIDTH])
        self.assertTrue(torch.equal(rast, hs.rasterize(None, pos, tri, (HEIGHT, WIDTH))[0]))
        self.assertEqual(dr.interpolate(pos[..., :3], rast, tri, rast_db, diff_attrs="all")[1].shape[-1], 6)
        self.assertTrue(dr.RasterizeGLContext(output_db=False, mode="manual").set_context() is None)
        for name in ("texture", "antialias", "DepthPeeler"):
            with self.assertRaisesRegex(NotImplementedError, f"nvdiffrast.torch.{name}"):
                getattr(dr, name)(rast, rast)
        with self.assertRaisesRegex(NotImplementedError, "nvdiffrast.torch.set_log_level"):
            dr.set_log_level(1)
        numbers, shares = custom_rasterizer.rasterize(pos, tri, (HEIGHT, WIDTH))
        theirs = custom_rasterizer_kernel.rasterize_image(pos[0], tri, torch.zeros(0), WIDTH, HEIGHT, 1e-6, 0)
        self.assertTrue(torch.equal(numbers, theirs[0]) and torch.equal(shares, theirs[1]))
        self.assertEqual(custom_rasterizer.interpolate(pos[..., :3], numbers, shares, tri).shape, (1, HEIGHT, WIDTH, 3))
        with self.assertRaisesRegex(NotImplementedError, "custom_rasterizer.LoadGlb"):
            custom_rasterizer.LoadGlb("a.glb")

    # TRELLIS closes holes by how often each face is seen (its postprocessing_utils.py, through utils3d): a context, a
    # view at a time, float vertices times matrices, int32 faces, the picture's last channel.
    def test_which_faces_are_seen(self):
        import nvdiffrast.torch as dr
        (outside, outer), (inside, inner) = sphere(0.5), sphere(0.3)
        vertices = torch.cat([outside, inside])
        faces = torch.cat([outer, inner + len(outside)]).int().cuda()
        corner = vertices[faces.long()]
        normal = torch.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0], dim=-1)
        seen, facing = torch.zeros(len(faces), dtype=torch.int32), torch.zeros(len(faces), dtype=torch.int32)
        focal, near, far, views = 1 / 0.36397, 1.0, 3.0, 60
        projection = torch.tensor([[focal, 0, 0, 0], [0, focal, 0, 0],
                                   [0, 0, (far + near) / (near - far), 2 * far * near / (near - far)], [0, 0, -1, 0]])
        context = dr.RasterizeCudaContext(device="cuda")
        for i in range(views):  # from everywhere, by the golden angle
            z, turn = 1 - (2 * i + 1) / views, torch.tensor(2.39996 * i)
            eye = 2 * torch.stack([(1 - z * z) ** 0.5 * turn.cos(), (1 - z * z) ** 0.5 * turn.sin(), torch.tensor(z)])
            back = eye / eye.norm()
            right = torch.nn.functional.normalize(torch.linalg.cross(torch.tensor([0, 0, 1.0]), back), dim=0)
            view = torch.eye(4)
            view[:3, :3] = torch.stack([right, torch.linalg.cross(back, right), back])
            view[:3, 3] = -view[:3, :3] @ eye
            whole = torch.cat([vertices[None], torch.ones(1, len(vertices), 1)], -1)
            clip = whole @ (projection @ view).transpose(-1, -2)
            rast, _ = dr.rasterize(context, clip, faces, resolution=[128, 128], grad_db=True)
            face_id = rast[..., 3].flip(1)
            face_id = torch.unique(face_id[0][(face_id > 0).float()[0] > 0.95] - 1).long()
            seen[face_id] += 1
            facing += ((eye - corner[:, 0]) * normal).sum(-1) > 0
        self.assertEqual(int(seen[len(outer):].sum()), 0)
        self.assertTrue((seen[:len(outer)] > 0).all())
        self.assertTrue((seen <= facing).all())
        self.assertLess(float((facing - seen)[:len(outer)].float().mean()), 1.0)  # at grazing angles it is no pixel's


if __name__ == "__main__":
    unittest.main()
