#!/usr/bin/env python3
"""Another project's kernels beside ours, by stage: peer.py OURS.csv NAME=THEIRS.csv..., files that ISA_COUNT wrote.

OURS: what cost.py --csv leaves (the last iteration counts). Copies and fills are left out on both sides.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'programs'))

import cost_model
import counts

# What a kernel's name contains -> the stage; rocPRIM's belong to the lists of tiles.
STAGES = {'projection_ewa': 'project', 'spherical_harmonics': 'project', 'intersect': 'tile lists', 'rocprim': 'tile lists',
          'pixels_3dgs_fwd': 'blend forward', 'pixels_3dgs_bwd': 'blend backward'}
COLUMNS = ('stage', '', 'launches', 'M wave instructions', 'active lanes', 'LDS conflicts', 'MB', 'k lanes of atomics',
           'registers', 'model: us', 'limit')


def stage_of(launch):
    for part, stage in STAGES.items():
        if part in launch.kernel:
            return stage
    sys.exit(f'{launch.kernel}: of no stage')


def by_stage(launches):
    stages = {}
    for launch in launches:
        stages.setdefault(stage_of(launch), []).append(launch)
    return stages


def row(stage, name, launches):
    total = counts.sum_of(launches)
    gpu = cost_model.gpu_of(launches[0].architecture)
    times = [(*cost_model.microseconds(gpu, launch), launch['registers']) for launch in launches]
    longest = max(times, key=lambda time: time[0])
    return [stage, name, str(total['launches']), f'{total.issued() / 1e6:.2f}', f'{total.lanes():.1f}',
            f'{100 * total["lds_conflicts"] / max(1, total["lds_cycles"]):.0f} %',
            f'{128 * (total["lines_read"] + total["lines_written"]) / 1e6:.1f}', f'{total["atomic_requests"] / 1e3:.0f}',
            str(longest[2]), f'{sum(time for time, _, _ in times):.1f}', longest[1]]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sides = [('ours', {stage: [part for part in parts if part.wave]
                       for stage, parts in counts.by_stage(counts.last_iteration(counts.read(sys.argv[1])))})]
    for argument in sys.argv[2:]:
        name, file = re.fullmatch(r'([^=]+)=(.+)', argument).groups()
        sides.append((name, by_stage(launch for launch in counts.read(file) if launch.wave)))
    print('| ' + ' | '.join(COLUMNS) + ' |\n' + '|---' * len(COLUMNS) + '|')
    shared = [stage for stage in sides[0][1] if all(stage in stages for _, stages in sides)]
    for stage in shared:
        for name, stages in sides:
            print('| ' + ' | '.join(row(stage, name, stages[stage])) + ' |')
    for name, stages in sides:
        print('| ' + ' | '.join(row('together', name, [launch for stage in shared for launch in stages[stage]])) + ' |')


if __name__ == '__main__':
    main()
