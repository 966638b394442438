"""Cases of instructions between lanes, of data-parallel primitives, parts of registers and packed pairs."""
import itertools

import exact
from exact import MASK32
from lane_cases import random_value

D = 20


def words(suite, count=None):
    return [suite.random.getrandbits(32) for _ in range(count or suite.architecture.wave)]


def add_counts(suite):
    wave = suite.architecture.wave
    for half, first in (('lo', 0), ('hi', 32)):
        for source in ('-1', 'v2', 's8'):
            for addend in ('0', 'v6'):
                runs, masks = [], suite.exec_masks()
                for _ in range(3):
                    a, b = words(suite), words(suite)
                    run = suite.run().active(next(masks)).vector(2, a).vector(6, b).scalar(8, 0xdeadbeef)
                    a = [MASK32] * wave if source == '-1' else [0xdeadbeef] * wave if source == 's8' else a
                    b = [0] * wave if addend == '0' else b
                    below = [(1 << l) - 1 >> first & MASK32 for l in range(wave)]
                    runs.append(run.expect_vector(D, [(exact.ones(x & m) + y) & MASK32 for x, y, m in zip(a, b, below)]))
                suite.add(f'v_mbcnt_{half}_u32_b32 v{D}, {source}, {addend}', runs)


def add_reads(suite):
    wave = suite.architecture.wave
    runs = []
    for mask in (suite.architecture.lanes, 1 << wave - 1, 0b1100, suite.random.getrandbits(wave) | 2, 0):
        a = words(suite)
        lane = (mask & -mask).bit_length() - 1 if mask else 0
        runs.append(suite.run().active(mask).vector(2, a).expect_scalar(30, a[lane]))
    suite.add('v_readfirstlane_b32 s30, v2', runs)
    runs, constant_runs, write_runs = [], [], []
    for lane in (0, 5, wave - 1, wave, 3 * wave + 7):
        a, old = words(suite), words(suite)
        runs.append(suite.run().active(1).vector(2, a).scalar(8, lane).expect_scalar(30, a[lane % wave]))
        constant_runs.append(suite.run().active(0).vector(2, a).expect_scalar(30, a[7]))
        run = suite.run().active(suite.architecture.lanes).vector(D, old).scalar(8, lane).scalar(12, 33)
        write_runs.append(run.expect_vector(D, [33 if l == lane % wave else x for l, x in enumerate(old)]))
    suite.add('v_readlane_b32 s30, v2, s8', runs)
    suite.add('v_readlane_b32 s30, v2, 7', constant_runs)
    suite.add(f'v_writelane_b32 v{D}, {33 if suite.architecture.cdna else "s12"}, s8', write_runs)


