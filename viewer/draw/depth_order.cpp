#include "viewer/draw/depth_order.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "splat/core/check.h"
#include "splat/math/activation.h"
#include "splat/math/constants.h"
#include "viewer/camera/camera_state.h"
#include "viewer/mailbox.h"

namespace viewer {

namespace math = splat::math;

namespace {

constexpr size_t kKeys = 65536;
constexpr float kBorderPx = 4;  // what a low pass of 1 px^2 adds to a splat's radius, and some rounding

// The frustum in the form the loop over all splats needs: a splat is in sight when, with x, y, z its centre in the
// camera's frame and r its radius, z >= near and -r slope <= f x + c z and f x + (c - size) z <= r slope, and so for y.
// The slope is that of the clamped Jacobian at its steepest: never less than what projection makes of the splat.
struct Frustum {
  float rows[3][4];  // cam_from_world
  float fx, fy, left, right, top, bottom, slope_x, slope_y, near_plane;

  explicit Frustum(const SortedView& sorted) : near_plane(sorted.near_plane) {
    const splat::View& view = sorted.view;
    const splat::PinholeCamera& c = view.camera;
    for (int r = 0; r < 3; ++r) {
      for (int k = 0; k < 3; ++k) rows[r][k] = float(view.cam_from_world.rotation[size_t(3 * r + k)]);
      rows[r][3] = float(view.cam_from_world.translation[size_t(r)]);
    }
    fx = c.fx, fy = c.fy;
    left = c.cx + kBorderPx, right = c.cx - float(c.width) - kBorderPx;
    top = c.cy + kBorderPx, bottom = c.cy - float(c.height) - kBorderPx;
    const float margin = float(math::kJacobianMargin);
    slope_x = std::hypot(fx, margin * float(c.width) + std::max(std::abs(c.cx), std::abs(float(c.width) - c.cx)));
    slope_y = std::hypot(fy, margin * float(c.height) + std::max(std::abs(c.cy), std::abs(float(c.height) - c.cy)));
  }

  float coordinate(int row, const float* p) const {
    return rows[row][0] * p[0] + rows[row][1] * p[1] + rows[row][2] * p[2] + rows[row][3];
  }

  // The bits of the depth, which order like the depth itself; 0 when out of sight. Comparisons with NaN fail.
  uint32_t depth_bits(const float* p) const {
    const float x = fx * coordinate(0, p), y = fy * coordinate(1, p), z = coordinate(2, p);
    const float reach_x = p[3] * slope_x, reach_y = p[3] * slope_y;
    const bool seen = (z >= near_plane) & (z <= std::numeric_limits<float>::max()) & (x + left * z >= -reach_x) &
                      (x + right * z <= reach_x) & (y + top * z >= -reach_y) & (y + bottom * z <= reach_y);
    return seen ? std::bit_cast<uint32_t>(z) : 0;
  }
};

// [begin, end) of part `part` of `parts` equal ones.
std::pair<size_t, size_t> range_of(size_t part, size_t parts, size_t count) {
  return {count * part / parts, count * (part + 1) / parts};
}

struct BitRange {
  uint32_t low = UINT32_MAX, high = 0;
};

// Far to near: the bits of a depth are piecewise linear in its logarithm.
class Keys {
 public:
  explicit Keys(const BitRange& range) : high_(range.high) {
    scale_ = (uint64_t(kKeys - 1) << 32) / std::max<uint32_t>(range.high - range.low, 1);
  }
  size_t of(uint32_t bits) const { return size_t((uint64_t(high_ - bits) * scale_) >> 32); }

