#include "app/jobs/render/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/jobs/film/known_views.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/memory_plan.h"
#include "app/jobs/replaced_file.h"
#include "app/jobs/session.h"
#include "app/jobs/training/report/pictures.h"
#include "app/jobs/training/run_output.h"
#include "app/jobs/work_memory.h"
#include "io/atomic_file.h"
#include "io/image_file.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"
#include "splat/core/printable.h"
#include "splat/model/near_scale.h"

namespace app {

namespace fs = std::filesystem;

namespace {

// Where each picture goes, below the output folder: the view's name with .png for its extension; with .png after it
// where two views would share a file. Names come from files: none may leave the folder.
splat::Result<std::vector<fs::path>> picture_names(const std::vector<io::NamedView>& views) {
  std::vector<fs::path> names;
  std::set<fs::path> taken;
  for (const io::NamedView& view : views) {
    const fs::path name = fs::path(view.name).lexically_normal();
    const bool inside = !name.empty() && view.name.find('\0') == std::string::npos && name.is_relative() &&
                        *name.begin() != ".." && name.has_filename() && name != ".";
    if (!inside)
      return splat::Error{fmt::format("the view name '{}' does not name a file below the output folder", view.name)};
    fs::path picture = name;
    picture.replace_extension(".png");
    if (taken.contains(picture)) picture = fs::path(name.string() + ".png");
    if (!taken.insert(picture).second) return splat::Error{fmt::format("two views have the name '{}'", view.name)};
    names.push_back(picture);
  }
  return names;
}

// Pictures may replace earlier ones, not the photos that they are to be compared with.
splat::Status check_pictures(const RenderTask& task, const std::vector<fs::path>& names,
                             const std::vector<fs::path>& photos) {
  std::error_code code;
  std::set<fs::path> kept;
  if (!task.force)
    for (const fs::path& photo : photos) kept.insert(fs::weakly_canonical(photo, code));
  for (const fs::path& name : names) {
    const fs::path picture = task.output / name;
    if (kept.contains(fs::weakly_canonical(picture, code)))
      return splat::Error{
          fmt::format("'{}' is a photo of the dataset, which a rendered picture would replace: choose "
                      "another folder, or give --force",
                      picture.string())};
    SPLAT_TRY(check_replaceable(picture, FileKind::kPicture, {.force = task.force}));
  }
  return {};
}

Outcome write_picture(splat::Backend& backend, const fs::path& path) {
  splat::ImageF image;
  backend.read_image(image);
  std::error_code code;
  fs::create_directories(path.parent_path(), code);  // an error shows when the file is written
  if (const auto status = io::write_file_atomically(path, io::encode_png(to_image8(image))); !status)
    return failed(status.error());
  return done();
}

}  // namespace

Outcome draw_pictures(const RenderTask& task, Monitor& monitor) {
  std::error_code code;
  if (fs::exists(task.output, code) && !fs::is_directory(task.output, code))
    return bad_input(fmt::format("'{}' is a file; -o needs a folder for the pictures", task.output.string()));
  if (const auto status = check_writable_folder(task.output); !status) return bad_input(status.error());
  const auto input = read_splat_input(task.splats, task.device.threads);
  if (!input) return bad_input(input.error());
  const io::SplatFile& file = input->file;
  for (const std::string& warning : file.warnings) splat::log::warning(warning);
  std::vector<io::NamedView> views;
  std::vector<fs::path> photos;
  if (Outcome outcome = read_views(task.cameras, task.dataset, views, photos); !outcome) return outcome;
  auto names = picture_names(views);
  if (!names) return bad_input(fmt::format("'{}': {}", task.cameras.string(), names.error().message));
  if (const auto status = check_pictures(task, *names, photos); !status) return bad_input(status.error());
  uint64_t pixels = 0;
  for (const io::NamedView& view : views)
    pixels = std::max(pixels, uint64_t(view.view.camera.width) * uint64_t(view.view.camera.height));
  if (const auto status = check_drawing(host_memory(), pixels); !status)
    return bad_input(fmt::format("'{}': {}", task.cameras.string(), status.error().message));
  splat::BackendChoice chosen;
  if (Outcome outcome = open_backend(task.device, chosen); !outcome) return outcome;

  if (const auto status = check_work(fmt::format("drawing '{}'", task.splats.string()),
                                     bytes_to_draw(chosen.backend->info(), file.gaussians, pixels));
      !status)
    return bad_input(status.error());
  const double times = splat::near_scale(file.gaussians);
  chosen.backend->upload(times == 1 ? file.gaussians : splat::enlarged(file.gaussians, times));
  const splat::RenderSettings settings = as_trained(task.look, task.low_pass_given, file.filter());
  monitor.stage("rendering");
  std::set<fs::path> folders;
  for (const fs::path& name : *names) folders.insert((task.output / name).parent_path());
  for (const fs::path& folder : folders) io::remove_dead_partial_files(folder, "");
  std::vector<std::string> written;
  for (size_t i = 0; i < views.size(); ++i) {
    if (monitor.cancelled())
      return {ExitCode::kInterrupted,
              fmt::format("interrupted after {} of {} pictures in '{}'", i, views.size(), task.output.string())};
    monitor.step(i + 1, views.size());
    chosen.backend->forward(splat::enlarged(views[i].view, times), settings);
    const fs::path path = task.output / (*names)[i];
    if (Outcome outcome = write_picture(*chosen.backend, path); !outcome) return outcome;
    written.push_back(path.string());
  }
  monitor.result(
      {{"type", "summary"},
       {"backend", chosen.backend->info().name},
       {"splats", file.gaussians.size()},
       {"pictures", written}},
      fmt::format("{} in {}\n", splat::counted(written.size(), "picture"), splat::printable(task.output.string())));
  return done();
}

}  // namespace app
