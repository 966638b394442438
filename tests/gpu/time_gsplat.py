#!/usr/bin/env python3
"""Times gsplat's kernels on a scene that export_scene wrote: forward, L1 + SSIM-free loss, backward, Adam of all
parameters; 200 iterations to warm up, 1000 timed. Prints one JSON object. Needs torch and gsplat, and their GPU."""
import json
import sys
import time

import numpy as np
import torch
from gsplat import rasterization


def read_scene(path):
    raw = open(path, "rb").read()
    end = raw.index(b"\nend\n") + 5
    header = dict(line.split(" ", 1) for line in raw[:end].decode().strip().splitlines() if " " in line)
    n = int(header["splats"])
    width, height = map(int, header["size"].split())
    at, arrays = end, {}
    for name, shape in [("means", (n, 3)), ("log_scales", (n, 3)), ("quats", (n, 4)), ("logits", (n,)),
                        ("sh", (n, 16, 3))]:
        count = int(np.prod(shape))
        arrays[name] = np.frombuffer(raw, "<f4", count, at).reshape(shape).copy()
        at += 4 * count
    target = np.frombuffer(raw, np.uint8, 3 * width * height, at).reshape(3, height, width).transpose(1, 2, 0) / 255.0
    numbers = {k: list(map(float, header[k].split())) for k in ("focal", "centre", "rotation", "translation")}
    return arrays, target.astype(np.float32), numbers, width, height


def main():
    warm, timed = (int(v) for v in (sys.argv[2:4] if len(sys.argv) > 3 else (200, 1000)))
    arrays, target, numbers, width, height = read_scene(sys.argv[1])
    parameters = {k: torch.nn.Parameter(torch.tensor(v, device="cuda")) for k, v in arrays.items()}
    target = torch.tensor(target, device="cuda")
    view = torch.eye(4)
    view[:3, :3] = torch.tensor(numbers["rotation"]).reshape(3, 3)
    view[:3, 3] = torch.tensor(numbers["translation"])
    k = torch.tensor([[numbers["focal"][0], 0, numbers["centre"][0]], [0, numbers["focal"][1], numbers["centre"][1]],
                      [0, 0, 1]])
    view, k = view[None].cuda(), k[None].cuda()
    optimizer = torch.optim.Adam(parameters.values(), lr=0.0, eps=1e-15, fused=True)

    def iterate():
        image, _, _ = rasterization(parameters["means"], parameters["quats"], parameters["log_scales"].exp(),
                                    parameters["logits"].sigmoid(), parameters["sh"], view, k, width, height,
                                    sh_degree=3, packed=False, near_plane=0.01)
        (image[0] - target).abs().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    for _ in range(warm):
        iterate()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    start = time.perf_counter()
    for _ in range(timed):
        iterate()
    torch.cuda.synchronize()
    ms = (time.perf_counter() - start) * 1e3 / timed
    print(json.dumps({"splats": len(arrays["means"]), "width": width, "height": height, "ms_per_iteration": ms,
                      "peak_bytes": torch.cuda.max_memory_allocated(), "device": torch.cuda.get_device_name()}))


if __name__ == "__main__":
    main()
