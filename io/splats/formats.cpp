#include "io/splats/formats.h"

#include <algorithm>
#include <array>
#include <string>

#include "io/splats/gltf/gltf.h"
#include "io/splats/html/html.h"
#include "io/splats/ksplat/ksplat.h"
#include "io/splats/ply/compressed_ply.h"
#include "io/splats/ply/ply.h"
#include "io/splats/sog/sog.h"
#include "io/splats/splat32/splat32.h"
#include "io/splats/spz/spz.h"
#include "splat/core/lower_case.h"

namespace io {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

namespace {

bool is_ply(std::string_view start) { return start.starts_with("ply\n") || start.starts_with("ply\r"); }
bool probe_compressed_ply(std::string_view start, uint64_t) {
  const std::string_view header = start.substr(0, start.find("end_header"));
  return is_ply(start) && header.find("element chunk") != std::string_view::npos &&
         header.find("packed_position") != std::string_view::npos;
}
bool probe_ply(std::string_view start, uint64_t) { return is_ply(start); }
bool probe_spz(std::string_view start, uint64_t) { return start.starts_with("NGSP") || start.starts_with("\x1f\x8b"); }
bool probe_sog(std::string_view start, uint64_t) { return looks_like_sog(start); }
bool probe_page(std::string_view start, uint64_t) { return looks_like_page(start); }
bool probe_glb(std::string_view start, uint64_t) { return looks_like_gltf(start); }

constexpr std::array kPlyNames{".ply"sv};
constexpr std::array kCompressedPlyNames{".compressed.ply"sv};
constexpr std::array kSplatNames{".splat"sv};
constexpr std::array kSpzNames{".spz"sv};
constexpr std::array kSogNames{".sog"sv};
constexpr std::array kGltfNames{".glb"sv, ".gltf"sv};
constexpr std::array kGlbNames{".glb"sv};
constexpr std::array kPageNames{".html"sv, ".htm"sv};
constexpr std::array kPageOutputNames{".html"sv};
constexpr std::array kKsplatNames{".ksplat"sv};

constexpr std::string_view kSpzLossOfBands = "SPZ rounds spherical harmonics to 4 or 5 bits";

constexpr std::array<SplatFormatEntry, 8> kFormats{{
    {SplatFormat::kCompressedPly, "compressed PLY", kCompressedPlyNames, kCompressedPlyNames, probe_compressed_ply,
     read_compressed_ply, write_compressed_ply, splat::kMaxShDegree,
     "compressed PLY rounds positions and sizes to 1/2047 of the extent of 256 neighbours, and colours and opacities "
     "to 1/255",
     "compressed PLY rounds spherical harmonics to 1/32", "8-bit colours, positions to 1/2047 of their neighbourhood",
     "SuperSplat, PlayCanvas, Spark, Babylon.js",
     /*has_comments=*/true},
    {SplatFormat::kPly, "PLY", kPlyNames, kPlyNames, probe_ply, read_splat_ply, write_splat_ply, splat::kMaxShDegree,
     "", "", "nothing", "nearly all programs for splats", /*has_comments=*/true, /*counts_metres=*/false,
     /*keeps_doubles=*/true, /*compressed=*/false, write_splat_ply},
    {SplatFormat::kSpz, "SPZ", kSpzNames, kSpzNames, probe_spz, read_spz, write_spz, splat::kMaxShDegree,
     "SPZ rounds positions to 1/4096 of a unit (of small scenes to less), sizes to 6 % and opacities to 1/255",
     kSpzLossOfBands, "positions to 1/4096 of a unit or less, colours of views to 4 or 5 bits",
     "Spark, Babylon.js, Unreal (UEFN)",
     /*has_comments=*/false, /*counts_metres=*/false, /*keeps_doubles=*/false, /*compressed=*/true},
    {SplatFormat::kSog, "SOG", kSogNames, kSogNames, probe_sog, read_sog, write_sog, splat::kMaxShDegree, kSogLoss,
     kSogLossOfBands, "256 colours and sizes, positions to 1/65536 of the scene",
     "SuperSplat, PlayCanvas, Spark, Babylon.js",
     /*has_comments=*/false, /*counts_metres=*/false, /*keeps_doubles=*/false, /*compressed=*/true},
    {SplatFormat::kGlb, "glTF", kGltfNames, kGlbNames, probe_glb, read_gltf, write_glb, splat::kMaxShDegree, "", "",
     "the last digits", "Babylon.js, PlayCanvas, three.js; others show coloured points", /*has_comments=*/false,
     /*counts_metres=*/true},
    {SplatFormat::kKsplat, "KSPLAT", kKsplatNames, {}, looks_like_ksplat, read_ksplat, nullptr, 0, "", "", "", ""},
    {SplatFormat::kHtml, "web page", kPageNames, kPageOutputNames, probe_page, nullptr, write_page, splat::kMaxShDegree,
     "a web page holds SPZ, which rounds positions to 1/4096 of a unit or less, sizes to 6 % and opacities to 1/255, "
     "and "
     "which no other program finds there: keep the original",
     kSpzLossOfBands, "as SPZ", "every browser, with its viewer; no program reads the splats back",
     /*has_comments=*/true,
     /*counts_metres=*/false, /*keeps_doubles=*/false, /*compressed=*/true},
    {SplatFormat::kSplat, ".splat", kSplatNames, kSplatNames, nullptr, read_splat32, write_splat32, 0,
     ".splat rounds colours and opacities to 1/255 and rotations to 1/128", ".splat keeps no view-dependent colour",
     "8-bit colours, none by view (SH above 0)", "SuperSplat, Spark, Babylon.js"},
}};

std::string lower_name(const fs::path& path) { return splat::lower_case(path.filename().string()); }

template <class Member>
std::string list_of(Member SplatFormatEntry::*member) {
  std::string list;
  for (const SplatFormatEntry& entry : kFormats) {
    if (entry.*member == nullptr) continue;
    list += (list.empty() ? "" : ", ") + std::string(entry.extensions.front());
  }
  return list;
}

}  // namespace

std::span<const SplatFormatEntry> splat_formats() { return kFormats; }

const SplatFormatEntry& splat_format(SplatFormat format) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const SplatFormatEntry& entry) { return entry.format == format; });
  SPLAT_CHECK(found != kFormats.end());
  return *found;
}

const SplatFormatEntry* format_by_content(std::string_view start, uint64_t file_bytes) {
  for (const SplatFormatEntry& entry : kFormats)
    if (entry.probe && entry.probe(start, file_bytes)) return &entry;
  return nullptr;
}

bool named(const fs::path& path, std::string_view extension) { return lower_name(path).ends_with(extension); }

const SplatFormatEntry* format_by_extension(const fs::path& path) {
  const SplatFormatEntry* best = nullptr;
  size_t longest = 0;  // .compressed.ply before .ply
  for (const SplatFormatEntry& entry : kFormats)
    for (const std::string_view extension : entry.extensions)
      if (named(path, extension) && extension.size() > longest) {
        best = &entry;
        longest = extension.size();
      }
  return best;
}

const SplatFormatEntry* format_by_either(std::string_view start, uint64_t file_bytes, const fs::path& path) {
  if (const SplatFormatEntry* entry = format_by_content(start, file_bytes)) return entry;
  const SplatFormatEntry* entry = format_by_extension(path);
  return entry && !entry->probe ? entry : nullptr;
}

std::string readable_formats() { return list_of(&SplatFormatEntry::read); }
std::string writable_formats() { return list_of(&SplatFormatEntry::write); }

}  // namespace io