 private:
  uint32_t high_;
  uint64_t scale_;
};

// `to` gets the rows of `from` [N,4], the moving ones where `by` puts them.
void move_rows(const std::vector<float>& from, std::span<const uint8_t> moving, const splat::Similarity& by,
               std::vector<float>& to) {
  to = from;
  for (size_t row = 0; row < moving.size(); ++row) {
    if (!moving[row]) continue;
    float* p = &to[4 * row];
    const std::array<double, 3> centre = by * std::array<double, 3>{p[0], p[1], p[2]};
    for (size_t c = 0; c < 3; ++c) p[c] = float(centre[c]);
    p[3] *= float(by.scale);
  }
}

// counts [parts,kKeys] become where each part's splats of each key begin; the number of splats in sight.
size_t begin_of_keys(std::vector<uint32_t>& counts, size_t parts) {
  uint32_t sum = 0;
  for (size_t key = 0; key < kKeys; ++key)
    for (size_t part = 0; part < parts; ++part) sum += std::exchange(counts[part * kKeys + key], sum);
  return sum;
}

}  // namespace

void sort_by_depth(std::span<const float> centres_radii, const SortedView& view, splat::ThreadPool& pool,
                   DepthScratch& scratch, std::vector<uint32_t>& order) {
  const size_t count = centres_radii.size() / 4, parts = size_t(pool.threads());
  const Frustum frustum(view);
  scratch.depth_bits.resize(count);
  scratch.counts.assign(parts * kKeys, 0);
  std::vector<BitRange> ranges(parts);
  pool.for_each(parts, [&](size_t part, int) {
    const auto [begin, end] = range_of(part, parts, count);
    BitRange range;
    for (size_t i = begin; i < end; ++i) {
      const uint32_t bits = frustum.depth_bits(&centres_radii[i * 4]);
      scratch.depth_bits[i] = bits;
      range.low = std::min(range.low, bits - 1);  // 0 becomes the largest number
      range.high = std::max(range.high, bits);
    }
    ranges[part] = range;
  });
  BitRange all;
  for (const BitRange& range : ranges) all = {std::min(all.low, range.low), std::max(all.high, range.high)};
  if (all.high == 0) {
    order.clear();
    return;
  }
  const Keys keys({all.low + 1, all.high});
  pool.for_each(parts, [&](size_t part, int) {
    const auto [begin, end] = range_of(part, parts, count);
    uint32_t* counts = &scratch.counts[part * kKeys];
    for (size_t i = begin; i < end; ++i)
      if (const uint32_t bits = scratch.depth_bits[i]) ++counts[keys.of(bits)];
  });
  order.resize(begin_of_keys(scratch.counts, parts));
  pool.for_each(parts, [&](size_t part, int) {
    const auto [begin, end] = range_of(part, parts, count);
    uint32_t* next = &scratch.counts[part * kKeys];
    for (size_t i = begin; i < end; ++i)
      if (const uint32_t bits = scratch.depth_bits[i]) order[next[keys.of(bits)]++] = uint32_t(i);
  });
}

std::vector<float> centres_and_radii(const splat::Gaussians& splats, splat::ThreadPool& pool) {
  constexpr size_t kChunk = 16384;
  std::vector<float> out(splats.size() * 4);
  pool.for_chunks(splats.size(), kChunk, [&](size_t begin, size_t end, int) {
    for (size_t i = begin; i < end; ++i) {
      const float* scale = &splats.log_scales[i * 3];
      const float opacity = math::sigmoid(splats.logit_opacities[i]);
      // Where its alpha falls to the least that is drawn. Never drawn at all: the logarithm is negative, the root NaN.
      const float deviations = std::sqrt(2 * std::log(opacity / float(math::kAlphaMin)));
      float* row = &out[i * 4];
      std::copy_n(&splats.means[i * 3], 3, row);
      row[3] = deviations * std::exp(std::max({scale[0], scale[1], scale[2]}));
    }
  });
  return out;
}

// ---- the sorter's thread

struct DepthSorter::Worker {
  using Change = splat::UniqueFunction<void(std::vector<float>&)>;

  explicit Worker(int threads) : pool(threads), thread([this] { run(); }) {}
  ~Worker() {
    {
      std::lock_guard lock(mutex);
      stop = true;
    }
    changed.notify_one();
    thread.join();
  }

