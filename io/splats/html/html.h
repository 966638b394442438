// A scene as a web page: its splats as SPZ 3 with a viewer of our own (web/), which draws by WebGL 2. Either one file
// that needs nothing else, from disk or a server: the SPZ as base64 in scripts of text, 3 MiB each. Or, where the name
// is index.html, a page for a web server, with the SPZ beside it as index.spz. The splats are written first, the page
// last, each whole or not at all. Memory: the SPZ. Cannot be read back.
#pragma once

#include <filesystem>
#include <string_view>

#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

inline constexpr size_t kMostPageViews = 300;                   // of photos, evenly through the list
inline constexpr uint64_t kLargePage = uint64_t(60) * 1000000;  // bytes; phones have failed with larger ones

bool looks_like_page(std::string_view start);  // by what write_page() begins with

// Where the splats go if `page` is one for a server; empty: they are within.
std::filesystem::path splats_beside_page(const std::filesystem::path& page);

splat::Result<SplatWriteReport> write_page(const std::filesystem::path& path, const splat::Gaussians& model,
                                           const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

}  // namespace io
