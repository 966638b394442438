// What a splat file holds, whatever its format; the options of a writer and its report.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/scene_json.h"
#include "io/splats/common/page.h"
#include "splat/model/gaussians.h"
#include "splat/model/screen_filter.h"

namespace io {

enum class SplatFormat { kPly, kCompressedPly, kSplat, kSpz, kSog, kGlb, kKsplat, kHtml };

struct SplatFile {
  splat::Gaussians gaussians;
  SplatFormat kind = SplatFormat::kPly;
  std::string format;                     // with its version: "PLY (binary, little-endian)", "SPZ version 3"
  bool antialiased = false;               // trained with the 2D low-pass's opacity compensation: render so too
  float low_pass = splat::kUsualLowPass;  // px^2 that they were trained with: render so too
  bool flat = false;                      // 2D Gaussians: the third axis means nothing
  int stored_sh_degree = 0;               // in the file; more than gaussians.sh_degree where it was reduced
  uint64_t bytes = 0;                     // on disk, with the files that it names: pictures, buffers; 0: not known
  std::string producer;                   // empty: the file does not say
  SceneFrame frame;                       // what positions are counted from, where the file or one beside it says
  std::string generator;  // of an object, recognised by marks of its own (generated_object.h); empty: none
  std::string resembles;  // likewise, by what many files have in common: a guess, on which nothing is decided
  std::optional<std::array<double, 3>> view_up;  // the file's vertical axis, named or its generator's; navigation only
  bool front_at_z = false;  // its front faces +z, by glTF's rule; that of other files by habit -z; navigation only
  size_t invalid_rows = 0;  // rows with a NaN, an infinite mean, colour or rotation, or a zero quaternion; kept
  std::vector<std::string> warnings;  // one sentence each
  // What the file holds and reading passed over, by name: properties, elements, extensions, attributes ("motion_0 to
  // motion_8", "the element 'face'"). A file written from this one lacks them.
  std::vector<std::string> unread{};

  splat::ScreenFilter filter() const { return {antialiased, low_pass}; }
};

// What a writer may say about the model beside its numbers.
struct SplatFileInfo {
  bool antialiased = false;
  int iteration = -1;                              // < 0: not said
  std::optional<std::array<double, 3>> view_up{};  // navigation only
  bool flat = false;                               // 2D Gaussians
  SceneFrame frame{};                              // what positions are counted from
  bool survey = false;  // write positions + frame.origin instead, in double precision: PLY only
  float low_pass = splat::kUsualLowPass;
  bool front_at_z = false;  // navigation only
};

// What a file said, for the next one.
inline SplatFileInfo info_of(const SplatFile& file) {
  return {.antialiased = file.antialiased,
          .view_up = file.view_up,
          .flat = file.flat,
          .frame = file.frame,
          .low_pass = file.low_pass,
          .front_at_z = file.front_at_z};
}

// Splats that are not in memory all at once: rows are read a block at a time, from the first to the last, maybe twice.
struct SplatRows {
  size_t count = 0;
  int sh_degree = 0;
  std::function<void(size_t first, size_t count, splat::Gaussians& block)> read;
};

using SplatProgress = std::function<void(double fraction)>;  // called now and then, with 0 to 1, by the calling thread

struct SplatWriteOptions {
  int max_sh_degree = splat::kMaxShDegree;  // higher bands are left out
  int spz_version = 4;                      // 3: gzip, read by nearly all; 4: zstd, smaller and faster
  int threads = 0;                          // 0: every core; the bytes written do not depend on it
  PageContents page{};                      // of a web page
  size_t sample_of = 0;  // how many these splats stand for: shared parts shrink with their share; 0: they are all
  SplatProgress progress{};
};

// What a writer did. Files hold finite values only: a row with a NaN or an infinity that has no finite equal is left
// out; infinite opacities and scales of -infinity become finite values that render the same.
struct SplatWriteReport {
  size_t written = 0;               // rows
  size_t dropped = 0;               // rows left out
  size_t adjusted = 0;              // rows with a value made finite
  int sh_degree = 0;                // of the file; set by write_splat_file()
  std::vector<std::string> losses;  // what the file does not keep of the model, one sentence each
  std::vector<std::string> notes;   // what to know about using it, one sentence each
};

}  // namespace io
