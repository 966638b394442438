// The splats as OpenGL draws them: their upload in portions, rows that editing changes, their order by depth, and those
// that are elsewhere while they are dragged.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/draw/changed_rows.h"
#include "viewer/draw/depth_order.h"
#include "viewer/draw/splats_gl.h"
#include "viewer/layers/layer.h"
#include "viewer/live/disposal.h"

namespace viewer {

struct SplatsLook {
  bool shown = false;  // by OpenGL: until then they cost the graphics card nothing
  DisplaySettings settings;
  Bounds bounds;
  ShownMove moved;     // of `rows`
  ShownRows rows;      // for update() alone
  uint64_t rows_of{};  // counts up with every change of them
};

class SplatsLayer final : public Layer {
 public:
  SplatsLayer(Disposal& disposal, std::function<void()> want_model)
      : disposal_(disposal), want_model_(std::move(want_model)) {}

  void clear();                                                     // another model is open
  void set(PackedSplats splats, std::vector<float> centres_radii);  // [N,4] for DepthSorter::set_splats()
  bool has_model() const { return model_ >= Model::kHeld; }
  bool awaits_model() const { return model_ == Model::kWanted; }
  void change(ChangedRows changed);  // of the model that it has

  splat::Status build() override { return gl_.build(); }
  bool update(const splat::View& view) override;
  bool busy() const override {
    return look.shown && (uploading_ || awaiting_order_ || awaits_model() || !changed_.empty());
  }
  Pass pass() const override { return Pass::kScene; }
  bool drawn() const override { return look.shown; }
  void draw(const splat::View& view) override;
  bool complete() const { return look.shown && is_ordered_ && gl_.count() > 0; }
  double sort_ms() const { return sort_ms_; }

  SplatsLook look;
  std::string problem;  // why OpenGL cannot draw them, once; taken by its owner

 private:
  void start_upload(PackedSplats&& splats);
  bool take_changed_rows();
  bool send_portion(const ChangedRows& changed);
  bool take_states();
  bool sort(const splat::View& view);
  void hand_over_moving_rows();
  std::array<float, 2> depth_range(const splat::View& view) const;

  Disposal& disposal_;
  std::function<void()> want_model_;
  SplatsGl gl_;
  DepthSorter sorter_;
  enum class Model : uint8_t { kNone, kWanted, kHeld, kSent } model_ = Model::kNone;
  uint64_t number_ = 0;  // of the model
  std::pair<PackedSplats, std::vector<float>> held_;
  std::deque<ChangedRows> changed_;  // that OpenGL does not have yet, oldest first
  struct Sent {
    size_t rows = 0, run = 0, of_run = 0;  // of all, whole runs, and rows of the next one
  } sent_;                                 // of the oldest changed rows
  bool uploading_ = false, awaiting_order_ = false, is_ordered_ = false;
  uint64_t states_of_ = 0, moving_of_ = 0;  // SplatsLook::rows_of, as handed over
  uint64_t ordered_changes_ = 0;            // what the order is of
  splat::View ordered_view_;
  splat::Similarity ordered_move_;
  double sort_ms_ = 0;
};

}  // namespace viewer
