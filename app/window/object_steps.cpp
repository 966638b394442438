#include "app/window/object_steps.h"

#include "splat/registration/icp.h"
#include "viewer/scene_name.h"

namespace app {

using viewer::EditRequest;
using viewer::EditStep;

namespace {

std::vector<float> points_of(const splat::edit::EditedModel& edited, uint32_t object) {
  std::vector<uint8_t> rows(edited.states().size());
  for (size_t row = 0; row < rows.size(); ++row)
    rows[row] = edited.objects()[row] == object && !(edited.states()[row] & splat::edit::kNotShown);
  return splat::registration::surface_points(edited.model(), rows);
}

}  // namespace

bool is_object_step(EditStep step) {
  switch (step) {
    case EditStep::kRenameObject:
    case EditStep::kShowObject:
    case EditStep::kHideObject:
    case EditStep::kLockObject:
    case EditStep::kUnlockObject:
    case EditStep::kMoveObject:
    case EditStep::kPlaceObject:
      return true;
    default:
      return false;
  }
}

void take_object_step(const EditRequest& request, splat::edit::EditedModel& edited) {
  const uint32_t object = request.object;
  if (object >= edited.object_count()) return;
  switch (request.step) {
    case EditStep::kRenameObject:
      edited.rename_object(object, request.name);
      break;
    case EditStep::kShowObject:
      edited.show_object(object, true);
      break;
    case EditStep::kHideObject:
      edited.show_object(object, false);
      break;
    case EditStep::kLockObject:
      edited.lock_object(object, true);
      break;
    case EditStep::kUnlockObject:
      edited.lock_object(object, false);
      break;
    case EditStep::kMoveObject:
      edited.move_object(object, request.transform);
      break;
    case EditStep::kPlaceObject:
      edited.place_object(object, request.transform);
      break;
    default:
      break;
  }
}

splat::Result<viewer::Refined> refined(const EditRequest& request, const splat::edit::EditedModel& edited,
                                       splat::ThreadPool& pool) {
  splat::registration::IcpSettings settings;
  settings.with_scale = request.with_scale;
  SPLAT_ASSIGN_OR_RETURN(
      const splat::registration::IcpResult found,
      icp(points_of(edited, request.object), points_of(edited, request.onto), request.transform, settings, pool));
  return viewer::Refined{found.to_from, found.rms, found.share, found.iterations, edited.revision()};
}

std::string object_name(const std::filesystem::path& file) {
  const std::string name = viewer::scene_name(file);
  return name.substr(0, name.find('.', 1));
}

std::vector<viewer::SceneObject> scene_objects(const splat::edit::EditedModel& edited,
                                               const std::filesystem::path& splats, const std::vector<size_t>& rows) {
  std::vector<viewer::SceneObject> objects;
  for (uint32_t number = 0; number < edited.object_count(); ++number) {
    objects.push_back({edited.list()[number], rows[number]});
    if (std::string& name = objects.back().object.name; name.empty()) name = object_name(splats);
  }
  return objects;
}

}  // namespace app
