"""Cases of vector instructions whose lanes do not meet: operands of every kind, modifiers, edge values, inactive lanes."""
import itertools
from fractions import Fraction

import exact
from exact import MASK32, MASK64, NAN, SIGN

U32 = [0, 1, 2, 3, 31, 32, 33, 63, 64, 255, 256, 0xffff, 0x10000, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001,
       0xaaaaaaaa, 0x55555555, 0xfffffffe, 0xffffffff]
F32 = [0, SIGN, 0x3f800000, 0xbf800000, 1, SIGN | 1, 0x7fffff, 0x800000, 0x80800001, 0x3f800001, 0x3effffff, 0x3f000000,
       0x40200000, 0xc0600000, 0x4b800001, 0x4f000000, 0xcf000001, 0x4f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
       0x7fc00000, 0xffc00001, 0x7f800001, 0x0d000000, 0x72000000, 0x34000000]
U64 = [0, 1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, MASK64, 0xaaaaaaaa55555555, 0x123456789abcdef]
F64 = [exact.double_bits(x) for x in (0.0, -0.0, 1.0, -1.5, 3e300, -3e300, 5e-324, 2.5e-308, float('inf'), float('-inf'), 0.1,
                                         2147483647.5, -2147483648.0, 4294967295.5)] + [0x7ff8000000000000]
EDGES = {'u32': U32, 'i32': U32, 'f32': F32, 'u64': U64, 'i64': U64, 'f64': F64, 'u16': U32, 'i16': U32}
WIDE = ('u64', 'i64', 'f64')
INLINE = {'f32': [('0.5', 0x3f000000), ('-4.0', 0xc0800000), ('0', 0), ('64', 64), ('-1', MASK32)],
          'f64': [('0.5', exact.double_bits(0.5)), ('-4.0', exact.double_bits(-4.0)), ('0', 0)],
          'u64': [('64', 64), ('-16', MASK64 - 15), ('0', 0)], 'i64': [('64', 64), ('-16', MASK64 - 15)]}
SMALL = [('64', 64), ('-16', MASK32 - 15), ('0', 0), ('7', 7)]
LITERAL = {'f32': ('0x40490fdb', 0x40490fdb), 'u16': ('0x1234', 0x1234)}
D = 20


def random_value(random, kind):
    if random.random() < 0.5:
        return random.choice(EDGES[kind])
    if kind == 'f32':
        return random.getrandbits(32) if random.random() < 0.4 else exact.from_float(random.uniform(-4, 4) * 2.0 ** random.randint(-20, 20))
    if kind == 'f64':
        return exact.double_bits(random.uniform(-1e3, 1e3) * 2.0 ** random.randint(-60, 60))
    return random.getrandbits(64 if kind in WIDE else 32) >> random.choice([0, 0, 8, 20])


def register(prefix, number, kind):
    return f'{prefix}[{number}:{number + 1}]' if kind in WIDE else f'{prefix}{number}'


class LaneOp:
    """names: mnemonics with their encoding, by what the architecture calls them. f: bits of the sources -> bits."""

    def __init__(self, kinds, result, f, e32=(), e64=(), accumulates=False):
        self.kinds, self.result, self.f, self.e32, self.e64, self.accumulates = kinds, result, f, e32, e64, accumulates


def value_of(kind, bits):
    """The bits that the operation sees of a register."""
    return bits & 0xffff if kind in ('u16', 'i16') else bits


def variants(op, three_operands):
    """Kinds of operands: v register, s scalar, i inline constant, l literal; at most one is not a vector register."""
    count = len(op.kinds)
    yield 'v' * count
    for place in range(count):
        if place > 0 and not three_operands:
            break
        for kind in 'si' + ('l' if place == 0 and not three_operands and op.kinds[0] not in WIDE else ''):
            yield 'v' * place + kind + 'v' * (count - place - 1)


