#include "app/jobs/film/known_views.h"

#include <fmt/format.h>

#include "app/jobs/input/recognise.h"
#include "app/jobs/input/run_folder.h"
#include "app/jobs/session.h"

namespace app {

namespace fs = std::filesystem;

Outcome read_views(const fs::path& cameras, const io::DatasetOptions& options, std::vector<io::NamedView>& views,
                   std::vector<fs::path>& photos) {
  const Recognised found = recognise(cameras);
  if (found.kind == PathKind::kDataset) {
    splat::Dataset dataset;
    if (Outcome outcome = open_dataset(cameras, options, dataset); !outcome) return outcome;
    for (const splat::DatasetView& view : dataset.views) {
      views.push_back({view.name, view.view()});
      photos.push_back(view.image_path);
    }
    return done();
  }
  const fs::path run = found.kind == PathKind::kCameras ? fs::path() : run_folder_of(found.path);
  auto read = io::read_cameras_json(run.empty() ? cameras : run / "cameras.json");
  if (!read) return bad_input(read.error());
  views = std::move(*read);
  if (views.empty()) return bad_input(fmt::format("'{}' has no cameras", cameras.string()));
  return done();
}

}  // namespace app
