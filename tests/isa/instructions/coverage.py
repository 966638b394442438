#!/usr/bin/env python3
"""How many forms of instructions of the plugin have a test of their own: coverage.py PLUGIN_FORMS TESTED_FORMS.

A form is the mnemonic with its encoding and its modifiers. Fails below 98 %, and says what is missing.
"""
import sys

LEAST = 0.98


def forms(path):
    return {line.split(' ', 1)[1].strip(): int(line.split(' ', 1)[0]) for line in open(path)}


def main():
    used, tested = forms(sys.argv[1]), forms(sys.argv[2])
    missing = sorted(set(used) - set(tested))
    share, occurrences = 1 - len(missing) / len(used), sum(used[form] for form in used if form in tested)
    for form in missing:
        print(f'no test of its own: {form} ({used[form]} times)')
    print(f'{len(used) - len(missing)} of {len(used)} forms have a test of their own ({100 * share:.1f} %), '
          f'{100 * occurrences / sum(used.values()):.2f} % of {sum(used.values())} instructions')
    if share < LEAST:
        sys.exit(f'fewer than {100 * LEAST:.0f} %')


if __name__ == '__main__':
    main()
