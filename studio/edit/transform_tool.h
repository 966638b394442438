// Moving, turning and scaling the selected splats, or all of them where none is selected, around their middle: what a
// drag of the handles or typed numbers have come to, which is shown at once and becomes one step when it is finished.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "studio/edit/edit_request.h"
#include "viewer/live/shown_move.h"

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

class TransformTool {
 public:
  static constexpr double kTurnStep = 15, kScaleStep = 0.1;  // degrees; what Ctrl snaps to
  static double move_step(double extent);  // the power of ten below a tenth of what is moved, world units

  TransformKind kind = TransformKind::kMove;
  TransformNumbers numbers;

  void next_kind() { kind = TransformKind((int(kind) + 1) % 3); }
  bool dragging() const { return dragging_; }
  bool waiting() const { return waiting_; }  // for the answer to the last step
  const ShownMove& shown() const { return shown_; }

  void drag(const splat::Similarity& by, const EditedScene& scene);  // from where the splats are, so far
  void abandon();
  // The step that was dragged, or typed; none: it changes nothing.
  std::optional<EditStep> finish();
  std::optional<EditStep> apply_numbers(const EditedScene& scene);

  void rows_changed(uint64_t revision);  // the window has the rows of the model at this revision
  void answered(const EditedScene& scene);
  void forget() { *this = TransformTool(); }

 private:
  ShownMove shown_;
  bool dragging_ = false, waiting_ = false;
};

}  // namespace studio
