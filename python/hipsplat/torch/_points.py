import torch

from hipsplat import _library


def distCUDA2(points):
    """simple_knn: mean of the squared distances from each point to its three nearest others. [N,3] to [N], float32.
    Computed on the host, wherever the points lie."""
    if points.dim() != 2 or points.shape[1] != 3:
        raise ValueError(f"points are {tuple(points.shape)}, but should be [N,3]")
    host = points.detach().to("cpu", torch.float32).contiguous()
    found = torch.empty(len(host))
    _library.call("hs_knn_mean_squared_distances", host.data_ptr(), len(host), 3, torch.get_num_threads(),
                  found.data_ptr())
    return found.to(points.device)
