"""Cases of loads, stores and atomics: widths, offsets, ways of addressing, inactive lanes, the order of lanes."""
import exact
from cases import BUFFER_WORDS
from exact import MASK32
from lane_cases import put_half

D, DATA, ADDRESS = 20, 10, 2


def words(suite, count=BUFFER_WORDS):
    return [suite.random.getrandbits(32) for _ in range(count)]


def modes(suite):
    """(text of the address, sets up a run so that lane l reaches byte offsets[l], offset that the instruction adds)."""
    limit = 2047 if not suite.architecture.cdna else 4095
    yield 'v[2:3], off', lambda run, offsets: run.address(ADDRESS, offsets), 0
    for offset in (16, limit & ~3, -2048):
        yield f'v[2:3], off offset:{offset}', lambda run, offsets, o=offset: run.address(ADDRESS, [x - o for x in offsets]), offset
    yield 'v2, s[8:9]', lambda run, offsets: run.scalar_address(8, 0).vector(ADDRESS, offsets), 0
    yield 'v2, s[8:9] offset:20', lambda run, offsets: run.scalar_address(8, -40).vector(ADDRESS, [x + 20 for x in offsets]), 20


def places(suite, size, distinct=False):
    """Byte offsets of the lanes, multiples of 4 or of a smaller size."""
    step = min(size, 4)
    last = (BUFFER_WORDS * 4 - size) // step
    if distinct:
        room = BUFFER_WORDS * 4 // max(size, 4)
        return [max(size, 4) * n for n in suite.random.sample(range(room), suite.architecture.wave)]
    return [step * suite.random.randint(0, last) for _ in range(suite.architecture.wave)]


def read(content, offset, size):
    data = b''.join(x.to_bytes(4, 'little') for x in content)
    return int.from_bytes(data[offset:offset + size], 'little')


def write(content, offset, size, value):
    data = bytearray(b''.join(x.to_bytes(4, 'little') for x in content))
    data[offset:offset + size] = (value & (1 << 8 * size) - 1).to_bytes(size, 'little')
    content[:] = [int.from_bytes(data[i:i + 4], 'little') for i in range(0, len(data), 4)]


def active_lanes(run):
    return [l for l in range(run.architecture.wave) if run.exec_mask >> l & 1]


def registers(prefix, first, count):
    return f'{prefix}{first}' if count == 1 else f'{prefix}[{first}:{first + count - 1}]'


def add_loads(suite):
    narrow = (('ubyte', 1, False), ('ushort', 2, False), ('sbyte', 1, True), ('sshort', 2, True))
    loads = [('dword', 4, 1), ('dwordx2', 8, 2), ('dwordx3', 12, 3), ('dwordx4', 16, 4)] + [(n, s, 1) for n, s, _ in narrow]
    signed = {name for name, _, sign in narrow if sign}
    for name, size, count in loads:
        for text, setup, _ in modes(suite):
            for coherent in (False, True) if size in (4, 8) else (False,):
                runs, masks = [], suite.exec_masks()
                for _ in range(3):
                    content, offsets = words(suite), places(suite, size)
                    run = setup(suite.run().active(next(masks)).memory(content), offsets)
                    for i in range(count):
                        values = [read(content, o + 4 * i, min(size, 4)) for o in offsets]
                        if name in signed:
                            values = [exact.signed(x, 8 * size) & MASK32 for x in values]
                        run.expect_vector(D + i, values)
                    runs.append(run.expect_stops(1) if coherent else run)
                suite.add(f'global_load_{name} {registers("v", D, count)}, {text}' + (f' {suite.architecture.past_cache}' if coherent else ''), runs)
    # The address's registers are written: they must be read first.
    content, offsets = words(suite), places(suite, 8)
    run = suite.run().memory(content).address(ADDRESS, offsets)
    suite.add('global_load_dwordx2 v[2:3], v[2:3], off',
              [run.expect_vector(2, [read(content, o, 4) for o in offsets]).expect_vector(3, [read(content, o + 4, 4) for o in offsets])])


