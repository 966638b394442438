"""llvm-objdump's text of a code object as instructions: name, operands, modifiers."""
import re
import subprocess

_LABEL = re.compile(r'[0-9a-f]+ <(\S+)>:$')
_LINE = re.compile(r'\s+(\S.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)')
_NO_OPERANDS_TO_SPLIT = ('s_waitcnt', 's_delay_alu', 's_clause')


class Instruction:
    """One machine instruction. modifiers: name -> value, True for those without one."""

    def __init__(self, text, at, words):
        self.text, self.at, self.words = text, at, words
        self.mnemonic, _, rest = text.partition(' ')
        self.operands, self.modifiers, self.halves = [], {}, []
        if self.mnemonic.startswith(_NO_OPERANDS_TO_SPLIT):
            self.operands = [rest]
        elif '::' in text:  # two instructions of RDNA 3 and 4 in one
            self.halves = [Instruction(half.strip().replace('v_dual_', 'v_', 1), at, words) for half in text.split('::')]
        else:
            self._split(rest)

    def _split(self, rest):
        parts = _top_level(rest, ',')
        if parts:
            first, *modifiers = _top_level(parts[-1], ' ')
            parts[-1] = first
            for modifier in modifiers:
                name, colon, value = modifier.partition(':')
                self.modifiers[name] = value if colon else True
        self.operands = parts

    @property
    def encoding(self):
        """dpp, sdwa, e32, e64 or nothing: the suffix of the mnemonic."""
        match = re.search(r'_(e64_dpp|dpp8|dpp|sdwa|e32|e64)$', self.mnemonic)
        return match[1] if match else ''

    @property
    def name(self):
        return self.mnemonic[:-len(self.encoding) - 1] if self.encoding else self.mnemonic

    def form(self):
        """The mnemonic with the modifiers that change what it does: what a test of its own must cover."""
        if self.halves:
            return ' :: '.join(half.mnemonic.replace('v_', 'v_dual_', 1) for half in self.halves)
        said = set()
        for name, value in self.modifiers.items():
            if name in ('offset', 'offset0', 'offset1', 'row_mask', 'bank_mask', 'slc', 'dlc', 'nv', 'nt'):
                continue
            if name in ('row_shr', 'row_shl', 'row_ror', 'row_share', 'row_xmask', 'quad_perm') or name.startswith('neg_'):
                said.add(name)
            elif name.startswith('op_sel'):
                said.add(name)
            elif name == 'row_bcast':
                said.add(f'{name}:{value}')
            elif name in ('src0_sel', 'src1_sel', 'dst_sel'):
                said.add(f'{name}:{re.sub("[0-9]$", "", value)}')
            else:
                said.add(name if value is True else f'{name}:{value}')
        for operand in self.operands if self.mnemonic.startswith('v_cmpx') else self.operands[1:]:
            said |= {'half'} if re.search(r'\.[lh]$', operand) else set()
            said |= {'neg'} if re.match(r'-[^0-9]|neg\(', operand) else set()
            said |= {'abs'} if re.match(r'-?\||abs\(', operand) else set()
        return ' '.join([self.mnemonic, *sorted(said)])


def _top_level(text, separator):
    """Splits at separators outside of brackets; without empty parts."""
    parts, depth, current = [], 0, ''
    for letter in text:
        depth += (letter in '[(') - (letter in '])')
        if letter == separator and depth == 0:
            parts.append(current.strip())
            current = ''
        else:
            current += letter
    return [part for part in [*parts, current.strip()] if part]


def disassemble(objdump, path):
    """Symbol -> its instructions, in order of address."""
    text = subprocess.run([*objdump, '-d', path], capture_output=True, text=True, check=True).stdout
    symbols, current = {}, None
    for line in text.splitlines():
        label = _LABEL.match(line)
        if label:
            current = symbols.setdefault(label[1], [])
            continue
        match = _LINE.match(line)
        if match and current is not None:
            current.append(Instruction(match[1].strip(), int(match[2], 16), [int(w, 16) for w in match[3].split()]))
    return symbols
