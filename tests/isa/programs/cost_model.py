"""From the counts of a launch to a time: a model, not a measurement, made to compare variants of a kernel on one GPU and to
see what limits it.

A launch takes as long as the busiest of its units, as if work were spread evenly, waves always hid latency, and units never
waited for each other. What it leaves out: latency, starting and ending a launch (some microseconds), power limits, misses
of the instruction cache, what caches keep from one launch to the next, reuse in caches within a launch beyond the nearest.
Sources:
- compute units, clocks, bandwidth: AMD's product pages; the highest clock that they name.
- cycles of an instruction: LLVM 15's scheduling models SIQuarterSpeedModel, SIDPGFX90AFullSpeedModel and GFX10SpeedModel for
  64-bit and transcendental instructions (a quarter of the rate), AMD's white paper "RDNA Architecture" (2019): a SIMD takes
  a vector instruction of a wave of 32 a cycle, transcendental ones beside it at a quarter of the rate; on CDNA a wave of 64
  takes four cycles of one of four SIMDs, which share one scalar unit.
- LDS: 128 bytes a cycle and compute unit, 32 banks (rocprofiler-compute's manual, "Local data share").
Assumed, without a source: a line of the nearest cache a cycle and compute unit; a lane's sum in memory takes its channel of
L2 a cycle for every 16 lanes of a request (l2_channels); the rest of a launch's memory traffic is each line once.
"""
import dataclasses


@dataclasses.dataclass
class Gpu:
    name: str
    architecture: str
    units: int          # compute units
    ghz: float
    gb_per_s: float     # of memory
    l2_channels: int
    simds: int          # of a compute unit
    vector_cycles: int  # that an instruction takes its SIMD
    double_cycles: int
    shares_scalar: bool  # one scalar unit for the SIMDs of a compute unit, else one each
    separate_transcendental: bool


GPUS = [
    Gpu('Radeon VII', 'gfx906', 60, 1.75, 1024, 16, 4, 4, 16, True, False),
    Gpu('RX 6900 XT', 'gfx1030', 80, 2.25, 512, 16, 2, 1, 16, False, True),
    Gpu('RX 7900 XTX', 'gfx1100', 96, 2.5, 960, 48, 2, 1, 16, False, True),
    Gpu('RX 9070 XT', 'gfx1201', 64, 2.97, 640, 32, 2, 1, 16, False, True),
    Gpu('MI250X, one of two dies', 'gfx90a', 110, 1.7, 1638, 32, 4, 4, 4, True, False),
    Gpu('MI300X', 'gfx942', 304, 2.1, 5300, 128, 4, 4, 4, True, False),
]
SLOW = 4  # times the cycles of other vector instructions


def gpu_of(architecture):
    return next(gpu for gpu in GPUS if gpu.architecture == architecture)


def limits(gpu, launch):
    """{unit: microseconds} of a launch."""
    per_us = gpu.ghz * 1e3  # cycles
    vector = launch['valu'] + launch['dual'] + launch['packed'] + SLOW * launch['slow']
    cycles = gpu.vector_cycles * vector + gpu.double_cycles * launch['double']
    transcendental = SLOW * gpu.vector_cycles * launch['transcendental']
    simds = gpu.units * gpu.simds
    scalar_units = gpu.units if gpu.shares_scalar else simds
    return {
        'vector': (cycles + (launch['transcendental'] if gpu.separate_transcendental else transcendental)) / simds / per_us,
        'transcendental': transcendental / simds / per_us,
        'scalar': (launch['salu'] + launch['branch']) / scalar_units / per_us,
        'LDS': (launch['lds_cycles'] + launch['lane_moves'] * launch['wave'] / 32) / gpu.units / per_us,
        'cache': (launch['load_lines'] + launch['store_lines'] + launch['atomic_lines']) / gpu.units / per_us,
        'atomics': max(launch['atomic_lines'], launch['atomic_requests'] / 16) / gpu.l2_channels / per_us,
        'memory': 128 * (launch['lines_read'] + launch['lines_written']) / gpu.gb_per_s / 1e3,
        'longest wave': launch['longest'] * gpu.vector_cycles / per_us,
    }


def microseconds(gpu, launch):
    """(time, what limits it)"""
    limit, time = max(limits(gpu, launch).items(), key=lambda item: item[1])
    return time, limit
