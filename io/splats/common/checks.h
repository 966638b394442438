// What every reader of splats does at its end and every writer at its start.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "io/splats/common/splat_file.h"
#include "splat/core/result.h"

namespace io {

// The thin axis of a 2D Gaussian in a format that has no third scale: ln(1e-6), as other tools take it.
inline constexpr float kFlatLogScale = -13.815511f;

// Counts invalid_rows and adds warnings about suspicious values; that they seem to be activated only where the format
// does not fix how they are stored (PLY).
void check_splats(SplatFile& file, bool may_be_activated = false);

// "spherical harmonics of degree 4 are reduced to ...", where gaussians.sh_degree is below stored_sh_degree.
void note_reduced_degree(SplatFile& file);

// The low pass that a file says, px^2; a warning where it cannot be.
void take_low_pass(double px2, SplatFile& file);

// Adds to `report` what of `info` a file of this format cannot hold.
struct KeptInfo {
  bool antialiased = false, view_up = false, flat = false;
};
void note_lost_info(const SplatFileInfo& info, KeptInfo kept, const char* format, SplatWriteReport& report);

class WritableRows;

// What a format's numbers reach, either end a stored value; a value within `slack` of it rounds to it as to any other.
struct HeldRange {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  float slack = 0;
};
struct HeldRanges {
  HeldRange colour, harmonics, log_scale;  // of f_dc, of the higher bands up to `sh_degree`, of sizes
  int sh_degree = 0;
};
// Adds to `report` how many of the splats have values beyond those, which the writer moves to the ends: a sentence for
// each kind of them. Cost: one pass.
void note_clamped(const splat::Gaussians& model, const WritableRows& rows, const HeldRanges& held, const char* format,
                  SplatWriteReport& report);

// Which rows a file may hold, in their order. Bytes: none when all of them, else 4 a row.
class WritableRows {
 public:
  explicit WritableRows(const splat::Gaussians& model);

  const SplatWriteReport& report() const { return report_; }  // written, dropped and adjusted
  size_t size() const { return report_.written; }
  size_t operator[](size_t i) const { return kept_.empty() ? i : kept_[i]; }

 private:
  SplatWriteReport report_;
  std::vector<uint32_t> kept_;  // empty: all
};

// Whether a file may hold any of the rows; true for a model without rows.
bool any_writable(const splat::Gaussians& model);
splat::Error nothing_writable(const std::filesystem::path& path, size_t splats);  // where it may not

// Stands for infinity: sigmoid(40) is 1 in float, sigmoid(-40) is below every threshold, exp(-40) is no size at all.
inline float without_infinity(float value) { return std::isinf(value) ? std::copysign(40.0f, value) : value; }

}  // namespace io
