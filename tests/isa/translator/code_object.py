"""Code objects of AMD GPUs: where a host library keeps them, and what the loader reads of one.

A host library made by hipcc has one segment of type __CudaFatBinaryWrapper a source file; each points at a bundle of
clang's offload bundler, which holds one ELF file an architecture (LLVM: "Clang Offload Bundler", "AMDGPU Usage").
"""
import struct

_BUNDLE_MAGIC = b'__CLANG_OFFLOAD_BUNDLE__'
_WRAPPER_MAGIC = 0x48495046  # "HIPF"


class BadFile(Exception):
    """The file is not what it must be."""


class _Elf:
    """Section headers, loaded segments and relocations of an ELF64 file."""

    def __init__(self, data, path):
        if data[:6] != b'\x7fELF\x02\x01':
            raise BadFile(f'{path}: not a little-endian ELF64 file')
        self.data = data
        program_offset, section_offset = struct.unpack_from('<QQ', data, 32)
        programs, sections, names = struct.unpack_from('<HxxHH', data, 56)
        self.segments = [struct.unpack_from('<IIQQQQQQ', data, program_offset + 56 * i) for i in range(programs)]
        self.sections = [struct.unpack_from('<IIQQQQIIQQ', data, section_offset + 64 * i) for i in range(sections)]
        self.names = {}
        for section in self.sections:
            self.names[self.text(self.sections[names][4] + section[0])] = section

    def text(self, offset):
        return self.data[offset:self.data.index(b'\0', offset)].decode()

    def at(self, address, size):
        """Bytes of the loaded image; beyond the file's part of a segment they are zero."""
        for kind, _, offset, start, _, in_file, in_memory, _ in self.segments:
            if kind == 1 and start <= address and address + size <= start + in_memory:
                image = self.data[offset + address - start:min(offset + address - start + size, offset + in_file)]
                return image + bytes(size - len(image))
        raise BadFile(f'address {address:#x} is not in the loaded image')

    def symbols(self):
        for section in self.sections:
            if section[1] != 11:  # SHT_DYNSYM
                continue
            strings = self.sections[section[6]][4]
            for entry in range(section[4], section[4] + section[5], 24):
                name, info, _, index, value, size = struct.unpack_from('<IBBHQQ', self.data, entry)
                yield self.text(strings + name), info & 15, index, value, size

    def relocations(self):
        for section in self.sections:
            if section[1] == 4:  # SHT_RELA
                for entry in range(section[4], section[4] + section[5], 24):
                    offset, info, addend = struct.unpack_from('<QQq', self.data, entry)
                    yield offset, info & 0xffffffff, addend


def needed_libraries(path):
    """Names of the libraries that a host library asks the dynamic loader for."""
    elf = _Elf(open(path, 'rb').read(), path)
    dynamic, strings = elf.names['.dynamic'], elf.names['.dynstr'][4]
    tags = [struct.unpack_from('<qQ', elf.data, at) for at in range(dynamic[4], dynamic[4] + dynamic[5], 16)]
    return [elf.text(strings + value) for tag, value in tags if tag == 1]


def needed_versions(path, library):
    """Version -> symbols with it that a host library wants of another one."""
    elf = _Elf(open(path, 'rb').read(), path)
    data, strings = elf.data, elf.names['.dynstr'][4]
    names, at = {}, elf.names['.gnu.version_r'][4]
    while True:
        _, count, file, entry, following = struct.unpack_from('<HHIII', data, at)
        entry += at
        for _ in range(count if elf.text(strings + file).startswith(library) else 0):
            _, _, number, name, more = struct.unpack_from('<IHHII', data, entry)
            names[number] = elf.text(strings + name)
            entry += more
        if not following:
            break
        at += following
    versions, found = elf.names['.gnu.version'][4], {}
    for index, (name, *_) in enumerate(elf.symbols()):
        number, = struct.unpack_from('<H', data, versions + 2 * index)
        if number & 0x7fff in names:
            found.setdefault(names[number & 0x7fff], []).append(name)
    return found


def bundle_entries(data, at=0):
    """(target, code object) of a bundle of clang's offload bundler."""
    if data[at:at + 24] != _BUNDLE_MAGIC:
        raise BadFile('not a bundle of the offload bundler (compressed bundles are not read)')
    count, = struct.unpack_from('<Q', data, at + 24)
    entry = at + 32
    for _ in range(count):
        offset, size, length = struct.unpack_from('<QQQ', data, entry)
        target = data[entry + 24:entry + 24 + length].decode()
        entry += 24 + length
        yield target, data[at + offset:at + offset + size]


