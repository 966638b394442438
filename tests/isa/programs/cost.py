#!/usr/bin/env python3
"""What a training iteration executes on an AMD GPU, by stage, and how long a model says it takes.

cost.py PROGRAM SPLATS WIDTH HEIGHT [ordered] [--kernels] [--csv FILE], with the environment that runs a program on the
plugin's machine code (README.md): PROGRAM is `iterations`. --kernels: a line a kernel as well. --csv: the counts themselves.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import cost_model
import counts

COLUMNS = ('', 'M wave instructions', 'vector', 'scalar', 'LDS', 'moves', 'memory', 'active lanes', 'LDS conflicts', 'lines a request',
           'MB', 'k lanes of atomics', 'model: us', 'limit')


def figures(name, launches):
    """A row of the table for a stage or a kernel."""
    total = counts.sum_of(launches)
    gpu = cost_model.gpu_of(launches[0].architecture)
    times = [(*cost_model.microseconds(gpu, launch), launch) for launch in launches if launch.wave]
    longest = max(times, key=lambda time: time[0]) if times else None
    vector = sum(total[unit] for unit in ('valu', 'slow', 'double', 'transcendental', 'dual', 'packed'))
    requests = total['load'] + total['store'] + total['atomic']
    lines = total['load_lines'] + total['store_lines'] + total['atomic_lines']
    mega = [f'{x / 1e6:.2f}' for x in (total.issued(), vector, total['salu'] + total['branch'] + total['scalar_load'], total['lds'],
                                        total['lane_moves'], requests)]
    return [name, *mega, f'{total.lanes():.1f}', f'{100 * total["lds_conflicts"] / max(1, total["lds_cycles"]):.0f} %',
            f'{lines / max(1, requests):.1f}', f'{128 * (total["lines_read"] + total["lines_written"]) / 1e6:.1f}',
            f'{total["atomic_requests"] / 1e3:.0f}', f'{sum(time for time, _, _ in times):.1f}', longest[1] if longest else '']


def table(launches, kernels):
    rows = []
    for stage, parts in counts.by_stage(launches):
        rows.append(figures(stage, parts))
        names = dict.fromkeys(part.name for part in parts if part.wave) if kernels else ()
        rows += [figures(f'· {name}', [part for part in parts if part.name == name]) for name in names]
    rows.append(figures('iteration', launches))
    lines = ['| ' + ' | '.join(row) + ' |' for row in (COLUMNS, *rows)]
    return [lines[0], '|---' * len(COLUMNS) + '|', *lines[1:]]


def count(command):
    """The launches of a command on the plugin's machine code."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'counts.csv'
        run = subprocess.run(command, env={**os.environ, 'ISA_COUNT': str(file)})
        if run.returncode != 0:
            sys.exit(f'{" ".join(command)}: exit code {run.returncode}')
        return counts.read(file), file.read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('command', nargs='+', metavar='PROGRAM SPLATS WIDTH HEIGHT')
    parser.add_argument('--kernels', action='store_true')
    parser.add_argument('--csv', type=pathlib.Path)
    arguments = parser.parse_args()
    launches, text = count(arguments.command)
    if arguments.csv:
        arguments.csv.write_text(text)
    launches = counts.last_iteration(launches)
    gpu = cost_model.gpu_of(launches[0].architecture)
    splats, width, height = arguments.command[1:4]
    print(f'{gpu.architecture}, {splats} splats, {width}x{height}; the model is of {gpu.name}\n')
    print('\n'.join(table(launches, arguments.kernels)))
    total = counts.sum_of(launches)
    print(f'\n{total["launches"]} launches, {total["transfers"]} copies and fills.')


if __name__ == '__main__':
    main()
