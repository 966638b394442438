#!/usr/bin/env python3
"""Compares what is counted of the program counted.hip with what it must be: counted.py PROGRAM."""
import sys

import cost

BLOCKS, MORE = 3, 7


def main():
    launches, _ = cost.count(sys.argv[1:])
    fills, kernels = launches[:3], launches[3:]
    wave = kernels[0].wave
    line = 64 if kernels[0].architecture in ('gfx906', 'gfx90a') else 128
    wrong = [f'fill {n}: {fill["load_bytes"]} bytes' for n, (fill, bytes_) in enumerate(
        zip(fills, (BLOCKS * wave * 4, BLOCKS * wave * 4 * 64, 32))) if fill['load_bytes'] != bytes_ or fill.wave]

    def expect(what, is_, must_be):
        if is_ != must_be:
            wrong.append(f'{what}: {is_}, not {must_be}')
    expect('launches', len(kernels), 2)
    for kernel in kernels:
        for column, must_be in {
                'waves': BLOCKS, 'blocks': BLOCKS, 'threads': wave,
                'load': 2 * BLOCKS, 'load_lanes': 2 * BLOCKS * wave, 'load_requests': 2 * BLOCKS * wave, 'load_bytes': 8 * BLOCKS * wave,
                'load_lines': BLOCKS * (wave * 4 // line + wave),
                'store': BLOCKS, 'store_requests': BLOCKS * wave, 'store_bytes': 4 * BLOCKS * wave, 'store_lines': BLOCKS * wave * 4 // line,
                'atomic': BLOCKS, 'atomic_requests': BLOCKS * wave, 'atomic_lines': BLOCKS,
                'lines_read': BLOCKS * wave * 4 // 128 + BLOCKS * wave + 1, 'lines_written': BLOCKS * wave * 4 // 128 + 1,
                # 32 lanes a cycle; every second bank: two cycles for them, and a lane waits for another.
                'lds': 3 * BLOCKS, 'lds_cycles': BLOCKS * (wave // 32) * 5, 'lds_conflicts': BLOCKS * (wave // 32) * 2,
                'transcendental': 3 * BLOCKS, 'transcendental_lanes': 3 * BLOCKS * 5, 'lane_moves': 0}.items():
            expect(f'{kernel.name} {column}', kernel[column], must_be)
        expect('longest', kernel['longest'] * BLOCKS, kernel.instructions())
    plain, more = kernels
    expect('vector instructions more', more['valu'] - plain['valu'], MORE * BLOCKS)
    expect('their lanes', more['valu_lanes'] - plain['valu_lanes'], MORE * BLOCKS * wave)
    expect('scalar instructions more', more['salu'] - plain['salu'], MORE * BLOCKS)
    expect('instructions more without hints', more.issued() - plain.issued(), 2 * MORE * BLOCKS)
    if wrong:
        sys.exit('wrongly counted:\n  ' + '\n  '.join(wrong))
    print(f'{len(kernels)} kernels counted as they must be, waves of {wave}')


if __name__ == '__main__':
    main()
