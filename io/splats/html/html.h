// A scene as a web page: its splats as SPZ 3 with a viewer of our own (web/), which draws by WebGL 2. Either one file
// that needs nothing else, from disk or a server: the values of the SPZ in scripts of text (page_splats.h). Or, where
// the name is index.html, a page for a web server, with the SPZ beside it as index.spz. The splats are written first,
// the page last, each whole or not at all. Memory: the SPZ, unpacked twice. Cannot be read back.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/companion.h"
#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

inline constexpr size_t kMostPageViews = 300;                   // of photos, evenly through the list
inline constexpr uint64_t kLargePage = uint64_t(60) * 1000000;  // bytes; phones have failed with larger ones

bool looks_like_page(std::string_view start);  // by what write_page() begins with

// Where the splats go if `page` is one for a server; empty: they are within.
std::filesystem::path splats_beside_page(const std::filesystem::path& page);
// An error where something else than the splats of the page that is there has that name.
splat::Status check_beside_page(const std::filesystem::path& page, const Beside& beside);

// How the page opens, with `spz` bytes of splats; of a large one what makes it smaller.
std::string note_of_page(const std::filesystem::path& page, uint64_t spz);

splat::Result<SplatWriteReport> write_page(const std::filesystem::path& path, const splat::Gaussians& model,
                                           const SplatFileInfo& info = {}, const SplatWriteOptions& options = {});

// The same for a program that is the server itself: the page, with CSS and JavaScript of that program's (web/live), and
// the splats that it asks for at `url`.
struct ServedPage {
  std::string html, spz;
};
struct PageAdditions {
  std::string url;
  std::string_view style{}, script{};
};
ServedPage make_served_page(const splat::Gaussians& model, const SplatFileInfo& info, const SplatWriteOptions& options,
                            const PageAdditions& additions);

}  // namespace io
