"""Cases of vector instructions that read or write masks of lanes: comparisons, choices, carries, steps of divisions."""
import exact
from exact import MASK32, MASK64, NAN
from lane_cases import EDGES, WIDE, random_value, register

D = 20


def compare(kind, how, a, b):
    """Both as bits."""
    if kind in ('f32', 'f64'):
        number = exact.double if kind == 'f64' else lambda x: float('nan') if exact.is_nan(x) else exact.ordered_key(x)
        a, b = number(a), number(b)
        unordered = a != a or b != b
        negated = how in ('nge', 'ngt', 'nle', 'nlt', 'neq', 'nlg')
        if how in ('o', 'u'):
            return unordered == (how == 'u')
        if unordered:
            return negated
        if negated:
            return not compare('ordered', {'nlg': 'ne'}.get(how, how[1:]), a, b)
    elif kind[0] == 'i':
        a, b = exact.signed(a, int(kind[1:])), exact.signed(b, int(kind[1:]))
    return {'eq': a == b, 'ne': a != b, 'lg': a != b, 'lt': a < b, 'le': a <= b, 'gt': a > b, 'ge': a >= b}[how]


def pairs_of(suite, kind, number):
    """Sources of a run: edge values, a third of them equal."""
    random, lanes = suite.random, []
    for _ in range(suite.architecture.wave):
        a = random_value(random, kind)
        b = a if random.random() < 0.3 else random_value(random, kind)
        if kind in ('u16', 'i16'):
            a, b = a & 0xffff | random.getrandbits(16) << 16, b & 0xffff | random.getrandbits(16) << 16
        lanes.append((a, b))
    return [a for a, _ in lanes], [b for _, b in lanes]


def low(kind, x):
    return x & (1 << int(kind[1:])) - 1


def add_compare(suite, kind, how):
    architecture = suite.architecture
    wide = kind in WIDE
    inline = {'f32': ('0.5', 0x3f000000), 'f64': ('0.5', exact.double_bits(0.5))}.get(kind, ('-1', MASK64))
    for encoding, where in (('e32', architecture.vcc), ('e64', architecture.mask(30))):
        for form in ('vv', 'sv', 'iv') + (('vi', 'vs') if encoding == 'e64' else ()):
            runs, masks = [], suite.exec_masks()
            for number in range(3):
                a, b = pairs_of(suite, kind, number)
                run = suite.run().active(next(masks))
                values = [a, b]
                for place, what in enumerate(form):
                    if what == 's':
                        values[place] = [values[place][3]] * architecture.wave
                        run.scalar(8 + 4 * place, values[place][0], wide)
                    elif what == 'i':
                        values[place] = [inline[1]] * architecture.wave
                    else:
                        run.vector(2 + 4 * place, values[place], wide)
                result = sum(compare(kind, how, low(kind, x), low(kind, y)) << l for l, (x, y) in enumerate(zip(*values)))
                runs.append(run.expect_vcc(result) if encoding == 'e32' else run.expect_mask(30, result))
            texts = [{'v': register('v', 2 + 4 * p, kind), 's': register('s', 8 + 4 * p, kind), 'i': inline[0]}[what]
                     for p, what in enumerate(form)]
            suite.add(f'v_cmp_{how}_{kind}_{encoding} {where}, {texts[0]}, {texts[1]}', runs)
    if architecture.cdna:
        return
    for encoding in ('e32', 'e64'):
        for first in (('v', 's') if encoding == 'e64' else ('v',)):
            runs, masks = [], suite.exec_masks()
            for number in range(4):
                a, b = pairs_of(suite, kind, number)
                run = suite.run().active(next(masks)).vector(6, b, wide)
                if first == 's':
                    a = [a[3]] * architecture.wave
                    run.scalar(8, a[0], wide)
                else:
                    run.vector(2, a, wide)
                result = sum(compare(kind, how, low(kind, x), low(kind, y)) << l for l, (x, y) in enumerate(zip(a, b)))
                runs.append(run.expect_exec(result & run.exec_mask))
            a_text = register('v', 2, kind) if first == 'v' else register('s', 8, kind)
            suite.add(f'v_cmpx_{how}_{kind}_{encoding} {a_text}, {register("v", 6, kind)}', runs)


