#include "tests/isa/runtime/code_objects.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace isa {
namespace {

std::vector<TranslatedObject>& objects() {
  static std::vector<TranslatedObject> objects;
  return objects;
}

void load_code() {
  static bool loaded = false;
  if (loaded) return;
  loaded = true;
  const char* const path = std::getenv("ISA_CODE");
  if (!path) fault(0, "ISA_CODE names no library of translated code");
  if (!dlopen(path, RTLD_NOW | RTLD_LOCAL)) fault(0, "cannot load '%s': %s", path, dlerror());
  if (objects().empty()) fault(0, "'%s' holds no translated code", path);
}

u64 read_u64(const u8* at) {
  u64 value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

u64 content_of(const u8* bytes, u64 size) {
  u64 value = 0xcbf29ce484222325u;
  for (u64 i = 0; i < size; ++i) value = (value ^ bytes[i]) * 0x100000001b3u;
  return value;
}

// The segments of a code object, each at its address from what is returned on: there its kernels read constants.
// ELF-64 Object File Format, "Program Header".
u64 load_image(const u8* elf) {
  constexpr u32 kLoad = 1;
  struct Segment {
    u32 type, flags;
    u64 offset, address, physical, in_file, in_memory, alignment;
  };
  std::vector<Segment> segments(elf[56] | u32(elf[57]) << 8);
  std::memcpy(segments.data(), elf + read_u64(elf + 32), segments.size() * sizeof(Segment));
  u64 size = 0;
  for (const Segment& s : segments)
    if (s.type == kLoad) size = std::max(size, s.address + s.in_memory);
  void* const image = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (image == MAP_FAILED) fault(0, "no memory for a code object of %llu bytes", static_cast<unsigned long long>(size));
  for (const Segment& s : segments)
    if (s.type == kLoad) std::memcpy(static_cast<u8*>(image) + s.address, elf + s.offset, s.in_file);
  Memory::instance().add(u64(image), size);
  return u64(image);
}

// "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-" -> "gfx90a"
std::string architecture_of(std::string target) {
  target.erase(0, target.rfind("--") + 2);
  return target.substr(0, target.find(':'));
}

}  // namespace

Registration::Registration(const TranslatedObject& object) { objects().push_back(object); }

const char* architecture() {
  load_code();
  return objects().front().architecture;
}

const TranslatedObject* find_object(const void* wrapper) {
  load_code();
  struct Wrapper {
    u32 magic, version;
    const u8* bundle;
  };
  Wrapper w;
  std::memcpy(&w, wrapper, sizeof w);
  if (w.magic != 0x48495046u || w.version != 1) fault(0, "a fat binary with magic %#x, version %u", w.magic, w.version);
  if (std::memcmp(w.bundle, "__CLANG_OFFLOAD_BUNDLE__", 24) != 0) fault(0, "a fat binary that is no offload bundle");
  const u8* entry = w.bundle + 32;
  for (u64 left = read_u64(w.bundle + 24); left; --left) {
    const u64 offset = read_u64(entry), size = read_u64(entry + 8), length = read_u64(entry + 16);
    const std::string target(reinterpret_cast<const char*>(entry + 24), length);
    entry += 24 + length;
    if (target.rfind("hip", 0) != 0 || architecture_of(target) != architecture()) continue;
    const u64 content = content_of(w.bundle + offset, size);
    for (const TranslatedObject& object : objects())
      if (object.content == content) {
        if (!*object.loaded_at) *object.loaded_at = load_image(w.bundle + offset);
        return &object;
      }
    fault(0, "the code object %016llx of %s was not translated: build the translation again",
          static_cast<unsigned long long>(content), target.c_str());
  }
  fault(0, "a fat binary without code for %s", architecture());
}

const KernelCode* find_kernel(const TranslatedObject& object, const char* name) {
  for (int i = 0; i < object.count; ++i)
    if (std::strcmp(object.kernels[i].name, name) == 0) return object.kernels + i;
  return nullptr;
}

}  // namespace isa
