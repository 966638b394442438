"""Every instruction as one statement of C++ (machine/*.h). What is not known here is an error, never skipped."""
import pathlib
import re

from operands import Unknown, half_register, is_constant, need_scalar, need_vector, next_word, source

MACHINE = pathlib.Path(__file__).resolve().parent.parent / 'machine'
# Names of other generations for the same operation.
SAME = {
    'v_add_nc_u32': 'v_add_u32', 'v_sub_nc_u32': 'v_sub_u32', 'v_subrev_nc_u32': 'v_subrev_u32',
    'v_add_nc_u16': 'v_add_u16', 'v_sub_nc_u16': 'v_sub_u16',
    'v_ctz_i32_b32': 'v_ffbl_b32', 'v_clz_i32_u32': 'v_ffbh_u32', 'v_fmamk_f32': 'v_fma_f32', 'v_fmaak_f32': 'v_fma_f32',
    's_ctz_i32_b32': 's_ff1_i32_b32', 's_ctz_i32_b64': 's_ff1_i32_b64', 's_clz_i32_u32': 's_flbit_i32_b32',
    's_and_not1_b32': 's_andn2_b32', 's_and_not1_b64': 's_andn2_b64', 's_or_not1_b32': 's_orn2_b32',
    's_or_not1_b64': 's_orn2_b64', 's_add_co_i32': 's_add_i32', 's_addk_co_i32': 's_addk_i32',
    's_sub_co_i32': 's_sub_i32', 's_add_co_u32': 's_add_u32', 's_sub_co_u32': 's_sub_u32',
    's_add_co_ci_u32': 's_addc_u32', 's_sub_co_ci_u32': 's_subb_u32', 's_add_nc_u64': 's_add_u64',
    's_sub_nc_u64': 's_sub_u64', 's_fmac_f32': 's_fma_f32', 's_fmamk_f32': 's_fma_f32', 's_fmaak_f32': 's_fma_f32',
}
# Order the waves run in, caches, hints: nothing to do where waves run one after the other.
WITHOUT_EFFECT = set('''
s_waitcnt s_waitcnt_depctr s_waitcnt_vscnt s_waitcnt_lgkmcnt s_delay_alu s_clause s_nop s_inst_prefetch
s_set_inst_prefetch_distance s_setprio s_icache_inv s_sendmsg v_nop buffer_gl0_inv buffer_gl1_inv buffer_inv buffer_wbl2
global_inv global_wb s_wait_alu s_wait_dscnt s_wait_kmcnt s_wait_loadcnt s_wait_loadcnt_dscnt s_wait_storecnt
s_wait_storecnt_dscnt s_wait_event s_barrier_signal'''.split())
# The last source is the destination.
CHANGED_IN_PLACE = ('s_fmac_f32', 's_bitset0_b32', 's_bitset1_b32')
COMPARES = {'eq': 'kEq', 'ne': 'kNe', 'lg': 'kLg', 'lt': 'kLt', 'le': 'kLe', 'gt': 'kGt', 'ge': 'kGe', 'nge': 'kNge',
            'ngt': 'kNgt', 'nle': 'kNle', 'nlt': 'kNlt', 'neq': 'kNeq', 'nlg': 'kNlg', 'o': 'kO', 'u': 'kU',
            'class': 'kClass'}
CACHE_HINTS = ('slc', 'dlc', 'nv', 'nt')


def _table(file, pattern, columns):
    found = {}
    for line in (MACHINE / file).read_text().splitlines():
        match = re.match(pattern, line)
        if match:
            found[match[3]] = columns(match)
    return found


# name -> (type of the result, types of the sources)
LANE_OPS = _table('lane_ops.inc', r'LANE_(OP|LIBM|WIDE)(\d)\((\w+), (.*)',
                  lambda m: (m[4].split(', ')[0], m[4].split(', ')[1:1 + int(m[2])]))
SCALAR_OPS = _table('scalar_ops.inc', r'SCALAR_(OP|SCC|CARRY)(\d)\((\w+), (.*)', lambda m: m[4].split(', ')[1:1 + int(m[2])])
SCALAR_OPS |= _table('scalar_ops.inc', r'SCALAR_(BITS(\d)|COPY|SELECT)\((\w+), (\w+)',
                     lambda m: [m[4]] * (2 if m[1] == 'SELECT' else int(m[2] or 1)))


