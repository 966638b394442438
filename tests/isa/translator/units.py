"""Which unit executes an instruction: the names of machine/units.inc."""
import pathlib
import re

UNITS = re.findall(r'^UNIT\((\w+)\)', (pathlib.Path(__file__).resolve().parent.parent / 'machine' / 'units.inc').read_text(), re.M)
# The first that fits.
_RULES = [(re.compile(pattern), unit) for pattern, unit in (
    (r's_(wait|nop|clause|delay|sleep|barrier|endpgm|inst_prefetch|set_inst_prefetch|setprio|icache|sendmsg|code_end)', 'wait'),
    (r'buffer_(gl|inv|wb)|global_(inv|wb)|v_nop', 'wait'),
    (r's_c?branch|s_cbranch', 'branch'),
    (r's_(buffer_)?load', 'scalar_load'),
    (r's_', 'salu'),
    (r'v_dual_', 'dual'),
    (r'v_pk_', 'packed'),
    (r'v_(exp|log|rcp|rcp_iflag|rsq|sqrt)_f32', 'transcendental'),
    (r'v_\w+_f64', 'double'),
    (r'v_(mul_lo_u32|mul_hi_[ui]32(?!_)|mad_(co_)?[ui]64_[ui]32|(lshl|lshr|ashr)rev_[bi]64|lshl_add_u64)', 'slow'),
    (r'v_', 'valu'),
    (r'ds_(bpermute|permute|swizzle)', 'lane_moves'),
    (r'ds_', 'lds'),
    (r'(global|flat)_load', 'load'),
    (r'(global|flat)_store', 'store'),
    (r'(global|flat)_atomic', 'atomic'))]


def unit_of(instruction):
    """Place in UNITS."""
    for pattern, unit in _RULES:
        if pattern.match(instruction.mnemonic):
            return UNITS.index(unit)
    raise KeyError(f'no unit executes {instruction.mnemonic}')


def changes_lanes(instruction):
    """Whether other lanes may be active after it."""
    written = instruction.operands[0] if instruction.operands else ''
    return 'saveexec' in instruction.mnemonic or instruction.mnemonic.startswith('v_cmpx') or written.startswith('exec')
