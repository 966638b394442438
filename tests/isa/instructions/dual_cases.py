"""Cases of RDNA 3 and 4's two instructions in one: every pair of operations, operands of every kind, and results that the
other half reads, which must see the old value."""
import exact
from exact import MASK32
from lane_cases import random_value

LITERAL = 0x40490fdb
# Operation -> (kind of its sources, result of a, b, the old destination and the bit of VCC). mov reads one source.
FIRST = {
    'fmac_f32': ('f32', lambda a, b, old, bit: exact.fused(a, b, old)),
    'fmaak_f32': ('f32', lambda a, b, old, bit: exact.fused(a, b, LITERAL)),
    'fmamk_f32': ('f32', lambda a, b, old, bit: exact.fused(a, LITERAL, b)),
    'mul_f32': ('f32', lambda a, b, old, bit: exact.multiply(a, b)),
    'add_f32': ('f32', lambda a, b, old, bit: exact.add(a, b)),
    'sub_f32': ('f32', lambda a, b, old, bit: exact.add(a, exact.negated(b))),
    'subrev_f32': ('f32', lambda a, b, old, bit: exact.add(b, exact.negated(a))),
    'mov_b32': ('u32', lambda a, b, old, bit: a),
    'cndmask_b32': ('u32', lambda a, b, old, bit: b if bit else a),
}
SECOND_ONLY = {
    'add_nc_u32': ('u32', lambda a, b, old, bit: (a + b) & MASK32),
    'lshlrev_b32': ('u32', lambda a, b, old, bit: b << (a & 31) & MASK32),
    'and_b32': ('u32', lambda a, b, old, bit: a & b),
}


def extremes(architecture):
    """What the larger and the smaller of two are called, and how they treat numbers that are none."""
    if architecture.generation == 12:
        return {'max_num_f32': ('f32', lambda a, b, old, bit: exact.maximum_number(a, b)),
                'min_num_f32': ('f32', lambda a, b, old, bit: exact.minimum_number(a, b))}
    return {'max_f32': ('f32', lambda a, b, old, bit: exact.maximum(a, b)),
            'min_f32': ('f32', lambda a, b, old, bit: exact.minimum(a, b))}


def text(name, destination, first, second):
    """One half. first: a register or a constant; second: a vector register."""
    sources = {'mov_b32': [first], 'fmaak_f32': [first, second, f'{LITERAL:#x}'],
               'fmamk_f32': [first, f'{LITERAL:#x}', second]}.get(name, [first, second])
    return f'v_dual_{name} v{destination}, {", ".join(sources)}'


# First sources of both halves: registers, a scalar register and a constant, and each other's destinations. The registers
# of a source are from different banks of four, and one destination is even, one odd: so the hardware demands.
SOURCES = (('v2', 'v5'), ('s8', 'v5'), ('v2', '1.0'), ('-1', 's8'), ('v21', 'v20'))
SCALAR = 0xc0490fdb
CONSTANTS = {'s8': SCALAR, '1.0': 0x3f800000, '-1': MASK32}


def add_pair(suite, one, other, operations, firsts):
    wave = suite.architecture.wave
    (kind_one, f_one), (kind_other, f_other) = operations[one], operations[other]
    runs, masks = [], suite.exec_masks()
    for _ in range(2):
        run = suite.run().active(next(masks)).scalar(8, SCALAR)
        kinds = {2: kind_one, 6: kind_one, 20: kind_one, 5: kind_other, 9: kind_other, 21: kind_other}
        lanes = {n: [random_value(suite.random, kind) for _ in range(wave)] for n, kind in kinds.items()}
        for n, values in lanes.items():
            run.vector(n, values)
        bits = suite.random.getrandbits(wave)
        run.vcc(bits)

        def first(name):
            return [CONSTANTS[name]] * wave if name in CONSTANTS else lanes[int(name[1:])]
        a, b = first(firsts[0]), first(firsts[1])
        run.expect_vector(20, [f_one(a[l], lanes[6][l], lanes[20][l], bits >> l & 1) for l in range(wave)])
        run.expect_vector(21, [f_other(b[l], lanes[9][l], lanes[21][l], bits >> l & 1) for l in range(wave)])
        runs.append(run)
    suite.add(f'{text(one, 20, firsts[0], "v6")} :: {text(other, 21, firsts[1], "v9")}', runs)


def add_all(suite):
    if suite.architecture.generation < 11:
        return
    first = FIRST | extremes(suite.architecture)
    second = first | SECOND_ONLY
    for one in first:
        for other in second:
            for firsts in (SOURCES[0], SOURCES[1 + (len(suite.cases) // 2) % 3], SOURCES[4]):
                if {one, other} & {'fmaak_f32', 'fmamk_f32', 'cndmask_b32'} and 's8' in firsts:
                    continue  # a literal and the mask of a choice stand where the scalar register would
                add_pair(suite, one, other, second, firsts)
