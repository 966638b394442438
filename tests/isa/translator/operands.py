"""Operands of the assembler as the C++ of machine/wave.h."""
import re
import struct

NAMED = {'vcc': 106, 'vcc_lo': 106, 'vcc_hi': 107, 'm0': 124, 'null': 125, 'exec': 126, 'exec_lo': 126, 'exec_hi': 127}
WIDE = ('u64', 'i64', 'f64')


class Unknown(Exception):
    """Something of an instruction that the translator does not know: an error of the build."""


def scalar_register(text):
    """Number of a scalar register, or of the first of several; None for anything else."""
    if text in NAMED:
        return NAMED[text]
    match = re.fullmatch(r's(\d+)|s\[(\d+):\d+\]|ttmp(\d+)|ttmp\[(\d+):\d+\]', text)
    if not match:
        return None
    return int(match[1] or match[2]) if match[1] or match[2] else 108 + int(match[3] or match[4])


def vector_register(text):
    match = re.fullmatch(r'v(\d+)|v\[(\d+):\d+\]', text)
    return int(match[1] or match[2]) if match else None


def half_register(text):
    """(number, 1 for the upper half) of half a vector register, as RDNA 3 and 4 name it; None for anything else."""
    match = re.fullmatch(r'v(\d+)\.([lh])', text)
    return (int(match[1]), 'lh'.index(match[2])) if match else None


def need_scalar(text):
    number = scalar_register(text)
    if number is None:
        raise Unknown(f'operand {text}')
    return number


def need_vector(text):
    number = vector_register(text)
    if number is None:
        raise Unknown(f'operand {text}')
    return number


def is_constant(text):
    return re.fullmatch(r'-?\d+|-?0x[0-9a-fA-F]+|-?\d+\.\d*(e-?\d+)?', text) is not None


def constant(text, kind):
    """Inline constants are of the operand's type; literals of 32 bits are the high half of a double."""
    if '.' in text:
        number = float(text)
        if kind in WIDE:
            bits = struct.unpack('<Q', struct.pack('<d', number))[0]
            if bits & 0xffffffff:
                raise Unknown(f'constant {text}')
            return f'k_high({bits >> 32:#x})'
        if kind in ('u16', 'i16'):
            raise Unknown(f'constant {text} of 16 bits')
        return f'k({struct.unpack("<I", struct.pack("<f", number))[0]:#x})'
    number, literal = int(text, 0), '0x' in text
    if kind == 'f64' and literal and number > 64:
        return f'k_high({number & 0xffffffff:#x})'
    if kind == 'i64' or (kind in WIDE and not literal):
        return f'k_signed({number & 0xffffffff:#x})'
    return f'k({number & 0xffffffff:#x})'


def source(text, kind):
    """A source of the type u32, f32 ... u16."""
    if is_constant(text):
        return constant(text, kind)
    negative = re.fullmatch(r'-(.+)|neg\((.+)\)', text)
    if negative:
        return source(negative[1] or negative[2], kind) + '.negative()'
    magnitude = re.fullmatch(r'\|(.+)\||abs\((.+)\)', text)
    if magnitude:
        return source(magnitude[1] or magnitude[2], kind) + '.magnitude()'
    half = half_register(text)
    if half:
        return f'v({half[0]}).part(Operand::kWord{half[1]})'
    number = vector_register(text)
    if number is not None:
        return f'v({number})'
    if text in ('scc', 'src_scc'):
        return 'scc()'
    if text == 'null':
        return 'k(0)'
    number = scalar_register(text)
    if number is None:
        raise Unknown(f'operand {text}')
    return f's({number})'


def next_word(operand):
    """The second word of an operand of two: for packed instructions."""
    match = re.fullmatch(r'([vs])\((\d+)\)', operand)
    if not match:
        raise Unknown(f'second half of {operand}')
    return f'{match[1]}({int(match[2]) + 1})'
