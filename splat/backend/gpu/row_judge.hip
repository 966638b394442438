// Row by row, in double: what row_judge.h and math/sight.h say.
#include "splat/backend/gpu/parameter_access.h"
#include "splat/backend/gpu/row_judge.h"

namespace splat::gpu {
namespace {

constexpr uint32_t kRows = kBlockSplats;  // of a block, one a thread
constexpr int kThreads = 256;             // of the kernels without bounds
constexpr uint32_t kMostBlocks = 1024;    // of those that count
constexpr float kNowhere = __builtin_huge_valf();

using Place = math::Vec3<double>;
using Frustum = math::Frustum<double>;

SPLAT_DEVICE unsigned long long bits_of(double value) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}
SPLAT_DEVICE double from_bits(unsigned long long bits) {
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

// A block's rows that are somewhere.
struct Bounds {
  math::Cell<double> cell;
  bool any;
};
SPLAT_DEVICE Bounds bounds_of(const math::Vec3<float>& mean, bool is_somewhere) {
  SPLAT_LDS(float, low, 3 * kRows);
  SPLAT_LDS(float, high, 3 * kRows);
  const uint32_t i = threadIdx.x;
  const float at[3] = {mean.x, mean.y, mean.z};
  SPLAT_UNROLL
  for (uint32_t axis = 0; axis < 3; ++axis) {
    low[axis * kRows + i] = is_somewhere ? at[axis] : kNowhere;
    high[axis * kRows + i] = is_somewhere ? at[axis] : -kNowhere;
  }
  for (uint32_t step = kRows / 2; step > 0; step /= 2) {
    __syncthreads();
    if (i >= step) continue;
    for (uint32_t k = i; k < 3 * kRows; k += kRows) {
      low[k] = math::min(float(low[k]), float(low[k + step]));
      high[k] = math::max(float(high[k]), float(high[k + step]));
    }
  }
  __syncthreads();
  const float lows[3] = {low[0], low[kRows], low[2 * kRows]}, highs[3] = {high[0], high[kRows], high[2 * kRows]};
  __syncthreads();
  return {math::cell_between<double>(lows, highs), lows[0] <= highs[0]};
}

// visit(index, what) for the indices of which is(index) says something but 0: asked once a block, visited by all of its
// threads, until visit() says false to all of them.
template <class Is, class Visit>
SPLAT_DEVICE void visit_chosen(uint32_t count, const Is& is, const Visit& visit) {
  SPLAT_LDS(int, chosen, kRows);
  bool more = true;
  for (uint32_t base = 0; base < count && more; base += kRows) {
    const uint32_t mine = base + threadIdx.x;
    chosen[threadIdx.x] = mine < count ? is(mine) : 0;
    __syncthreads();
    for (uint32_t k = 0; k < kRows && more; ++k)
      if (const int what = chosen[k]) more = visit(base + k, what);
    __syncthreads();
  }
}

// The only view that has the place in frame; kNone: none or several.
constexpr uint32_t kNone = ~0u;
SPLAT_DEVICE uint32_t only_view(const JudgeArgs& args, const Place& place, const Bounds& bounds) {
  constexpr uint32_t kEnough = 2;
  uint32_t seen = 0, first = kNone, have_all = 0;
  visit_chosen(
      args.views, [&](uint32_t view) { return bounds.any ? int(args.frusta[view].holds(bounds.cell)) : 0; },
      [&](uint32_t view, int holds) {
        if (seen < kEnough && math::is_in_frame(args.sights[view], place)) {
          if (seen++ == 0) first = view;
        }
        have_all += holds == int(Frustum::Holds::kAll);
        return have_all < kEnough;
      });
  return seen == 1 ? first : kNone;
}

SPLAT_DEVICE bool is_on_a_path(const JudgeArgs& args, const Place& place, const Bounds& bounds) {
  bool is = false;
  visit_chosen(
      args.path_count, [&](uint32_t i) { return int(bounds.any && args.around[i].meets(bounds.cell)); },
      [&](uint32_t i, int) {
        is = is || args.paths[i].holds(place);
        return true;
      });
  return is;
}

SPLAT_DEVICE double squared_distance_to_nearest(const JudgeArgs& args, const Place& place, const Bounds& bounds) {
  SPLAT_LDS(double, limits, kRows);
  const uint32_t i = threadIdx.x;
  double limit = double(kNowhere);
  for (uint32_t view = i; view < args.views; view += kRows)
    limit = math::min(limit, bounds.cell.largest_squared_distance(args.sights[view].centre));
  limits[i] = limit;
  for (uint32_t step = kRows / 2; step > 0; step /= 2) {
    __syncthreads();
    if (i < step) limits[i] = math::min(double(limits[i]), double(limits[i + step]));
  }
  __syncthreads();
  limit = math::with_slack(double(limits[0]));
  double least = double(kNowhere);
  visit_chosen(
      args.views,
      [&](uint32_t view) {
        return int(bounds.any && bounds.cell.least_squared_distance(args.sights[view].centre) <= limit);
      },
      [&](uint32_t view, int) {
        const double squared = math::squared_distance(args.sights[view].centre, place);
        if (squared < least) least = squared;
        return true;
      });
  return least;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kRows) judge_kernel(JudgeArgs args) {
  const uint32_t row = blockIdx.x * kRows + threadIdx.x;
  const bool is_row = row < args.rows;
  math::Vec3<float> mean{kNowhere, kNowhere, kNowhere};
  float logit = 0;
  if (is_row) {
    const SplatRows of = SplatRows::of(args.parameters, args.block_floats, row);
    mean = of.mean(), logit = of.value(kOpacityRow);
  }
  const bool is_somewhere = math::is_somewhere(mean);
  Bounds bounds = bounds_of(mean, is_somewhere);
  uint8_t verdict = logit < args.least_logit ? kRemoved : uint8_t(0);
  if (args.nearer > 0) {
    const uint32_t view = only_view(args, math::place_of(mean), bounds);
    if (view != kNone) {
      const Place from = args.sights[view].centre, place = math::place_of(mean);
      const double times = math::times_farther(args.sights, args.views, from, place, args.nearer);
      if (times != 1) mean = math::moved_out(from, place, times), verdict |= kMoved;
    }
    bounds = bounds_of(mean, is_somewhere);
    if (is_on_a_path(args, math::place_of(mean), bounds) &&
        !math::is_seen_close_by(args.sights, args.views, math::place_of(mean), args.nearer))
      verdict |= kRemoved;
  }
  const double squared =
      args.wants_distances ? squared_distance_to_nearest(args, math::place_of(mean), bounds) : double(kNowhere);
  if (!is_row) return;
  args.verdicts[row] = verdict;
  args.keys[row] = bits_of(squared);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) count_digits_kernel(DigitArgs args) {
  static_assert(kThreads == kDigits);
  SPLAT_LDS(uint32_t, digits, kDigits);
  digits[threadIdx.x] = 0;
  __syncthreads();
  const int above = args.shift + kDigitBits;
  for (uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < args.count; i += gridDim.x * kThreads) {
    const unsigned long long key = args.keys[i];
    if (above < kKeyBits && key >> above != args.prefix) continue;
    atomicAdd(&digits[uint32_t(key >> args.shift) % kDigits], 1u);
  }
  __syncthreads();
  if (const uint32_t count = digits[threadIdx.x]) atomicAdd(args.digits + threadIdx.x, count);
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) score_rows_kernel(ScoreArgs args) {
  const uint32_t row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= args.rows) return;
  const float factor = math::growth_factor(from_bits(args.keys[row]), args.inverse_squared_far);
  const double score = math::growth_score(factor, args.mean2d_gradient_norm[row], args.visible_count[row]);
  args.keys[row] = score > 0 && !(args.verdicts[row] & kRemoved) ? bits_of(score) : 0;
}

__global__ void SPLAT_LAUNCH_BOUNDS(kThreads) mark_best_kernel(BestArgs args) {
  const uint32_t row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= args.rows) return;
  const unsigned long long key = args.keys[row];
  args.verdicts[row] = key > args.least ? kBest : key == args.least && key > 0 ? kTied : uint8_t(0);
}

uint32_t blocks_of(uint32_t count, uint32_t threads) { return (count + threads - 1) / threads; }

}  // namespace

void judge_rows(const JudgeArgs& args, const Target& target) {
  launch("judge_rows", judge_kernel, dim3(blocks_of(args.rows, kRows)), kRows, target.stream, args);
}
void count_digits(const DigitArgs& args, const Target& target) {
  const uint32_t blocks = blocks_of(args.count, kThreads);
  launch("count_digits", count_digits_kernel, dim3(blocks < kMostBlocks ? blocks : kMostBlocks), kThreads,
         target.stream, args);
}
void score_rows(const ScoreArgs& args, const Target& target) {
  launch("score_rows", score_rows_kernel, dim3(blocks_of(args.rows, kThreads)), kThreads, target.stream, args);
}
void mark_best(const BestArgs& args, const Target& target) {
  launch("mark_best", mark_best_kernel, dim3(blocks_of(args.rows, kThreads)), kThreads, target.stream, args);
}

}  // namespace splat::gpu
