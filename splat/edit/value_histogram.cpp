#include "splat/edit/value_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "splat/core/check.h"
#include "splat/edit/edited_model.h"

namespace splat::edit {
namespace {

constexpr size_t kSampled = 65536;  // rows that the range is taken from
constexpr double kOutside = 0.001;  // share at either end
constexpr size_t kRowsOfAPart = 65536;

bool is_share(RowValue value) {
  return value == RowValue::kOpacity || value == RowValue::kRed || value == RowValue::kGreen ||
         value == RowValue::kBlue || value == RowValue::kContribution;
}
bool spans_decades(RowValue value) {
  return value == RowValue::kSize || value == RowValue::kElongation || value == RowValue::kThickness ||
         value == RowValue::kDistance;
}

bool counts(uint8_t state, float value, bool logarithmic) {
  return !(state & kNotShown) && std::isfinite(value) && (!logarithmic || value > 0);
}

// On the histogram's axis.
float place(float value, bool logarithmic) { return logarithmic ? std::log(value) : value; }

}  // namespace

double ValueHistogram::edge(size_t bin) const {
  const double share = double(bin) / double(all.size());
  if (logarithmic) return low * std::pow(high / low, share);
  return low + (high - low) * share;
}
double ValueHistogram::from(size_t bin) const {
  return bin == 0 ? -std::numeric_limits<double>::infinity() : edge(bin);
}
double ValueHistogram::to(size_t bin) const {
  return bin + 1 == all.size() ? std::numeric_limits<double>::infinity() : edge(bin + 1);
}

ValueHistogram value_histogram(const Gaussians& model, std::span<const uint8_t> states, const RowMeasure& measure,
                               size_t bins, ThreadPool& pool) {
  SPLAT_CHECK_EQ(states.size(), model.size());
  SPLAT_CHECK(bins > 0);
  ValueHistogram made;
  made.logarithmic = spans_decades(measure.value);
  const std::vector<float> values = row_values(model, measure, pool);
  std::vector<float> sample;
  for (size_t row = 0; row < values.size(); row += std::max<size_t>(1, values.size() / kSampled))
    if (counts(states[row], values[row], made.logarithmic)) sample.push_back(values[row]);
  if (sample.empty()) return made;
  if (!is_share(measure.value)) {
    std::sort(sample.begin(), sample.end());
    const size_t outside = size_t(kOutside * double(sample.size()));
    made.low = sample[outside], made.high = sample[sample.size() - 1 - outside];
    if (!(made.high > made.low)) made.high = made.low + std::max(1e-6, 1e-3 * std::abs(made.low));
  }
  made.all.resize(bins), made.selected.resize(bins);
  const float low = place(float(made.low), made.logarithmic);
  const float a_bin = float(bins) / (place(float(made.high), made.logarithmic) - low);
  std::vector<double> edges;
  for (size_t bin = 0; bin <= bins; ++bin) edges.push_back(made.edge(bin));
  std::vector<std::vector<size_t>> of_thread(size_t(pool.threads()), std::vector<size_t>(2 * bins));
  pool.for_chunks(values.size(), kRowsOfAPart, [&](size_t begin, size_t end, int thread) {
    std::vector<size_t>& mine = of_thread[size_t(thread)];
    for (size_t row = begin; row < end; ++row) {
      if (!counts(states[row], values[row], made.logarithmic)) continue;
      const float value = values[row];
      size_t bin = size_t(std::clamp((place(value, made.logarithmic) - low) * a_bin, 0.0f, float(bins - 1)));
      while (bin > 0 && value < edges[bin]) --bin;  // as selecting the bin's range decides
      while (bin + 1 < bins && value >= edges[bin + 1]) ++bin;
      ++mine[bin];
      mine[bins + bin] += (states[row] & kSelected) != 0;
    }
  });
  for (const std::vector<size_t>& part : of_thread)
    for (size_t bin = 0; bin < bins; ++bin) made.all[bin] += part[bin], made.selected[bin] += part[bins + bin];
  return made;
}

}  // namespace splat::edit
