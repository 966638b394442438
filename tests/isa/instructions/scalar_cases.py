"""Cases of scalar instructions: results, SCC, masks of active lanes, branches, and those without any effect."""
from fractions import Fraction

import exact
from exact import MASK32, MASK64
from lane_cases import F32, U32, U64
from mask_cases import compare

D, A, B = 20, 8, 12
LOADED_AT = 0x7fff12340000  # where the cases' code is said to be


def scalar_text(number, bits):
    return f's[{number}:{number + 1}]' if bits == 64 else f's{number}'


def sources_of(suite, bits, count):
    edges = U32 if bits == 32 else U64
    yield from ((a, b) for a in edges for b in edges if suite.random.random() < 0.5)
    for _ in range(count):
        yield suite.random.getrandbits(bits), suite.random.getrandbits(bits)


def add_two(suite, name, bits, f, scc=None, second_bits=None, carries=False):
    """f(a, b, carry) -> result without wrapping; scc(a, b, carry, result) -> bool, None: SCC stays."""
    mask, second_bits = (1 << bits) - 1, second_bits or bits
    for kind in ('registers', 'inline', 'literal', 'same'):
        texts = [scalar_text(A, bits), scalar_text(B, second_bits)]
        if kind == 'inline':
            texts[1] = '-1' if second_bits == bits else '7'
        elif kind == 'literal':
            if second_bits == 64:
                continue
            texts[1] = '0x12345678'
        destination = A if kind == 'same' else D
        runs = []
        for a, b in sources_of(suite, bits, 20):
            b &= (1 << second_bits) - 1
            if kind == 'inline':
                b = (1 << second_bits) - 1 if second_bits == bits else 7
            elif kind == 'literal':
                b = 0x12345678
            carry = suite.random.getrandbits(1)
            run = suite.run().scalar(A, a, bits == 64).scalar(B, b, second_bits == 64).scc(carry)
            result = f(a, b, carry if carries else 0)
            run.expect_scalar(destination, result & mask, bits == 64)
            if scc:
                run.expect_scc(scc(a, b, carry, result & mask))
            runs.append(run)
        suite.add(f'{name} {scalar_text(destination, bits)}, {texts[0]}, {texts[1]}', runs)


def add_one(suite, name, bits, f, scc=False, result_bits=None):
    result_bits = result_bits or bits
    runs = []
    for a, _ in sources_of(suite, bits, 20):
        carry = suite.random.getrandbits(1)
        result = f(a) & (1 << result_bits) - 1
        run = suite.run().scalar(A, a, bits == 64).scc(carry).expect_scalar(D, result, result_bits == 64)
        if scc:
            run.expect_scc(result != 0)
        runs.append(run)
    suite.add(f'{name} {scalar_text(D, result_bits)}, {scalar_text(A, bits)}', runs)
    for text, value in (('-16', -16), ('64', 64), ('0', 0)):
        result = f(value & (1 << bits) - 1) & (1 << result_bits) - 1
        run = suite.run().scc(1).expect_scalar(D, result, result_bits == 64)
        suite.add(f'{name} {scalar_text(D, result_bits)}, {text}', [run.expect_scc(result != 0) if scc else run])