def add_signed_compares(suite):
    """Comparisons with the sign or the magnitude of a source changed."""
    for kind, sign in (('f32', exact.SIGN), ('f64', 1 << 63)):
        one, other, wide = register('v', 2, kind), register('v', 6, kind), kind in WIDE
        for how in ('lt', 'le', 'gt', 'ge', 'nlt', 'nle', 'ngt', 'nge'):
            for text, change in ((f'-{one}, {other}', lambda a, b: (a ^ sign, b)),
                                 (f'{one}, -{other}', lambda a, b: (a, b ^ sign)),
                                 (f'|{one}|, {other}', lambda a, b: (a & ~sign, b)),
                                 (f'{one}, -|{other}|', lambda a, b: (a, b | sign))):
                runs, active_runs, masks = [], [], suite.exec_masks()
                for _ in range(3):
                    a, b = pairs_of(suite, kind, 0)
                    result = sum(compare(kind, how, *change(x, y)) << l for l, (x, y) in enumerate(zip(a, b)))
                    mask = next(masks)
                    runs.append(suite.run().active(mask).vector(2, a, wide).vector(6, b, wide).expect_mask(30, result))
                    active_runs.append(
                        suite.run().active(mask).vector(2, a, wide).vector(6, b, wide).expect_exec(result & mask))
                suite.add(f'v_cmp_{how}_{kind}_e64 {suite.architecture.mask(30)}, {text}', runs)
                if not suite.architecture.cdna:
                    suite.add(f'v_cmpx_{how}_{kind}_e64 {text}', active_runs)


def add_class(suite, kind, bit_of):
    architecture = suite.architecture
    for form, text in (('v', 'v6'), ('s', 's8'), ('l', '0x260'), ('e32', 'v6')):
        if form == 'l' and architecture.cdna:
            continue
        runs, masks = [], suite.exec_masks()
        for number in range(6):
            a = [random_value(suite.random, kind) for _ in range(architecture.wave)]
            run = suite.run().active(next(masks)).vector(2, a, kind in WIDE)
            classes = [suite.random.getrandbits(10) if text == 'v6' else 1 << number for _ in a]
            if text == 'v6':
                run.vector(6, classes)
            elif form == 's':
                classes = [classes[0]] * len(a)
                run.scalar(8, classes[0])
            else:
                classes = [0x260] * len(a)
            result = sum((c >> bit_of(x) & 1) << l for l, (x, c) in enumerate(zip(a, classes)))
            runs.append(run.expect_vcc(result) if form == 'e32' else run.expect_mask(30, result))
        where = f'e32 {architecture.vcc}' if form == 'e32' else f'e64 {architecture.mask(30)}'
        suite.add(f'v_cmp_class_{kind}_{where}, {register("v", 2, kind)}, {text}', runs)


def add_classes(suite):
    add_class(suite, 'f32', exact.class_bit)
    add_class(suite, 'f64', exact.double_class_bit)


def add_cndmask(suite):
    architecture = suite.architecture
    for code, masked in ((f'v_cndmask_b32_e32 v{D}, v2, v6, {architecture.vcc}', 'vcc'),
                         (f'v_cndmask_b32_e64 v{D}, v2, v6, {architecture.mask(30)}', 's'),
                         (f'v_cndmask_b32_e64 v{D}, v2, -v6, {architecture.mask(30)}', 'neg'),
                         (f'v_cndmask_b32_e64 v{D}, |v2|, v6, {architecture.mask(30)}', 'abs'),
                         (f'v_cndmask_b32_e64 v{D}, -|v2|, v6, {architecture.mask(30)}', 'negative abs'),
                         (f'v_cndmask_b32_e64 v{D}, 1.0, v6, {architecture.mask(30)}', 'one'),
                         (f'v_cndmask_b32_e64 v{D}, v2, 0, {architecture.mask(30)}', 'zero')):
        runs, masks = [], suite.exec_masks()
        for _ in range(4):
            a, b = pairs_of(suite, 'f32', 0)
            chosen = suite.random.getrandbits(architecture.wave)
            run = suite.run().active(next(masks)).vector(2, a).vector(6, b)
            run = run.vcc(chosen) if masked == 'vcc' else run.scalar(30, chosen, architecture.wave == 64)
            b = [x ^ exact.SIGN if masked == 'neg' else 0 if masked == 'zero' else x for x in b]
            a = [x & ~exact.SIGN if masked == 'abs' else x | exact.SIGN if masked == 'negative abs' else 0x3f800000 if masked == 'one' else x for x in a]
            runs.append(run.expect_vector(D, [b[l] if chosen >> l & 1 else a[l] for l in range(architecture.wave)]))
        suite.add(code, runs)


