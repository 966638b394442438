#include "viewer/layers/splats_layer.h"

#include <algorithm>
#include <memory>

#include "viewer/camera/camera_state.h"

namespace viewer {

void SplatsLayer::clear() {
  gl_.clear();
  disposal_.add(std::exchange(held_, {}));
  changed_.clear();
  model_ = Model::kNone;
  uploading_ = awaiting_order_ = is_ordered_ = false;
  sent_ = {};
  sort_ms_ = 0;
}

void SplatsLayer::set(PackedSplats splats, std::vector<float> centres_radii) {
  held_ = {std::move(splats), std::move(centres_radii)};
  model_ = Model::kHeld;
}

// To where the splats are: in OpenGL's buffers, in portions, or still held.
void SplatsLayer::change(ChangedRows changed) {
  if (model_ == Model::kSent)
    changed_.push_back(std::move(changed));
  else
    write_changed_rows(changed, held_.first, held_.second);
}

bool SplatsLayer::update(const splat::View& view) {
  if (auto uploaded = gl_.take_uploaded()) disposal_.add(std::move(uploaded));
  bool changes = take_changed_rows();
  if (!look.shown) return changes;
  if (model_ == Model::kNone) model_ = Model::kWanted, want_model_();
  if (model_ == Model::kHeld) {
    model_ = Model::kSent;
    sorter_.set_splats(++number_, std::move(held_.second));
    start_upload(std::move(held_.first));
  }
  changes |= take_states();
  if (uploading_) uploading_ = !gl_.continue_upload(kUploadBytes), changes = true;
  changes |= sort(view);
  return changes;
}

void SplatsLayer::start_upload(PackedSplats&& splats) {
  const splat::Status status = gl_.start_upload(std::make_unique<const PackedSplats>(std::move(splats)));
  uploading_ = status.ok();
  states_of_ = 0;
  if (!uploading_) problem = status.error().message;
}

bool SplatsLayer::take_changed_rows() {
  if (changed_.empty() || uploading_) return false;
  if (gl_.count() == 0) return changed_.clear(), false;                    // they are more than OpenGL can hold
  const bool anew = changed_.front().packed.sh_degree != gl_.sh_degree();  // then all rows have changed
  if (!anew && send_portion(changed_.front())) return true;
  ChangedRows done = std::move(changed_.front());
  changed_.pop_front();
  sent_ = {};
  if (anew)
    start_upload(std::move(done.packed));
  else
    disposal_.add(std::move(done.packed));
  sorter_.change_splats([rows = done.rows, runs = std::move(done.runs), values = std::move(done.centres_radii)](
                            auto& centres_radii) { write_rows(runs, 4, values, rows, centres_radii); });
  return true;
}

// True: there is more.
bool SplatsLayer::send_portion(const ChangedRows& changed) {
  constexpr size_t kUploadRuns = 4000;  // a frame: each costs three calls
  if (sent_.rows == 0)
    if (const splat::Status status = gl_.set_count(changed.rows); !status) {
      problem = status.error().message;
      return false;
    }
  const size_t most = kUploadBytes / changed.packed.bytes_a_splat();
  size_t rows = 0;
  for (size_t runs = 0; runs < kUploadRuns && sent_.run < changed.runs.size(); ++runs) {
    const splat::edit::RowRun& run = changed.runs[sent_.run];
    const size_t part = std::min<size_t>(run.end - run.begin - sent_.of_run, most - rows);
    gl_.write_rows(changed.packed, sent_.rows, part, run.begin + sent_.of_run);
    sent_.rows += part, sent_.of_run += part, rows += part;
    if (sent_.of_run < run.end - run.begin) return true;
    ++sent_.run, sent_.of_run = 0;
    if (rows == most) break;
  }
  return sent_.run < changed.runs.size();
}

bool SplatsLayer::take_states() {
  const auto& states = look.rows.states;
  if (states_of_ == look.rows_of || gl_.count() == 0 || (!states.empty() && states.size() != gl_.count())) return false;
  states_of_ = look.rows_of;
  gl_.set_rows(look.rows);
  return true;
}

bool SplatsLayer::sort(const splat::View& view) {
  awaiting_order_ = false;
  if (gl_.count() == 0) return false;
  const splat::Similarity& move = look.moved.by;
  if (look.moved.moves() && moving_of_ != look.rows_of) hand_over_moving_rows();
  sorter_.request({view, near_plane}, move);
  const DepthOrder* order = sorter_.newest();
  awaiting_order_ =
      !order || !same_view(order->view, view) || order->changes != sorter_.changes() || !(order->moved == move);
  if (!order || (is_ordered_ && ordered_changes_ == order->changes && same_view(order->view, ordered_view_) &&
                 ordered_move_ == order->moved))
    return false;
  is_ordered_ = true;
  ordered_changes_ = order->changes, ordered_view_ = order->view, ordered_move_ = order->moved;
  sort_ms_ = order->milliseconds;
  gl_.set_order(order->indices);
  return true;
}

void SplatsLayer::hand_over_moving_rows() {
  moving_of_ = look.rows_of;
  std::vector<uint8_t> moving(look.rows.states.begin(), look.rows.states.end());
  for (uint8_t& state : moving) state = (state & look.moved.bits()) == look.moved.value();
  sorter_.set_moving(std::move(moving));
}

void SplatsLayer::draw(const splat::View& view) {
  gl_.draw(view,
           {.render = look.settings, .depth_range = depth_range(view), .moved = look.moved, .near_plane = near_plane});
}

std::array<float, 2> SplatsLayer::depth_range(const splat::View& view) const {
  if (look.bounds.empty()) return {0.1f, 100};
  const double distance = length(look.bounds.centre() - vec3(view.cam_from_world.origin_in_source()));
  const double radius = look.bounds.radius(), nearest = std::max(distance - radius, 0.02 * radius);
  return {float(nearest), float(std::max(distance + radius, 1.01 * nearest))};
}

}  // namespace viewer
