#include "studio/edit/scene_objects.h"

#include "splat/registration/icp.h"
#include "viewer/scene_name.h"

namespace studio {

namespace {

std::vector<float> points_of(const splat::edit::EditedModel& edited, uint32_t object) {
  std::vector<uint8_t> rows(edited.states().size());
  for (size_t row = 0; row < rows.size(); ++row)
    rows[row] = edited.objects()[row] == object && !(edited.states()[row] & splat::edit::kNotShown);
  return splat::registration::surface_points(edited.model(), rows);
}

}  // namespace

splat::Result<Refined> refined(const RefineObject& wanted, const splat::edit::EditedModel& edited,
                               splat::ThreadPool& pool) {
  splat::registration::IcpSettings settings;
  settings.with_scale = wanted.with_scale;
  SPLAT_ASSIGN_OR_RETURN(
      const splat::registration::IcpResult found,
      icp(points_of(edited, wanted.object), points_of(edited, wanted.onto), wanted.from, settings, pool));
  return Refined{found.to_from, found.rms, found.start_rms, found.share, found.iterations, edited.revision()};
}

std::string object_name(const std::filesystem::path& file) {
  const std::string name = viewer::scene_name(file);
  return name.substr(0, name.find('.', 1));
}

std::vector<SceneObject> scene_objects(const splat::edit::EditedModel& edited, const std::filesystem::path& splats,
                                       const std::vector<size_t>& rows) {
  std::vector<SceneObject> objects;
  for (uint32_t number = 0; number < edited.object_count(); ++number) {
    objects.push_back({edited.list()[number], rows[number]});
    if (std::string& name = objects.back().object.name; name.empty()) name = object_name(splats);
  }
  return objects;
}

}  // namespace studio