def add_carries(suite):
    architecture, wave = suite.architecture, suite.architecture.wave
    sums = {'add': lambda a, b, c: a + b + c, 'sub': lambda a, b, c: a - b - c, 'subrev': lambda a, b, c: b - a - c}
    outs = [(architecture.vcc, None), (architecture.mask(30), 30)]
    for how, f in sums.items():
        for out, number in outs:
            for carried in (False, True):
                if architecture.cdna:
                    base = {'add': 'v_addc', 'sub': 'v_subb', 'subrev': 'v_subbrev'}[how] if carried else f'v_{how}'
                    name = f'{base}_co_u32_' + ('e32' if number is None else 'e64')
                else:
                    name = f'v_{how}_co_ci_u32_' + ('e32' if number is None else 'e64') if carried else f'v_{how}_co_u32'
                tail = f', {architecture.vcc if number is None else architecture.mask(34)}' if carried else ''
                for first in ('v2', 's8', '-1') + (() if number is None else ('v6',)):
                    if first == 's8' and carried and architecture.cdna:
                        continue  # CDNA reads one scalar, and the carry is one
                    second = 's12' if first == 'v6' and not architecture.cdna else 'v6'
                    runs, masks = [], suite.exec_masks()
                    for _ in range(3):
                        a, b = pairs_of(suite, 'u32', 0)
                        run = suite.run().active(next(masks)).vector(2, a).vector(6, b)
                        a = [0x80000001] * wave if first == 's8' else [MASK32] * wave if first == '-1' else b if first == 'v6' else a
                        run.scalar(8, 0x80000001).scalar(12, 0xfffffff0)
                        b = [0xfffffff0] * wave if second == 's12' else b
                        carries = suite.random.getrandbits(wave) if carried else 0
                        if carried:
                            run = run.vcc(carries) if number is None else run.scalar(34, carries, wave == 64)
                        exact_sums = [f(x, y, carries >> l & 1) for l, (x, y) in enumerate(zip(a, b))]
                        mask = sum((not 0 <= x <= MASK32) << l for l, x in enumerate(exact_sums))
                        run.expect_vector(D, [x & MASK32 for x in exact_sums])
                        runs.append(run.expect_vcc(mask) if number is None else run.expect_mask(30, mask))
                    suite.add(f'{name} v{D}, {out}, {first}, {second}{tail}', runs)


def add_wide_products(suite):
    architecture, wave = suite.architecture, suite.architecture.wave
    outs = [(architecture.mask(30), 30)] + ([] if architecture.cdna else [('null', None)])
    for name, signed in (('v_mad_u64_u32', False), ('v_mad_i64_i32', True)):
        for out, number in outs:
            for sources in (('v2', 'v6', 'v[10:11]'), ('s8', 'v6', 'v[10:11]'), ('v2', '3', 'v[10:11]'), ('v2', 'v6', '0'),
                            ('v2', 'v6', 's[8:9]')):
                runs, masks = [], suite.exec_masks()
                for _ in range(4):
                    a, b = pairs_of(suite, 'u32', 0)
                    c = [random_value(suite.random, 'u64') for _ in a]
                    run = suite.run().active(next(masks)).vector(2, a).vector(6, b).vector(10, c, True).scalar(8, 0xf0000007f0000003, True)
                    a = [0xf0000003] * wave if sources[0] == 's8' else a
                    b = [3] * wave if sources[1] == '3' else b
                    c = [0] * wave if sources[2] == '0' else [0xf0000007f0000003] * wave if sources[2] == 's[8:9]' else c
                    if signed:
                        a, b, c = [exact.signed(x) for x in a], [exact.signed(x) for x in b], [exact.signed(x, 64) for x in c]
                    totals = [x * y + z for x, y, z in zip(a, b, c)]
                    run.expect_vector(D, [x & MASK64 for x in totals], True)
                    if number is not None:
                        over = [not (-(1 << 63) <= x < 1 << 63 if signed else 0 <= x <= MASK64) for x in totals]
                        run.expect_mask(number, sum(bit << l for l, bit in enumerate(over)))
                    runs.append(run)
                suite.add(f'{name} v[{D}:{D + 1}], {out}, {", ".join(sources)}', runs)


