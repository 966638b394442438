#include "app/commands/known_up.h"

#include <vector>

#include "app/input/run_folder.h"
#include "io/cameras_json.h"
#include "splat/model/view_up.h"

namespace app {

namespace fs = std::filesystem;

std::optional<KnownUp> known_up(const io::SplatFile& file, const fs::path& path) {
  if (file.view_up)
    return KnownUp{*file.view_up, file.generator.empty() ? "the file" : file.generator + "'s convention"};
  const fs::path run = run_folder_of(path);
  if (run.empty()) return std::nullopt;
  const auto views = io::read_cameras_json(run / "cameras.json");
  if (!views) return std::nullopt;
  std::vector<splat::Rigid3> poses;
  for (const io::NamedView& view : *views) poses.push_back(view.view.cam_from_world);
  constexpr double kAgreement = 0.3;  // of cameras that look steeply down, little is left; of rolled ones nothing
  const splat::MeanUp up = splat::mean_up(poses);
  if (up.agreement < kAgreement) return std::nullopt;
  return KnownUp{up.direction, "'" + (run / "cameras.json").string() + "'"};
}

}  // namespace app
