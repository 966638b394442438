"""One call of hs_rasterize() and its backward on torch's tensors. No torch ABI: pointers alone cross.

Two autograd functions share a Call. Project takes every input and draws; its output is means2d [C,N,2]. Blend takes
means2d and gives the pictures. So a caller may ask means2d for its gradient (retain_grad), or have losses by it.
"""
import ctypes
import os
import threading

import torch

from hipsplat import _raster
from hipsplat._device import Device
from hipsplat._errors import ArgumentError
from hipsplat.torch._shapes import plain

_INPUTS = ("means", "quats", "scales", "covariances", "opacities", "sh", "colours", "cam_from_world", "background")
_devices = {}
_devices_lock = threading.Lock()


def _after_fork():
    """What draws is the parent's, and another thread may have held the lock. Nor do torch's threads survive a fork: its
    next large operation would wait for them for ever. So it computes on one, as in its own DataLoader's workers."""
    global _devices_lock
    _devices_lock = threading.Lock()
    if _devices and torch.get_num_threads() > 1:
        torch.set_num_threads(1)
    _devices.clear()


os.register_at_fork(after_in_child=_after_fork)


def device_of(tensor):
    """The library's device for a tensor's: opened at its first use in a process, and kept."""
    where = tensor.device
    if where.type == "cpu":
        wanted = ("cpu", -1, torch.get_num_threads())
    elif where.type == "cuda":
        wanted = ("hip" if torch.version.hip else "cuda", where.index or 0, 0)
    else:
        raise NotImplementedError(f"hipsplat draws tensors of cpu and cuda, not of {where.type}")
    with _devices_lock:
        if wanted not in _devices:
            _devices[wanted] = Device(*wanted)
        return _devices[wanted]


class Scratch:
    """Memory of torch's for what calls need beyond their outputs, so that torch knows of it."""

    def __init__(self, device):
        self._device = device
        self.held = {}  # address: tensor
        self.allocator = _raster.Allocator(allocate=_raster.ALLOCATE(self._allocate), free=_raster.FREE(self._free))

    def _allocate(self, _, size, stream):  # on torch's current stream: autograd goes back on the one it went forth on
        try:
            memory = torch.empty(size, dtype=torch.uint8, device=self._device)
        except Exception:  # there is none: the call says so
            return None
        self.held[memory.data_ptr()] = memory
        return memory.data_ptr()

    def _free(self, _, address):
        del self.held[address]


_scratches = {}


def scratch_of(tensor):
    """None on the CPU, where the library's own is as good, and is used again."""
    where = tensor.device
    if where.type != "cuda":
        return None
    if where not in _scratches:
        _scratches[where] = Scratch(where)
    return _scratches[where]


class Call:
    """What one call of the library is given, and what it gave."""

    def __init__(self, cameras, settings, wants):
        self.cameras = cameras  # [(fx, fy, cx, cy)]
        self.settings = settings  # fields of hs_raster_settings
        self.wants = wants  # of "colour alpha depth radii depths conics compensations touched"
        self.gradients = False  # whether one will be asked for
        self.absgrad = False
        self.by_camera = False  # colours [C,N,D]
        self.sh_degree = 0
        self.outputs = {}
        self.means2d_abs = None
        self.on_screen = False  # the first half of backward is done
        self._drawn = None

    def forward(self, inputs):
        # Aliases: whoever gives a tensor other data (tensor.data = ...) does not take away what is still to be read.
        inputs = {name: None if t is None else t.detach() for name, t in inputs.items()}
        means = inputs["means"]
        self.inputs = inputs
        self.like = means
        self._poses = inputs["cam_from_world"].detach().to("cpu", torch.float64).reshape(-1, 12).tolist()
        count, splats = len(self._poses), means.shape[0]
        self.screen = (count, splats, 2)
        sh, colours = inputs["sh"], inputs["colours"]
        channels = 3 if sh is not None else 0 if colours is None else colours.shape[-1]
        size = (self.settings["height"], self.settings["width"])
        first = self.settings.get("channels_first", 0)
        self._shapes = shapes = {
            "colour": (count, channels, *size) if first else (count, *size, channels),
            "alpha": (count, *size), "depth": (count, *size), "means2d": (count, splats, 2), "depths": (count, splats),
            "conics": (count, splats, 3), "compensations": (count, splats), "radii": (count, splats, 2),
            "touched": (count, splats),
        }
        for name in ("means2d", *self.wants):
            whole = name in ("radii", "touched")
            self.outputs[name] = torch.empty(shapes[name], device=means.device,
                                             dtype=torch.int32 if whole else means.dtype)
        if self.gradients:
            self._states = {name: _state(t) for name, t in inputs.items() if t is not None}
        self._draw(self.outputs)

    def _draw(self, outputs):
        inputs, means = self.inputs, self.like
        sh, colours = inputs["sh"], inputs["colours"]
        scene = _raster.Scene(
            type=_raster.FLOAT64 if means.dtype == torch.float64 else _raster.FLOAT32, count=len(means),
            sh_coefficients=0 if sh is None else sh.shape[1], sh_degree=self.sh_degree,
            colours_by_camera=self.by_camera,
            channels=3 if sh is not None else 0 if colours is None else colours.shape[-1],
            **{name: _pointer(inputs[name]) for name in _INPUTS[:7]})
        settings, scratch = _raster.Settings(**self.settings), scratch_of(means)
        if scratch is not None:
            settings.scratch = ctypes.pointer(scratch.allocator)
        self._drawn = _raster.rasterize(
            device_of(means), scene, self._poses, self.cameras, _pointer(inputs["background"]),
            settings, _raster.Pictures(**{n: _pointer(t) for n, t in outputs.items()}),
            stream_of(means), self.gradients)

    def backward_pictures(self, gradients):
        self._prepare()
        given = {name: self._gradient(name, g, self._shapes[name]) for name, g in gradients.items() if g is not None}
        v_means2d = self.like.new_empty(self.screen)
        self.means2d_abs = torch.empty_like(v_means2d) if self.absgrad else None
        self._drawn.backward_pictures(
            _raster.PictureGradients(**{name: _pointer(g) for name, g in given.items()}),
            _raster.ScreenGradients(means2d=_pointer(v_means2d), means2d_abs=_pointer(self.means2d_abs)))
        self.on_screen = True
        return v_means2d

    def _prepare(self):
        for name, state in self._states.items():
            if _state(self.inputs[name]) != state:
                raise RuntimeError(f"{name} was changed in place between drawing and backward")
        if self._drawn is None or self.on_screen or not self._drawn.here():  # a second pass; a forked process
            self._draw({})

    def _gradient(self, name, gradient, shape):
        """What autograd hands back, as memory that the library reads."""
        if tuple(gradient.shape) != shape or gradient.device != self.like.device:
            raise ArgumentError(f"the gradient of {name} is {list(gradient.shape)} on {gradient.device}, but should be "
                                f"{list(shape)} on {self.like.device}")
        return plain(gradient.to(self.like.dtype))

    def backward_scene(self, v_means2d, needed):
        v_means2d = self._gradient("means2d", v_means2d, self.screen)
        if not self.on_screen:
            self.backward_pictures({})
        wanted = {name: torch.empty_like(self.inputs[name]) for name in needed}
        self._drawn.backward_scene(_pointer(v_means2d),
                                   _raster.SceneGradients(**{name: _pointer(g) for name, g in wanted.items()}))
        self._drawn, self.on_screen = None, False
        return wanted


