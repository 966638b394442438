#include "io/splats/common/checks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "splat/core/check.h"
#include "splat/core/counted.h"
#include "splat/core/parallel.h"
#include "splat/core/percentile.h"
#include "splat/model/finite.h"
#include "splat/model/gaussian_rows.h"
#include "splat/model/robust_extent.h"
#include "splat/model/stored_as_bytes.h"

namespace io {

using splat::all_finite, splat::Gaussians, splat::has_legal_values;

namespace {

// Rows that no renderer can draw; all of the arrays are read once, by every core where they are large.
size_t count_invalid(const Gaussians& model) {
  constexpr size_t kRows = size_t(1) << 13, kFew = 1 << 17;
  splat::ThreadPool pool(model.size() < kFew ? 1 : 0);
  std::vector<size_t> invalid(size_t(pool.threads()));
  pool.for_chunks(model.size(), kRows, [&](size_t begin, size_t end, int thread) {
    bool finite = true;
    splat::visit_arrays(model, [&](const char*, const std::vector<float>& values, size_t width) {
      finite = finite && all_finite(std::span(values).subspan(begin * width, (end - begin) * width));
    });
    for (size_t row = begin; row < end; ++row) {
      const float* q = model.quats.data() + 4 * row;
      const bool rotation = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0;
      invalid[size_t(thread)] += !rotation || (!finite && !has_legal_values(model, row));
    }
  });
  return std::accumulate(invalid.begin(), invalid.end(), size_t(0));
}

// Which groups of values seem to have been written after their activation functions (early feed-forward models, some
// converters), or as 0..255: what shows it, what they should be, and the word of --repair. Chance or a small model does
// not look so.
struct Activated {
  std::vector<std::string> facts, wanted, words;

  void add(const char* fact, const char* should_be, const char* word) {
    facts.push_back(fact);
    wanted.push_back(should_be);
    words.push_back(word);
  }
};

constexpr size_t kEnough = 100;  // rows; fewer show a group alone only by chance

struct Range {
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();

