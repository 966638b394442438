"""Test cases of single instructions, in the text that run_cases.cpp reads, and the assembler's source for them."""
import random

from exact import MASK32, NAN

BUFFER_WORDS = 256


class Architecture:
    """names_halves: its assembler has names for the halves of vector registers, as newer ones have for RDNA 3."""

    def __init__(self, name, names_halves=False):
        self.name, self.names_halves = name, names_halves
        self.wave = 64 if name.startswith('gfx9') else 32
        self.cdna = name.startswith('gfx9')
        self.generation = int(name[3:-2])  # 9 to 12
        self.pairs = name in ('gfx90a', 'gfx942')  # packed arithmetic of 32 bits
        self.sums_floats = self.pairs or self.generation > 10  # in memory
        self.names_parts = self.generation < 11  # SDWA
        # A load past the nearest cache, an atomic that gives back what it found.
        self.past_cache = 'scope:SCOPE_DEV' if self.generation == 12 else 'sc1' if name == 'gfx942' else 'glc'
        self.for_the_device = '' if self.past_cache == 'glc' else self.past_cache  # stores and atomics
        self.returning = 'th:TH_ATOMIC_RETURN' if self.generation == 12 else 'sc0' if name == 'gfx942' else 'glc'
        self.lanes = (1 << self.wave) - 1
        self.vcc, self.exec = ('vcc', 'exec') if self.cdna else ('vcc_lo', 'exec_lo')

    def mask(self, number):
        """A register for a mask of lanes."""
        return f's[{number}:{number + 1}]' if self.wave == 64 else f's{number}'


class Run:
    """One execution of a case: what stands in registers and memory before, what must stand there after. Everything that is
    not expected to change must not."""

    def __init__(self, architecture):
        self.architecture = architecture
        self.lines = []
        self.exec_mask = architecture.lanes

    def scalar(self, number, value, wide=False):
        self.lines.append(f's {number} {value & MASK32:x}')
        if wide:
            self.lines.append(f's {number + 1} {value >> 32 & MASK32:x}')
        return self

    def vector(self, number, lanes, wide=False):
        self.lines.append(f'v {number} ' + ' '.join(f'{x & MASK32:x}' for x in lanes))
        if wide:
            self.lines.append(f'v {number + 1} ' + ' '.join(f'{x >> 32 & MASK32:x}' for x in lanes))
        return self

    def active(self, mask):
        self.exec_mask = mask
        self.lines.append(f'exec {mask:x}')
        return self

    def vcc(self, mask):
        self.lines.append(f'vcc {mask:x}')
        return self

    def scc(self, bit):
        self.lines.append(f'scc {int(bit)}')
        return self

    def memory(self, words):
        self.lines.append('memory ' + ' '.join(f'{x:x}' for x in words))
        return self

    def lds(self, words):
        self.lines.append('lds ' + ' '.join(f'{x:x}' for x in words))
        return self

    def address(self, number, offsets):
        """A pair of vector registers that points into the memory."""
        self.lines.append(f'address {number} ' + ' '.join(f'{x & 0xffffffffffffffff:x}' for x in offsets))
        return self

    def scalar_address(self, number, offset):
        self.lines.append(f'scalar_address {number} {offset & 0xffffffffffffffff:x}')
        return self

    def expect_scalar(self, number, value, wide=False):
        self.lines.append(f'= s {number} {value & MASK32:x}')
        if wide:
            self.lines.append(f'= s {number + 1} {value >> 32 & MASK32:x}')
        return self

    def expect_float(self, number, bits):
        self.lines.append(f'= s {number} {bits if isinstance(bits, str) else format(bits, "x")}')
        return self

    def expect_mask(self, number, mask):
        return self.expect_scalar(number, mask & self.exec_mask, self.architecture.wave == 64)

    def expect_vcc(self, mask):
        self.lines.append(f'= vcc {mask & self.exec_mask:x}')
        return self

    def expect_exec(self, mask):
        self.lines.append(f'= exec {mask:x}')
        return self

    def expect_scc(self, bit):
        self.lines.append(f'= scc {int(bit)}')
        return self

    def expect_vector(self, number, lanes, wide=False):
        """Results of the active lanes; the others stay."""
        def text(x, shift):
            if isinstance(x, str):
                return 'any' if x == NAN and wide and not shift else ('nan64' if x == NAN and wide else x)
            return f'{x >> shift & MASK32:x}'
        self.lines.append(f'= v {number} ' + ' '.join(text(x, 0) for x in lanes))
        if wide:
            self.lines.append(f'= v {number + 1} ' + ' '.join(text(x, 32) for x in lanes))
        return self

    def expect_memory(self, words):
        self.lines.append('= memory ' + ' '.join(f'{x:x}' for x in words))
        return self

    def expect_lds(self, words):
        self.lines.append('= lds ' + ' '.join(f'{x:x}' for x in words))
        return self

    def expect_stops(self, count):
        """How often the wave stops at a barrier or lets others go first."""
        self.lines.append(f'= stops {count}')
        return self


class Case:
    def __init__(self, code, runs):
        self.code, self.runs = code, runs


class Suite:
    """All cases of an architecture."""

    def __init__(self, architecture):
        self.architecture, self.cases = architecture, []
        self.random = random.Random(20)

    def add(self, code, runs):
        """code: lines of assembler, without the closing s_endpgm."""
        self.cases.append(Case(code.strip('\n').split('\n') if isinstance(code, str) else code, runs))

    def run(self):
        return Run(self.architecture)

    def exec_masks(self):
        """All lanes, then some: a random half, one lane, the ends of a row, none."""
        lanes, wave = self.architecture.lanes, self.architecture.wave
        yield lanes
        while True:
            yield self.random.getrandbits(wave)
            yield 1 << self.random.randrange(wave)
            yield lanes & 0x8001800180018001
            yield self.random.getrandbits(wave) | 1
            yield lanes

    def assembler(self):
        lines = ['.text']
        for number, case in enumerate(self.cases):
            lines += [f'.globl case_{number}', '.p2align 8', f'.type case_{number},@function', f'case_{number}:']
            lines += [line.replace('LABEL', f'.L{number}') for line in case.code]
            lines += ['s_endpgm', f'.size case_{number}, .-case_{number}']
        return '\n'.join(lines) + '\n'

    def text(self):
        lines = []
        for number, case in enumerate(self.cases):
            lines.append(f'case {number} ' + ' ; '.join(line.strip() for line in case.code))
            for run in case.runs:
                lines += ['run', *run.lines, 'end']
        return '\n'.join(lines) + '\n'