def add_permutations(suite):
    wave = suite.architecture.wave
    for offset in (0, 8, 252):
        runs, masks = [], suite.exec_masks()
        for _ in range(6):
            lanes, a = [suite.random.randrange(0, 1024) for _ in range(wave)], words(suite)
            run = suite.run().active(next(masks)).vector(2, lanes).vector(6, a)
            sources = [(x + offset) // 4 % wave for x in lanes]
            runs.append(run.expect_vector(D, [a[n] if run.exec_mask >> n & 1 else 0 for n in sources]))
        suite.add(f'ds_bpermute_b32 v{D}, v2, v6' + (f' offset:{offset}' if offset else ''), runs)
    patterns = [('swizzle(BROADCAST,32,15)', lambda n: 15), ('swizzle(BROADCAST,8,3)', lambda n: n & ~7 | 3),
                ('swizzle(SWAP,4)', lambda n: n ^ 4), ('swizzle(REVERSE,8)', lambda n: n ^ 7),
                ('swizzle(QUAD_PERM,3,0,0,2)', lambda n: n & ~3 | (3, 0, 0, 2)[n & 3]),
                ('swizzle(BITMASK_PERM,"01pi1")', lambda n: n & 0b00100 | 0b01001 | ((n ^ 2) & 2))]
    for pattern, f in patterns:
        runs, masks = [], suite.exec_masks()
        for _ in range(4):
            a = words(suite)
            run = suite.run().active(next(masks)).vector(6, a)
            sources = [l & ~31 | f(l & 31) for l in range(wave)]
            runs.append(run.expect_vector(D, [a[n] if run.exec_mask >> n & 1 else 0 for n in sources]))
        suite.add(f'ds_swizzle_b32 v{D}, v6 offset:{pattern}', runs)


def add_exchanges(suite):
    """RDNA: between the two rows of 32 lanes."""
    architecture, wave = suite.architecture, suite.architecture.wave
    if architecture.cdna:
        return
    choices = [(0x76543210, 0xfedcba98), (0xffffffff, 0xffffffff), (0x13579bdf, 0x02468ace)]
    for texts in (('s8', 's9'), ('-1', '0')):
        runs, masks = [], suite.exec_masks()
        for low, high in choices * 2:
            a, old = words(suite), words(suite)
            run = suite.run().active(next(masks)).vector(2, a).vector(D, old).scalar(8, low).scalar(9, high)
            digits = low | high << 32 if texts[0] == 's8' else 0xffffffff
            sources = [(l & ~15 ^ 16) + (digits >> 4 * (l & 15) & 15) for l in range(wave)]
            runs.append(run.expect_vector(D, [a[n] if run.exec_mask >> n & 1 else old[l] for l, n in enumerate(sources)]))
        suite.add(f'v_permlanex16_b32 v{D}, v2, {", ".join(texts)}', runs)


def add_sums(suite):
    """A float and one that was moved, written in some banks only."""
    wave = suite.architecture.wave
    ways = [('row_ror:8', lambda l: l // 16 * 16 + (l - 8) % 16), ('row_half_mirror', lambda l: l // 8 * 8 + 7 - l % 8),
            ('quad_perm:[1,0,3,2]', lambda l: l ^ 1)]
    for way, source in ways:
        for banks, zeros in ((15, False), (15, True), (12, False), (10, False)):
            runs, masks = [], suite.exec_masks()
            for _ in range(4):
                a, b, old = ([random_value(suite.random, 'f32') for _ in range(wave)] for _ in range(3))
                run = suite.run().active(next(masks)).vector(2, a).vector(6, b).vector(D, old)
                results = []
                for l in range(wave):
                    read = run.exec_mask >> source(l) & 1
                    written = banks >> l // 4 % 4 & 1 and (read or zeros)
                    results.append(exact.add(a[source(l)] if read else 0, b[l]) if written else old[l])
                runs.append(run.expect_vector(D, results))
            bound = f' bound_ctrl:{int(suite.architecture.generation > 10)}' if zeros else ''
            suite.add(f'v_add_f32_dpp v{D}, v2, v6 {way} row_mask:0xf bank_mask:{banks:#x}{bound}', runs)


def add_dpp(suite):
    architecture, wave = suite.architecture, suite.architecture.wave

    def in_row(f):
        return lambda l: f(l) if f(l) >= 0 and f(l) // 16 == l // 16 else None
    ways = [(f'row_shr:{n}', in_row(lambda l, n=n: l - n)) for n in (1, 2, 3, 4, 8, 15)]
    ways += [(f'row_shl:{n}', in_row(lambda l, n=n: l + n)) for n in (1, 8)]
    ways += [(f'row_ror:{n}', lambda l, n=n: l // 16 * 16 + (l - n) % 16) for n in (1, 12)]
    ways += [('row_mirror', lambda l: l // 16 * 16 + 15 - l % 16), ('row_half_mirror', lambda l: l // 8 * 8 + 7 - l % 8),
             ('quad_perm:[3,1,0,0]', lambda l: l // 4 * 4 + (3, 1, 0, 0)[l % 4])]
    if architecture.cdna:
        ways += [('row_bcast:15', lambda l: l // 16 * 16 - 1 if l >= 16 else None),
                 ('row_bcast:31', lambda l: 31 if l >= 32 else None), ('wave_shr:1', lambda l: l - 1 if l else None),
                 ('wave_shl:1', lambda l: l + 1 if l + 1 < wave else None)]
    else:
        ways += [('row_share:5', lambda l: l // 16 * 16 + 5), ('row_xmask:6', lambda l: l ^ 6)]
    zeros_text = f' bound_ctrl:{int(architecture.generation > 10)}'  # assemblers take 0 for 1 before RDNA 3
    for way, source in ways:
        for rows, banks, zeros in ((15, 15, False), (15, 15, True), (10, 15, False), (15, 5, True), (3, 9, False)):
            tail = f'row_mask:{rows:#x} bank_mask:{banks:#x}' + (zeros_text if zeros else '')
            runs, masks = [], suite.exec_masks()
            for _ in range(4):
                a, old = words(suite), words(suite)
                run = suite.run().active(next(masks)).vector(2, a).vector(D, old)
                results = []
                for l in range(wave):
                    n = source(l)
                    inside = rows >> l // 16 & 1 and banks >> l // 4 % 4 & 1
                    read = n is not None and run.exec_mask >> n & 1
                    results.append(old[l] if not inside or (not read and not zeros) else a[n] if read else 0)
                runs.append(run.expect_vector(D, results))
            suite.add(f'v_mov_b32_dpp v{D}, v2 {way} {tail}', runs)


PARTS = {'DWORD': (0, 32), 'WORD_0': (0, 16), 'WORD_1': (16, 16), 'BYTE_0': (0, 8), 'BYTE_1': (8, 8), 'BYTE_2': (16, 8),
         'BYTE_3': (24, 8)}


def part(x, which):
    return x >> PARTS[which][0] & (1 << PARTS[which][1]) - 1


def add_parts(suite):
    """SDWA: bytes and words of the sources."""
    if not suite.architecture.names_parts:
        return
    cdna, wave = suite.architecture.cdna, suite.architecture.wave
    nc = '' if cdna else '_nc'
    ops = [(f'v_add{nc}_u32', lambda a, b: a + b), (f'v_sub{nc}_u32', lambda a, b: a - b),
           ('v_mul_u32_u24', lambda a, b: (a & 0xffffff) * (b & 0xffffff)), ('v_lshlrev_b32', lambda a, b: b << (a & 31)),
           ('v_or_b32', lambda a, b: a | b), ('v_and_b32', lambda a, b: a & b)]
    for name, f in ops:
        for first, second in itertools.product(PARTS, PARTS):
            runs, masks = [], suite.exec_masks()
            for _ in range(2):
                a, b = words(suite), words(suite)
                run = suite.run().active(next(masks)).vector(2, a).vector(6, b)
                runs.append(run.expect_vector(D, [f(part(x, first), part(y, second)) & MASK32 for x, y in zip(a, b)]))
            suite.add(f'{name}_sdwa v{D}, v2, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:{first} src1_sel:{second}', runs)
    run = suite.run().scalar(8, 0x8003).vector(6, [l << 16 for l in range(wave)])
    suite.add(f'v_mul_u32_u24_sdwa v{D}, s8, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1',
              [run.expect_vector(D, [0x8003 * l for l in range(wave)])])
    for how, f in (('eq', lambda a, b: a == b), ('ne', lambda a, b: a != b)):
        for first, second in itertools.product(PARTS, PARTS):
            runs, masks = [], suite.exec_masks()
            for _ in range(2):
                b = [suite.random.randrange(4) | suite.random.randrange(4) << 16 for _ in range(wave)]
                a = [suite.random.randrange(4) * 0x1010101 for _ in range(wave)]
                run = suite.run().active(next(masks)).vector(2, a).vector(6, b)
                pairs = [(part(x, first) & 0xffff, part(y, second) & 0xffff) for x, y in zip(a, b)]
                runs.append(run.expect_mask(30, sum(f(x, y) << l for l, (x, y) in enumerate(pairs))))
            suite.add(f'v_cmp_{how}_u16_sdwa {suite.architecture.mask(30)}, v2, v6 src0_sel:{first} src1_sel:{second}', runs)


def add_packed(suite):
    """CDNA's pairs of 32 bits: which half of each source goes into which result, and signs."""
    if not suite.architecture.pairs:
        return
    wave = suite.architecture.wave
    ops = [('v_pk_add_f32', 2, exact.add), ('v_pk_mul_f32', 2, exact.multiply), ('v_pk_fma_f32', 3, exact.fused)]
    for name, count, f in ops:
        settings = [dict(zip(('op_sel', 'op_sel_hi', 'neg_lo', 'neg_hi'), choice)) for choice in itertools.product(
            itertools.product((0, 1), repeat=count), itertools.product((0, 1), repeat=count),
            [(0,) * count, (0, 1, 0)[:count], (1,) * count], [(0,) * count, (0, 1, 0)[:count], (1,) * count])]
        for setting in suite.random.sample(settings, 40) + required(count):
            for scalar in (False, True):
                add_packed_case(suite, name, count, f, setting, scalar)
        texts = 'v[2:3], 0, v[10:11]' if count == 3 else 'v[2:3], 0'
        run = suite.run()
        a = [[random_value(suite.random, 'f32') for _ in range(wave)] for _ in range(4)]
        for n, lanes in zip((2, 3, 10, 11), a):
            run.vector(n, lanes)
        for half in range(2):
            run.expect_vector(D + half, [f(a[half][l], 0, *([a[2 + half][l]] if count == 3 else [])) for l in range(wave)])
        suite.add(f'{name} v[{D}:{D + 1}], {texts}', [run])
    for low, high in itertools.product((0, 1), repeat=2):
        for source in ('v', 's'):
            a = [words(suite) for _ in range(4)]
            run = suite.run().active(suite.random.getrandbits(wave))
            for n, lanes in zip((2, 3, 6, 7), a):
                run.vector(n, lanes)
            if source == 's':
                run.scalar(8, 0x1111111122222222, True)
                a[0], a[1] = [0x22222222] * wave, [0x11111111] * wave
            run.expect_vector(D, a[low]).expect_vector(D + 1, a[2 + high])
            first = 'v[2:3]' if source == 'v' else 's[8:9]'
            suite.add(f'v_pk_mov_b32 v[{D}:{D + 1}], {first}, v[6:7] op_sel:[{low},{high}]', [run])
    suite.add(f'v_pk_mov_b32 v[{D}:{D + 1}], 0, 0', [suite.run().expect_vector(D, [0] * wave).expect_vector(D + 1, [0] * wave)])
    overlap = suite.run().vector(D, words(suite)).vector(D + 1, words(suite))
    low, high = ([int(x, 16) for x in line.split()[2:]] for line in overlap.lines[-2:])
    suite.add(f'v_pk_mov_b32 v[{D}:{D + 1}], v[{D}:{D + 1}], v[{D}:{D + 1}] op_sel:[1,0]',
              [overlap.expect_vector(D, high).expect_vector(D + 1, low)])


def required(count):
    """The combinations that compilers write most."""
    zero, one = (0,) * count, (1,) * count
    second = (0, 1, 0)[:count]
    found = []
    for op_sel in (zero, (1, 0, 0)[:count], second):
        for op_sel_hi in (one, (1, 0, 1)[:count], (0, 1, 1)[:count], zero):
            for neg_lo, neg_hi in ((zero, zero), (second, second), (zero, second), (one, one)):
                found.append(dict(op_sel=op_sel, op_sel_hi=op_sel_hi, neg_lo=neg_lo, neg_hi=neg_hi))
    return found


def add_packed_case(suite, name, count, f, setting, scalar):
    wave = suite.architecture.wave
    run = suite.run().active(suite.random.getrandbits(wave) | 1)
    sources, texts = [], []
    for place in range(count):
        pair = [[random_value(suite.random, 'f32') for _ in range(wave)] for _ in range(2)]
        if scalar and place == 0:
            pair = [[half[0]] * wave for half in pair]
            run.scalar(8, pair[0][0]).scalar(9, pair[1][0])
            texts.append('s[8:9]')
        else:
            run.vector(2 + 4 * place, pair[0]).vector(3 + 4 * place, pair[1])
            texts.append(f'v[{2 + 4 * place}:{3 + 4 * place}]')
        sources.append(pair)
    for half, (select, negate) in enumerate((('op_sel', 'neg_lo'), ('op_sel_hi', 'neg_hi'))):
        results = []
        for l in range(wave):
            values = [sources[p][setting[select][p]][l] ^ setting[negate][p] << 31 for p in range(count)]
            results.append(f(*values))
        run.expect_vector(D + half, results)
    defaults = {'op_sel': 0, 'op_sel_hi': 1, 'neg_lo': 0, 'neg_hi': 0}
    tail = ''.join(f' {key}:[{",".join(map(str, bits))}]' for key, bits in setting.items() if any(b != defaults[key] for b in bits))
    suite.add(f'{name} v[{D}:{D + 1}], {", ".join(texts)}{tail}', [run])


def add_all(suite):
    for add in (add_counts, add_reads, add_permutations, add_exchanges, add_sums, add_dpp, add_parts, add_packed):
        add(suite)