def _state(tensor):
    """Other after a change in place, and after a change of the memory behind the tensor."""
    return None if tensor.is_inference() else tensor._version, tensor.data_ptr()


def _pointer(tensor):
    return None if tensor is None else ctypes.c_void_p(tensor.data_ptr())


def stream_of(tensor):
    return torch.cuda.current_stream(tensor.device).cuda_stream if tensor.device.type == "cuda" else None


class Project(torch.autograd.Function):
    @staticmethod
    def forward(ctx, call, *inputs):
        ctx.call = call
        call.forward(dict(zip(_INPUTS, inputs)))
        return call.outputs.pop("means2d")  # what has a grad_fn must not be held by what that holds

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, v_means2d):
        needed = [name for name, asked in zip(_INPUTS, ctx.needs_input_grad[1:]) if asked]
        found = ctx.call.backward_scene(v_means2d, needed)
        return (None, *(found.get(name) for name in _INPUTS))


class Pack(torch.autograd.Function):
    """The rows of means2d [C,N,2] that are drawn: their places in [C*N], each once."""

    @staticmethod
    def forward(ctx, means2d, rows):
        ctx.rows, ctx.shape = rows, means2d.shape
        return means2d.reshape(-1, 2).index_select(0, rows)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, v_packed):
        whole = v_packed.new_zeros(ctx.shape)
        whole.view(-1, 2).index_copy_(0, ctx.rows, v_packed)
        return whole, None


class Blend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, call, means2d, rows):
        ctx.call, ctx.rows = call, rows
        ctx.names = [name for name in ("colour", "alpha", "depth") if name in call.outputs]
        ctx.set_materialize_grads(False)
        return tuple(call.outputs.pop(name) for name in ctx.names)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, *gradients):
        call = ctx.call
        v_means2d = call.backward_pictures(dict(zip(ctx.names, gradients)))
        if call.means2d_abs is not None:
            call.on_abs(_packed(call.means2d_abs, ctx.rows))
        return None, _packed(v_means2d, ctx.rows), None


def _packed(values, rows):
    return values if rows is None else values.view(-1, 2).index_select(0, rows)


def draw(call, means, quats=None, scales=None, covariances=None, opacities=None, sh=None, colours=None,
         cam_from_world=None, background=None, beside=None):
    """Tensors as _shapes.Shapes gives them; cam_from_world [C,3,4]. Returns means2d [C,N,2]; pictures follow by
    blend(). The rest is in call.outputs. beside: a tensor that takes part in autograd between the two."""
    inputs = dict(means=means, quats=quats, scales=scales, covariances=covariances, opacities=opacities, sh=sh,
                  colours=colours, cam_from_world=cam_from_world, background=background)
    inputs = {name: None if t is None else plain(t) for name, t in inputs.items()}
    call.gradients = torch.is_grad_enabled() and any(
        t is not None and t.requires_grad for t in (*inputs.values(), beside))
    return Project.apply(call, *(inputs[name] for name in _INPUTS))


def blend(call, means2d, rows=None):
    """The pictures that call.wants names, of "colour", "alpha", "depth", in this order. means2d: what draw() gave, or
    with rows what Pack made of it."""
    return Blend.apply(call, means2d, rows)