class Translator:
    """For kernels of one wave size. take(): modifiers that a rule has used; what is left over is not known."""

    def __init__(self, wave):
        self.wave = wave
        self.lanes = f'u{wave}'
        self.exec = 'exec' if wave == 64 else 'exec_lo'

    def statement(self, instruction):
        """C++ of the instruction; Unknown for what has no rule."""
        if instruction.mnemonic in WITHOUT_EFFECT:
            return ''
        if instruction.halves:
            return self._dual(instruction)
        self.left = dict(instruction.modifiers)
        name = SAME.get(instruction.name, instruction.name)
        for rule in (self._scalar, self._branch, self._compare, self._carry, self._packed, self._between_lanes,
                     self._lds, self._global, self._lane):
            code = rule(name, instruction)
            if code is not None:
                break
        else:
            raise Unknown('instruction')
        if self.left:
            raise Unknown(f'modifier {", ".join(self.left)}')
        return code

    def take(self, name, default=None):
        return self.left.pop(name, default)

    def number(self, name):
        return int(self.take(name, '0'), 0)

    # ---- scalar

    def _scalar(self, name, i):
        ops = i.operands
        if name in SCALAR_OPS:
            sources = ops[1:]
            if name in ('s_addk_i32', 's_mulk_i32'):
                sources = [ops[0], _short(ops[1])]
            elif i.name in CHANGED_IN_PLACE:
                sources = [*ops[1:], ops[0]]
            elif name == 's_movk_i32':
                sources = [_short(ops[1])]
            return self._call(name, need_scalar(ops[0]), self._sources(sources, SCALAR_OPS[name]))
        match = re.fullmatch(r's_cmp(k?)_(\w+)_([ui](?:32|64)|f32)', name)
        if match:
            b = ops[1] if not match[1] else _short(ops[1]) if match[3][0] == 'i' else str(int(ops[1], 0) & 0xffff)
            kind = 'u64' if match[3].endswith('64') else match[3]
            return f's_cmp<{kind}>(w, Compare::{COMPARES[match[2]]}, {source(ops[0], kind)}, {source(b, kind)});'
        if name == 's_getpc_b64':
            return f's_getpc_b64(w, {need_scalar(ops[0])}, loaded_at + {i.at + 4:#x});'
        if name in ('s_bitcmp0_b32', 's_bitcmp1_b32'):
            return f'{name}(w, {source(ops[0], "u32")}, {source(ops[1], "u32")});'
        match = re.fullmatch(r's_(and|or|xor|andn2|and_not1|orn2|or_not1|andn1|orn1)_saveexec_b(32|64)', name)
        if match:
            if int(match[2]) != self.wave:
                raise Unknown('mask of the other wave size')
            how = {'and': 'kAnd', 'or': 'kOr', 'xor': 'kXor', 'andn2': 'kAndNot2', 'and_not1': 'kAndNot2',
                   'orn2': 'kOrNot2', 'or_not1': 'kOrNot2', 'andn1': 'kAndNot1', 'orn1': 'kOrNot1'}[match[1]]
            return f's_saveexec(w, Mask::{how}, {need_scalar(ops[0])}, {source(ops[1], self.lanes)});'
        match = re.fullmatch(r's_load_(?:dword(?:x(\d+))?|b(\d+))', name)
        if match:
            words = int(match[2]) // 32 if match[2] else int(match[1] or 1)
            offset, more = self.number('offset'), 'k(0)'
            if len(ops) > 2 and is_constant(ops[2]):
                offset += int(ops[2], 0)
            elif len(ops) > 2:
                more = source(ops[2], 'u32')
            for hint in ('glc', 'sc1', 'scope', *CACHE_HINTS):
                self.take(hint)
            return f's_load(w, {need_scalar(ops[0])}, {need_scalar(ops[1])}, {more}, {offset}, {words});'
        return None

    def _branch(self, name, i):
        if name == 's_endpgm':
            return 'return kDone;'
        if name == 's_trap':
            return 'trapped(w);'
        # On RDNA 3 clang writes after s_trap what its handler would do: it asks for the queue's number and halts the wave.
        if name == 's_sethalt' or (name == 's_sendmsg_rtn_b32' and i.operands[1] == 'sendmsg(MSG_RTN_GET_DOORBELL)'):
            return 'trapped(w);'
        if name in ('s_barrier', 's_barrier_wait'):
            return f'w.resume = {i.at:#x}; return kBarrier; R{i.at:x}:;'
        if name == 's_sleep':
            return self._yield(i)
        match = re.fullmatch(r's_(?:cbranch_)?(branch|scc0|scc1|vccz|vccnz|execz|execnz)', name)
        if not match or (match[1] == 'branch') != (name == 's_branch'):
            return None
        distance = int(i.operands[0].split()[0], 0)
        target = i.at + 4 + 4 * (distance - 65536 if distance >= 32768 else distance)
        back = ' still_running(w);' if target <= i.at else ''
        condition = {'branch': 'true', 'scc0': '!scc_is_set(w)', 'scc1': 'scc_is_set(w)', 'vccz': 'vcc_is_zero(w)',
                     'vccnz': '!vcc_is_zero(w)', 'execz': 'exec_is_zero(w)', 'execnz': '!exec_is_zero(w)'}[match[1]]
        return f'if ({condition}) {{{back} goto L{target:x}; }}'

    @staticmethod
    def _yield(i):
        return f'w.resume = {i.at:#x}; return kYield; R{i.at:x}:;'

    # ---- vector

    def _call(self, name, destination, sources):
        return f'{name}(w, {destination}, {", ".join(sources)});'

    def _sources(self, texts, kinds):
        if len(texts) != len(kinds):
            raise Unknown(f'{len(texts)} sources instead of {len(kinds)}')
        return [source(text, kind) for text, kind in zip(texts, kinds)]

    def _selected(self, sources):
        """SDWA: a byte or a word of a source."""
        result = []
        for number, operand in enumerate(sources):
            which = self.take(f'src{number}_sel', 'DWORD')
            sign = operand.endswith('.with_sign()')
            part = {'DWORD': '', **{f'BYTE_{n}': f'.part(Operand::kByte{n})' for n in range(4)},
                    'WORD_0': '.part(Operand::kWord0)', 'WORD_1': '.part(Operand::kWord1)'}[which]
            result.append(operand + part if not sign else operand)
        return result

    def _prepare(self, i, kinds, texts):
        """Sources with SDWA and DPP; the C++ before the call."""
        sources = self._sources(texts, kinds)
        if i.encoding == 'sdwa':
            if self.take('dst_sel', 'DWORD') != 'DWORD' or self.take('dst_unused', 'UNUSED_PAD') != 'UNUSED_PAD':
                raise Unknown('part of a destination')
            if any(text.startswith('sext(') for text in texts):
                raise Unknown('sign-extended part')
            sources = self._selected(sources)
        before = ''
        if 'dpp' in i.encoding:
            if self.wave == 32 and 'row_bcast' in self.left:
                raise Unknown('row_bcast beside a wave of 32')
            before = f'const DppScope<{self.wave}> moved(w, {sources[0]}, {self._dpp()}); '
            sources[0] = 'v(kSpare)'
        return before, sources

    def _dpp(self):
        rows, banks = int(self.take('row_mask', '0xf'), 0), int(self.take('bank_mask', '0xf'), 0)
        zeros = 'true' if self.take('bound_ctrl') else 'false'
        ways = {'row_shl': 'kRowShl', 'row_shr': 'kRowShr', 'row_ror': 'kRowRor', 'row_share': 'kRowShare',
                'row_xmask': 'kRowXmask', 'row_mirror': 'kRowMirror', 'row_half_mirror': 'kRowHalfMirror',
                'wave_shl': 'kWaveShl', 'wave_shr': 'kWaveShr'}
        for name, how in ways.items():
            if name in self.left:
                by = self.take(name)
                return f'{{Dpp::{how}, {0 if by is True else int(by)}, {rows}, {banks}, {zeros}}}'
        if 'row_bcast' in self.left:
            return f'{{Dpp::kRowBcast{int(self.take("row_bcast"))}, 0, {rows}, {banks}, {zeros}}}'
        if 'quad_perm' in self.left:
            lanes = [int(n) for n in self.take('quad_perm').strip('[]').split(',')]
            by = sum(lane << 2 * n for n, lane in enumerate(lanes))
            return f'{{Dpp::kQuadPerm, {by}, {rows}, {banks}, {zeros}}}'
        raise Unknown('data-parallel primitive')

    def _lane(self, name, i):
        ops = list(i.operands)
        half = half_register(ops[0])  # RDNA 3 names the halves of registers in operands of 16 bits
        if any(half_register(op) for op in ops):
            self._check_op_sel(ops)
        d = 'kSpare' if half else None
        after = f' put_half(w, {half[0]}, {"true" if half[1] else "false"});' if half else ''
        if name == 'v_cndmask_b32' or (name == 'v_cndmask_b16' and half):
            mask = need_scalar(ops.pop()) if len(ops) > 3 else 106
            before, sources = self._prepare(i, ['u32', 'u32'], ops[1:])
            return f'{{{before}v_cndmask_b32(w, {d or need_vector(ops[0])}, {", ".join(sources)}, {mask});{after}}}'
        if name in ('v_add_u32', 'v_sub_u32', 'v_subrev_u32') and self.take('clamp'):
            name += '_clamp'
        if name not in LANE_OPS and name not in ('v_div_fmas_f32', 'v_div_fmas_f64'):
            return None
        result, kinds = LANE_OPS.get(name, (name[-3:], [name[-3:]] * 3))
        if name in ('v_fmac_f32', 'v_fmac_f64', 'v_mac_f32'):
            ops.append(ops[0])
        before, sources = self._prepare(i, kinds, ops[1:])
        d = d or need_vector(ops[0])
        if result == 'f32':
            factor = {'2': '2.0f', '4': '4.0f'}.get(self.take('mul')) or ('0.5f' if self.take('div') else None)
            after += f' scale_f32(w, {d}, {factor});' if factor else ''
            after += f' clamp_f32(w, {d});' if self.take('clamp') else ''
        return f'{{{before}{self._call(name, d, sources)}{after}}}'

    def _check_op_sel(self, operands):
        """The modifier says once more which halves the operands name."""
        said = self.take('op_sel')
        named = [int(operand.endswith('.h')) for operand in [*operands[1:], operands[0]]]
        if said and [int(bit) for bit in said.strip('[]').split(',')] != named:
            raise Unknown(f'op_sel:{said}')

    def _compare(self, name, i):
        match = re.fullmatch(r'v_cmp(x?)_(\w+)_([uif](?:16|32|64))', name)
        if not match:
            return None
        ops = i.operands
        if match[1] and len(ops) != 2:
            raise Unknown('v_cmpx with a destination')
        kinds = [match[3], 'u32' if match[2] == 'class' else match[3]]
        before, sources = self._prepare(i, kinds, ops if match[1] else ops[1:])
        where = '' if match[1] else f'{need_scalar(ops[0])}, '
        return (f'{{{before}v_cmp{match[1]}<{self.wave}, {match[3]}>(w, Compare::{COMPARES[match[2]]}, {where}'
                f'{", ".join(sources)});}}')

    def _carry(self, name, i):
        ops = i.operands
        match = re.fullmatch(r'v_(add|sub|subrev)_co_(ci_)?u32|v_(addc|subb|subbrev)_co_u32', name)
        if match:
            word = match[1] or {'addc': 'add', 'subb': 'sub', 'subbrev': 'subrev'}[match[3]]
            how = {'add': 'Sum::kAdd', 'sub': 'Sum::kSub', 'subrev': 'Sum::kSubrev'}[word]
            d, out = need_vector(ops[0]), need_scalar(ops[1])
            if match[2] or match[3]:
                sources = self._sources(ops[2:4], ['u32', 'u32'])
                return f'v_sum_co_ci_u32(w, {how}, {d}, {out}, {", ".join(sources)}, {need_scalar(ops[4])});'
            return f'v_sum_co_u32(w, {how}, {d}, {out}, {", ".join(self._sources(ops[2:], ["u32", "u32"]))});'
        match = re.fullmatch(r'v_mad_(?:co_)?(u64_u32|i64_i32)', name)
        kinds = None
        if match:
            name = f'v_mad_{match[1]}'
            kinds = ['u32', 'u32', 'u64'] if match[1] == 'u64_u32' else ['i32', 'i32', 'i64']
        elif name in ('v_div_scale_f32', 'v_div_scale_f64'):
            kinds = [name[-3:]] * 3
        if kinds is None:
            return None
        return f'{name}(w, {need_vector(ops[0])}, {need_scalar(ops[1])}, {", ".join(self._sources(ops[2:], kinds))});'

    def _packed(self, name, i):
        if not re.fullmatch(r'v_pk_(mov_b32|(add|mul|fma)_f32)', name):
            return None
        count = len(i.operands) - 1
        bits = {key: [int(bit) for bit in self.take(key, default).strip('[]').split(',')]
                for key, default in (('op_sel', '[0,0,0]'), ('op_sel_hi', '[1,1,1]'), ('neg_lo', '[0,0,0]'),
                                     ('neg_hi', '[0,0,0]'))}

        def half(number, upper, negative):
            text = i.operands[1 + number]
            operand = source(text, 'f32')
            if upper:
                if text != '0' and is_constant(text):
                    raise Unknown('upper half of a constant')
                operand = operand if text == '0' else next_word(operand)
            return operand + ('.negative()' if negative else '')
        if name == 'v_pk_mov_b32':
            sources = [half(n, bits['op_sel'][n], 0) for n in range(2)]
        else:
            sources = [half(n, bits['op_sel'][n], bits['neg_lo'][n]) for n in range(count)]
            sources += [half(n, bits['op_sel_hi'][n], bits['neg_hi'][n]) for n in range(count)]
        return self._call(name, need_vector(i.operands[0]), sources)

    def _between_lanes(self, name, i):
        ops = i.operands
        if name == 'v_readfirstlane_b32':
            return f'{name}(w, {need_scalar(ops[0])}, {source(ops[1], "u32")});'
        if name in ('v_readlane_b32', 'v_writelane_b32'):
            d = need_scalar(ops[0]) if name == 'v_readlane_b32' else need_vector(ops[0])
            return f'{name}(w, {d}, {source(ops[1], "u32")}, {source(ops[2], "u32")});'
        if name == 'v_permlanex16_b32':
            return self._call(name, need_vector(ops[0]), self._sources(ops[1:], ['u32'] * 3))
        if name in ('v_mbcnt_lo_u32_b32', 'v_mbcnt_hi_u32_b32'):
            return self._call(name, need_vector(ops[0]), self._sources(ops[1:], ['u32', 'u32']))
        if name == 'ds_bpermute_b32':
            d, lanes, a = (need_vector(op) for op in ops)
            return f'ds_bpermute_b32(w, {d}, v({lanes}), v({a}), {self.number("offset")});'
        if name == 'ds_swizzle_b32':
            self.take('offset')
            return f'ds_swizzle_b32(w, {need_vector(ops[0])}, v({need_vector(ops[1])}), {i.words[0] & 0xffff:#x});'
        return None

    # ---- memory

    def _lds(self, name, i):
        ops = i.operands
        name = re.sub(r'^ds_load_', 'ds_read_', re.sub(r'^ds_store_', 'ds_write_', name))
        name = re.sub(r'^ds_(read|write)_2addr(_stride64)?_', lambda m: f'ds_{m[1]}2{"st64" if m[2] else ""}_', name)
        match = re.fullmatch(r'ds_(read|write)_b(32|64|96|128)', name)
        if match:
            first, second = need_vector(ops[0]), need_vector(ops[1])
            return f'ds_{match[1]}(w, {first}, {second}, {self.number("offset")}, {int(match[2]) // 32});'
        match = re.fullmatch(r'ds_(read|write)2(st64)?_b(32|64)', name)
        if match:
            unit = int(match[3]) // 8 * (64 if match[2] else 1)
            offsets = ', '.join(str(self.number(f'offset{n}') * unit) for n in range(2))
            registers = ', '.join(str(need_vector(op)) for op in ops)
            return f'ds_{match[1]}2(w, {registers}, {offsets}, {int(match[3]) // 32});'
        match = re.fullmatch(r'ds_read_([ui])(8|16)', name)
        if match:
            sign = 'true' if match[1] == 'i' else 'false'
            return (f'ds_read_narrow(w, {need_vector(ops[0])}, {need_vector(ops[1])}, {self.number("offset")}, '
                    f'{int(match[2]) // 8}, {sign});')
        match = re.fullmatch(r'ds_write_b(8|16)', name)
        if match:
            return (f'ds_write_narrow(w, {need_vector(ops[0])}, {need_vector(ops[1])}, {self.number("offset")}, '
                    f'{int(match[1]) // 8});')
        match = re.fullmatch(r'ds_(add|sub|min|max|and|or|xor)_(rtn_)?([uib])(32|64)', name)
        if match:
            how = match[1] if match[1] not in ('min', 'max') else ('s' if match[3] == 'i' else 'u') + match[1]
            d = need_vector(ops[0]) if match[2] else -1
            address, data = (need_vector(op) for op in ops[-2:])
            return f'ds_atomic<u{match[4]}>(w, Atomic::k{how.capitalize()}, {d}, {address}, {data}, {self.number("offset")});'
        return None

    def _address(self, vector, scalar):
        number = -1 if scalar == 'off' else need_scalar(scalar)
        return f'{{{need_vector(vector)}, {number}, {self.number("offset")}}}'

    def _global(self, name, i):
        match = re.fullmatch(r'(global|flat)_(load|store|atomic)_(\w+)', name)
        if not match:
            return None
        # RDNA 1 to 3 and CDNA 1 and 2 say glc, CDNA 3 sc0 and sc1, RDNA 4 scope and th.
        near = self.take('glc')
        coherent = bool(near or self.take('sc1') or self.take('scope') in ('SCOPE_DEV', 'SCOPE_SYS'))
        returning = bool(self.take('sc0') or near)
        for hint in CACHE_HINTS:
            self.take(hint)
        ops = i.operands + (['off'] if match[1] == 'flat' else [])
        if match[2] == 'atomic':
            return self._atomic(match[3], ops, returning or self.take('th') == 'TH_ATOMIC_RETURN', i)
        load = match[2] == 'load'
        half = re.fullmatch(r'd16_(hi_)?([uib](?:8|16))', match[3])
        what = half[2] if half and load else match[3]
        narrow = re.fullmatch(r'([us]?)(byte|short)|([uib])(8|16)', what)
        data = need_vector(ops[0] if load else ops[1])
        at = self._address(ops[1] if load else ops[0], ops[2])
        if narrow:
            if coherent and load:
                raise Unknown('a load of less than a word past the cache')
            size = 1 if narrow[2] == 'byte' or narrow[4] == '8' else 2
            if load:
                sign = 'true' if 's' == narrow[1] or narrow[3] == 'i' else 'false'
                if half:
                    return (f'global_load_narrow(w, kSpare, {at}, {size}, {sign}); '
                            f'put_half(w, {data}, {"true" if half[1] else "false"});')
                return f'global_load_narrow(w, {data}, {at}, {size}, {sign});'
            return f'global_store_narrow(w, {at}, {data}, {size});'
        wide = re.fullmatch(r'dword(?:x([234]))?|b(32|64|96|128)', what)
        if not wide:
            return None
        words = int(wide[2]) // 32 if wide[2] else int(wide[1] or 1)
        if load:
            code = f'global_load(w, {data}, {at}, {words}, {"true" if coherent else "false"});'
            return code + (' ' + self._yield(i) if coherent else '')
        return f'global_store(w, {at}, {data}, {words});'

    def _atomic(self, what, ops, returning, i):
        names = {'swap': 'Swap', 'cmpswap': 'CompareSwap', 'add': 'Add', 'sub': 'Sub', 'smin': 'Smin', 'umin': 'Umin',
                 'smax': 'Smax', 'umax': 'Umax', 'and': 'And', 'or': 'Or', 'xor': 'Xor', 'add_f32': 'AddF32', 'add_f64': 'AddF64',
                 'min_u': 'Umin', 'max_u': 'Umax', 'min_i': 'Smin', 'max_i': 'Smax', 'add_u': 'Add', 'sub_u': 'Sub',
                 'swap_b': 'Swap', 'cmpswap_b': 'CompareSwap', 'and_b': 'And', 'or_b': 'Or', 'xor_b': 'Xor'}
        match = re.fullmatch(r'(\w+?)(_x2)?|(\w+?_[uib])(32|64)', what)
        new = re.fullmatch(r'(\w+?_[uib])(32|64)', what)
        key, wide = (new[1], new[2] == '64') if new else (match[1], bool(match[2]) or match[1] == 'add_f64')
        if key not in names:
            return None
        d = need_vector(ops[0]) if returning else -1
        vector, data, scalar = ops[1:] if returning else ops
        code = (f'global_atomic<u{64 if wide else 32}>(w, Atomic::k{names[key]}, {d}, {self._address(vector, scalar)}, '
                f'{need_vector(data)});')
        return code + (' ' + self._yield(i) if returning else '')

    def _dual(self, i):
        """Two instructions of RDNA 3 and 4 in one: both read before either writes."""
        codes = []
        for half in i.halves:
            self.left = dict(half.modifiers)
            name = SAME.get(half.name, half.name)
            code = self._lane(name, half)
            if code is None or self.left:
                raise Unknown(f'dual instruction {half.text}')
            codes.append(code)
        first = need_vector(i.halves[0].operands[0])
        into_spare, count = re.subn(rf'\(w, {first}, ', '(w, kSpare, ', codes[0])
        if count != 1:
            raise Unknown(f'dual instruction {i.text}')
        return f'{{{into_spare} {codes[1]} v_mov_b32(w, {first}, v(kSpare));}}'


def _short(text):
    """A constant of 16 bits with its sign."""
    number = int(text, 0)
    return str(((number & 0xffff) ^ 0x8000) - 0x8000)
