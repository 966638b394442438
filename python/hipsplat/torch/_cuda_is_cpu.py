"""Lets programs that say "cuda" run on a torch that has no GPU: their tensors stay on the CPU."""
import functools

import torch

_FACTORIES = ("arange", "as_tensor", "empty", "empty_like", "eye", "full", "full_like", "linspace", "load", "ones",
              "ones_like", "rand", "rand_like", "randint", "randn", "randn_like", "randperm", "tensor", "zeros",
              "zeros_like")
_METHODS = ("new_empty", "new_full", "new_ones", "new_tensor", "new_zeros", "to")


def _is_cuda(value):
    return isinstance(value, str) and value.split(":")[0] == "cuda" or \
        isinstance(value, torch.device) and value.type == "cuda"


def _on_cpu(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        args = tuple("cpu" if _is_cuda(a) else a for a in args)
        kwargs = {k: "cpu" if k in ("device", "map_location") and _is_cuda(v) else v for k, v in kwargs.items()}
        return function(*args, **kwargs)
    return call


class _HostEvent:
    """torch.cuda.Event by the clock of the host."""

    def __init__(self):
        self._at = 0.0

    def record(self, *_):
        import time
        self._at = time.perf_counter()

    def synchronize(self):
        pass

    def query(self):
        return True

    def elapsed_time(self, later):
        return (later._at - self._at) * 1000


class _Event(torch.cuda.Event):  # torch checks what it inherits, when torch.optim is used first
    def __new__(cls, *_, **__):
        return _HostEvent()


def install():
    if getattr(torch, "_hipsplat_cuda_is_cpu", False):
        return
    torch._hipsplat_cuda_is_cpu = True
    for name in _FACTORIES:
        setattr(torch, name, _on_cpu(getattr(torch, name)))
    for name in _METHODS:
        setattr(torch.Tensor, name, _on_cpu(getattr(torch.Tensor, name)))
    torch.Tensor.pin_memory = lambda self, *_, **__: self
    torch.Tensor.cuda = lambda self, *_, **__: self
    torch.nn.Module.to = _on_cpu(torch.nn.Module.to)
    torch.nn.Module.cuda = lambda self, *_: self
    torch.cuda.Event = _Event
    for name in ("set_device", "synchronize", "empty_cache", "reset_peak_memory_stats"):
        setattr(torch.cuda, name, lambda *_, **__: None)
    for name in ("memory_allocated", "memory_reserved", "max_memory_allocated", "max_memory_reserved"):
        setattr(torch.cuda, name, lambda *_, **__: 0)
