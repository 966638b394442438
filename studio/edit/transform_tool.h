// Moving, turning and scaling the selected splats, or all of them where none is selected, around their middle: what a
// drag of the handles or typed numbers have come to, which is shown at once and becomes one step when it is finished.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "studio/edit/tool.h"

namespace studio {

enum class TransformKind : uint8_t { kMove, kTurn, kScale };

// Numbers as typed: world units along the axes; degrees about X, then Y, then Z, around `centre`; or one factor.
struct TransformNumbers {
  std::array<double, 3> move{0, 0, 0}, turn_deg{0, 0, 0};
  double scale = 1;
};
splat::Similarity transform_of(TransformKind kind, const TransformNumbers& numbers,
                               const std::array<double, 3>& centre);
// The same with a given turn or factor.
splat::Similarity about(const splat::Similarity& by, const std::array<double, 3>& centre);

class TransformTool final : public Tool {
 public:
  static constexpr double kTurnStep = 15, kScaleStep = 0.1;  // degrees; what Ctrl snaps to
  static double move_step(double extent);  // the power of ten below a tenth of what is moved, world units

  TransformTool();

  TransformKind kind = TransformKind::kMove;
  TransformNumbers numbers;

  bool dragging() const { return dragging_; }
  bool waiting() const { return waiting_; }  // for the answer to the last step
  ShownMove shown() const override { return shown_; }

  void drag(const splat::Similarity& by, const EditedScene& scene);  // from where the splats are, so far
  void cancel() override;
  // The step that was dragged, or typed; none: it changes nothing.
  std::optional<EditStep> finish();
  std::optional<EditStep> apply_numbers(const EditedScene& scene);

  void rows_changed(uint64_t revision) override;
  void answered(const EditedScene& scene) override;
  void forget() override { *this = TransformTool(); }

  // transform_panel.cpp, like those that follow.
  void chosen(Workspace& work, bool again) override;  // again: the next kind of handles
  bool take_keys(Workspace& work, const std::string& keys) override;
  void add_wants(EditWants& wants) const override { wants.extent = true; }
  void draw_strip(Workspace& work) override;
  void draw_over_scene(Workspace& work, const ScenePlace& scene) override;  // its handles

 private:
  ShownMove shown_;
  bool dragging_ = false, waiting_ = false;
};

}  // namespace studio
