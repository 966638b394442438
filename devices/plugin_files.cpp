#include "devices/plugin_files.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string_view>

#include "splat/backend/gpu/rocm_places.h"
#include "splat/core/system.h"

namespace splat {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAmdRuntime = "libamdhip64.so.";
constexpr int kNewestRuntime = 32;                                             // major version; far above any there is
constexpr size_t kMostHeaders = 256, kMostEntries = 4096, kLongestName = 256;  // of an ELF file

template <class T>
bool read_at(std::ifstream& file, uint64_t offset, T& to) {
  file.clear();
  file.seekg(std::streamoff(offset));
  return bool(file.read(reinterpret_cast<char*>(&to), sizeof to));
}

std::string text_at(std::ifstream& file, uint64_t offset) {
  file.clear();
  file.seekg(std::streamoff(offset));
  std::array<char, kLongestName> text{};
  file.read(text.data(), text.size() - 1);
  return text.data();
}

// The first DT_NEEDED that begins with `prefix`; empty where there is none, or the file is no ELF file of 64 bits.
std::string needed_library(const fs::path& path, const std::string& prefix) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!read_at(file, 0, header) || std::string_view(reinterpret_cast<const char*>(header.e_ident), SELFMAG) != ELFMAG)
    return "";
  std::vector<Elf64_Phdr> loaded;
  Elf64_Phdr dynamic{};
  for (size_t i = 0; i < std::min<size_t>(header.e_phnum, kMostHeaders); ++i) {
    Elf64_Phdr segment{};
    if (!read_at(file, header.e_phoff + i * sizeof segment, segment)) return "";
    if (segment.p_type == PT_LOAD) loaded.push_back(segment);
    if (segment.p_type == PT_DYNAMIC) dynamic = segment;
  }
  std::vector<uint64_t> names;
  uint64_t strings = 0;
  for (size_t i = 0; i < std::min<size_t>(dynamic.p_filesz / sizeof(Elf64_Dyn), kMostEntries); ++i) {
    Elf64_Dyn entry{};
    if (!read_at(file, dynamic.p_offset + i * sizeof entry, entry)) return "";
    if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
    if (entry.d_tag == DT_STRTAB) strings = entry.d_un.d_ptr;
  }
  for (const Elf64_Phdr& segment : loaded)
    if (strings >= segment.p_vaddr && strings - segment.p_vaddr < segment.p_filesz)
      for (const uint64_t name : names)
        if (std::string text = text_at(file, strings - segment.p_vaddr + segment.p_offset + name);
            text.starts_with(prefix))
          return text;
  return "";
}

// 7 of "libhipsplat-hip7.so", 0 of "libhipsplat-hip.so"; -1: another file.
int number_of(const std::string& file, const std::string& name) {
  const std::string before = "libhipsplat-" + name, after = ".so";
  if (!file.starts_with(before) || !file.ends_with(after) || file.size() < before.size() + after.size()) return -1;
  const std::string digits = file.substr(before.size(), file.size() - before.size() - after.size());
  if (digits.empty()) return 0;
  if (digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::atoi(digits.c_str());
}

// [7, 0, 2] of "rocm-7.0.2".
std::vector<int> version_of_folder(const std::string& name) {
  std::vector<int> version;
  for (size_t i = 0; i < name.size(); ++i)
    if (std::isdigit(static_cast<unsigned char>(name[i])) &&
        (i == 0 || !std::isdigit(static_cast<unsigned char>(name[i - 1]))))
      version.push_back(std::atoi(name.c_str() + i));
  return version;
}

// What lies in `folder` under a name that `pattern` stands for: with one "*", the highest version first.
std::vector<fs::path> matches(const fs::path& folder, const std::string& pattern) {
  const size_t star = pattern.find('*');
  if (star == std::string::npos) return {folder / pattern};
  const std::string before = pattern.substr(0, star), after = pattern.substr(star + 1);
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (const std::string name = entry->path().filename().string();
        name.size() >= before.size() + after.size() && name.starts_with(before) && name.ends_with(after))
      names.push_back(name);
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::pair(version_of_folder(a), a) > std::pair(version_of_folder(b), b);
  });
  std::vector<fs::path> found;
  for (const std::string& name : names) found.push_back(folder / name);
  return found;
}

std::string loaded_runtime_but(const std::string& runtime) {
  for (int major = 1; major <= kNewestRuntime; ++major) {
    std::string other = kAmdRuntime + std::to_string(major);
    if (other == runtime) continue;
    if (void* library = dlopen(other.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
      dlclose(library);
      return other;
    }
  }
  return "";
}

}  // namespace

std::vector<PluginFile> plugin_files(const std::string& name, const std::vector<fs::path>& folders) {
  std::vector<PluginFile> files;
  for (const fs::path& folder : folders) {
    std::map<int, fs::path, std::greater<>> here;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
      if (const int number = number_of(entry->path().filename().string(), name); number >= 0)
        here[number] = entry->path();
    for (const auto& [number, path] : here) files.push_back({path, needed_library(path, kAmdRuntime)});
  }
  return files;
}

std::vector<fs::path> runtime_folders(const Variables& variables, const fs::path& root) {
  std::vector<fs::path> folders;
  for (const std::string place : kRocmPlaces) {
    const fs::path path(place);
    std::vector<fs::path> at{root};
    for (auto part = path.begin(); part != path.end() && !at.empty(); ++part) {
      if (*part == "/") continue;
      std::vector<fs::path> next;
      if (part->native().starts_with("$")) {
        if (const char* value = variables(part->c_str() + 1); value && *value) next = {value};
      } else {
        for (const fs::path& folder : at)
          for (fs::path& found : matches(folder, part->string())) next.push_back(std::move(found));
      }
      at = std::move(next);
    }
    for (const fs::path& folder : at) folders.push_back(folder / "lib");
  }
  return folders;
}

namespace {

std::string open_first(const std::string& runtime) {
  if (const std::string other = loaded_runtime_but(runtime); !other.empty())
    return "needs " + runtime + ", and this process uses " + other + " already";
  if (dlopen(runtime.c_str(), RTLD_NOW | RTLD_LOCAL)) return "";
  const char* message = dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread
  std::string why = message ? message : "no reason given";
  std::error_code code;
  for (const fs::path& folder : runtime_folders(environment, "/")) {
    const fs::path file = folder / runtime;
    if (!fs::exists(file, code)) continue;
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return "";
    message = dlerror();  // NOLINT(concurrency-mt-unsafe)
    why = message ? message : why;
  }
  if (why.starts_with(runtime + ": cannot open shared object file: No such file"))
    return "needs " + runtime + ", which is not installed";
  return "needs " + runtime + ", which does not open: " + why;
}

}  // namespace

std::filesystem::path opened_runtime(const std::string& runtime) {
  void* library = runtime.empty() ? nullptr : dlopen(runtime.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!library) return {};
  link_map* map = nullptr;
  const bool known = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0;
  fs::path path = known ? map->l_name : "";
  dlclose(library);
  return path;
}

// What was refused is refused again for the same reason: that an older runtime was taken then is the consequence.
std::string open_runtime(const std::string& runtime) {
  static std::mutex mutex;
  static std::map<std::string, std::string> refused;
  const std::lock_guard<std::mutex> lock(mutex);
  if (const auto before = refused.find(runtime); before != refused.end()) return before->second;
  std::string refusal = open_first(runtime);
  if (!refusal.empty()) refused[runtime] = refusal;
  return refusal;
}

}  // namespace splat