def fat_binaries(path):
    """The bundles of a host library, found as __hipRegisterFatBinary gets them: through their wrappers."""
    elf = _Elf(open(path, 'rb').read(), path)
    wrappers = elf.names.get('.hipFatBinSegment')
    if wrappers is None:
        raise BadFile(f'{path}: holds no code for GPUs (no section .hipFatBinSegment)')
    pointers = {offset: addend for offset, kind, addend in elf.relocations() if kind == 8}  # R_X86_64_RELATIVE
    for wrapper in range(wrappers[3], wrappers[3] + wrappers[5], 24):
        magic, version, pointer = struct.unpack('<IIQ', elf.at(wrapper, 16))
        if magic != _WRAPPER_MAGIC or version != 1:
            raise BadFile(f'{path}: wrapper of a fat binary with magic {magic:#x}, version {version}')
        pointer = pointers.get(wrapper + 8, pointer)
        section = next(s for s in elf.sections if s[3] <= pointer < s[3] + s[5])
        yield elf.data[section[4] + pointer - section[3]:section[4] + section[5]]


def code_objects(path, architecture):
    """The code objects of an architecture in a host library, in the order of their registration."""
    for bundle in fat_binaries(path):
        for target, code in bundle_entries(bundle):
            if target.startswith('hip') and target.rsplit('--', 1)[-1].split(':')[0] == architecture and code:
                yield code


def content_name(code):
    """A name for a code object made of its bytes: FNV-1a of 64 bits, as runtime/code_objects.cpp computes it."""
    value = 0xcbf29ce484222325
    for byte in code:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return f'{value:016x}'


class _MessagePack:
    """Decodes what AMDGPU metadata uses of MessagePack."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def _take(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def _number(self, size):
        return int.from_bytes(self._take(size), 'big')

    def _list(self, count):
        return [self.value() for _ in range(count)]

    def _map(self, count):
        return {self.value(): self.value() for _ in range(count)}

    def value(self):
        tag = self._number(1)
        if tag < 0x80:
            return tag
        if tag < 0x90:
            return self._map(tag & 15)
        if tag < 0xa0:
            return self._list(tag & 15)
        if tag < 0xc0:
            return self._take(tag & 31).decode()
        if tag >= 0xe0:
            return tag - 256
        if tag in (0xc0, 0xc2, 0xc3):
            return {0xc0: None, 0xc2: False, 0xc3: True}[tag]
        if 0xcc <= tag <= 0xcf:
            return self._number(1 << (tag - 0xcc))
        if 0xd9 <= tag <= 0xdb:
            return self._take(self._number(1 << (tag - 0xd9))).decode()
        if tag in (0xdc, 0xdd):
            return self._list(self._number(2 << (tag - 0xdc)))
        if tag in (0xde, 0xdf):
            return self._map(self._number(2 << (tag - 0xde)))
        raise BadFile(f'metadata with MessagePack tag {tag:#x}')


class Kernel:
    """What the loader knows of a kernel: its descriptor (64 bytes) and the metadata of its arguments."""

    def __init__(self, name, meta, descriptor, address, size):
        self.name, self.meta, self.size = name, meta, size
        self.lds, self.scratch, self.kernarg, _, entry = struct.unpack_from('<IIIIq', descriptor)
        self.rsrc3, self.rsrc1, self.rsrc2, self.properties = struct.unpack_from('<IIIH', descriptor, 44)
        self.entry = address + entry
        self.wave = 32 if self.properties >> 10 & 1 else 64
        self.arguments = meta.get('.args', [])

    def hidden(self, kind):
        """Offset of a hidden argument, -1 where the kernel has none."""
        return next((a['.offset'] for a in self.arguments if a['.value_kind'] == kind), -1)


class CodeObject:
    """One architecture's ELF file: kernels, functions, loaded image."""

    def __init__(self, data, path='code object'):
        self.elf = _Elf(data, path)
        self.metadata = self._metadata()
        symbols = {name: (kind, value, size) for name, kind, _, value, size in self.elf.symbols()}
        self.kernels = []
        for meta in self.metadata['amdhsa.kernels']:
            _, at, _ = symbols[meta['.symbol']]
            self.kernels.append(Kernel(meta['.name'], meta, self.elf.at(at, 64), at, symbols[meta['.name']][2]))

    def has_relocations(self):
        return any(True for _ in self.elf.relocations())

    def _metadata(self):
        for kind, _, offset, _, _, size, _, _ in self.elf.segments:
            at = offset
            while kind == 4 and at < offset + size:  # PT_NOTE
                name_size, text_size, note = struct.unpack_from('<III', self.elf.data, at)
                text = at + 12 + (name_size + 3 & ~3)
                if note == 32 and self.elf.data[at + 12:at + 18] == b'AMDGPU':
                    return _MessagePack(self.elf.data[text:text + text_size]).value()
                at = text + (text_size + 3 & ~3)
        raise BadFile('a code object without AMDGPU metadata')