def lanes_of(suite, op, number):
    """Sources of all lanes for run `number`: all pairs of edge values one after the other, or random ones."""
    wave, random = suite.architecture.wave, suite.random
    if len(op.kinds) == 1:
        edges = EDGES[op.kinds[0]]
        return [[edges[(number * wave + l) % len(edges)] if number * wave + l < 2 * len(edges) else random_value(random, op.kinds[0])
                 for l in range(wave)]]
    if len(op.kinds) == 2:
        pairs = list(itertools.product(EDGES[op.kinds[0]], EDGES[op.kinds[1]]))
        chosen = [pairs[(number * wave + l) % len(pairs)] for l in range(wave)]
        return [[pair[i] for pair in chosen] for i in range(2)]
    return [[random_value(random, kind) for _ in range(wave)] for kind in op.kinds]


def add_lane_op(suite, op, name, three_operands, runs_of_registers, modifiers=None):
    for form in variants(op, three_operands):
        if modifiers and form != 'v' * len(op.kinds):
            continue
        constants = INLINE.get(op.kinds[form.find('i')], SMALL) if 'i' in form else [None]
        for constant in constants:
            add_form(suite, op, name, form, constant, runs_of_registers if form.count('v') == len(form) else 2, modifiers)


def add_form(suite, op, name, form, constant, runs, modifiers):
    sources, masks = [], suite.exec_masks()
    for place, (what, kind) in enumerate(zip(form, op.kinds)):
        number = (2 if what == 'v' else 8) + 4 * place
        text = {'v': register('v', number, kind), 's': register('s', number, kind)}.get(what)
        if what == 'i':
            text = constant[0]
        if what == 'l':
            text = LITERAL.get(kind, ('0x12345678', 0x12345678))[0]
        if modifiers:
            text = {'neg': f'-{text}', 'abs': f'|{text}|', 'both': f'-|{text}|', '': text}[modifiers[place]]
        sources.append(text)
    code = f'{name} {register("v", D, op.result)}, {", ".join(sources)}'
    all_runs = []
    for number in range(runs):
        run, lanes = suite.run().active(next(masks)), lanes_of(suite, op, number)
        for place, (what, kind) in enumerate(zip(form, op.kinds)):
            wide = kind in WIDE
            if what == 's':
                lanes[place] = [lanes[place][number % suite.architecture.wave]] * suite.architecture.wave
                run.scalar(8 + 4 * place, lanes[place][0], wide)
            elif what == 'v':
                run.vector(2 + 4 * place, lanes[place], wide)
            else:
                bits = constant[1] if what == 'i' else LITERAL.get(kind, ('', 0x12345678))[1]
                lanes[place] = [bits] * suite.architecture.wave
        if modifiers:
            lanes = [[modified(x, modifiers[place], op.kinds[place]) for x in all_of] for place, all_of in enumerate(lanes)]
        old = [suite.random.getrandbits(32) for _ in range(suite.architecture.wave)]
        if op.accumulates:
            old = [random_value(suite.random, op.result) for _ in old]
        if op.result not in WIDE or op.accumulates:
            run.vector(D, old, op.result in WIDE)
        results = []
        for l in range(suite.architecture.wave):
            values = [value_of(kind, all_of[l]) for kind, all_of in zip(op.kinds, lanes)]
            result = op.f(*values, *([old[l]] if op.accumulates else []))
            if op.result in ('u16', 'i16'):
                result = result & 0xffff | (0 if suite.architecture.cdna else old[l] & 0xffff0000)
            results.append(result)
        all_runs.append(run.expect_vector(D, results, op.result in WIDE))
    suite.add(code, all_runs)


def modified(x, modifier, kind):
    sign = 1 << (63 if kind in WIDE else 31)
    if modifier in ('abs', 'both'):
        x &= ~sign
    return x ^ sign if modifier in ('neg', 'both') else x


def shifted_bfe_i(a, b, c):
    return exact.sign_from_bit(exact.bits_of_field(exact.signed(a), b & 31, c & 31), c & 31)


