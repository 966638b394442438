#!/usr/bin/env python3
"""Runs a command under several orders of waves and blocks, or with results of transcendental functions that are off by one
unit in the last place: orders.py ISA_ORDER|ISA_NEAR SEED,SEED,... COMMAND...

The lines of its output that begin with "digest" must be the same each time. Exit code 1 where they are not.
"""
import os
import subprocess
import sys


def digests(variable, seed, command):
    run = subprocess.run(command, env={**os.environ, variable: seed}, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f'{variable}={seed}: exit code {run.returncode}\n{run.stdout[-2000:]}\n{run.stderr[-2000:]}')
    found = [line for line in run.stdout.splitlines() if line.startswith('digest')]
    if not found:
        sys.exit(f'{variable}={seed}: no digest in the output\n{run.stdout[-2000:]}')
    return found


def main():
    variable, seeds, command = sys.argv[1], sys.argv[2].split(','), sys.argv[3:]
    first = digests(variable, seeds[0], command)
    for seed in seeds[1:]:
        other = digests(variable, seed, command)
        if other != first:
            print(f'the output depends on {variable}: with {seeds[0]}\n  ' + '\n  '.join(first) + f'\nwith {seed}\n  ' + '\n  '.join(other))
            sys.exit(1)
    print(f'the same with {variable} = {", ".join(seeds)}:\n  ' + '\n  '.join(first))


if __name__ == '__main__':
    main()