def add_arithmetic(suite):
    s = exact.signed

    def overflow(f):
        return lambda a, b, c, r: not -(1 << 31) <= f(s(a), s(b)) < 1 << 31

    def not_zero(a, b, c, r):
        return r != 0
    add_two(suite, 's_add_u32', 32, lambda a, b, c: a + b, lambda a, b, c, r: a + b > MASK32)
    add_two(suite, 's_sub_u32', 32, lambda a, b, c: a - b, lambda a, b, c, r: b > a)
    add_two(suite, 's_add_i32', 32, lambda a, b, c: a + b, overflow(lambda a, b: a + b))
    add_two(suite, 's_sub_i32', 32, lambda a, b, c: a - b, overflow(lambda a, b: a - b))
    add_two(suite, 's_addc_u32', 32, lambda a, b, c: a + b + c, lambda a, b, c, r: a + b + c > MASK32, carries=True)
    add_two(suite, 's_subb_u32', 32, lambda a, b, c: a - b - c, lambda a, b, c, r: b + c > a, carries=True)
    add_two(suite, 's_mul_i32', 32, lambda a, b, c: a * b)
    add_two(suite, 's_mul_hi_u32', 32, lambda a, b, c: a * b >> 32)
    add_two(suite, 's_mul_hi_i32', 32, lambda a, b, c: s(a) * s(b) >> 32)
    for how, f in (('min', min), ('max', max)):
        add_two(suite, f's_{how}_u32', 32, lambda a, b, c, f=f: f(a, b),
                lambda a, b, c, r, how=how: a < b if how == 'min' else a >= b)
        add_two(suite, f's_{how}_i32', 32, lambda a, b, c, f=f: f(s(a), s(b)),
                lambda a, b, c, r, how=how: s(a) < s(b) if how == 'min' else s(a) >= s(b))
    add_two(suite, 's_bfe_u32', 32, lambda a, b, c: exact.bits_of_field(a, b & 31, b >> 16 & 127), not_zero)
    add_two(suite, 's_bfe_i32', 32, lambda a, b, c: exact.signed_field(a, b & 31, b >> 16 & 127), not_zero)
    add_two(suite, 's_ashr_i32', 32, lambda a, b, c: s(a) >> (b & 31), not_zero)
    for bits in (32, 64):
        add_two(suite, f's_lshl_b{bits}', bits, lambda a, b, c, n=bits: a << (b & n - 1), not_zero, 32)
        add_two(suite, f's_lshr_b{bits}', bits, lambda a, b, c, n=bits: a >> (b & n - 1), not_zero, 32)
        for how, f in (('and', lambda a, b, c: a & b), ('or', lambda a, b, c: a | b), ('xor', lambda a, b, c: a ^ b),
                       ('andn2', lambda a, b, c: a & ~b), ('orn2', lambda a, b, c: a | ~b)):
            add_two(suite, f's_{how}_b{bits}', bits, f, not_zero)
        add_two(suite, f's_cselect_b{bits}', bits, lambda a, b, c: a if c else b, carries=True)
        add_one(suite, f's_mov_b{bits}', bits, lambda a: a)
        add_one(suite, f's_not_b{bits}', bits, lambda a: ~a, True)
        add_one(suite, f's_bcnt1_i32_b{bits}', bits, exact.ones, True, 32)
        add_one(suite, f's_ff1_i32_b{bits}', bits, lambda a, n=bits: exact.first_one(a, n), False, 32)
    add_one(suite, 's_abs_i32', 32, lambda a: abs(s(a)), True)
    add_one(suite, 's_flbit_i32_b32', 32, lambda a: 32 - a.bit_length() if a else MASK32)
    add_one(suite, 's_sext_i32_i16', 32, lambda a: s(a, 16))
    add_one(suite, 's_brev_b32', 32, lambda a: int(f'{a:032b}'[::-1], 2))


def add_floats(suite):
    """RDNA 4's scalar arithmetic of floats and of 64 bits."""
    if suite.architecture.generation < 12:
        return
    for name, f in (('add', lambda a, b: a + b), ('sub', lambda a, b: a - b)):
        add_two(suite, f's_{name}_nc_u64', 64, lambda a, b, c, f=f: f(a, b))
    add_two(suite, 's_mul_u64', 64, lambda a, b, c: a * b)
    operations = (('add', exact.add), ('sub', lambda a, b: exact.add(a, exact.negated(b))), ('mul', exact.multiply))
    for name, f in operations:
        for text, value in (('s12', None), ('2.0', 0x40000000), ('0x40490fdb', 0x40490fdb)):
            runs = []
            for a in F32:
                b = suite.random.choice(F32) if value is None else value
                runs.append(suite.run().scalar(A, a).scalar(B, b).scc(1).expect_float(D, f(a, b)))
            suite.add(f's_{name}_f32 s{D}, s{A}, {text}', runs)
    add_fused(suite)
    for name, f, values in (('s_cvt_f32_i32', lambda a: exact.rounded(Fraction(exact.signed(a))), U32),
                            ('s_cvt_f32_u32', lambda a: exact.rounded(Fraction(a)), U32),
                            ('s_cvt_u32_f32', lambda a: exact.to_int(a, 0, MASK32), F32)):
        suite.add(f'{name} s{D}, s{A}', [suite.run().scalar(A, a).scc(0).expect_scalar(D, f(a)) for a in values])
    for how in ('eq', 'lg', 'lt', 'le', 'gt', 'ge', 'nge', 'ngt', 'nle', 'nlt', 'neq', 'nlg', 'o', 'u'):
        for text, value in (('s12', None), ('0', 0)):
            runs = []
            for a in F32:
                b = suite.random.choice([a, a, *F32]) if value is None else value
                run = suite.run().scalar(A, a).scalar(B, b).scc(suite.random.getrandbits(1))
                runs.append(run.expect_scc(compare('f32', how, a, b)))
            suite.add(f's_cmp_{how}_f32 s{A}, {text}', runs)


