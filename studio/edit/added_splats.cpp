#include "studio/edit/added_splats.h"

#include <fmt/format.h>

#include <utility>

#include "app/jobs/input/scene_frame.h"
#include "app/jobs/input/splat_input.h"
#include "studio/documents/scene_memory_file.h"
#include "studio/edit/scene_objects.h"

namespace studio {

namespace fs = std::filesystem;

splat::Result<AddedSplats> read_added(const fs::path& path, const io::SceneFrame& frame,
                                      const splat::ScreenFilter& filter, int threads, io::ReadWatch* watch) {
  SPLAT_ASSIGN_OR_RETURN(SplatInput input, read_splat_input(path, threads, watch));
  AddedSplats added;
  for (const std::string& warning : input.file.warnings) added.warnings.push_back(warning);
  if (input.file.antialiased != filter.antialias)
    added.warnings.push_back(
        fmt::format("'{}' was {}trained antialiased, unlike the scene; it is drawn as the scene is", path.string(),
                    input.file.antialiased ? "" : "not "));
  if (input.file.low_pass != filter.low_pass)
    added.warnings.push_back(
        fmt::format("'{}' is drawn with a low pass of {} px^2 elsewhere; here with that of the scene", path.string(),
                    input.file.low_pass));
  const auto joined = bring_into_frame(frame, input.file);
  if (!joined) return splat::Error{fmt::format("'{}': {}", path.string(), joined.error().message)};
  if (!joined->empty()) added.warnings.push_back(fmt::format("'{}': {}", path.string(), *joined));
  if (input.file.gaussians.size() == 0) return splat::Error{fmt::format("'{}' holds no splats", path.string())};
  added.model = std::move(input.file.gaussians);
  added.file = {input.path.string(), content_of(input.path), uint32_t(added.model.size()), added.model.sh_degree};
  added.name = object_name(input.path);
  return added;
}

splat::Result<std::vector<splat::Gaussians>> read_added_again(const KeptEdits& kept, const io::SceneFrame& frame,
                                                              int threads) {
  std::vector<splat::Gaussians> models;
  for (const splat::edit::AddedFile& file : kept.edits.added) {
    const auto lost = [&](const char* why) {
      return splat::Error{fmt::format("the edits of '{}' cannot be restored: '{}', which was added to it, {}",
                                      kept.splats.string(), file.path, why)};
    };
    std::error_code code;
    if (!fs::exists(file.path, code)) return lost("is not there any more");
    if (content_of(file.path) != file.content) return lost("has changed since");
    io::SceneFrame as_added = frame;
    if (file.metres_per_unit) as_added.metres_per_unit = *file.metres_per_unit;
    SPLAT_ASSIGN_OR_RETURN(AddedSplats again, read_added(file.path, as_added, {}, threads));
    if (again.model.size() != file.rows) return lost("has changed since");
    models.push_back(std::move(again.model));
  }
  return models;
}

}  // namespace studio