def add_for_all_scopes(suite, code, address, runs):
    """A store or an atomic as it is and, for one way of addressing, for the whole device."""
    suite.add(code, runs)
    scope = suite.architecture.for_the_device
    if scope and address == 'v[2:3], off':
        suite.add(f'{code} {scope}', runs)


def add_loads_of_halves(suite):
    """RDNA 3's loads of 8 and 16 bits into one half of a register, whose other half stays."""
    for name, size, sign in (('u8', 1, False), ('i8', 1, True), ('b16', 2, False)):
        for upper in (False, True):
            for text, setup, _ in modes(suite):
                content, offsets = words(suite), places(suite, size)
                old = words(suite, suite.architecture.wave)
                run = setup(suite.run().active(suite.random.getrandbits(suite.architecture.wave)).memory(content), offsets)
                values = [read(content, o, size) for o in offsets]
                values = [exact.signed(x, 8) if sign else x for x in values]
                run.vector(D, old).expect_vector(D, [put_half(x, upper, y) for x, y in zip(old, values)])
                suite.add(f'global_load_d16_{"hi_" if upper else ""}{name} v{D}, {text}', [run])


def add_stores(suite):
    stores = [('dword', 4, 1), ('dwordx2', 8, 2), ('dwordx3', 12, 3), ('dwordx4', 16, 4), ('byte', 1, 1), ('short', 2, 1)]
    for name, size, count in stores:
        for text, setup, _ in modes(suite):
            runs, masks = [], suite.exec_masks()
            for _ in range(3):
                content, offsets = words(suite), places(suite, size, distinct=True)
                if size < 4:
                    offsets = [o + size * suite.random.randrange(4 // size) for o in offsets]
                run = setup(suite.run().active(next(masks)).memory(content), offsets)
                data = [[suite.random.getrandbits(32) for _ in offsets] for _ in range(count)]
                for i, lanes in enumerate(data):
                    run.vector(DATA + i, lanes)
                after = list(content)
                for l in active_lanes(run):
                    for i in range(count):
                        write(after, offsets[l] + 4 * i, min(size, 4), data[i][l])
                runs.append(run.expect_memory(after))
            address, scalar = text.split(', ', 1)
            add_for_all_scopes(suite, f'global_store_{name} {address}, {registers("v", DATA, count)}, {scalar}', text, runs)


ATOMICS = {'add': lambda old, x, bits: old + x, 'sub': lambda old, x, bits: old - x, 'swap': lambda old, x, bits: x,
           'umax': lambda old, x, bits: max(old, x), 'umin': lambda old, x, bits: min(old, x),
           'smax': lambda old, x, bits: max(old, x, key=lambda n: exact.signed(n, bits)),
           'smin': lambda old, x, bits: min(old, x, key=lambda n: exact.signed(n, bits)),
           'and': lambda old, x, bits: old & x, 'or': lambda old, x, bits: old | x, 'xor': lambda old, x, bits: old ^ x}


def add_atomics(suite):
    for name, f in ATOMICS.items():
        for size, suffix in ((4, ''), (8, '_x2')):
            add_atomic(suite, f'global_atomic_{name}{suffix}', size, size // 4, lambda old, x, f=f, n=8 * size: f(old, x, n))

    def compare_and_swap(bits):
        return lambda old, x: x & (1 << bits) - 1 if old == x >> bits else old
    add_atomic(suite, 'global_atomic_cmpswap', 4, 2, compare_and_swap(32))
    add_atomic(suite, 'global_atomic_cmpswap_x2', 8, 4, compare_and_swap(64))
    if suite.architecture.sums_floats:
        add_atomic(suite, 'global_atomic_add_f32', 4, 1, None)


def add_atomic(suite, name, size, count, f):
    """Lanes meet at a few places; one lane after the other, in this order."""
    for text, setup, _ in modes(suite):
        for returning in (False, True) if f else (False,):
            runs, masks = [], suite.exec_masks()
            for _ in range(3):
                content = words(suite)
                offsets = [size * suite.random.randrange(8) for _ in range(suite.architecture.wave)]
                data = [suite.random.getrandbits(32 * count) for _ in offsets]
                if not f:  # sums that are exact in any order
                    content = [exact.from_float(float(suite.random.randrange(100))) for _ in content]
                    data = [exact.from_float(float(suite.random.randrange(100))) for _ in offsets]
                elif 'cmpswap' in name:
                    data = [x & (1 << 8 * size) - 1 | read(content, o, size) << 8 * size for x, o in zip(data, offsets)]
                run = setup(suite.run().active(next(masks)).memory(content), offsets)
                for i in range(count):
                    run.vector(DATA + i, [x >> 32 * i & MASK32 for x in data])
                after, old = list(content), [0] * len(offsets)
                for l in active_lanes(run):
                    old[l] = read(after, offsets[l], size)
                    write(after, offsets[l], size, f(old[l], data[l]) if f else exact.add(old[l], data[l]))
                run.expect_memory(after)
                if returning:
                    run.expect_vector(D, old, size == 8).expect_stops(1)
                runs.append(run)
            address, scalar = text.split(', ', 1)
            result = registers('v', D, size // 4) + ', ' if returning else ''
            add_for_all_scopes(suite, f'{name} {result}{address}, {registers("v", DATA, count)}, {scalar}' +
                               (f' {suite.architecture.returning}' if returning else ''), text, runs)


def add_scalar_loads(suite):
    cdna = suite.architecture.cdna
    for count in (1, 2, 4, 8, 16, *([3] if suite.architecture.generation == 12 else [])):
        name = f's_load_b{32 * count}' if count == 3 else 's_load_dword' + (f'x{count}' if count > 1 else '')
        for offset, text in ((0, '0x0'), (0x14, '0x14'), (-8, '-0x8'), (0, 'null'), (40, 's12')):
            if text == 'null' and cdna:
                continue
            content = words(suite)
            run = suite.run().active(0).memory(content).scalar_address(8, 64 - offset if text != 's12' else 24).scalar(12, 40)
            for i in range(count):
                run.expect_scalar(D + i, content[16 + i])
            suite.add(f'{name} {registers("s", D, count)}, s[8:9], {text}', [run])


def add_lds(suite):
    wave = suite.architecture.wave
    for bits, alignment in ((32, 4), (64, 8), (96, 16), (128, 16)):
        count = bits // 32
        for offset in (0, 48):
            tail = f' offset:{offset}' if offset else ''
            reads, writes, masks = [], [], suite.exec_masks()
            for _ in range(3):
                content, mask = words(suite, 512), next(masks)
                offsets = [alignment * n for n in suite.random.sample(range(1900 // alignment), wave)]
                offsets[:2] = 0, 32  # with an offset: before the start of LDS
                run = suite.run().active(mask).lds(content).vector(ADDRESS, [(o - offset) & MASK32 for o in offsets])
                for i in range(count):
                    run.expect_vector(D + i, [content[o // 4 + i] for o in offsets])
                reads.append(run)
                offsets = [16 * n + offset for n in suite.random.sample(range(110), wave)]
                run = suite.run().active(mask).lds(content).vector(ADDRESS, [o - offset for o in offsets])
                data = [words(suite, wave) for _ in range(count)]
                after = list(content)
                for i, lanes in enumerate(data):
                    run.vector(DATA + i, lanes)
                    for l in active_lanes(run):
                        after[offsets[l] // 4 + i] = lanes[l]
                writes.append(run.expect_lds(after))
            suite.add(f'ds_read_b{bits} {registers("v", D, count)}, v2{tail}', reads)
            suite.add(f'ds_write_b{bits} v2, {registers("v", DATA, count)}{tail}', writes)
    add_narrow_lds(suite)
    add_double_lds(suite)
    add_lds_atomics(suite)


def add_narrow_lds(suite):
    wave = suite.architecture.wave
    for size in (1, 2):
        for offset in (0, 54):
            tail = f' offset:{offset}' if offset else ''
            for sign in 'ui':
                content = words(suite, 512)
                offsets = [offset + size * suite.random.randrange(900 // size) for _ in range(wave)]
                run = suite.run().lds(content).vector(ADDRESS, [o - offset for o in offsets])
                values = [read(content, o, size) for o in offsets]
                run.expect_vector(D, [exact.signed(x, 8 * size) & MASK32 if sign == 'i' else x for x in values])
                suite.add(f'ds_read_{sign}{8 * size} v{D}, v2{tail}', [run])
            content = words(suite, 512)
            offsets = [offset + size * n for n in suite.random.sample(range(900 // size), wave)]
            run = suite.run().active(suite.random.getrandbits(wave)).lds(content).vector(ADDRESS, [o - offset for o in offsets])
            data, after = words(suite, wave), list(content)
            for l in active_lanes(run):
                write(after, offsets[l], size, data[l])
            suite.add(f'ds_write_b{8 * size} v2, v{DATA}{tail}', [run.vector(DATA, data).expect_lds(after)])


def add_double_lds(suite):
    wave = suite.architecture.wave
    for bits in (32, 64):
        count = bits // 32
        for stride, unit in (('', bits // 8), ('st64', 8 * bits)):
            for first, second in ((0, 1), (3, 2), (1, 0)):
                content = words(suite, 2048)
                starts = [8 * n for n in suite.random.sample(range(64), wave)]
                tail = (f' offset0:{first}' if first else '') + (f' offset1:{second}' if second else '')
                run = suite.run().active(suite.random.getrandbits(wave) | 1).lds(content).vector(ADDRESS, starts)
                for place, offset in enumerate((first, second)):
                    for i in range(count):
                        run.expect_vector(D + place * count + i, [content[(a + offset * unit) // 4 + i] for a in starts])
                suite.add(f'ds_read2{stride}_b{bits} {registers("v", D, 2 * count)}, v2{tail}', [run])
                starts = [64 * l // (2 if wave == 64 else 1) for l in range(wave)]
                run = suite.run().active(suite.random.getrandbits(wave) | 1).lds(content).vector(ADDRESS, starts)
                after = list(content)
                for place, offset in enumerate((first, second)):
                    data = [words(suite, wave) for _ in range(count)]
                    for i, lanes in enumerate(data):
                        run.vector(DATA + 4 * place + i, lanes)
                        for l in active_lanes(run):
                            after[(starts[l] + offset * unit) // 4 + i] = lanes[l]
                run.expect_lds(after)
                data_text = ', '.join(registers('v', DATA + 4 * place, count) for place in range(2))
                suite.add(f'ds_write2{stride}_b{bits} v2, {data_text}{tail}', [run])


def add_lds_atomics(suite):
    wave = suite.architecture.wave
    for name, key in (('add_u32', 'add'), ('sub_u32', 'sub'), ('min_u32', 'umin'), ('max_u32', 'umax'), ('min_i32', 'smin'),
                      ('max_i32', 'smax'), ('and_b32', 'and'), ('or_b32', 'or'), ('xor_b32', 'xor')):
        for returning in (False, True):
            content = words(suite, 512)
            offsets = [4 * suite.random.randrange(8) + 16 for _ in range(wave)]
            run = suite.run().active(suite.random.getrandbits(wave)).lds(content).vector(ADDRESS, [o - 16 for o in offsets])
            data, after, old = words(suite, wave), list(content), [0] * wave
            for l in active_lanes(run):
                old[l] = after[offsets[l] // 4]
                after[offsets[l] // 4] = ATOMICS[key](old[l], data[l], 32) & MASK32
            run.vector(DATA, data).expect_lds(after)
            verb, kind = name.split('_')
            code = f'ds_{verb}_rtn_{kind} v{D}, v2, v{DATA} offset:16' if returning else f'ds_{name} v2, v{DATA} offset:16'
            suite.add(code, [run.expect_vector(D, old) if returning else run])


def add_all(suite):
    if suite.architecture.generation > 10:
        add_loads_of_halves(suite)
    for add in (add_loads, add_stores, add_atomics, add_scalar_loads, add_lds):
        add(suite)