def add_fused(suite):
    """s_fmac: a * b + what the destination holds; s_fmamk and s_fmaak: with a literal as the second or third source."""
    literal = 0x40490fdb
    for code, f in ((f's_fmac_f32 s{D}, s{A}, s{B}', exact.fused),
                    (f's_fmac_f32 s{D}, s{A}, 0', lambda a, b, c: exact.fused(a, 0, c)),
                    (f's_fmac_f32 s{D}, {literal:#x}, s{B}', lambda a, b, c: exact.fused(literal, b, c)),
                    (f's_fmac_f32 s{D}, s{A}, s{D}', lambda a, b, c: exact.fused(a, c, c)),
                    (f's_fmamk_f32 s{D}, s{A}, {literal:#x}, s{B}', lambda a, b, c: exact.fused(a, literal, b)),
                    (f's_fmaak_f32 s{D}, s{A}, s{B}, {literal:#x}', lambda a, b, c: exact.fused(a, b, literal))):
        runs = []
        for a in (*F32, *F32):
            b, c = suite.random.choice(F32), suite.random.choice(F32)
            runs.append(suite.run().scalar(A, a).scalar(B, b).scalar(D, c).scc(1).expect_float(D, f(a, b, c)))
        # What fused and twice rounded results differ in.
        a, b = 0x3f800001, 0x3f800001
        runs.append(suite.run().scalar(A, a).scalar(B, b).scalar(D, 0xbf800002).scc(0).expect_float(D, f(a, b, 0xbf800002)))
        suite.add(code, runs)


def add_short_constants(suite):
    s = exact.signed
    for constant in (0, 1, 0x7fff, 0x8000, 0xf100, 0xffff):
        wide = s(constant, 16)
        suite.add(f's_movk_i32 s{D}, {constant:#x}', [suite.run().scc(1).expect_scalar(D, wide)])
        adds, multiplies = [], []
        for a in (*U32, 0x7ffffffe, 0x80007fff):
            total = s(a) + wide
            adds.append(suite.run().scalar(D, a).scc(a & 1).expect_scalar(D, total)
                        .expect_scc(not -(1 << 31) <= total < 1 << 31))
            multiplies.append(suite.run().scalar(D, a).scc(a & 1).expect_scalar(D, s(a) * wide))
        suite.add(f's_addk_i32 s{D}, {constant:#x}', adds)
        suite.add(f's_mulk_i32 s{D}, {constant:#x}', multiplies)
        for how in ('eq', 'lg', 'gt', 'ge', 'lt', 'le') if suite.architecture.generation < 12 else ():
            for kind in 'ui':
                runs = []
                for a in (*U32, constant, wide & MASK32, (wide - 1) & MASK32):
                    x, y = (a, constant) if kind == 'u' else (s(a), wide)
                    runs.append(suite.run().scalar(A, a).scc(0).expect_scc(compared(how, x, y)))
                suite.add(f's_cmpk_{how}_{kind}32 s{A}, {constant:#x}', runs)


def compared(how, a, b):
    return {'eq': a == b, 'lg': a != b, 'gt': a > b, 'ge': a >= b, 'lt': a < b, 'le': a <= b}[how]