  void add(float value) { low = std::min(low, value), high = std::max(high, value); }
  bool within(float least, float most) const { return low >= least && high <= most; }
};

template <class Values>
Range range_of(const Values& values) {
  Range range;
  for (const float value : values) range.add(value);
  return range;
}

Range colours_of(const Gaussians& model) {
  Range range;
  for (size_t row = 0; row < model.size(); ++row)
    for (size_t c = 0; c < 3; ++c) range.add(model.sh[row * size_t(model.coefficients()) * 3 + c]);
  return range;
}

// Positive scales that cannot be logarithms: read so, most splats would be a large part of the scene, or all of them
// would be nearly equal where as lengths they differ much.
bool scales_look_linear(const Gaussians& model) {
  constexpr float kLargePart = 0.05f, kNearlyEqual = 1.5f, kDifferMuch = 20;
  std::vector<float> scales = model.log_scales;
  std::erase_if(scales, [](float scale) { return !std::isfinite(scale); });
  const float low = splat::nth_value(scales, scales.size() / 100);
  const float median = splat::nth_value(scales, scales.size() / 2);
  const float high = splat::nth_value(scales, scales.size() - 1);
  if (high - low < kNearlyEqual && high > kDifferMuch * low) return true;
  const auto extent = splat::robust_extent(std::span(model.means));
  double side = 0;
  for (size_t c = 0; extent && c < 3; ++c) side = std::max(side, extent->high[c] - extent->low[c]);
  return std::exp(double(median)) > kLargePart * side && double(median) < kLargePart * side;
}

Activated activated_values(const Gaussians& model) {
  constexpr float kSpread = 0.05f;  // values that hardly differ say nothing
  constexpr float kColoursFrom = 0.15f, kColoursTo = 0.7f;
  Activated found;
  if (model.size() == 0) return found;
  const bool enough = model.size() >= kEnough;
  const Range opacity = range_of(model.logit_opacities), scale = range_of(model.log_scales), colour = colours_of(model);
  const bool opacities = opacity.within(0, 1), positive = scale.low > 0;
  const bool bytes = enough && splat::are_bytes(model.logit_opacities);
  if (bytes)
    found.add("opacities reach from 0 to 255", "logits", "opacity");
  else if (opacities && (positive || (enough && opacity.high - opacity.low >= kSpread)))
    found.add("every opacity is between 0 and 1", "logits", "opacity");
  if (positive && (opacities || (enough && scales_look_linear(model))))
    found.add("every scale is positive", "logarithms", "scale");
  const bool beside = opacities && positive && model.sh_degree == 0;
  if (enough && colour.within(0, 1) && (beside || (colour.low <= kColoursFrom && colour.high >= kColoursTo)))
    found.add("every f_dc is between 0 and 1", "coefficients", "colour");
  if (enough && splat::are_colour_bytes(model)) found.add("f_dc reach from 0 to 255", "coefficients", "colour");
  return found;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// Two decimals at most.
std::string short_number(float value) {
  std::string text = std::to_string(std::round(double(value) * 100) / 100);
  text.resize(text.find('.') + 3);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

bool has_infinity(const Gaussians& model, size_t row) {
  return std::isinf(model.logit_opacities[row]) || !all_finite({model.log_scales.data() + 3 * row, 3});
}

}  // namespace

void check_splats(SplatFile& file, bool may_be_activated) {
  const Gaussians& model = file.gaussians;
  if (model.size() == 0) file.warnings.push_back("the file holds no splats");
  file.invalid_rows = count_invalid(model);
  if (file.invalid_rows > 0)
    file.warnings.push_back(std::to_string(file.invalid_rows) + " of " + std::to_string(model.size()) +
                            " splats hold values that are not finite, or no rotation; they cannot be drawn, and "
                            "hipsplat convert IN OUT --drop-invalid leaves them out");
  if (const Activated found = may_be_activated ? activated_values(model) : Activated(); !found.words.empty())
    file.warnings.push_back(joined(found.facts, " and ") + ": the file seems to hold activated values instead of " +
                            joined(found.wanted, " and ") +
                            ", and will look wrong; if it does, hipsplat convert IN OUT --repair " +
                            joined(found.words, ",") + " undoes it");
}

void note_reduced_degree(SplatFile& file) {
  if (file.stored_sh_degree > file.gaussians.sh_degree)
    file.warnings.push_back("spherical harmonics of degree " + std::to_string(file.stored_sh_degree) +
                            " are reduced to degree " + std::to_string(file.gaussians.sh_degree) +
                            ", the highest that can be drawn");
}

void note_lost_info(const SplatFileInfo& info, KeptInfo kept, const char* format, SplatWriteReport& report) {
  const auto lost = [&](bool said, bool stays, const std::string& what) {
    if (said && !stays) report.losses.push_back(std::string(format) + " cannot say " + what);
  };
  lost(info.antialiased, kept.antialiased, "that the splats were trained antialiased; viewers will draw them unlike");
  lost(info.view_up.has_value(), kept.view_up, "which way is up");
  lost(info.flat, kept.flat, "that the splats are 2D Gaussians; they become very thin 3D ones");
}

WritableRows::WritableRows(const Gaussians& model) {
  if (all_finite(model)) {
    report_.written = model.size();
    return;
  }
  SPLAT_CHECK_LE(model.size(), size_t(std::numeric_limits<uint32_t>::max()));
  for (size_t row = 0; row < model.size(); ++row) {
    const bool keep = has_legal_values(model, row);
    if (keep) kept_.push_back(uint32_t(row));
    report_.dropped += !keep;
    report_.adjusted += keep && has_infinity(model, row);
  }
  report_.written = kept_.size();
  if (report_.dropped == 0) kept_ = {};
}

void note_clamped(const Gaussians& model, const WritableRows& rows, const HeldRanges& held, const char* format,
                  SplatWriteReport& report) {
  const size_t stride = size_t(model.coefficients()) * 3;
  const size_t harmonics = 3 * size_t(splat::sh_coefficients(held.sh_degree)) - 3;
  const auto count = [&](const HeldRange& range, const std::string& what, const char* unit, auto&& values_of_row) {
    const float low = range.low - range.slack, high = range.high + range.slack;
    const auto beyond = [&](float value) { return std::isfinite(value) && (value < low || value > high); };
    size_t splats = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      const std::span<const float> values = values_of_row(rows[i]);
      splats += std::any_of(values.begin(), values.end(), beyond);
    }
    if (splats > 0)
      report.losses.push_back("the " + what + " of " + splat::counted(splats, "splat") + " lie beyond " +
                              short_number(range.low) + " to " + short_number(range.high) + unit + ", where " + format +
                              " ends, and were moved to that border");
  };
  count(held.colour, "colours", " (f_dc)", [&](size_t row) { return std::span(model.sh).subspan(row * stride, 3); });
  count(held.harmonics, "spherical harmonics", "",
        [&](size_t row) { return std::span(model.sh).subspan(row * stride + 3, harmonics); });
  count(held.log_scale, "sizes", " (logarithms)",
        [&](size_t row) { return std::span(model.log_scales).subspan(3 * row, 3); });
}

void take_low_pass(double px2, SplatFile& file) {
  if (px2 >= 0 && px2 <= double(splat::kMostLowPass))
    file.low_pass = float(px2);
  else
    file.warnings.push_back("the low pass that it says is no number of px^2 from 0 to " +
                            std::to_string(int(splat::kMostLowPass)) + ", and is not used");
}

bool any_writable(const Gaussians& model) {
  for (size_t row = 0; row < model.size(); ++row)
    if (has_legal_values(model, row)) return true;
  return model.size() == 0;
}

splat::Error nothing_writable(const std::filesystem::path& path, size_t splats) {
  return splat::Error{"'" + path.string() + "' was not written: none of the " + std::to_string(splats) +
                      " splats has values that a file can hold (they are not finite)"};
}

}  // namespace io