  void run() {
    DepthScratch scratch;
    std::vector<float> centres_radii, elsewhere;
    std::vector<uint8_t> moving;
    uint64_t model = 0, known = 0;  // changes
    for (;;) {
      DepthOrder order;
      float near_plane = 0;
      std::optional<std::vector<float>> replaced;  // freed outside the lock
      std::deque<Change> changes;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return stop || new_splats || wanted; });
        if (stop) return;
        if (new_splats) {
          replaced = std::exchange(centres_radii, std::move(*new_splats));
          new_splats.reset();
          model = new_model;
          known = 0;
        }
        if (!wanted) continue;
        order.view = wanted->view, near_plane = wanted->near_plane;
        wanted.reset();
        order.moved = wanted_move;
        if (new_moving) moving.swap(*new_moving), new_moving.reset();
        order.indices = std::move(spare);
        changes.swap(new_changes);
      }
      for (Change& change : changes) change(centres_radii), ++known;
      const auto start = std::chrono::steady_clock::now();
      order.model = model;
      order.changes = known;
      const bool moved = !order.moved.is_identity() && 4 * moving.size() == centres_radii.size();
      if (moved) move_rows(centres_radii, moving, order.moved, elsewhere);
      sort_by_depth(moved ? elsewhere : centres_radii, {order.view, near_plane}, pool, scratch, order.indices);
      order.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      result.put(std::move(order));
    }
  }

  // ---- between the threads
  std::mutex mutex;
  std::condition_variable changed;
  bool stop = false;
  std::optional<std::vector<float>> new_splats;
  uint64_t new_model = 0;
  std::deque<Change> new_changes;  // of the rows of new_splats, or of those that are being sorted
  std::optional<SortedView> wanted;
  splat::Similarity wanted_move;
  std::optional<std::vector<uint8_t>> new_moving;
  std::vector<uint32_t> spare;  // memory for the next order
  Mailbox<DepthOrder> result;

  // ---- the owner's thread
  uint64_t model = 0, changes = 0;
  std::optional<SortedView> requested;
  splat::Similarity moved;
  std::optional<DepthOrder> at_hand;

  splat::ThreadPool pool;
  std::thread thread;
};

DepthSorter::DepthSorter(int threads) : worker_(std::make_unique<Worker>(threads)) {}
DepthSorter::~DepthSorter() = default;

void DepthSorter::set_waker(std::function<void()> waker) { worker_->result.set_waker(std::move(waker)); }

void DepthSorter::set_splats(uint64_t model, std::vector<float> centres_radii) {
  SPLAT_CHECK_EQ(centres_radii.size() % 4, size_t(0));
  std::optional<std::vector<float>> given(std::move(centres_radii));
  Worker& w = *worker_;
  w.model = model;
  w.changes = 0;
  w.requested.reset();
  w.at_hand.reset();
  std::deque<Worker::Change> dropped;
  std::lock_guard lock(w.mutex);
  w.new_changes.swap(dropped);
  w.new_splats.swap(given);
  w.new_model = model;
  w.wanted.reset();
  w.changed.notify_one();
}

void DepthSorter::change_splats(splat::UniqueFunction<void(std::vector<float>&)> change) {
  Worker& w = *worker_;
  ++w.changes;
  w.requested.reset();
  std::lock_guard lock(w.mutex);
  w.new_changes.push_back(std::move(change));
}

uint64_t DepthSorter::changes() const { return worker_->changes; }

void DepthSorter::set_moving(std::vector<uint8_t> rows) {
  std::optional<std::vector<uint8_t>> given(std::move(rows));
  Worker& w = *worker_;
  w.requested.reset();
  std::lock_guard lock(w.mutex);
  w.new_moving.swap(given);
}

void DepthSorter::request(const SortedView& wanted, const splat::Similarity& moved) {
  Worker& w = *worker_;
  if (w.requested && same_view(w.requested->view, wanted.view) && w.requested->near_plane == wanted.near_plane &&
      w.moved == moved)
    return;
  w.requested = wanted, w.moved = moved;
  std::lock_guard lock(w.mutex);
  w.wanted = wanted, w.wanted_move = moved;
  w.changed.notify_one();
}

const DepthOrder* DepthSorter::newest() {
  Worker& w = *worker_;
  if (std::optional<DepthOrder> order = w.result.take(); order && order->model == w.model) {
    w.at_hand.swap(order);
    if (order) {
      std::lock_guard lock(w.mutex);
      w.spare.swap(order->indices);
    }
  }
  return w.at_hand ? &*w.at_hand : nullptr;
}

}  // namespace viewer