def add_compares(suite):
    s = exact.signed
    for how in ('eq', 'lg', 'gt', 'ge', 'lt', 'le'):
        for kind, bits in (('u32', 32), ('i32', 32), ('u64', 64)):
            if bits == 64 and how not in ('eq', 'lg'):
                continue
            runs = []
            for a, b in sources_of(suite, bits, 5):
                b = a if suite.random.random() < 0.2 else b
                x, y = (s(a), s(b)) if kind == 'i32' else (a, b)
                runs.append(suite.run().scalar(A, a, bits == 64).scalar(B, b, bits == 64).scc(suite.random.getrandbits(1))
                            .expect_scc(compared(how, x, y)))
            suite.add(f's_cmp_{how}_{kind} {scalar_text(A, bits)}, {scalar_text(B, bits)}', runs)
            a = MASK64 if bits == 64 else MASK32
            suite.add(f's_cmp_{how}_{kind} {scalar_text(A, bits)}, -1',
                      [suite.run().scalar(A, a, bits == 64).scc(0).expect_scc(compared(how, 0, 0))])
    for bit in (0, 1):
        runs = []
        for a, b in sources_of(suite, 32, 5):
            runs.append(suite.run().scalar(A, a).scalar(B, b).scc(bit).expect_scc((a >> (b & 31) & 1) == bit))
        suite.add(f's_bitcmp{bit}_b32 s{A}, s{B}', runs)
        suite.add(f's_bitcmp{bit}_b32 s{A}, 3', [suite.run().scalar(A, x).expect_scc((x >> 3 & 1) == bit) for x in (8, 7, ~8 & MASK32)])
        runs = []
        for old, number in sources_of(suite, 32, 5):
            one = 1 << (number & 31)
            runs.append(suite.run().scalar(A, number).scalar(D, old).scc(bit).expect_scc(bit)
                        .expect_scalar(D, old | one if bit else old & ~one))
        suite.add(f's_bitset{bit}_b32 s{D}, s{A}', runs)


def add_masks(suite):
    """Saved and changed masks of active lanes; exec and vcc as operands."""
    architecture = suite.architecture
    wave, lanes = architecture.wave, architecture.lanes
    for how, f in (('and', lambda a, x: a & x), ('or', lambda a, x: a | x), ('xor', lambda a, x: a ^ x),
                   ('andn2', lambda a, x: a & ~x), ('orn2', lambda a, x: a | ~x)):
        for source in ('register', 'vcc', 'same', 'constant'):
            runs = []
            for old in (lanes, 0, 1, suite.random.getrandbits(wave), suite.random.getrandbits(wave)):
                a = suite.random.getrandbits(wave) if old != 1 else 2
                run = suite.run().active(old)
                run = run.vcc(a) if source == 'vcc' else run.scalar(A if source == 'register' else D, a, wave == 64)
                a = lanes if source == 'constant' else a
                result = f(a, old) & lanes
                runs.append(run.expect_scalar(D, old, wave == 64).expect_exec(result).expect_scc(result != 0))
            text = {'register': architecture.mask(A), 'vcc': architecture.vcc, 'same': architecture.mask(D), 'constant': '-1'}[source]
            suite.add(f's_{how}_saveexec_b{wave} {architecture.mask(D)}, {text}', runs)
    runs = []
    for _ in range(4):
        old, a = suite.random.getrandbits(wave), suite.random.getrandbits(wave)
        runs.append(suite.run().active(old).scalar(A, a, wave == 64).expect_exec(old | a).expect_scc((old | a) != 0))
    suite.add(f's_or_b{wave} {architecture.exec}, {architecture.exec}, {architecture.mask(A)}', runs)
    runs = [suite.run().active(old).scalar(A, a, wave == 64).vcc(3).expect_scc(old & ~a != 0) for old, a in ((6, 2), (6, 14))]
    for run, (old, a) in zip(runs, ((6, 2), (6, 14))):
        run.lines.append(f'= vcc {old & ~a:x}')
    suite.add(f's_andn2_b{wave} {architecture.vcc}, {architecture.exec}, {architecture.mask(A)}', runs)
    suite.add('s_mov_b32 m0, s8', [suite.run().scalar(A, 77).expect_scalar(124, 77)])


