// The crop box: moved and turned by handles, sized by its six faces, or typed. What is done with it are requests of the
// edit mode, a region of training (TrainingChoices) and of a mesh (MeshSettings).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "splat/edit/selectors.h"
#include "splat/model/box.h"
#include "studio/edit/transform_tool.h"
#include "viewer/camera/input.h"
#include "viewer/camera/navigator.h"

namespace studio {

inline constexpr size_t kFaces = 6;  // face 2 c: the low end of the box's own axis c, 2 c + 1: the high one

std::array<double, 3> face_middle(const splat::Box& box, size_t face);      // world
std::array<double, 3> face_direction(const splat::Box& box, size_t face);   // world, unit, outwards
splat::Box with_face_moved(const splat::Box& box, size_t face, double by);  // outwards, world units; the other stays
splat::Box moved(const splat::Box& box, const splat::Similarity& by);       // without the scale
std::array<double, 3> turn_degrees(const splat::math::Quat<double>& turn);  // about X, then Y, then Z
splat::math::Quat<double> turn_from(const std::array<double, 3>& degrees);  // the inverse
splat::math::Quat<double> upright(const Vec3& up);  // the least turn after which an axis of the box points up

// What the photos look at: around the point that their cameras have in common, as far as the middle one of them sees;
// or where the cameras stand, with some room. None: there are no cameras.
enum class CameraBox : uint8_t { kSeen, kStands };
std::optional<splat::Box> box_of_cameras(const std::vector<PhotoCamera>& cameras, CameraBox what,
                                         const splat::math::Quat<double>& turn);

class CropTool final : public Tool {
 public:
  CropTool();

  static constexpr double kHandlePx = 9;  // from a face's handle, times the display's scale

  TransformKind kind = TransformKind::kMove;  // of the gizmo: moves or turns
  bool clips = false;                         // only what is inside is shown, and follows the box

  const std::optional<splat::Box>& box() const { return box_; }
  void set(const std::optional<splat::Box>& box);  // one that is not usable is left out

  // A drag of the gizmo: from the box as it was when it began.
  void begin_drag();
  void drag(const splat::Similarity& by);
  void end_drag();
  void cancel() override;  // as it was
  bool dragging() const { return before_.has_value(); }
  const splat::Box& before() const { return *before_; }

  // A press, move or release of the left button over the scene, px; true: it is a face's.
  bool handle(const InputEvent& event, const splat::View& view, double scale);
  std::optional<size_t> face_at(const splat::View& view, double x, double y, double reach_px) const;
  std::optional<size_t> face() const { return face_; }  // that is dragged

  bool take_changed();                               // the box is another one since the last call, and no drag goes on
  void answered(const EditedScene& scene) override;  // with the box that was asked for
  void forget() override { clips = false; }

  // crop_panel.cpp, like those that follow.
  void begin(Workspace& work);  // where there is none yet: the one used last, else around the scene
  void ask_save(Workspace& work);
  void chosen(Workspace& work, bool again) override;  // again: the next kind of handles
  bool take_pointer(Workspace& work, const InputEvent& event, double scale) override;
  bool take_keys(Workspace& work, const std::string& keys) override;  // also of the region of a run
  void add_actions(Workspace& work, std::vector<Action>& actions) override;
  void draw_strip(Workspace& work) override;
  float panel_rows(const Workspace&) const override { return 6; }
  void draw_panel(Workspace& work) override;                // without what the strip has, where there is one
  void draw_box(Workspace& work, const ScenePlace& scene);  // in every frame: its edges and handles, where they show
  void add_state(const Workspace& work, nlohmann::json& state) const override;

 private:
  void next_kind() { kind = kind == TransformKind::kMove ? TransformKind::kTurn : TransformKind::kMove; }
  void follow(Workspace& work);  // what goes by the box when it has changed
  void draw_edges(const Workspace& work, const ScenePlace& scene) const;
  void drag_handles(Workspace& work, const ScenePlace& scene);

  std::optional<splat::Box> box_, before_, settled_;
  std::optional<size_t> face_;
  double grabbed_ = 0;  // along the face's direction, where it was pressed
};

}  // namespace studio
