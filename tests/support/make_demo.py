#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make hipsplat's demo photo set: a rendered still life with a COLMAP model.

The whole scene is built by this script from numbers: meshes, painted patterns,
wood, rug, wallpaper and pictures come from seeded noise and a few formulas, so
no texture, model or download is needed.  Cycles renders the views, and a COLMAP
sparse model (cameras.bin, images.bin, points3D.bin) is written beside them.

How to run, with Blender 4.2 or newer (older ones from 3.4 on work; numpy is needed):

    blender -b --factory-startup --python make_demo.py -- OUTDIR [options]

or with Blender as a Python module (`pip install bpy pillow`):

    python make_demo.py OUTDIR [options]

Options:
    --samples N    samples a pixel (default 48 with the denoiser, 1200 without)
    --scale F      size factor (default 1.0 = 640x480)
    --cameras N    number of views, evenly around the table (default 32)
    --walk         cameras on a way around the table that look through the room
    --views LIST   only these views, e.g. 0,8,16 (then no sparse model is made)
    --quality Q    JPEG quality (default 75)
    --points N     number of 3D points (default 7000)
    --exposure F   stops brighter (default 0)
    --sparse-only  keep OUTDIR/images as it is, write OUTDIR/sparse/0 only

OUTDIR gets images/view_000.jpg ... and sparse/0/*.bin.  Pillow, where it is
importable, only makes the JPEG files a little smaller (optimised Huffman
tables); without it Blender writes them itself.

The points are found as structure from motion would have them: rays through
textured pixels of the views are cast into the scene, a point is kept when other
cameras see it too (ray casts again), its position gets a noise of about 0.2
pixels, and so do its 2D observations.
"""
import argparse
import math
import os
import struct
import sys

import bpy
import numpy as np
from mathutils import Vector

SEED = 20240607
WIDTH, HEIGHT = 640, 480
HFOV = math.radians(55.0)
TABLE_R = 0.62          # table top: disc of this radius at z = 0
FLOOR_Z = -0.75
ROOM = 2.5              # half side of the room
WALL_TOP = 2.0
PI = math.pi


# --------------------------------------------------------------- small numerics

def rng_for(tag):
    """A generator of its own for each part, so that parts can change alone."""
    return np.random.default_rng([SEED] + [ord(c) for c in tag])


def lin(c):
    """sRGB triple (0..1 or a hex string) to linear."""
    if isinstance(c, str):
        c = [int(c[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    c = np.asarray(c, float)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def rgb(h):
    return np.array([int(h[i:i + 2], 16) / 255 for i in (0, 2, 4)])


def smooth(a, b, x):
    t = np.clip((x - a) / (b - a), 0, 1)
    return t * t * (3 - 2 * t)


def mix(a, b, t):
    t = np.asarray(t)
    if np.ndim(a) == 1 or np.ndim(b) == 1 or (np.ndim(a) == 3 and t.ndim == 2):
        t = t[..., None]
    return a * (1 - t) + b * t


def gnoise(h, w, sy, sx, rng):
    """Periodic Gaussian noise, blurred by (sy, sx) pixels, unit variance."""
    f = np.fft.rfft2(rng.standard_normal((h, w)))
    fy = np.fft.fftfreq(h)[:, None]
    fx = np.fft.rfftfreq(w)[None]
    f *= np.exp(-2 * PI ** 2 * ((fy * sy) ** 2 + (fx * sx) ** 2))
    f[0, 0] = 0
    n = np.fft.irfft2(f, (h, w))
    return n / n.std()


def fbm(h, w, beta, rng, lo=1.0):
    """Periodic noise with power-law spectrum, unit variance."""
    f = np.fft.rfft2(rng.standard_normal((h, w)))
    fy = np.fft.fftfreq(h)[:, None] * h
    fx = np.fft.rfftfreq(w)[None] * w
    k = np.sqrt(fy ** 2 + fx ** 2)
    k[0, 0] = 1
    f *= np.where(k < lo, 0, k ** (-beta))
    f[0, 0] = 0
    n = np.fft.irfft2(f, (h, w))
    return n / n.std()


def spline(pts, n):
    """n points on a Catmull-Rom curve through pts (centripetal enough here)."""
    p = np.asarray(pts, float)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    m = len(p) - 3
    t = np.linspace(0, m, n)
    i = np.minimum(t.astype(int), m - 1)
    u = (t - i)[:, None]
    a, b, c, d = p[i], p[i + 1], p[i + 2], p[i + 3]
    return 0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u ** 2
                  + (3 * b - a - 3 * c + d) * u ** 3)


# --------------------------------------------------------------------- pictures

def picture(name, arr):
    """numpy (h, w, 3) in sRGB, row 0 at the bottom, to a Blender image."""
    h, w = arr.shape[:2]
    im = bpy.data.images.new(name, w, h, alpha=False)
    px = np.ones((h, w, 4), np.float32)
    px[..., :3] = np.clip(arr, 0, 1)
    im.pixels.foreach_set(px.ravel())
    im.update()
    im.pack()
    return im


def wood(w, h, wm, hm, plank, light, dark, rng, rings=85.0, board=None, gap=0.0015):
    """Boards along x: growth rings cut by a plane, fibres, joints."""
    light, dark = rgb(light), rgb(dark)
    x = ((np.arange(w) + 0.5) / w * wm)[None]
    y = ((np.arange(h) + 0.5) / h * hm)[:, None]
    row = np.floor(y / plank).astype(int)
    yy = y - (row + 0.5) * plank
    nrow = row.max() + 1
    if board:
        off = rng.uniform(0, board, nrow)[row]
        xs = (x + off) / board
        col = np.floor(xs).astype(int)
        xe = (xs - col - 0.5) * board
    else:
        col = np.zeros((h, w), int)
        xe = None
    ncol = col.max() + 1
    bid = (row * ncol + col) % (nrow * ncol)
    nb = nrow * ncol
    y0 = rng.uniform(-1.2, 1.2, nb)[bid] * plank
    z0 = rng.uniform(0.15, 0.9, nb)[bid] * plank
    tint = rng.uniform(0.78, 1.1, nb)[bid]
    slope = rng.uniform(-1.2, 1.2, nb)[bid]
    px, py = w / wm, h / hm
    n1 = gnoise(h, w, 0.03 * py, 0.22 * px, rng)
    n2 = gnoise(h, w, 0.006 * py, 0.05 * px, rng)
    d = np.sqrt((yy - y0 + 0.012 * n1 + 0.0012 * n2) ** 2 + z0 ** 2) * rings + slope * x
    f = d - np.floor(d)
    ring = smooth(0.0, 0.85, f) * (1 - smooth(0.9, 1.0, f))
    fib = gnoise(h, w, 0.0006 * py, 0.03 * px, rng)
    fib2 = gnoise(h, w, 0.0012 * py, 0.01 * px, rng)
    t = 0.12 + 0.55 * ring ** 1.5 + 0.10 * fib + 0.06 * fib2 + 0.10 * n1
    c = mix(light, dark, np.clip(t, 0, 1)) * tint[..., None]
    edge = np.abs(yy) > plank / 2 - gap
    edge = np.broadcast_to(edge, (h, w))
    if xe is not None:
        edge = edge | (np.abs(xe) > board / 2 - gap)
    return np.where(edge[..., None], c * 0.3, c)


def mirrored(n, levels):
    """Noise made symmetrical in both axes, then cut to levels: an ornament."""
    s = (n + n[::-1]) / 2
    s = (s + s[:, ::-1]) / 2
    q = np.quantile(s, levels)
    return np.digitize(s, q)


def rug_picture(rng):
    h, w = 1200, 1600                     # 2.6 m x 3.5 m
    pal = [rgb(c) for c in ('7a1f24', '1f2d4d', 'c9b48a', 'a8672f', '35564f', '8e2f2c')]
    y = (np.arange(h) + 0.5)[:, None] / h * 2 - 1
    x = (np.arange(w) + 0.5)[None] / w * 2 - 1
    orn = mirrored(gnoise(h, w, 9, 9, rng), [0.2, 0.42, 0.62, 0.86])
    fine = mirrored(gnoise(h, w, 6, 6, rng), [0.25, 0.75])
    c = np.zeros((h, w, 3))
    field = [pal[0], pal[5], pal[1], pal[2], pal[3]]
    for k, col in enumerate(field):
        c[orn == k] = col
    c[(fine == 2) & (orn < 2)] = pal[3] * 0.9
    # medallion
    ax, ay = x * 1.75, y * 1.3
    r = np.hypot(ax, ay)
    th = np.arctan2(ay, ax)
    lobes = 1 + 0.09 * np.cos(16 * th) + 0.06 * np.cos(8 * th)
    rr = r / lobes
    med = mirrored(gnoise(h, w, 9, 9, rng), [0.35, 0.65, 0.85])
    mc = np.stack([pal[1], pal[2], pal[4], pal[0]])[med]
    c = np.where((rr < 0.86)[..., None], mc, c)
    for a, b, col in ((0.86, 0.89, pal[2]), (0.6, 0.62, pal[3]), (0.4, 0.43, pal[2])):
        c = np.where(((rr > a) & (rr < b))[..., None], col, c)
    # borders: distance to the edge in metres
    dx = (1 - np.abs(x)) * 1.75
    dy = (1 - np.abs(y)) * 1.3
    e = np.minimum(dx, dy)
    s = np.where(dx < dy, np.broadcast_to(y * 1.3, e.shape), np.broadcast_to(x * 1.75, e.shape))
    ph = np.abs(((s / 0.16) % 1) - 0.5) * 2
    b = np.abs(e - 0.19) / 0.09
    dia = np.abs(ph - 0.5) * 1.6 + b
    bc = np.where((dia < 0.45)[..., None], pal[3],
                  np.where((dia < 0.75)[..., None], pal[2],
                           np.where((dia < 0.95)[..., None], pal[0], pal[1])))
    c = np.where(((e > 0.09) & (e < 0.29))[..., None], bc, c)
    ph2 = (s / 0.05) % 1
    gc = np.where(((ph2 < 0.5) ^ (e > 0.06))[..., None], pal[4], pal[2])
    c = np.where(((e > 0.03) & (e <= 0.09))[..., None], gc, c)
    c = np.where(((e > 0.29) & (e < 0.31))[..., None], pal[2], c)
    c = np.where((e <= 0.03)[..., None], pal[0] * 0.7, c)
    worn = gnoise(h, w, 60, 60, rng)
    yarn = gnoise(h, w, 1.2, 0.6, rng)
    c = c * (1 + 0.10 * worn + 0.11 * yarn)[..., None] + 0.015
    return c


def wallpaper_picture(rng):
    """Cream paper with an ochre-green damask, 2 x 2 tiles, slightly aged."""
    th, tw = 360, 240
    n = gnoise(th, tw, 16, 11, rng)
    orn = mirrored(n, [0.40, 0.62, 0.68, 0.93])
    y = (np.arange(th) + 0.5)[:, None] / th * 2 - 1
    x = (np.arange(tw) + 0.5)[None] / tw * 2 - 1
    env = np.abs(x) ** 1.3 + np.abs(y) ** 1.3
    paper, ink, ink2 = rgb('d8cba8'), rgb('8a9a7b'), rgb('b58a4a')
    t = np.zeros((th, tw, 3)) + paper
    t[(orn == 1) & (env < 0.95)] = ink
    t[(orn == 3) & (env < 0.95)] = ink2
    t[(orn == 4) & (env < 0.95)] = rgb('6f8168')
    line = np.abs(env - 1.0) < 0.022
    t[line] = ink2
    t2 = np.roll(t, th // 2, 0)
    t = np.where((env > 1.03)[..., None],
                 np.where((np.roll(orn, th // 2, 0) == 2)[..., None], ink, t2), t)
    a = np.tile(t, (6, 16, 1))
    h, w = a.shape[:2]
    age = fbm(h, w, 1.5, rng)
    grain = gnoise(h, w, 0.8, 0.8, rng)
    return a * (1 + 0.06 * age + 0.035 * grain)[..., None]


def landscape_picture(rng, pal, sun):
    """A framed picture: hills in layers under a sky with a sun."""
    h, w = 300, 400
    y = (np.arange(h) + 0.5)[:, None] / h
    x = (np.arange(w) + 0.5)[None] / w
    sky = mix(rgb(pal[1]), rgb(pal[0]), np.broadcast_to(y, (h, w)))
    cl = fbm(h, w, 1.6, rng)
    sky = mix(sky, rgb('f4e9d8'), smooth(0.5, 2.0, cl) * 0.6)
    r = np.hypot((x - sun[0]) * w / h, y - sun[1])
    c = mix(sky, rgb(pal[2]), (r < 0.09).astype(float))
    for k in range(5):
        prof = gnoise(1, w * 2, 1, 40 - 6 * k, rng)[0, :w]
        prof += 0.25 * gnoise(1, w * 2, 1, 6, rng)[0, :w]
        top = 0.56 - 0.1 * k + 0.045 * prof
        m = y < top[None]
        base = mix(rgb(pal[3]), rgb(pal[4]), np.array(k / 4.0))
        tex = 1 + 0.12 * gnoise(h, w, 2, 5, rng) + 0.1 * gnoise(h, w, 0.7, 0.7, rng)
        c = np.where(m[..., None], base * tex[..., None], c)
    stroke = gnoise(h, w, 1.0, 4.0, rng)
    return c * (1 + 0.07 * stroke)[..., None]


def tapestry_picture(rng):
    h, w = 500, 760
    pal = np.stack([rgb(c) for c in ('20354a', 'b9813c', 'd9c9a3', '7f2d25', '3f6b5c', '14202b')])
    n = gnoise(h, w, 16, 16, rng)
    o = mirrored(n, [0.18, 0.36, 0.55, 0.7, 0.86])
    c = pal[o]
    y = (np.arange(h) + 0.5)[:, None]
    x = (np.arange(w) + 0.5)[None]
    e = np.minimum(np.minimum(x, w - x), np.minimum(y, h - y))
    st = ((x + y) // 18) % 2
    c = np.where((e < 46)[..., None], np.where((st > 0)[..., None], pal[1], pal[3]), c)
    c = np.where(((e > 40) & (e < 50))[..., None], pal[2], c)
    c = np.where((e < 6)[..., None], pal[5], c)
    return c * (1 + 0.12 * gnoise(h, w, 0.6, 1.5, rng))[..., None]


def painted_picture(bands, ground, rng, w=1536, h=768):
    """Glazed pottery: bands over v in 0..1, u around.

    A band is (v0, v1, kind, count, colour, colour2)."""
    u = ((np.arange(w) + 0.5) / w)[None]
    v = ((np.arange(h) + 0.5) / h)[:, None]
    wob = 0.0025 * gnoise(h, w, 20, 20, rng)
    v = v + wob
    u = u + 0.4 * wob
    c = np.zeros((h, w, 3)) + rgb(ground)
    shade = gnoise(h, w, 9, 9, rng)
    for v0, v1, kind, cnt, col, col2 in bands:
        t = (v - v0) / (v1 - v0)
        on = (t >= 0) & (t < 1)
        col, col2 = rgb(col), rgb(col2)
        wash = np.clip(0.82 + 0.13 * shade, 0.5, 1)
        a = (u * cnt) % 1 - 0.5
        b = t - 0.5
        if kind == 'fill':
            c = np.where(on[..., None], mix(c, col, wash), c)
            continue
        if kind == 'line':
            c = np.where((on & (np.abs(b) < 0.5))[..., None], mix(c, col, wash), c)
            continue
        if kind == 'scallop':
            m = on & (t > np.abs(np.sin(PI * u * cnt)) * 0.75)
            m2 = on & (t > np.abs(np.sin(PI * u * cnt)) * 0.75 + 0.16)
            c = np.where(m[..., None], mix(c, col, wash), c)
            c = np.where(m2[..., None], col2, c)
        elif kind == 'dots':
            m = on & (a ** 2 + (b * 0.9) ** 2 < 0.09)
            c = np.where(m[..., None], mix(c, col, wash), c)
        elif kind == 'zig':
            q = np.abs(b - (np.abs(a) * 2 - 0.5) * 0.7)
            c = np.where((on & (q < 0.13))[..., None], mix(c, col, wash), c)
            m = on & (a ** 2 * 4 + (b - 0.25) ** 2 < 0.012)
            c = np.where(m[..., None], col2, c)
        elif kind == 'flower':
            for sgn in (0, 1):                       # big flowers, small ones between
                aa = a if sgn == 0 else ((u * cnt + 0.5) % 1 - 0.5)
                sc = 1.0 if sgn == 0 else 0.45
                cy = 0.0 if sgn == 0 else 0.18
                rr = np.hypot(aa, b - cy) / sc
                ph = np.arctan2(b - cy, aa)
                petal = 0.23 + 0.13 * np.abs(np.cos(3.5 * ph + sgn))
                m = on & (rr < petal)
                edge = on & (np.abs(rr - petal) < 0.018 / sc)
                vein = on & (rr < petal * 0.85) & (np.abs(np.sin(7 * ph)) < 0.16)
                c = np.where(m[..., None], mix(c, col, np.clip(0.35 + 0.5 * rr / petal + 0.1 * shade, 0, 1)), c)
                c = np.where((edge | vein)[..., None], col * 0.6, c)
                c = np.where((on & (rr < 0.09))[..., None], col2, c)
            # tendrils
            q = np.abs(b + 0.3 * np.cos(2 * PI * u * cnt) * np.cos(2 * PI * u * cnt * 0.5))
            far = np.hypot(a, b) > 0.38
            c = np.where((on & far & (q < 0.02))[..., None], col * 0.7, c)
            lf = np.hypot((np.abs(a) - 0.42) * 1.0, (np.abs(b) - 0.22) * 2.2)
            c = np.where((on & (lf < 0.1) & far)[..., None], mix(c, col2, wash), c)
    spec = gnoise(h, w, 0.8, 0.8, rng)
    return c * (1 + 0.018 * spec + 0.02 * shade)[..., None]


def runner_picture(rng):
    """Linen runner: ochre and blue stripes, rows of diamonds, a weave."""
    w, h = 1700, 360                       # along, across
    x = (np.arange(w) + 0.5)[None] / w * 1.7
    y = (np.arange(h) + 0.5)[:, None] / h * 0.36 - 0.18
    c = np.zeros((h, w, 3)) + rgb('d9d0bb')
    navy, ochre, brick = rgb('2c4a6e'), rgb('c08a35'), rgb('a1432f')
    ay = np.abs(y) + 0 * x
    for a, b, col in ((0.150, 0.165, navy), (0.138, 0.143, ochre), (0.170, 0.173, brick)):
        c[(ay > a) & (ay < b)] = col
    p = (x / 0.085) % 1 - 0.5
    d = np.abs(p) * 2 + np.abs(y) / 0.06
    c[(d < 0.95)] = navy
    c[(d < 0.78)] = rgb('e2d8c0')
    c[(d < 0.55)] = brick
    c[(d < 0.28)] = ochre
    p2 = ((x / 0.085) + 0.5) % 1 - 0.5
    d2 = np.abs(p2) * 2 / 0.55 + np.abs(ay - 0.095) / 0.022
    c[d2 < 1] = ochre
    c[d2 < 0.55] = navy
    end = np.minimum(x, 1.7 - x) + 0 * y
    for a, b, col in ((0.02, 0.032, brick), (0.042, 0.05, navy), (0.06, 0.064, ochre)):
        c[(end > a) & (end < b)] = col
    weave = gnoise(h, w, 0.5, 2.5, rng) + gnoise(h, w, 2.5, 0.5, rng)
    return c * (1 + 0.055 * weave + 0.03 * gnoise(h, w, 25, 25, rng))[..., None]


def leaf_picture(rng):
    h, w = 512, 64                         # along, across
    x = np.abs((np.arange(w) + 0.5)[None] / w * 2 - 1)
    y = (np.arange(h) + 0.5)[:, None] / h
    green, cream = rgb('4f8a35'), rgb('dfe0a4')
    st = gnoise(h, w, 60, 1.2, rng)
    t = smooth(0.5, 0.62, x + 0.05 * st)
    c = mix(green * 0.9, cream, t)
    c = c * (1 + 0.09 * st)[..., None]
    tip = smooth(0.93, 1.0, y + 0 * x)
    return mix(c, rgb('9a7a45'), tip)


def cover_picture(col, gold, rng, w=600, h=420):
    """Book board: cloth with a gilt frame and ornament."""
    c = np.zeros((h, w, 3)) + rgb(col)
    y = (np.arange(h) + 0.5)[:, None]
    x = (np.arange(w) + 0.5)[None]
    e = np.minimum(np.minimum(x, w - x), np.minimum(y, h - y))
    g = rgb(gold)
    m = ((e > 24) & (e < 30)) | ((e > 36) & (e < 38))
    o = mirrored(gnoise(h, w, 12, 12, rng), [0.82])
    r = np.hypot((x - w / 2) / (w / 2), (y - h / 2) / (h / 2))
    m = m | ((o == 1) & (r < 0.62))
    c = np.where(m[..., None], g, c)
    cl = gnoise(h, w, 0.6, 1.6, rng) + gnoise(h, w, 1.6, 0.6, rng)
    return c * (1 + 0.07 * cl + 0.05 * gnoise(h, w, 40, 40, rng))[..., None]


# ------------------------------------------------------------------- materials

class Nodes:
    def __init__(self, name):
        self.mat = bpy.data.materials.new(name)
        self.mat.use_nodes = True
        self.nt = self.mat.node_tree
        self.bsdf = next(n for n in self.nt.nodes if n.type == 'BSDF_PRINCIPLED')

    def add(self, kind, **kw):
        n = self.nt.nodes.new(kind)
        for k, v in kw.items():
            setattr(n, k, v)
        return n

    def link(self, a, b):
        self.nt.links.new(a, b)

    def put(self, names, value):
        """Set the first input of that name: names differ between versions."""
        for n in names.split('|'):
            if n in self.bsdf.inputs:
                self.bsdf.inputs[n].default_value = value
                return

    def noise(self, scale, detail=4.0, stretch=None, coord='Object'):
        tc = self.add('ShaderNodeTexCoord')
        src = tc.outputs[coord]
        if stretch:
            mp = self.add('ShaderNodeMapping')
            mp.inputs['Scale'].default_value = stretch
            self.link(src, mp.inputs['Vector'])
            src = mp.outputs['Vector']
        n = self.add('ShaderNodeTexNoise')
        n.inputs['Scale'].default_value = scale
        n.inputs['Detail'].default_value = detail
        self.link(src, n.inputs['Vector'])
        return n

    def bump(self, height, strength, distance):
        b = self.add('ShaderNodeBump')
        b.inputs['Strength'].default_value = strength
        b.inputs['Distance'].default_value = distance
        self.link(height, b.inputs['Height'])
        self.link(b.outputs['Normal'], self.bsdf.inputs['Normal'])

    def ramp(self, fac, stops):
        r = self.add('ShaderNodeValToRGB')
        el = r.color_ramp.elements
        while len(el) < len(stops):
            el.new(0.5)
        for e, (p, c) in zip(el, stops):
            e.position = p
            e.color = (*lin(c), 1)
        self.link(fac, r.inputs['Fac'])
        return r.outputs['Color']

    def rough_range(self, fac, lo, hi):
        m = self.add('ShaderNodeMapRange')
        m.inputs['From Min'].default_value = 0.3
        m.inputs['From Max'].default_value = 0.7
        m.inputs['To Min'].default_value = lo
        m.inputs['To Max'].default_value = hi
        self.link(fac, m.inputs['Value'])
        self.link(m.outputs['Result'], self.bsdf.inputs['Roughness'])


def mat_image(name, arr, rough=0.6, spec=0.5, coat=0.0, bump=0.0, sheen=0.0):
    n = Nodes(name)
    t = n.add('ShaderNodeTexImage', image=picture(name, arr))
    n.link(t.outputs['Color'], n.bsdf.inputs['Base Color'])
    n.put('Roughness', rough)
    n.put('Specular IOR Level|Specular', spec)
    n.put('Coat Weight|Clearcoat', coat)
    n.put('Coat Roughness|Clearcoat Roughness', 0.06)
    n.put('Sheen Weight|Sheen', sheen)
    if bump:
        n.bump(t.outputs['Color'], 0.5, bump)
    return n.mat


def mat_noise(name, stops, scale, rough=0.6, stretch=None, bump=0.0, coat=0.0, metallic=0.0, spec=0.5):
    n = Nodes(name)
    t = n.noise(scale, 6.0, stretch)
    n.link(n.ramp(t.outputs['Fac'], stops), n.bsdf.inputs['Base Color'])
    n.put('Roughness', rough)
    n.put('Metallic', metallic)
    n.put('Specular IOR Level|Specular', spec)
    n.put('Coat Weight|Clearcoat', coat)
    n.put('Coat Roughness|Clearcoat Roughness', 0.06)
    if bump:
        n.bump(t.outputs['Fac'], 0.6, bump)
    return n.mat


def mat_brass():
    n = Nodes('brass')
    t = n.noise(14.0, 5.0)
    n.link(n.ramp(t.outputs['Fac'], [(0.3, 'e8bd6a'), (0.7, 'd9a650')]), n.bsdf.inputs['Base Color'])
    n.put('Metallic', 1.0)
    n.rough_range(t.outputs['Fac'], 0.20, 0.32)
    f = n.noise(260.0, 2.0)
    n.bump(f.outputs['Fac'], 0.10, 0.002)
    return n.mat


def mat_fruit(name, a, b, scale=170.0):
    n = Nodes(name)
    t = n.noise(18.0, 4.0)
    n.link(n.ramp(t.outputs['Fac'], [(0.3, a), (0.7, b)]), n.bsdf.inputs['Base Color'])
    n.put('Roughness', 0.38)
    f = n.noise(scale, 2.0)
    n.bump(f.outputs['Fac'], 0.55, 0.004)
    return n.mat


def mat_vcol(name, rough=0.6, coat=0.0, noise=0.0):
    n = Nodes(name)
    a = n.add('ShaderNodeAttribute', attribute_name='Col')
    src = a.outputs['Color']
    if noise:
        t = n.noise(30.0, 6.0)
        m = n.add('ShaderNodeMixRGB', blend_type='MULTIPLY')
        m.inputs['Fac'].default_value = noise
        n.link(src, m.inputs['Color1'])
        n.link(n.ramp(t.outputs['Fac'], [(0.3, '555555'), (0.7, 'ffffff')]), m.inputs['Color2'])
        src = m.outputs['Color']
    n.link(src, n.bsdf.inputs['Base Color'])
    n.put('Roughness', rough)
    n.put('Coat Weight|Clearcoat', coat)
    n.put('Coat Roughness|Clearcoat Roughness', 0.06)
    return n.mat


# ---------------------------------------------------------------------- meshes

class Builder:
    """Collects grids, boxes and tubes into one mesh with uv and colour."""

    def __init__(self):
        self.v, self.f, self.uv, self.c, self.n, self.s = [], [], [], [], 0, []

    def raw(self, verts, faces, loop_uv, color=None, smooth=True):
        faces = np.asarray(faces)
        self.v.append(np.asarray(verts, float).reshape(-1, 3))
        self.f += (faces + self.n).tolist()
        self.n += len(self.v[-1])
        self.uv.append(np.asarray(loop_uv, float).reshape(-1, 2))
        col = np.append(lin(color) if color is not None else [1, 1, 1], 1.0)
        self.c.append(np.tile(col, (faces.size, 1)))
        self.s += [smooth] * len(faces)

    def grid(self, p, wrap=False, uv=None, color=None, smooth=True):
        """p (ni, nj, 3); with wrap the last column joins the first."""
        ni, nj = p.shape[:2]
        mj = nj if wrap else nj - 1
        i, j = np.meshgrid(np.arange(ni - 1), np.arange(mj), indexing='ij')
        i, j = i.ravel(), j.ravel()
        j1 = (j + 1) % nj
        q = np.stack([i * nj + j, i * nj + j1, (i + 1) * nj + j1, (i + 1) * nj + j], 1)
        if uv is None:
            u = lambda jj: jj / mj
            w = lambda ii: ii / (ni - 1)
            luv = np.stack([np.stack([u(j), w(i)], 1), np.stack([u(j + 1), w(i)], 1),
                            np.stack([u(j + 1), w(i + 1)], 1), np.stack([u(j), w(i + 1)], 1)], 1)
        else:
            luv = uv.reshape(-1, 2)[q]
        self.raw(p, q, luv, color, smooth)

    def lathe(self, profile, seg=128, at=(0, 0, 0), uv='polar', color=None, n=None):
        """profile: (r, z) pairs, bottom outside first; n smooths with a spline."""
        pr = spline(profile, n) if n else np.asarray(profile, float)
        pr = np.maximum(pr, [1e-4, -1e9])
        a = np.arange(seg) / seg * 2 * PI
        p = np.stack([pr[:, :1] * np.cos(a), pr[:, :1] * np.sin(a),
                      np.repeat(pr[:, 1:], seg, 1)], 2)
        u = p[..., :2].copy() if uv == 'xy' else None
        self.grid(p + np.asarray(at), wrap=True, uv=u, color=color)

    def tube(self, path, radius, seg=10, color=None):
        path = np.asarray(path, float)
        radius = np.broadcast_to(np.asarray(radius, float), (len(path),))
        t = np.gradient(path, axis=0)
        t /= np.linalg.norm(t, axis=1, keepdims=True) + 1e-12
        up = np.array([0.0, 0, 1]) if abs(t[0, 2]) < 0.9 else np.array([1.0, 0, 0])
        nrm = np.zeros_like(path)
        x = np.cross(up, t[0])
        for k in range(len(path)):               # parallel transport
            x = x - t[k] * np.dot(x, t[k])
            x /= np.linalg.norm(x)
            nrm[k] = x
        b = np.cross(t, nrm)
        a = np.arange(seg) / seg * 2 * PI
        p = (path[:, None] + radius[:, None, None]
             * (nrm[:, None] * np.cos(a)[None, :, None] + b[:, None] * np.sin(a)[None, :, None]))
        p = np.concatenate([np.repeat(path[:1, None], seg, 1) , p, np.repeat(path[-1:, None], seg, 1)], 0)
        self.grid(p, wrap=True, color=color)

    def sphere(self, at, r, seg=32, color=None, shape=None):
        th = np.linspace(0, PI, seg // 2 + 1)
        pr = np.stack([r * np.sin(th), -r * np.cos(th)], 1)
        if shape is not None:
            pr = shape(pr, th)
        self.lathe(pr, seg, at, color=color)

    def box(self, lo, hi, color=None, rot=0.0, at=(0, 0, 0), uvs=None):
        """Axis-aligned box turned by rot about z and moved to at.

        uvs: metres per uv unit, else each face takes the whole picture."""
        lo, hi = np.asarray(lo, float), np.asarray(hi, float)
        c, s = math.cos(rot), math.sin(rot)
        rm = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        for ax in range(3):
            for side in (0, 1):
                u, w = [(1, 2), (2, 0), (0, 1)][ax]
                if side == 0:
                    u, w = w, u
                q = np.zeros((4, 3))
                q[:, ax] = (lo, hi)[side][ax]
                q[:, u] = [lo[u], hi[u], hi[u], lo[u]]
                q[:, w] = [lo[w], lo[w], hi[w], hi[w]]
                long = [d for d in range(3) if d != ax]
                long.sort(key=lambda d: -(hi[d] - lo[d]))
                if uvs:
                    luv = np.stack([q[:, long[0]], q[:, long[1]]], 1) / uvs
                else:
                    luv = np.stack([(q[:, long[0]] - lo[long[0]]) / (hi - lo)[long[0]],
                                    (q[:, long[1]] - lo[long[1]]) / (hi - lo)[long[1]]], 1)
                self.raw(q @ rm.T + np.asarray(at), [[0, 1, 2, 3]], luv, color, False)

    def make(self, name, mat, rot=0.0, at=(0, 0, 0), tilt=None):
        me = bpy.data.meshes.new(name)
        me.from_pydata(np.concatenate(self.v).tolist(), [], self.f)
        uvl = me.uv_layers.new(name='UVMap')
        uvl.data.foreach_set('uv', np.concatenate(self.uv).astype(np.float32).ravel())
        ca = me.color_attributes.new('Col', 'FLOAT_COLOR', 'CORNER')
        ca.data.foreach_set('color', np.concatenate(self.c).astype(np.float32).ravel())
        me.polygons.foreach_set('use_smooth', self.s)
        me.materials.append(mat)
        me.update()
        ob = bpy.data.objects.new(name, me)
        ob.rotation_euler = (tilt or (0, 0, rot))
        ob.location = at
        bpy.context.scene.collection.objects.link(ob)
        return ob


def polar(r, deg, z=0.0):
    a = math.radians(deg)
    return (r * math.cos(a), r * math.sin(a), z)


# -------------------------------------------------------------------- the scene

def build_room():
    rng = rng_for('room')
    # floor
    b = Builder()
    R = ROOM
    b.grid(np.array([[[-R, -R, FLOOR_Z], [R, -R, FLOOR_Z]], [[-R, R, FLOOR_Z], [R, R, FLOOR_Z]]]), smooth=False)
    b.make('floor', mat_image('floor', wood(2400, 2400, 5, 5, 0.125, 'a97c4f', '5f3d22', rng,
                                            rings=60, board=1.3, gap=0.003), 0.42))
    # rug
    b = Builder()
    nx, ny = 120, 90
    x, y = np.meshgrid(np.linspace(-1.75, 1.75, nx), np.linspace(-1.3, 1.3, ny))
    z = FLOOR_Z + 0.012 + 0.0025 * gnoise(ny, nx, 5, 5, rng)
    b.grid(np.stack([x, y, z], 2))
    b.make('rug', mat_image('rug', rug_picture(rng), 0.95, spec=0.1, sheen=0.2, bump=0.003), rot=0.12)
    # walls: paper above, panels below
    paper = mat_image('paper', wallpaper_picture(rng), 0.85, spec=0.2)
    panel = mat_noise('panel', [(0.3, '33504e'), (0.5, '3f605c'), (0.7, '4d716b')], 3.0,
                      rough=0.45, stretch=(8, 8, 0.6), bump=0.004)
    rail_z = FLOOR_Z + 0.92
    for k in range(4):
        b = Builder()
        n = 2
        p = np.array([[[-R, R, rail_z - 0.1], [R, R, rail_z - 0.1]], [[-R, R, WALL_TOP], [R, R, WALL_TOP]]])
        b.grid(p, smooth=False)
        b.make('paper%d' % k, paper, rot=k * PI / 2)
        b = Builder()
        b.box((-R, R - 0.02, FLOOR_Z), (R, R + 0.05, rail_z))
        b.box((-R, R - 0.06, rail_z - 0.03), (R, R, rail_z + 0.015))
        b.box((-R, R - 0.045, FLOOR_Z), (R, R, FLOOR_Z + 0.11))
        m = 7
        wd = 2 * R / m
        for j in range(m):
            x0, x1 = -R + j * wd + 0.09, -R + (j + 1) * wd - 0.09
            z0, z1 = FLOOR_Z + 0.2, rail_z - 0.12
            t = 0.022
            for lo, hi in (((x0, z0), (x1, z0 + t)), ((x0, z1 - t), (x1, z1)),
                           ((x0, z0 + t), (x0 + t, z1 - t)), ((x1 - t, z0 + t), (x1, z1 - t))):
                b.box((lo[0], R - 0.04, lo[1]), (hi[0], R - 0.02, hi[1]))
            b.box((x0 + 0.06, R - 0.032, z0 + 0.06), (x1 - 0.06, R - 0.02, z1 - 0.06))
        b.make('panel%d' % k, panel, rot=k * PI / 2)
    # pictures, in gilt or dark frames: wall k, offset along it, centre z, width, height
    pals = [('7fa7c4', 'f0d9b5', 'fff2cf', '8aa0ad', '2f4a3a'),
            ('d98a5b', 'f6d59a', 'fff0d0', 'a0604f', '3a2233'),
            ('4a6a92', 'c9d5dd', 'f7f3e6', '7d93ad', '1f2f4a'),
            ('c7b27a', 'f3e8c8', 'f8c36a', '94a06a', '3c4a22'),
            ('8b6fa8', 'f2c4b8', 'ffe2c0', '8a6a96', '2c2346')]
    gilt = mat_noise('gilt', [(0.3, 'b48a3e'), (0.7, 'd9b05c')], 25.0, rough=0.35, metallic=1.0)
    spots = [(1, -1.05, 0.78, 0.95, 0.7), (1, 0.75, 0.74, 0.8, 0.6), (2, 1.55, 0.8, 0.7, 0.85),
             (3, -1.2, 0.74, 0.8, 0.6), (3, 1.0, 0.8, 1.05, 0.75)]
    for k, (wall, off, zc, wd, hg) in enumerate(spots):
        b = Builder()
        b.grid(np.array([[[off - wd / 2, R - 0.02, zc - hg / 2], [off + wd / 2, R - 0.02, zc - hg / 2]],
                         [[off - wd / 2, R - 0.02, zc + hg / 2], [off + wd / 2, R - 0.02, zc + hg / 2]]]), smooth=False)
        art = landscape_picture(rng_for('art%d' % k), pals[k], (0.25 + 0.12 * k, 0.72))
        b.make('art%d' % k, mat_image('art%d' % k, art, 0.6, bump=0.003), rot=wall * PI / 2)
        b = Builder()
        t = 0.055
        x0, x1, z0, z1 = off - wd / 2, off + wd / 2, zc - hg / 2, zc + hg / 2
        b.box((x0 - t, R - 0.05, z0 - t), (x1 + t, R, z0))
        b.box((x0 - t, R - 0.05, z1), (x1 + t, R, z1 + t))
        b.box((x0 - t, R - 0.05, z0), (x0, R, z1))
        b.box((x1, R - 0.05, z0), (x1 + t, R, z1))
        ob = b.make('frame%d' % k, gilt, rot=wall * PI / 2)
        bev = ob.modifiers.new('bevel', 'BEVEL')
        bev.width, bev.segments = 0.012, 3
    # tapestry
    b = Builder()
    nx, nz = 80, 50
    x, z = np.meshgrid(np.linspace(-1.9, 0.3, nx), np.linspace(0.28, 1.72, nz))
    y = R - 0.03 - 0.012 * np.sin(x * 9 + 0.6 * np.sin(z * 3)) * np.linspace(1, 0.3, nz)[:, None]
    b.grid(np.stack([x, y, z], 2))
    b.make('tapestry', mat_image('tapestry', tapestry_picture(rng), 0.9, spec=0.15, bump=0.002), rot=2 * PI / 2)
    # book case on the wall y = R
    b = Builder()
    bw, bd, z0, z1 = 1.15, 0.3, FLOOR_Z, 1.1
    nsh = 5
    for s in (-1, 1):
        b.box((s * bw - 0.02, R - bd, z0), (s * bw + 0.02, R - 0.02, z1), uvs=2.0)
    b.box((-0.02, R - bd + 0.01, z0), (0.02, R - 0.02, z1), uvs=2.0)
    b.box((-bw, R - 0.05, z0), (bw, R - 0.02, z1), uvs=2.0)
    zs = np.linspace(z0 + 0.08, z1, nsh + 1)
    for z in zs:
        b.box((-bw - 0.02, R - bd - 0.005, z - 0.022), (bw + 0.02, R - 0.02, z), uvs=2.0)
    b.make('case', mat_image('case', wood(1024, 1024, 2, 2, 0.3, '8a5a34', '4a2c18', rng), 0.45))
    b = Builder()
    cols = ['7b2d2a', '2f4b66', '3d5a3c', 'b08a3e', '5a3a52', 'c7b690', '8c4b2a', '24343f', '9a9a86', 'a85a3a', '456f78']
    for s in range(nsh):
        for half in (-1, 1):
            x = (-bw if half < 0 else 0.0) + 0.03
            end = (0.0 if half < 0 else bw) - 0.03
            while x < end - 0.05:
                if rng.random() < 0.06:
                    x += rng.uniform(0.05, 0.16)
                    continue
                t = rng.uniform(0.022, 0.055)
                hgt = rng.uniform(0.20, 0.30)
                dep = rng.uniform(0.16, 0.22)
                if x + t > end:
                    break
                col = rgb(cols[rng.integers(len(cols))]) * rng.uniform(0.75, 1.1)
                y1 = R - 0.06
                b.box((x, y1 - dep, zs[s]), (x + t - 0.002, y1, zs[s] + hgt), color=np.clip(col, 0, 1))
                for q in (0.12, 0.2, 0.8):
                    if rng.random() < 0.7:
                        b.box((x - 0.0003, y1 - dep - 0.001, zs[s] + q * hgt),
                              (x + t - 0.0017, y1 - dep + 0.002, zs[s] + q * hgt + 0.012), color=rgb('d2b068'))
                x += t
    b.make('shelfbooks', mat_vcol('shelfbooks', 0.55, noise=0.35))
    # two floor pots and a chest, so that the corners have depth
    clay = mat_noise('clay2', [(0.3, '6f7f86'), (0.55, '8fa0a3'), (0.7, 'c4c8b8')], 9.0, rough=0.35, coat=0.5)
    for k, (px, py, sc) in enumerate(((2.0, -2.0, 1.0), (-2.05, 2.0, 1.2))):
        b = Builder()
        b.lathe([(0.0, 0.0), (0.12, 0.0), (0.13, 0.02), (0.2, 0.2), (0.17, 0.36), (0.12, 0.42), (0.14, 0.45),
                 (0.13, 0.45), (0.11, 0.4), (0.0, 0.39)], n=60)
        ob = b.make('floorpot%d' % k, clay, at=(px, py, FLOOR_Z))
        ob.scale = (sc, sc, sc)
        b = Builder()
        g = rng_for('reed%d' % k)
        for _ in range(45):
            a = g.uniform(0, 2 * PI)
            L = g.uniform(0.6, 1.25) * sc
            lean = g.uniform(0.03, 0.28)
            t = np.linspace(0, 1, 10)
            d = np.array([math.cos(a), math.sin(a)])
            r = 0.06 * sc + lean * L * t ** 2
            path = np.stack([px + d[0] * r, py + d[1] * r, FLOOR_Z + 0.39 * sc + L * t], 1)
            col = mix(rgb('7c7a3c'), rgb('c9b06a'), np.array(g.random()))
            b.tube(path, np.linspace(0.006, 0.003, 10), 6, color=col)
            if g.random() < 0.6:
                b.tube(path[-2:] + np.array([[0, 0, -0.04], [0, 0, 0.06]]), 0.014 , 8, color=rgb('6b4426'))
        b.make('reeds%d' % k, mat_vcol('reeds%d' % k, 0.7))
    b = Builder()
    b.box((-0.42, -0.24, 0.03), (0.42, 0.24, 0.4), uvs=1.0)
    b.box((-0.44, -0.26, 0.4), (0.44, 0.26, 0.46), uvs=1.0)
    ob = b.make('chest', mat_image('chest', wood(1024, 1024, 1, 1, 0.12, 'b07a45', '6a3f20', rng), 0.5),
                rot=PI / 2, at=(2.15, 0.3, FLOOR_Z))
    bev = ob.modifiers.new('bevel', 'BEVEL')
    bev.width, bev.segments = 0.01, 2
    b = Builder()
    for lo in (-0.3, 0.26):
        b.box((lo, -0.268, 0.0), (lo + 0.04, 0.268, 0.47))
    b.make('straps', gilt, rot=PI / 2, at=(2.15, 0.3, FLOOR_Z))


def build_table():
    rng = rng_for('table')
    w = wood(2048, 2048, 1.4, 1.4, 0.155, 'b98552', '6b4123', rng, rings=75, gap=0.0012)
    top = mat_image('tabletop', w, 0.28, coat=0.25, bump=0.0012)
    b = Builder()
    R = TABLE_R
    arc = [(R - 0.012 + 0.012 * math.cos(a), -0.012 + 0.012 * math.sin(a)) for a in np.linspace(0, PI / 2, 7)]
    prof = [(0, -0.035), (R - 0.03, -0.035), (R - 0.012, -0.033), (R - 0.002, -0.026)] + arc + \
           [(r, 0.0) for r in (0.55, 0.4, 0.2, 0.0)]
    b.lathe(prof, 160, uv='xy')
    b.uv[-1] = b.uv[-1] / 1.4 + 0.5
    b.make('tabletop', top, rot=0.3)
    leg = mat_image('leg', wood(1024, 1024, 1, 1, 1.0, '94633a', '55321b', rng).transpose(1, 0, 2), 0.35, coat=0.2)
    b = Builder()
    b.lathe([(0.46, -0.036), (0.47, -0.09), (0.45, -0.09), (0.44, -0.036)], 128)
    H = FLOOR_Z
    b.lathe([(0.16, -0.036), (0.15, -0.06), (0.07, -0.10), (0.05, -0.16), (0.085, -0.24), (0.095, -0.33),
             (0.06, -0.42), (0.05, -0.46), (0.09, -0.48), (0.09, -0.52), (0.07, -0.56), (0.05, -0.6),
             (0.0, -0.6)], 64, n=90)
    for k in range(4):
        a = k * PI / 2 + 0.4
        d = np.array([math.cos(a), math.sin(a), 0])
        path = spline([d * 0.03 + [0, 0, -0.5], d * 0.16 + [0, 0, -0.56], d * 0.28 + [0, 0, -0.68],
                       d * 0.38 + [0, 0, H + 0.035]], 24)
        b.tube(path, np.linspace(0.045, 0.03, 24), 14)
    b.make('leg', leg)


def build_runner(rot):
    rng = rng_for('runner')
    L, W = 1.7, 0.36
    ns, nt = 420, 100
    s, t = np.meshgrid(np.linspace(-L / 2, L / 2, ns), np.linspace(-W / 2, W / 2, nt))
    xe = np.sqrt(TABLE_R ** 2 - t ** 2) - 0.006
    d = np.maximum(np.abs(s) - xe, 0)
    rb = 0.016
    amax = PI / 2 * 0.96
    a = np.minimum(d / rb, amax)
    rest = d - rb * a
    hang = smooth(0.0, 0.16, rest)
    out = rb * np.sin(a) + rest * math.cos(amax) + hang * 0.012 * np.sin(t * 48 + np.sign(s) * 1.3)
    x = np.sign(s) * (np.minimum(np.abs(s), xe) + out)
    z = 0.003 - rb * (1 - np.cos(a)) - rest * math.sin(amax)
    wr = gnoise(nt, ns, 7, 16, rng)
    z = z + 0.0022 * np.clip(wr, -1, 2.2) * (1 - smooth(0, 0.02, d)) + 0.001
    y = t * (1 - 0.04 * hang)
    b = Builder()
    b.grid(np.stack([x, y, z], 2))
    cloth = mat_image('runner', runner_picture(rng), 0.9, spec=0.2, sheen=0.15, bump=0.0015)
    ob = b.make('runner', cloth, rot=rot)
    sol = ob.modifiers.new('solid', 'SOLIDIFY')
    sol.thickness, sol.offset = 0.0018, 1.0
    b = Builder()
    for e in (0, -1):
        for k in np.linspace(1, nt - 2, 44).astype(int):
            p = np.array([x[k, e], y[k, e], z[k, e]])
            tt = np.linspace(0, 1, 6)[:, None]
            j = rng.normal(0, 0.004, 3)
            j[2] = 0
            path = p + tt * np.array([0, 0, -0.055]) * rng.uniform(0.85, 1.1) + tt ** 2 * j
            b.tube(path, np.linspace(0.0022, 0.0014, 6), 6,
                   color=rgb('d9d0bb') if k % 3 else rgb('c39a55'))
    b.make('fringe', mat_vcol('fringe', 0.9), rot=rot)


def build_objects():
    rng = rng_for('objects')
    clothz = 0.005
    # --- vase in the middle, painted blue on white, with berry twigs
    blue, blue2, gold = '1f3f8f', '2d62b8', 'c89a3c'
    bands = [(0.16, 0.19, 'fill', 0, blue, blue), (0.20, 0.28, 'zig', 28, blue, gold),
             (0.285, 0.30, 'line', 0, gold, gold), (0.31, 0.60, 'flower', 6, blue2, gold),
             (0.61, 0.625, 'line', 0, blue, blue), (0.63, 0.71, 'scallop', 18, blue, 'f3efe4'),
             (0.72, 0.77, 'dots', 26, blue2, gold), (0.775, 0.79, 'line', 0, gold, gold),
             (0.80, 0.86, 'zig', 18, blue, gold), (0.88, 0.96, 'fill', 0, blue, blue)]
    vase = mat_image('vase', painted_picture(bands, 'f1ede2', rng_for('vase')), 0.12, coat=0.8)
    b = Builder()
    prof = [(0.0, 0.0), (0.046, 0.0), (0.052, 0.006), (0.05, 0.02), (0.066, 0.055), (0.082, 0.10),
            (0.078, 0.145), (0.052, 0.185), (0.033, 0.215), (0.031, 0.235), (0.042, 0.258), (0.046, 0.264)]
    p = spline(prof, 150)
    b.lathe(p, 160)
    b.make('vase', vase, at=(0.02, 0.0, clothz))
    b = Builder()
    b.lathe([(0.046, 0.264), (0.043, 0.265), (0.037, 0.25), (0.028, 0.23), (0.026, 0.18)], 96)
    b.make('vasein', mat_noise('vasein', [(0, blue), (1, blue)], 5.0, rough=0.15), at=(0.02, 0, clothz))
    tw, be, lf = Builder(), Builder(), Builder()
    g = rng_for('twigs')

    def twig(p0, d, length, r0, depth):
        n = 14
        pts = [p0]
        d = d / np.linalg.norm(d)
        for _ in range(n - 1):
            d = d + g.normal(0, 0.10, 3) + np.array([0, 0, 0.012])
            d /= np.linalg.norm(d)
            pts.append(pts[-1] + d * length / (n - 1))
        pts = np.array(pts)
        col = mix(rgb('4a3424'), rgb('7a5a3c'), np.array(g.random()))
        tw.tube(pts, np.linspace(r0, r0 * 0.55, n), 7, color=col)
        if depth < 2:
            for k in g.choice(np.arange(5, n - 1), 3 if depth == 0 else 2, replace=False):
                side = g.normal(0, 1, 3)
                side[2] = abs(side[2]) * 0.5
                dd = (pts[k] - pts[k - 1]) / np.linalg.norm(pts[k] - pts[k - 1]) + 0.55 * side / np.linalg.norm(side)
                twig(pts[k], dd, length * 0.42, r0 * 0.65, depth + 1)
        if depth > 0:
            for k in range(4, n, 3):
                if g.random() < 0.62:
                    o = g.normal(0, 1, 3)
                    o /= np.linalg.norm(o)
                    rr = g.uniform(0.0052, 0.0082)
                    red = mix(rgb('b3161c'), rgb('d8452a'), np.array(g.random()))
                    be.sphere(pts[k] + o * (rr + 0.002), rr, 16, color=red)
                elif g.random() < 0.35:
                    o = g.normal(0, 1, 3)
                    o /= np.linalg.norm(o)
                    wv = np.cross(o, [0, 0, 1.0])
                    wv /= np.linalg.norm(wv) + 1e-9
                    L = g.uniform(0.022, 0.036)
                    t = np.linspace(0, 1, 8)[:, None]
                    wid = 0.0075 * np.sin(PI * t ** 0.8) + 1e-4
                    mid = pts[k] + o * t * L + np.array([0, 0, -0.008]) * t ** 2
                    gr = np.stack([mid - wv * wid, mid + np.array([0, 0, -0.001]), mid + wv * wid], 1)
                    lf.grid(gr, color=mix(rgb('5d6b2c'), rgb('9a7f36'), np.array(g.random())))

    for k in range(9):
        a = 2 * PI * k / 9 + g.uniform(-0.2, 0.2)
        e = g.uniform(0.12, 0.42)
        d = np.array([math.cos(a) * e, math.sin(a) * e, 1.0])
        twig(np.array([0.02 + 0.012 * math.cos(a), 0.012 * math.sin(a), 0.2]), d, g.uniform(0.23, 0.33), 0.0028, 0)
    tw.make('twigs', mat_vcol('twigs', 0.75))
    be.make('berries', mat_vcol('berries', 0.22, coat=0.4))
    lf.make('twigleaves', mat_vcol('twigleaves', 0.55))

    # --- teapot and cup
    red, green = 'b2402c', '3f6b4a'
    bands = [(0.0, 0.10, 'fill', 0, '24525a', '24525a'), (0.115, 0.13, 'line', 0, gold, gold),
             (0.14, 0.24, 'scallop', 20, '24525a', 'efe6d2'), (0.27, 0.66, 'flower', 7, red, gold),
             (0.69, 0.75, 'dots', 30, green, gold), (0.76, 0.775, 'line', 0, gold, gold),
             (0.785, 0.90, 'zig', 22, '24525a', red), (0.91, 1.0, 'fill', 0, '24525a', '24525a')]
    pot = mat_image('teapot', painted_picture(bands, 'efe6d2', rng_for('teapot')), 0.1, coat=0.8)
    glaze = mat_noise('glaze', [(0.3, '1c4249'), (0.7, '2f6570')], 20.0, rough=0.12, coat=0.8)
    brass = mat_brass()
    loc, ang = polar(0.36, 165, clothz * 0), math.radians(215)
    b = Builder()
    b.lathe([(0.05, 0.004), (0.062, 0.012), (0.085, 0.035), (0.098, 0.07), (0.09, 0.105), (0.068, 0.128), (0.05, 0.136)],
            160, n=120)
    b.make('teapot', pot, rot=ang, at=loc)
    b = Builder()
    b.lathe([(0.0, 0.0), (0.05, 0.0), (0.052, 0.003), (0.05, 0.006)], 96)
    b.lathe([(0.054, 0.132), (0.055, 0.138), (0.05, 0.144), (0.034, 0.154), (0.014, 0.159), (0.009, 0.163)], 96, n=40)
    sp = spline([(0.075, 0, 0.045), (0.115, 0, 0.06), (0.138, 0, 0.095), (0.165, 0, 0.128)], 40)
    b.tube(sp, np.interp(np.linspace(0, 1, 40), [0, 0.3, 0.7, 1], [0.028, 0.021, 0.0135, 0.011]), 28)
    hd = spline([(-0.085, 0, 0.115), (-0.125, 0, 0.128), (-0.158, 0, 0.105), (-0.15, 0, 0.06), (-0.12, 0, 0.035),
                 (-0.09, 0, 0.04)], 48)
    b.tube(hd, 0.0085, 20)
    b.make('teapotparts', glaze, rot=ang, at=loc)
    b = Builder()
    b.sphere((0, 0, 0.171), 0.0115, 40)
    b.make('teapotknob', brass, rot=ang, at=loc)
    cup = polar(0.47, 204)
    b = Builder()
    b.lathe([(0.022, 0.012), (0.027, 0.016), (0.038, 0.035), (0.043, 0.06), (0.046, 0.072)], 96, n=60)
    b.make('cup', pot, at=cup)
    b = Builder()
    b.lathe([(0.046, 0.072), (0.0445, 0.0725), (0.041, 0.058), (0.036, 0.036), (0.02, 0.02)], 96)
    b.lathe([(0.0, 0.0), (0.03, 0.0), (0.033, 0.004), (0.068, 0.013), (0.07, 0.0155), (0.067, 0.0155), (0.03, 0.007),
             (0.0, 0.007)], 96)
    b.lathe([(0.022, 0.005), (0.024, 0.013), (0.0, 0.014)], 64)
    hd = spline([(0.042, 0, 0.062), (0.062, 0, 0.06), (0.066, 0, 0.042), (0.055, 0, 0.028), (0.036, 0, 0.028)], 30)
    b.tube(hd, 0.0042, 12)
    b.make('cupparts', glaze, rot=math.radians(250), at=cup)
    b = Builder()
    b.lathe([(0.0428, 0.0635), (0.0, 0.0635)], 64)
    b.make('tea', mat_noise('tea', [(0, '4a1f0c'), (1, '5a2a10')], 5.0, rough=0.05), at=cup)

    # --- books and the brass knot
    base = np.array(polar(0.37, 25))
    z = 0.0
    books = [('6d2430', 'd0a95a', 0.25, 0.18, 0.034, 0.35), ('24475a', 'cfae66', 0.225, 0.165, 0.028, 0.85),
             ('3e5a38', 'd8bd78', 0.20, 0.145, 0.03, 0.1)]
    page = Nodes('pages')
    pt = page.noise(1.0, 3.0, stretch=(3, 3, 900))
    page.link(page.ramp(pt.outputs['Fac'], [(0.35, 'a89470'), (0.6, 'e6dabb')]), page.bsdf.inputs['Base Color'])
    page.put('Roughness', 0.85)
    for k, (col, gd, L, W, T, rot) in enumerate(books):
        cover = mat_image('cover%d' % k, cover_picture(col, gd, rng_for('cover%d' % k)), 0.6, spec=0.3, bump=0.001)
        at = (base[0], base[1], z)
        e = 0.003
        b = Builder()
        b.box((-L / 2, -W / 2, 0), (L / 2, W / 2, e))
        b.box((-L / 2, -W / 2, T - e), (L / 2, W / 2, T))
        b.box((-L / 2, -W / 2 - 0.001, 0), (L / 2, -W / 2 + e, T))
        ob = b.make('book%d' % k, cover, rot=rot + 0.4, at=at)
        bev = ob.modifiers.new('bevel', 'BEVEL')
        bev.width, bev.segments = 0.001, 2
        b = Builder()
        b.box((-L / 2 + 0.005, -W / 2 + e, e), (L / 2 - 0.005, W / 2 - 0.005, T - e))
        b.make('pages%d' % k, page.mat, rot=rot + 0.4, at=at)
        z += T + 0.0005
    b = Builder()
    b.lathe([(0, 0), (0.052, 0), (0.054, 0.003), (0.054, 0.013), (0.05, 0.017), (0, 0.017)], 96)
    b.make('plinth', mat_noise('plinth', [(0.35, '15181a'), (0.5, '2b3032'), (0.62, 'a9a79c')], 22.0, rough=0.15, coat=0.5),
           at=(base[0], base[1], z))
    z += 0.016
    n = 700
    t = np.linspace(0, 2 * PI, n, endpoint=False)
    pq = (2, 3)
    r = 0.052 + 0.022 * np.cos(pq[1] * t)
    kn = np.stack([r * np.cos(pq[0] * t), 0.026 * np.sin(pq[1] * t), r * np.sin(pq[0] * t)], 1)
    tan = np.roll(kn, -1, 0) - np.roll(kn, 1, 0)
    tan /= np.linalg.norm(tan, axis=1, keepdims=True)
    ctr = np.cross(tan, np.gradient(tan, axis=0))
    # frame from the torus, which closes exactly
    core = np.stack([0.052 * np.cos(pq[0] * t), 0 * t, 0.052 * np.sin(pq[0] * t)], 1)
    n1 = kn - core
    n1 -= tan * (n1 * tan).sum(1, keepdims=True)
    n1 /= np.linalg.norm(n1, axis=1, keepdims=True)
    n2 = np.cross(tan, n1)
    a = np.arange(28) / 28 * 2 * PI
    P = kn[:, None] + 0.0125 * (n1[:, None] * np.cos(a)[None, :, None] + n2[:, None] * np.sin(a)[None, :, None])
    P = np.concatenate([P, P[:1]], 0)
    b = Builder()
    b.grid(P, wrap=True)
    b.make('knot', brass, rot=math.radians(70), at=(base[0], base[1], z + 0.084))

    # --- potted plant
    at = np.array(polar(0.38, 98))
    terra = mat_noise('terra', [(0.3, '8f4a2c'), (0.5, 'b5633c'), (0.68, 'd69a72')], 28.0, rough=0.8, bump=0.002)
    b = Builder()
    b.lathe([(0, 0), (0.052, 0), (0.054, 0.003), (0.068, 0.085), (0.077, 0.086), (0.079, 0.11), (0.077, 0.112),
             (0.068, 0.112), (0.066, 0.098), (0.0, 0.098)], 128)
    b.make('pot', terra, at=tuple(at))
    b = Builder()
    b.lathe([(0, 0.0), (0.085, 0.0), (0.095, 0.012), (0.092, 0.012), (0.08, 0.005), (0, 0.005)], 128)
    b.make('potdish', terra, at=tuple(at))
    b = Builder()
    gp = rng_for('soil')
    for _ in range(260):
        rr, aa = 0.064 * math.sqrt(gp.random()), gp.uniform(0, 2 * PI)
        b.sphere((at[0] + rr * math.cos(aa), at[1] + rr * math.sin(aa), 0.097 + gp.uniform(0, 0.004)),
                 gp.uniform(0.003, 0.006), 10, color=mix(rgb('2c1d12'), rgb('5a4330'), np.array(gp.random())))
    b.make('soil', mat_vcol('soil', 0.9))
    b = Builder()
    gp = rng_for('leaves')
    for k in range(64):
        aa = gp.uniform(0, 2 * PI)
        L = gp.uniform(0.16, 0.33)
        lift = gp.uniform(0.5, 1.35)
        t = np.linspace(0, 1, 26)
        # arch: starts at angle lift from the horizontal, bends down
        th = lift + 0.1 - (lift + gp.uniform(0.1, 0.75)) * t ** 1.3
        dr = np.cumsum(np.cos(th)) / 26 * L
        dz = np.cumsum(np.sin(th)) / 26 * L
        sway = gp.normal(0, 0.25) * t ** 2 * L * 0.4
        d = np.array([math.cos(aa), math.sin(aa), 0])
        w = np.array([-math.sin(aa), math.cos(aa), 0])
        mid = at + [0, 0, 0.098] + d * (0.012 * gp.random() + dr)[:, None] + w * sway[:, None]
        mid[:, 2] += dz
        wid = gp.uniform(0.006, 0.0095) * np.minimum(1, t * 7 + 0.35) * (1 - t ** 2.5) + 2e-4
        fold = 0.35
        cols = []
        for q in (-1, -0.5, 0, 0.5, 1):
            cols.append(mid + w * (q * wid)[:, None] + np.array([0, 0, 1.0]) * (abs(q) * wid * fold)[:, None])
        G = np.stack(cols, 1)
        G[..., 2] = np.maximum(G[..., 2], 0.006)
        b.grid(G)
    b.make('leaves', mat_image('leaf', leaf_picture(rng_for('leaf')), 0.42, spec=0.4))

    # --- fruit bowl and loose fruit
    at = np.array(polar(0.37, 262))
    bw = mat_image('bowl', wood(1024, 512, 0.6, 0.3, 0.5, '9a5f33', '4a2a14', rng_for('bowl'), rings=140), 0.3, coat=0.4)
    b = Builder()
    b.lathe([(0, 0.0), (0.05, 0.0), (0.054, 0.008), (0.09, 0.026), (0.118, 0.06), (0.122, 0.066), (0.117, 0.067),
             (0.084, 0.033), (0.045, 0.016), (0, 0.014)], 128, n=100)
    b.make('bowl', bw, at=tuple(at))
    orange = mat_fruit('orange', 'e0701a', 'f08f28')
    lemon = mat_fruit('lemon', 'e3bd2a', 'f0d24a', 150.0)

    def dimple(pr, th):
        pr = pr.copy()
        pr[:, 1] = pr[:, 1] * 0.94 - 0.05 * pr[:, 1].max() * np.exp(-(th - PI) ** 2 / 0.03)
        return pr

    def lemonise(pr, th):
        pr = pr.copy()
        pr[:, 1] *= 1.18
        tip = np.exp(-(th ** 2) / 0.02) + np.exp(-(th - PI) ** 2 / 0.02)
        pr[:, 1] += np.sign(pr[:, 1]) * 0.006 * tip
        return pr

    ra = 0.040
    spots = []
    for k in range(4):
        a = k * PI / 2 + 0.5
        spots.append((at[0] + 0.058 * math.cos(a), at[1] + 0.058 * math.sin(a), 0.058, orange if k != 2 else lemon, k))
    spots.append((at[0] + 0.004, at[1] - 0.003, 0.108, orange, 4))
    x, y, _ = polar(0.33, 305)
    spots.append((x, y, ra * 0.95 + 0.004, orange, 5))
    x, y, _ = polar(0.43, 298)
    spots.append((x, y, 0.032, lemon, 6))
    x, y, _ = polar(0.22, 318)
    spots.append((x, y, ra * 0.95 + 0.002, orange, 7))
    fr = rng_for('fruit')
    stem = Builder()
    for x, y, zz, m, k in spots:
        b = Builder()
        b.sphere((0, 0, 0), ra if m is orange else 0.032, 64, shape=dimple if m is orange else lemonise)
        tilt = (fr.uniform(0.2, 0.9), fr.uniform(-0.6, 0.6), fr.uniform(0, 6)) if m is orange else \
            (1.5, fr.uniform(-0.15, 0.15), fr.uniform(0, 6))
        ob = b.make('fruit%d' % k, m, at=(x, y, zz), tilt=tilt)
        if m is orange:
            c = Builder()
            c.lathe([(0.0, ra * 0.92), (0.005, ra * 0.90), (0.0045, ra * 0.87)], 12, color=rgb('4f6b2a'))
            c.lathe([(0.0022, ra * 0.86), (0.002, ra * 0.96), (0.0, ra * 0.965)], 10, color=rgb('6b7a35'))
            c.make('stem%d' % k, mat_vcol('stem%d' % k, 0.7), at=(x, y, zz), tilt=tilt)

    # --- brass candlestick with a candle
    at = polar(0.45, 338)
    b = Builder()
    b.lathe([(0, 0.0), (0.046, 0.0), (0.048, 0.005), (0.04, 0.011), (0.016, 0.02), (0.010, 0.035), (0.015, 0.05),
             (0.010, 0.065), (0.0075, 0.09), (0.012, 0.115), (0.008, 0.125), (0.020, 0.135), (0.022, 0.14),
             (0.013, 0.141), (0.0, 0.139)], 96, n=140)
    b.make('stick', brass, at=at)
    b = Builder()
    b.lathe([(0.0112, 0.138), (0.0108, 0.225), (0.0100, 0.233), (0.006, 0.235), (0, 0.233)], 48)
    b.make('candle', mat_noise('wax', [(0.3, 'd9cdb0'), (0.7, 'efe6d0')], 40.0, rough=0.4, bump=0.002), at=at)
    b = Builder()
    b.tube(np.array([[0, 0, 0.232], [0.0004, 0, 0.238], [0.002, 0, 0.243]]), 0.0011, 8, color=rgb('1a1410'))
    b.make('wick', mat_vcol('wick', 0.9), at=at)


def build_lights():
    sc = bpy.context.scene
    w = bpy.data.worlds.new('sky')
    sc.world = w
    w.use_nodes = True
    bg = next(n for n in w.node_tree.nodes if n.type == 'BACKGROUND')
    bg.inputs['Color'].default_value = (0.62, 0.76, 1.0, 1)
    bg.inputs['Strength'].default_value = 0.55

    def area(name, at, to, size, power, col):
        li = bpy.data.lights.new(name, 'AREA')
        li.shape = 'DISK'
        li.size, li.energy, li.color = size, power, col
        ob = bpy.data.objects.new(name, li)
        ob.location = at
        ob.rotation_euler = (Vector(to) - Vector(at)).to_track_quat('-Z', 'Y').to_euler()
        ob.visible_camera = False
        sc.collection.objects.link(ob)

    area('key', (1.5, -1.3, 1.75), (0, 0, 0.05), 0.5, 62, (1.0, 0.80, 0.58))
    area('fill', (-1.4, 1.2, 1.9), (0, 0, 0), 1.2, 30, (0.80, 0.90, 1.0))
    area('top', (0, 0, 2.6), (0, 0, 0), 2.2, 60, (1.0, 0.96, 0.90))


# --------------------------------------------------------------------- cameras

def ring_poses(count):
    """Two interleaved rings; every 8th view lies between others of both."""
    rng = rng_for('cameras')
    out = []
    for i in range(count):
        az = 2 * PI * (i + rng.uniform(-0.18, 0.18)) / count
        high = (i + i // 8) % 2
        rad = (1.05 if high else 1.28) * rng.uniform(0.96, 1.04)
        z = (0.88 if high else 0.42) + rng.uniform(-0.05, 0.05)
        eye = Vector((rad * math.cos(az), rad * math.sin(az), z))
        aim = Vector((rng.uniform(-0.02, 0.02), rng.uniform(-0.02, 0.02), (0.06 if high else 0.13) + rng.uniform(-0.015, 0.015)))
        out.append((eye, (aim - eye).to_track_quat('-Z', 'Y')))
    return out


def walk_poses(count):
    """Twice around the table at eye height, as one films a room: the look sweeps over the walls opposite."""
    rng = rng_for('walk')
    out = []
    for i in range(count):
        az = 4 * PI * (i + rng.uniform(-0.18, 0.18)) / count
        rad = (1.2 if 2 * i < count else 1.45) * rng.uniform(0.97, 1.03)
        eye = Vector((rad * math.cos(az), rad * math.sin(az), 0.65 + 0.2 * math.sin(3 * az) + rng.uniform(-0.04, 0.04)))
        look = az + PI + 0.9 * math.sin(2 * PI * 7 * i / count)
        aim = eye + Vector((math.cos(look), math.sin(look), -0.2 + 0.2 * math.sin(2 * PI * 5 * i / count)))
        out.append((eye, (aim - eye).to_track_quat('-Z', 'Y')))
    return out


def setup(args):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    sc = bpy.context.scene
    build_room()
    build_table()
    build_runner(math.radians(-35))
    build_objects()
    build_lights()
    cam = bpy.data.cameras.new('cam')
    cam.sensor_fit = 'HORIZONTAL'
    cam.sensor_width = 36.0
    cam.lens = 18.0 / math.tan(HFOV / 2)
    cam.clip_start, cam.clip_end = 0.05, 100
    ob = bpy.data.objects.new('cam', cam)
    ob.rotation_mode = 'QUATERNION'
    sc.collection.objects.link(ob)
    sc.camera = ob
    r = sc.render
    r.engine = 'CYCLES'
    r.resolution_x, r.resolution_y = WIDTH, HEIGHT
    r.resolution_percentage = 100
    r.use_persistent_data = True
    r.use_motion_blur = False
    cy = sc.cycles
    cy.seed = 7
    cy.max_bounces, cy.diffuse_bounces, cy.glossy_bounces = 5, 3, 3
    cy.sample_clamp_indirect = 4.0
    cy.blur_glossy = 0.5
    cy.caustics_reflective = cy.caustics_refractive = False
    cy.use_adaptive_sampling = True
    cy.adaptive_min_samples = 24
    if hasattr(cy, 'use_light_tree'):
        cy.use_light_tree = False           # three lamps: the plain choice is faster
    try:
        cy.denoiser = 'OPENIMAGEDENOISE'
        cy.use_denoising = True
        cy.denoising_input_passes = 'RGB_ALBEDO_NORMAL'
        cy.denoising_prefilter = 'ACCURATE'
        cy.samples = args.samples or 48
        cy.adaptive_threshold = 0.02
    except TypeError:                      # a build without the denoiser
        cy.use_denoising = False
        cy.samples = args.samples or 1200
        cy.adaptive_threshold = 0.006
    sc.view_settings.view_transform = 'Filmic'
    sc.view_settings.look = 'Medium High Contrast'
    sc.view_settings.exposure = args.exposure
    return ob


def pixels_of(path):
    """(h, w, 3) in 0..1, row 0 at the top, as the file stores them."""
    im = bpy.data.images.load(path)
    w, h = im.size
    a = np.empty(w * h * 4, np.float32)
    im.pixels.foreach_get(a)
    bpy.data.images.remove(im)
    return a.reshape(h, w, 4)[::-1, :, :3]


def render(cam, poses, which, out, quality):
    sc = bpy.context.scene
    st = sc.render.image_settings
    try:
        from PIL import Image
    except ImportError:
        Image = None
    for i in which:
        cam.location, cam.rotation_quaternion = poses[i]
        name = os.path.join(out, 'images', 'view_%03d' % i)
        if Image:
            st.file_format, st.color_mode, st.compression = 'PNG', 'RGB', 15
            sc.render.filepath = name + '.png'
        else:
            st.file_format, st.color_mode, st.quality = 'JPEG', 'RGB', quality
            sc.render.filepath = name + '.jpg'
        bpy.ops.render.render(write_still=True)
        if Image:
            Image.open(name + '.png').convert('RGB').save(
                name + '.jpg', quality=quality, subsampling=2, optimize=True)
            os.remove(name + '.png')


# ---------------------------------------------------------------- COLMAP model

A = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])      # z up -> y down


def colmap_pose(eye, quat):
    """(R, t): camera from world, in the y-down world."""
    m = np.array(quat.to_matrix())
    r = np.diag([1.0, -1, -1]) @ m.T @ A.T
    return r, -r @ (A @ np.array(eye))


def quat_of(r):
    q = np.empty(4)
    k = np.array([[r[0, 0] - r[1, 1] - r[2, 2], 0, 0, 0],
                  [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], 0, 0],
                  [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], 0],
                  [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r[0, 0] + r[1, 1] + r[2, 2]]]) / 3
    w, v = np.linalg.eigh(k)
    q = v[[3, 0, 1, 2], np.argmax(w)]
    return -q if q[0] < 0 else q


def make_sparse(poses, out, n_points):
    sc = bpy.context.scene
    dg = bpy.context.evaluated_depsgraph_get()
    rng = rng_for('points')
    f = WIDTH / 2 / math.tan(HFOV / 2)
    rt = [colmap_pose(*p) for p in poses]
    imgs = [pixels_of(os.path.join(out, 'images', 'view_%03d.jpg' % i)) for i in range(len(poses))]

    def project(i, x):
        c = rt[i][0] @ x + rt[i][1]
        return (f * c[0] / c[2] + WIDTH / 2, f * c[1] / c[2] + HEIGHT / 2), c[2]

    def colour(i, uv):
        x, y = uv[0] - 0.5, uv[1] - 0.5
        x0, y0 = int(np.clip(math.floor(x), 0, WIDTH - 2)), int(np.clip(math.floor(y), 0, HEIGHT - 2))
        a, b = x - x0, y - y0
        im = imgs[i]
        return ((im[y0, x0] * (1 - a) + im[y0, x0 + 1] * a) * (1 - b)
                + (im[y0 + 1, x0] * (1 - a) + im[y0 + 1, x0 + 1] * a) * b)

    # textured pixels first, as feature detectors choose
    weight = []
    for im in imgs:
        g = im.mean(2)
        gy, gx = np.gradient(g)
        w = np.hypot(gx, gy)
        w = np.minimum(w, 0.12) + 0.004
        w[:6] = w[-6:] = 0
        w[:, :6] = w[:, -6:] = 0
        weight.append((w / w.sum()).ravel())
    xyz, rgbs, err, tracks = [], [], [], []
    obs = [[] for _ in poses]
    turn = 0
    while len(xyz) < n_points:
        i = turn % len(poses)
        turn += 1
        eye = poses[i][0]
        for p in rng.choice(WIDTH * HEIGHT, 40, p=weight[i]):
            u = (p % WIDTH) + rng.random()
            v = (p // WIDTH) + rng.random()
            d = rt[i][0].T @ np.array([(u - WIDTH / 2) / f, (v - HEIGHT / 2) / f, 1.0])
            d = Vector(A.T @ d).normalized()
            hit, pos, nor, _, _, _ = sc.ray_cast(dg, eye, d)
            if not hit:
                continue
            x = A @ np.array(pos)
            # who else sees it, at a matchable angle and scale
            seen = []
            for j in range(len(poses)):
                if j == i:
                    continue
                uv, z = project(j, x)
                if z <= 0.1 or not (4 < uv[0] < WIDTH - 4 and 4 < uv[1] < HEIGHT - 4):
                    continue
                v1, v2 = eye - pos, poses[j][0] - pos
                if v1.angle(v2) > math.radians(50):
                    continue
                hit2, pos2, _, _, _, _ = sc.ray_cast(dg, poses[j][0], (-v2).normalized())
                if not hit2 or (pos2 - pos).length > 0.0015 * z:
                    continue
                if np.abs(colour(j, uv) - colour(i, (u, v))).max() > 0.12:
                    continue               # a highlight moved, or an edge: no match
                seen.append((j, uv))
            if not seen:
                continue
            k = min(len(seen), int(rng.choice([1, 2, 3], p=[0.8, 0.15, 0.05])))
            pick = [seen[q] for q in sorted(rng.choice(len(seen), k, replace=False))]
            z = project(i, x)[1]
            xn = x + rng.normal(0, 0.2, 3) * z / f
            meas = [(j, np.array(uv) + rng.normal(0, 0.2, 2)) for j, uv in [(i, (u, v))] + pick]
            es = [math.hypot(*(np.array(project(j, xn)[0]) - m)) for j, m in meas]
            if max(es) > 0.9:
                continue
            tr, cs = [], []
            for j, m in meas:
                cs.append(colour(j, m))
                tr.append((j, len(obs[j])))
                obs[j].append((m[0], m[1], len(xyz) + 1))
            xyz.append(xn)
            rgbs.append(np.clip(np.round(np.mean(cs, 0) * 255), 0, 255).astype(int))
            err.append(float(np.mean(es)))
            tracks.append(tr)
            if len(xyz) >= n_points:
                break

    d = os.path.join(out, 'sparse', '0')
    os.makedirs(d, exist_ok=True)
    with open(os.path.join(d, 'cameras.bin'), 'wb') as o:
        o.write(struct.pack('<QiiQQ4d', 1, 1, 1, WIDTH, HEIGHT, f, f, WIDTH / 2, HEIGHT / 2))
    with open(os.path.join(d, 'images.bin'), 'wb') as o:
        o.write(struct.pack('<Q', len(poses)))
        for i, (r, t) in enumerate(rt):
            o.write(struct.pack('<I7dI', i + 1, *quat_of(r), *t, 1))
            o.write(b'view_%03d.jpg\0' % i)
            o.write(struct.pack('<Q', len(obs[i])))
            for x, y, pid in obs[i]:
                o.write(struct.pack('<ddq', x, y, pid))
    with open(os.path.join(d, 'points3D.bin'), 'wb') as o:
        o.write(struct.pack('<Q', len(xyz)))
        for k in range(len(xyz)):
            o.write(struct.pack('<Q3d3BdQ', k + 1, *xyz[k], *rgbs[k], err[k], len(tracks[k])))
            for j, idx in tracks[k]:
                o.write(struct.pack('<II', j + 1, idx))
    print('sparse model: %d points, %d observations, mean error %.3f px'
          % (len(xyz), sum(map(len, tracks)), np.mean(err)))


def main():
    argv = sys.argv[sys.argv.index('--') + 1:] if '--' in sys.argv else sys.argv[1:]
    ap = argparse.ArgumentParser(description='make the demo photo set')
    ap.add_argument('outdir')
    ap.add_argument('--samples', type=int)
    ap.add_argument('--scale', type=float, default=1.0)
    ap.add_argument('--cameras', type=int, default=32)
    ap.add_argument('--walk', action='store_true')
    ap.add_argument('--views')
    ap.add_argument('--quality', type=int, default=75)
    ap.add_argument('--points', type=int, default=7000)
    ap.add_argument('--exposure', type=float, default=0.0)
    ap.add_argument('--sparse-only', action='store_true')
    args = ap.parse_args(argv)
    if args.cameras < 2 or args.scale <= 0:
        ap.error('--cameras is at least 2, --scale more than 0')
    global WIDTH, HEIGHT
    WIDTH, HEIGHT = round(WIDTH * args.scale), round(HEIGHT * args.scale)
    out = os.path.abspath(args.outdir)
    os.makedirs(os.path.join(out, 'images'), exist_ok=True)
    cam = setup(args)
    poses = (walk_poses if args.walk else ring_poses)(args.cameras)
    which = [int(v) for v in args.views.split(',')] if args.views else range(args.cameras)
    if not args.sparse_only:
        render(cam, poses, which, out, args.quality)
    if not args.views:
        make_sparse(poses, out, args.points)


if __name__ == '__main__':
    main()