def add_branches(suite):
    architecture = suite.architecture
    code = 's_cbranch_{} LABEL\ns_mov_b32 s20, 1\ns_endpgm\nLABEL:\ns_mov_b32 s20, 2'
    for name, setup, taken in (
            ('scc0', lambda run, bit: run.scc(bit), lambda bit: not bit), ('scc1', lambda run, bit: run.scc(bit), bool),
            ('vccz', lambda run, bit: run.vcc(bit << 9), lambda bit: not bit),
            ('vccnz', lambda run, bit: run.vcc(bit << architecture.wave - 1), bool),
            ('execz', lambda run, bit: run.active(bit << 5), lambda bit: not bit),
            ('execnz', lambda run, bit: run.active(bit << architecture.wave - 1), bool)):
        suite.add(code.format(name), [setup(suite.run(), bit).expect_scalar(20, 2 if taken(bit) else 1) for bit in (0, 1)])
    suite.add('s_mov_b32 s20, 1\ns_branch LABEL\ns_mov_b32 s20, 3\nLABEL:\ns_add_i32 s20, s20, 1',
              [suite.run().scc(1).expect_scalar(20, 2).expect_scc(0)])
    loop = 's_mov_b32 s20, 0\nLABEL:\ns_add_i32 s20, s20, 1\ns_cmp_lt_u32 s20, s8\ns_cbranch_scc1 LABEL'
    suite.add(loop, [suite.run().scalar(A, n).scc(1).expect_scalar(20, max(n, 1)).expect_scc(0) for n in (0, 1, 2, 100)])
    barrier = 's_barrier' if architecture.generation < 12 else 's_barrier_signal -1\ns_barrier_wait -1'
    suite.add(f's_mov_b32 s20, 1\n{barrier}\ns_mov_b32 s21, 2',
              [suite.run().expect_scalar(20, 1).expect_scalar(21, 2).expect_stops(1)])
    suite.add('s_sleep 1\ns_mov_b32 s21, 2', [suite.run().expect_scalar(21, 2).expect_stops(1)])
    suite.add('s_endpgm\ns_mov_b32 s21, 2', [suite.run()])
    # The low half depends on where the case stands.
    run = suite.run().scc(1).expect_scalar(9, LOADED_AT >> 32).expect_scalar(21, LOADED_AT >> 32).expect_scalar(22, 4).expect_scc(0)
    run.lines += ['? s 8', '? s 20']
    suite.add('s_getpc_b64 s[8:9]\ns_getpc_b64 s[20:21]\ns_sub_u32 s22, s20, s8', [run])


def add_without_effect(suite):
    names = {9: ['s_waitcnt vmcnt(0)', 's_waitcnt lgkmcnt(0)'],
             10: ['s_waitcnt vmcnt(0)', 's_waitcnt lgkmcnt(0)', 's_clause 0x1', 's_waitcnt_vscnt null, 0x0',
                  's_inst_prefetch 0x2', 'buffer_gl0_inv', 's_code_end'],
             11: ['s_waitcnt vmcnt(0)', 's_waitcnt lgkmcnt(0)', 's_clause 0x1', 's_waitcnt_vscnt null, 0x0',
                  's_waitcnt_depctr 0xfffe', 's_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)',
                  's_set_inst_prefetch_distance 0x2', 'buffer_gl0_inv', 's_sendmsg sendmsg(MSG_DEALLOC_VGPRS)', 's_code_end'],
             12: ['s_wait_loadcnt 0x0', 's_wait_storecnt 0x0', 's_wait_dscnt 0x0', 's_wait_kmcnt 0x0', 's_wait_loadcnt_dscnt 0x0',
                  's_wait_storecnt_dscnt 0x0', 's_wait_alu 0xfffe', 's_clause 0x1', 's_delay_alu instid0(SALU_CYCLE_1)',
                  'global_inv scope:SCOPE_SE', 's_sendmsg sendmsg(MSG_DEALLOC_VGPRS)', 's_code_end']}
    for name in ['s_nop 0', *names[suite.architecture.generation]]:
        suite.add(name if name != 's_code_end' else 's_endpgm\ns_code_end', [suite.run().scc(1), suite.run().active(0)])


def add_all(suite):
    for add in (add_arithmetic, add_floats, add_short_constants, add_compares, add_masks, add_branches, add_without_effect):
        add(suite)