DIVISION = '''v_div_scale_f32 v10, VCC, v6, v6, v2
v_rcp_f32_e32 v11, v10
v_fma_f32 v12, -v10, v11, 1.0
v_fma_f32 v11, v12, v11, v11
v_div_scale_f32 v13, VCC, v2, v6, v2
v_mul_f32_e32 v14, v13, v11
v_fma_f32 v15, -v10, v14, v13
v_fma_f32 v14, v15, v11, v14
v_fma_f32 v15, -v10, v14, v13
v_div_fmas_f32 v15, v15, v11, v14
v_div_fixup_f32 v20, v15, v6, v2'''


def add_division(suite):
    """Each step, and all of them as the compiler writes a division: that must be IEEE 754's."""
    architecture, wave = suite.architecture, suite.architecture.wave
    for out, number in ((architecture.vcc, None), (architecture.mask(30), 30)):
        for text, same in (('v2, v2, v6', 1), ('v6, v2, v6', 2), ('v2, v6, v10', 0), ('-v2, v6, -v2', 3)):
            if same == 3 and number is None:
                text = '-v2, v6, -v2'
            runs, masks = [], suite.exec_masks()
            for _ in range(6):
                run = suite.run().active(next(masks))
                v = {n: [random_value(suite.random, 'f32') for _ in range(wave)] for n in (2, 6, 10)}
                for n, lanes in v.items():
                    run.vector(n, lanes)
                order = {1: (2, 2, 6), 2: (6, 2, 6), 0: (2, 6, 10), 3: (2, 6, 2)}[same]
                results = []
                for l in range(wave):
                    a, b, c = (v[n][l] for n in order)
                    results.append(exact.div_scale(*((exact.negated(a), b, exact.negated(c)) if same == 3 else (a, b, c))))
                run.expect_vector(D, [x for x, _ in results])
                mask = sum(undo << l for l, (_, undo) in enumerate(results))
                runs.append(run.expect_vcc(mask) if number is None else run.expect_mask(30, mask))
            suite.add(f'v_div_scale_f32 v{D}, {out}, {text}', runs)
    runs, masks = [], suite.exec_masks()
    for _ in range(10):
        undo = suite.random.getrandbits(wave)
        v = [[random_value(suite.random, 'f32') for _ in range(wave)] for _ in range(3)]
        run = suite.run().active(next(masks)).vcc(undo)
        for n, lanes in zip((2, 6, 10), v):
            run.vector(n, lanes)
        runs.append(run.expect_vector(D, [exact.div_fmas(v[0][l], v[1][l], v[2][l], undo >> l & 1) for l in range(wave)]))
    suite.add(f'v_div_fmas_f32 v{D}, v2, v6, v10', runs)
    runs = []
    for number in range(30):
        edges = EDGES['f32']
        pairs = [(edges[(number * wave + l) // len(edges) % len(edges)], edges[(number * wave + l) % len(edges)]) if number < 26
                 else (random_value(suite.random, 'f32'), random_value(suite.random, 'f32')) for l in range(wave)]
        run = suite.run().vector(2, [a for a, _ in pairs]).vector(6, [b for _, b in pairs])
        for n in (*range(10, 16), 106, 107):
            run.lines.append(f'? {"v" if n < 100 else "s"} {n}')
        runs.append(run.expect_vector(D, [exact.quotient(a, b) for a, b in pairs]))
    suite.add(DIVISION.replace('VCC', architecture.vcc), runs)


DIVISION_OF_DOUBLES = '''v_div_scale_f64 v[10:11], VCC, v[6:7], v[6:7], v[2:3]
v_rcp_f64_e32 v[12:13], v[10:11]
v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0
v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]
v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0
v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]
v_div_scale_f64 v[14:15], VCC, v[2:3], v[6:7], v[2:3]
v_mul_f64 v[16:17], v[14:15], v[12:13]
v_fma_f64 v[14:15], -v[10:11], v[16:17], v[14:15]
v_div_fmas_f64 v[14:15], v[14:15], v[12:13], v[16:17]
v_div_fixup_f64 v[20:21], v[14:15], v[6:7], v[2:3]'''


def add_division_of_doubles(suite):
    """Of numbers whose reciprocals and quotients are neither denormals nor infinite."""
    architecture, wave, random = suite.architecture, suite.architecture.wave, suite.random

    def some(power):
        x = random.choice((1, -1)) * random.uniform(1, 2) * 2.0 ** random.randint(-power, power)
        return exact.double_bits(random.choice((x, x, x, x, 1.0, -1.5)))
    for out, number in ((architecture.vcc, None), (architecture.mask(30), 30)):
        for text, order in (('v[2:3], v[2:3], v[6:7]', (2, 2, 6)), ('v[6:7], v[2:3], v[6:7]', (6, 2, 6))):
            runs, masks = [], suite.exec_masks()
            for power in (20, 300, 450):
                v = {n: [some(power) for _ in range(wave)] for n in (2, 6)}
                run = suite.run().active(next(masks)).vector(2, v[2], True).vector(6, v[6], True)
                results = [exact.div_scale_double(*(v[n][l] for n in order)) for l in range(wave)]
                run.expect_vector(D, [x for x, _ in results], True)
                mask = sum(undo << l for l, (_, undo) in enumerate(results))
                runs.append(run.expect_vcc(mask) if number is None else run.expect_mask(30, mask))
            suite.add(f'v_div_scale_f64 v[{D}:{D + 1}], {out}, {text}', runs)
    runs, masks = [], suite.exec_masks()
    for _ in range(4):
        undo, v = random.getrandbits(wave), [[some(200) for _ in range(wave)] for _ in range(3)]
        run = suite.run().active(next(masks)).vcc(undo)
        for n, lanes in zip((2, 6, 10), v):
            run.vector(n, lanes, True)
        runs.append(run.expect_vector(D, [exact.div_fmas_double(*(x[l] for x in v), undo >> l & 1) for l in range(wave)], True))
    suite.add(f'v_div_fmas_f64 v[{D}:{D + 1}], v[2:3], v[6:7], v[10:11]', runs)
    runs = []
    for power in (3, 40, 300, 450, 500):
        a, b = ([some(power) for _ in range(wave)] for _ in range(2))
        run = suite.run().vector(2, a, True).vector(6, b, True)
        for n in (*range(10, 18), 106, 107):
            run.lines.append(f'? {"v" if n < 100 else "s"} {n}')
        runs.append(run.expect_vector(D, [exact.quotient_double(x, y) for x, y in zip(a, b)], True))
    suite.add(DIVISION_OF_DOUBLES.replace('VCC', architecture.vcc), runs)


def add_all(suite):
    for kind in ('u32', 'i32', 'u64', 'i64', 'u16'):
        for how in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'):
            add_compare(suite, kind, how)
    for how in ('eq', 'lg', 'lt', 'le', 'gt', 'ge', 'nge', 'ngt', 'nle', 'nlt', 'neq', 'nlg', 'o', 'u'):
        add_compare(suite, 'f32', how)
        add_compare(suite, 'f64', how)
    for add in (add_signed_compares, add_classes, add_cndmask, add_carries, add_wide_products, add_division, add_division_of_doubles):
        add(suite)