def operations(architecture):
    s, cdna, generation = exact.signed, architecture.cdna, architecture.generation

    def low24(x):
        return s(x, 24)
    u2, u3, f2, f3 = ['u32'] * 2, ['u32'] * 3, ['f32'] * 2, ['f32'] * 3
    nc = '' if cdna else '_nc'

    def vop1(name, kind, result, f):
        return LaneOp([kind], result, f, [name], [name])

    def vop2(name, f, kinds=u2, result='u32', **more):
        return LaneOp(kinds, result, f, [name], [name], **more)

    def vop3(name, f, kinds=u3, result='u32'):
        return LaneOp(kinds, result, f, [], [name])

    def short_in_rdna_4(name, f, kinds, result):
        return (vop2 if generation == 12 else vop3)(name, f, kinds, result)

    def short(name, f):
        return LaneOp(['u16'] * 2, 'u16', f, [name] if cdna else [], [name])
    ops = [
        vop1('v_mov_b32', 'u32', 'u32', lambda a: a), vop1('v_not_b32', 'u32', 'u32', lambda a: a ^ MASK32),
        vop1('v_bfrev_b32', 'u32', 'u32', lambda a: int(f'{a:032b}'[::-1], 2)),
        vop1('v_ffbl_b32', 'u32', 'u32', exact.first_one),
        vop1('v_ffbh_u32', 'u32', 'u32', lambda a: 32 - a.bit_length() if a else MASK32),
        vop1('v_cvt_f32_i32', 'i32', 'f32', lambda a: exact.rounded(Fraction(s(a)))),
        vop1('v_cvt_f32_u32', 'u32', 'f32', lambda a: exact.rounded(Fraction(a))),
        vop1('v_cvt_f32_ubyte0', 'u32', 'f32', lambda a: exact.rounded(Fraction(a & 255))),
        vop1('v_cvt_i32_f32', 'f32', 'u32', lambda a: exact.to_int(a, -(1 << 31), (1 << 31) - 1) & MASK32),
        vop1('v_cvt_u32_f32', 'f32', 'u32', lambda a: exact.to_int(a, 0, MASK32)),
        vop1('v_cvt_f64_f32', 'f32', 'f64', exact.widen), vop1('v_cvt_f32_f64', 'f64', 'f32', exact.narrow),
        vop1('v_rsq_f64', 'f64', 'f64', exact.root_reciprocal_double),
        vop1('v_rcp_f64', 'f64', 'f64', lambda a: exact.quotient_double(exact.double_bits(1.0), a)),
        vop1('v_cvt_i32_f64', 'f64', 'u32', lambda a: exact.double_to_int(a, -(1 << 31), (1 << 31) - 1)),
        vop1('v_cvt_u32_f64', 'f64', 'u32', lambda a: exact.double_to_int(a, 0, MASK32)),
        vop1('v_cvt_f64_i32', 'i32', 'f64', lambda a: exact.double_bits(float(s(a)))),
        vop1('v_cvt_f64_u32', 'u32', 'f64', lambda a: exact.double_bits(float(a))),
        vop1('v_ceil_f32', 'f32', 'f32', lambda a: exact.to_integral(a, lambda x: -((-x).numerator // x.denominator))),
        vop1('v_floor_f32', 'f32', 'f32', lambda a: exact.to_integral(a, lambda x: x.numerator // x.denominator)),
        vop1('v_trunc_f32', 'f32', 'f32', lambda a: exact.to_integral(a, int)),
        vop1('v_rndne_f32', 'f32', 'f32', lambda a: exact.to_integral(a, exact.half_even)),
        vop1('v_rcp_f32', 'f32', 'f32', exact.reciprocal), vop1('v_rcp_iflag_f32', 'f32', 'f32', exact.reciprocal),
        vop1('v_sqrt_f32', 'f32', 'f32', exact.root), vop1('v_exp_f32', 'f32', 'f32', exact.exp2),
        vop1('v_log_f32', 'f32', 'f32', exact.log2),
        vop2('v_and_b32', lambda a, b: a & b), vop2('v_or_b32', lambda a, b: a | b), vop2('v_xor_b32', lambda a, b: a ^ b),
        vop2(f'v_add{nc}_u32', lambda a, b: (a + b) & MASK32), vop2(f'v_sub{nc}_u32', lambda a, b: (a - b) & MASK32),
        vop2(f'v_subrev{nc}_u32', lambda a, b: (b - a) & MASK32),
        vop2('v_lshlrev_b32', lambda a, b: b << (a & 31) & MASK32), vop2('v_lshrrev_b32', lambda a, b: b >> (a & 31)),
        vop2('v_ashrrev_i32', lambda a, b: s(b) >> (a & 31) & MASK32),
        vop2('v_max_u32', max), vop2('v_min_u32', min),
        vop2('v_max_i32', lambda a, b: max(a, b, key=s)), vop2('v_min_i32', lambda a, b: min(a, b, key=s)),
        vop2('v_mul_u32_u24', lambda a, b: (a & 0xffffff) * (b & 0xffffff) & MASK32),
        vop2('v_mul_hi_u32_u24', lambda a, b: (a & 0xffffff) * (b & 0xffffff) >> 32),
        vop2('v_mul_i32_i24', lambda a, b: low24(a) * low24(b) & MASK32),
        vop2('v_add_f32', exact.add, f2, 'f32'), vop2('v_sub_f32', lambda a, b: exact.add(a, exact.negated(b)), f2, 'f32'),
        vop2('v_subrev_f32', lambda a, b: exact.add(b, exact.negated(a)), f2, 'f32'),
        vop2('v_mul_f32', exact.multiply, f2, 'f32'), vop2('v_fmac_f32', exact.fused, f2, 'f32', accumulates=True),
        *([vop2('v_mac_f32', exact.multiply_add, f2, 'f32', accumulates=True)] if architecture.name in ('gfx906', 'gfx90a') else []),
        vop3('v_bcnt_u32_b32', lambda a, b: (exact.ones(a) + b) & MASK32, u2),
        vop3('v_mul_lo_u32', lambda a, b: a * b & MASK32, u2), vop3('v_mul_hi_u32', lambda a, b: a * b >> 32, u2),
        short_in_rdna_4('v_lshlrev_b64', lambda a, b: b << (a & 63) & MASK64, ['u32', 'u64'], 'u64'),
        vop3('v_lshrrev_b64', lambda a, b: b >> (a & 63), ['u32', 'u64'], 'u64'),
        vop3('v_ldexp_f32', exact.scaled_by_power, ['f32', 'u32'], 'f32'),
        short_in_rdna_4('v_add_f64', exact.add_double, ['f64'] * 2, 'f64'),
        short_in_rdna_4('v_mul_f64', exact.multiply_double, ['f64'] * 2, 'f64'),
        vop3('v_add3_u32', lambda a, b, c: (a + b + c) & MASK32), vop3('v_or3_b32', lambda a, b, c: a | b | c),
        vop3('v_add_lshl_u32', lambda a, b, c: (a + b) << (c & 31) & MASK32),
        vop3('v_lshl_add_u32', lambda a, b, c: ((a << (b & 31)) + c) & MASK32),
        vop3('v_lshl_or_b32', lambda a, b, c: (a << (b & 31) | c) & MASK32),
        vop3('v_and_or_b32', lambda a, b, c: a & b | c), vop3('v_xad_u32', lambda a, b, c: ((a ^ b) + c) & MASK32),
        vop3('v_bfe_u32', lambda a, b, c: exact.bits_of_field(a, b & 31, c & 31)), vop3('v_bfe_i32', shifted_bfe_i),
        vop3('v_alignbit_b32', lambda a, b, c: (a << 32 | b) >> (c & 31) & MASK32),
        vop3('v_mad_u32_u24', lambda a, b, c: ((a & 0xffffff) * (b & 0xffffff) + c) & MASK32),
        vop3('v_mad_i32_i24', lambda a, b, c: (low24(a) * low24(b) + c) & MASK32),
        vop3('v_fma_f64', exact.fused_double, ['f64'] * 3, 'f64'), vop3('v_div_fixup_f64', exact.div_fixup_double, ['f64'] * 3, 'f64'),
        vop3('v_fma_f32', exact.fused, f3, 'f32'), vop3('v_div_fixup_f32', exact.div_fixup, f3, 'f32'),
        short('v_lshlrev_b16', lambda a, b: b << (a & 15)), short('v_lshrrev_b16', lambda a, b: b >> (a & 15)),
        short('v_mul_lo_u16', lambda a, b: a * b), short('v_min_u16', min),
        short('v_sub_u16' if cdna else 'v_sub_nc_u16', lambda a, b: a - b),
        short('v_add_u16' if cdna else 'v_add_nc_u16', lambda a, b: a + b),
    ]
    if generation == 12:
        ops += [vop2('v_max_num_f32', exact.maximum_number, f2, 'f32'), vop2('v_min_num_f32', exact.minimum_number, f2, 'f32')]
    else:
        ops += [vop2('v_max_f32', exact.maximum, f2, 'f32'), vop2('v_min_f32', exact.minimum, f2, 'f32'),
                vop3('v_max_f64', exact.maximum_double, ['f64'] * 2, 'f64'),
                vop3('v_min_f64', exact.minimum_double, ['f64'] * 2, 'f64')]
    if architecture.name in ('gfx90a', 'gfx942'):
        ops.append(vop2('v_fmac_f64', exact.fused_double, ['f64'] * 2, 'f64', accumulates=True))
    if architecture.name == 'gfx942':
        ops += [vop1('v_mov_b64', 'u64', 'u64', lambda a: a),
                vop3('v_lshl_add_u64', lambda a, b, c: ((a << (b & 7)) + c) & MASK64, ['u64', 'u32', 'u64'], 'u64')]
    if not cdna:
        ops.append(vop3('v_xor3_b32', lambda a, b, c: a ^ b ^ c))
    return ops


def add_all(suite):
    for op in operations(suite.architecture):
        runs = 5 if len(op.kinds) == 1 else 12 if len(op.kinds) == 2 else 10
        for name in op.e32:
            add_lane_op(suite, op, f'{name}_e32', False, runs)
        for name in op.e64:
            name = f'{name}_e64' if op.e32 else name
            add_lane_op(suite, op, name, True, 4 if op.e32 else runs)
            if {*op.kinds, op.result} in ({'f32'}, {'f64'}):
                for place in range(len(op.kinds)):
                    for modifier in ('neg', 'abs', 'both'):
                        chosen = [''] * len(op.kinds)
                        chosen[place] = modifier
                        add_lane_op(suite, op, name, True, 2, chosen)
    if not suite.architecture.cdna or suite.architecture.name == 'gfx942':
        add_fused_with_literals(suite)
    add_scaled_results(suite)
    add_clamped_integers(suite)
    if suite.architecture.names_halves:
        add_halves(suite)


def add_fused_with_literals(suite):
    """v_fmamk: a * literal + b; v_fmaak: a * b + literal."""
    literal = 0x40490fdb
    for name, sources, f in (('v_fmamk_f32', f'v2, {literal:#x}, v6', lambda a, b: exact.fused(a, literal, b)),
                             ('v_fmaak_f32', f'v2, v6, {literal:#x}', lambda a, b: exact.fused(a, b, literal)),
                             ('v_fmaak_f32', f's8, v6, {literal:#x}', lambda a, b: exact.fused(a, b, literal))):
        if sources.startswith('s8') and suite.architecture.cdna:
            continue  # CDNA reads one scalar, and the literal is one
        runs, masks = [], suite.exec_masks()
        for _ in range(6):
            a, b = ([random_value(suite.random, 'f32') for _ in range(suite.architecture.wave)] for _ in range(2))
            run = suite.run().active(next(masks)).vector(2, a).vector(6, b).scalar(8, a[0])
            a = [a[0]] * len(a) if sources.startswith('s8') else a
            runs.append(run.expect_vector(D, [f(x, y) for x, y in zip(a, b)]))
        suite.add(f'{name} v{D}, {sources}', runs)


def add_scaled_results(suite):
    """clamp, mul:2, mul:4 and div:2 of a sum."""
    wave = suite.architecture.wave

    def clamped(x):
        if x == NAN or not exact.less(0, x):
            return 0
        return x if exact.less(x, 0x3f800000) else 0x3f800000
    for modifier, f in (('clamp', clamped), ('mul:2', lambda x: exact.multiply(x, 0x40000000)),
                        ('mul:4', lambda x: exact.multiply(x, 0x40800000)), ('div:2', lambda x: exact.multiply(x, 0x3f000000))):
        runs, masks = [], suite.exec_masks()
        for number in range(4):
            lanes = [[random_value(suite.random, 'f32') for _ in range(wave)] for _ in range(2)]
            run = suite.run().active(next(masks)).vector(2, lanes[0]).vector(6, lanes[1])
            sums = [exact.add(a, b) for a, b in zip(*lanes)]
            runs.append(run.expect_vector(D, [NAN if x == NAN and modifier != 'clamp' else f(x) for x in sums]))
        suite.add(f'v_add_f32_e64 v{D}, v2, v6 {modifier}', runs)


def add_clamped_integers(suite):
    """Sums and differences that stop at the ends of their range."""
    nc, wave = '' if suite.architecture.cdna else '_nc', suite.architecture.wave
    for name, f in ((f'v_add{nc}_u32_e64', lambda a, b: min(a + b, MASK32)), (f'v_sub{nc}_u32_e64', lambda a, b: max(a - b, 0)),
                    (f'v_subrev{nc}_u32_e64', lambda a, b: max(b - a, 0))):
        runs, masks = [], suite.exec_masks()
        for _ in range(6):
            lanes = [[random_value(suite.random, 'u32') for _ in range(wave)] for _ in range(2)]
            run = suite.run().active(next(masks)).vector(2, lanes[0]).vector(6, lanes[1])
            runs.append(run.expect_vector(D, [f(a, b) for a, b in zip(*lanes)]))
        suite.add(f'{name} v{D}, v2, v6 clamp', runs)


def put_half(old, upper, x):
    return old & 0xffff | (x & 0xffff) << 16 if upper else old & 0xffff0000 | x & 0xffff


def add_halves(suite):
    """RDNA 3's operands of 16 bits: either half of a register as source and as result; the other half stays."""
    wave = suite.architecture.wave
    ops = [('v_mov_b16_e32', 1, lambda a, b, bit: a), ('v_and_b16', 2, lambda a, b, bit: a & b), ('v_or_b16', 2, lambda a, b, bit: a | b),
           ('v_mul_lo_u16', 2, lambda a, b, bit: a * b), ('v_sub_nc_u16', 2, lambda a, b, bit: a - b),
           ('v_cndmask_b16', 2, lambda a, b, bit: b if bit else a)]
    for name, count, f in ops:
        for halves in itertools.product('lh', repeat=count + 1):
            for constant in (None, '0xff' if count == 2 and name != 'v_cndmask_b16' else '7'):
                runs, masks = [], suite.exec_masks()
                for _ in range(2):
                    lanes = [[random_value(suite.random, 'u32') for _ in range(wave)] for _ in range(3)]
                    chosen = suite.random.getrandbits(wave)
                    run = suite.run().active(next(masks)).scalar(30, chosen)
                    for number, values in zip((2, 6, D), lanes):
                        run.vector(number, values)
                    results = []
                    for l in range(wave):
                        a, b = (lanes[n][l] >> 16 * (halves[1 + min(n, count - 1)] == 'h') & 0xffff for n in range(2))
                        a = int(constant, 0) if constant else a
                        results.append(put_half(lanes[2][l], halves[0] == 'h', f(a, b, chosen >> l & 1)))
                    runs.append(run.expect_vector(D, results))
                sources = [constant or f'v2.{halves[1]}', *([f'v6.{halves[2]}'] if count == 2 else [])]
                sources += ['s30'] if name == 'v_cndmask_b16' else []
                suite.add(f'{name} v{D}.{halves[0]}, {", ".join(sources)}', runs)
    for half in 'lh':  # a source of 16 bits beside wider ones
        lanes = [[random_value(suite.random, 'u32') for _ in range(wave)] for _ in range(3)]
        run = suite.run()
        for number, values in zip((2, 6, 10), lanes):
            run.vector(number, values)
        shifts = [x >> 16 * (half == 'h') & 31 for x in lanes[2]]
        run.expect_vector(D, [(a << 32 | b) >> n & MASK32 for a, b, n in zip(*lanes[:2], shifts)])
        suite.add(f'v_alignbit_b32 v{D}, v2, v6, v10.{half}', [run])
