"""The files that ISA_COUNT writes: a launch, a copy or a fill a line (runtime/statistics.h)."""
import csv
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'translator'))

from resources import short_name, waves
from units import UNITS

# Kernels of ours -> the stage of an iteration; rocPRIM's, copies and fills belong to the kernel that comes after them.
STAGES = {'project': 'project', 'gather': 'tile lists', 'emit': 'tile lists', 'ranges': 'tile lists',
          'blend_forward': 'blend forward', 'ssim': 'loss', 'count': 'blend backward', 'save_states': 'blend backward',
          'buckets': 'blend backward', 'list': 'blend backward', 'sum': 'blend backward', 'blend_backward': 'blend backward',
          'loss_gradient': 'loss', 'total': 'loss', 'update': 'update', 'packed_update': 'update',
          'statistics': 'update'}


class Launch:
    """A launch, or sums over several: counts by the name of the column."""

    def __init__(self, row=None):
        self.counts = {}
        if row:
            self.architecture, self.kernel = row['architecture'], row['kernel']
            self.name = short_name(self.kernel) or ('rocPRIM' if 'rocprim' in self.kernel else self.kernel)
            self.name = re.sub(r'<(32|64)(, )?', lambda m: '<' if m[2] else '<', self.name).replace('<>', '')
            self.counts = {key: int(value) for key, value in row.items() if key not in ('architecture', 'kernel')}
            self.counts['launches'] = int(self.wave > 0)
            self.counts['transfers'] = int(self.wave == 0)

    @property
    def wave(self):
        return self.counts['wave']

    def waves_at_once(self):
        """On a SIMD."""
        of_block = -(-self['threads'] // self.wave)
        return waves(self.architecture, self['registers'], self['lds'], of_block)

    def __getitem__(self, column):
        return self.counts.get(column, 0)

    def instructions(self):
        return sum(self[unit] for unit in UNITS)

    def issued(self):
        """Without waits and hints, for which no unit works."""
        return self.instructions() - self['wait']

    def lanes(self):
        """Active ones of a vector instruction, on average."""
        vector = [unit for unit in ('valu', 'slow', 'double', 'transcendental', 'dual', 'packed') if self[unit]]
        return sum(self[f'{unit}_lanes'] for unit in vector) / max(1, sum(self[unit] for unit in vector))


def read(path):
    with open(path, newline='') as file:
        return [Launch(row) for row in csv.DictReader(file)]


def last_iteration(launches):
    """From its first launch on, with the fills before that."""
    first = max(i for i, launch in enumerate(launches) if launch.name.startswith('project'))
    while first > 0 and launches[first - 1].wave == 0:
        first -= 1
    return launches[first:]


def by_stage(launches):
    """[(stage, its launches)] in order."""
    stages, waiting = {}, []
    for launch in launches:
        waiting.append(launch)
        stage = STAGES.get(re.sub(r'<.*', '', launch.name))
        if stage:
            stages.setdefault(stage, []).extend(waiting)
            waiting = []
    if stages:
        stages[list(stages)[-1]].extend(waiting)
    return list(stages.items())


def sum_of(launches):
    total = Launch()
    for launch in launches:
        for column, value in launch.counts.items():
            total.counts[column] = total.counts.get(column, 0) + value
    return total
