#include "app/jobs/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/jobs/host/gpu_system.h"
#include "app/jobs/host/host.h"
#include "app/jobs/training/inria_layout.h"
#include "io/bytes.h"
#include "io/dataset/find_cameras.h"
#include "io/dataset/image_store.h"
#include "io/dataset/load_dataset.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/core/log.h"

namespace app {
namespace {

void report_missing(const std::vector<std::string>& names) {
  if (names.empty()) return;
  splat::log::warning(fmt::format("{} of the reconstruction {} not on disk and left out: {}",
                                  splat::counted(names.size(), "photo"), splat::noun(names.size(), "is", "are"),
                                  io::first_names(names)));
}

// The dataset of a training run whose folder was given in its place; empty: it is none.
std::string source_of_run(const std::filesystem::path& path) {
  using Kind = io::FoundCameras::Kind;
  const auto text = io::is_file(path / "cfg_args") ? io::read_file(path / "cfg_args") : splat::Result<std::string>("");
  const auto args = text ? parse_cfg_args(*text) : std::nullopt;
  if (!args) return {};
  const Kind kind = io::find_cameras(path).kind;  // of a run, its own cameras.json may be another program's
  return kind == Kind::kNone || kind == Kind::kOtherProgram ? args->source.string() : std::string();
}

}  // namespace

Outcome open_backend(const DeviceOptions& options, splat::BackendChoice& choice) {
  auto made = splat::make_backend(options.backend, options.index, options.threads, options.deterministic);
  if (!made)
    return {ExitCode::kNoBackend, made.error().message + (options.backend == "hip" ? driver_advice() : std::string())};
  choice = std::move(*made);
  splat::log::info(
      fmt::format("backend {} ({}): {}", choice.backend->info().name, choice.backend->info().device, choice.reason));
  return done();
}

Outcome open_dataset(const std::filesystem::path& path, const io::DatasetOptions& options, splat::Dataset& dataset) {
  auto loaded = io::load_dataset(path, options);
  if (!loaded) {
    const std::string source = source_of_run(path);
    return source.empty()
               ? bad_input(loaded.error())
               : bad_input(fmt::format("'{}' is the folder of a training run, and no dataset: train its dataset "
                                       "again, '{}', or go on with --resume and a checkpoint of the run",
                                       path.string(), source));
  }
  dataset = std::move(*loaded);
  for (const std::string& note : dataset.notes) splat::log::info(note);
  for (const std::string& warning : dataset.warnings) splat::log::warning(warning);
  report_missing(dataset.missing_images);
  return done();
}

Outcome open_photos(splat::Dataset& dataset, const PhotoOptions& options, std::unique_ptr<splat::ImageSource>& photos,
                    const PhotoWatch& watch) {
  const auto start = std::chrono::steady_clock::now();
  const size_t half = std::max<size_t>(host_memory().available_bytes / 2, 1);
  io::ImageStoreOptions store{options.memory_limit_bytes > 0 ? options.memory_limit_bytes : half, options.threads, {}};
  store.progress = watch.progress;
  store.cancelled = watch.cancelled;
  store.background = options.background;
  const size_t known = dataset.warnings.size(), known_notes = dataset.notes.size();
  auto opened = io::open_images(dataset, store);
  if (!opened) return bad_input(opened.error());
  photos = std::move(*opened);
  for (size_t i = known_notes; i < dataset.notes.size(); ++i) splat::log::info(dataset.notes[i]);
  for (size_t i = known; i < dataset.warnings.size(); ++i) splat::log::warning(dataset.warnings[i]);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  splat::log::info(
      fmt::format("{} read in {}", splat::counted(dataset.views.size(), "photo"), human_duration(seconds)));
  return done();
}

}  // namespace app
