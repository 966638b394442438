#include "app/settings/tasks.h"

#include <algorithm>

namespace app {

namespace {

// Depth maps are for training alone.
io::DatasetOptions without_depths(io::DatasetOptions dataset) {
  dataset.depths = io::DepthMaps::kOff;
  return dataset;
}

std::optional<float> given_low_pass(const Options& o) {
  return o.was_given("low-pass") ? std::optional(o.train.low_pass) : std::nullopt;
}

}  // namespace

AlignTask align_task(const Options& o) {
  return {o.input, o.output,         o.dataset.masks_folder, o.output / "log.txt",
          o.align, o.device.threads, o.device.deterministic, o.console.quiet};
}

RenderTask render_task(const Options& o) {
  RenderTask task{o.input,
                  o.cameras,
                  o.output,
                  o.force,
                  splat::evaluation_settings(o.train),
                  o.was_given("low-pass"),
                  without_depths(o.dataset),
                  o.device,
                  o.console,
                  o.film,
                  o.words};
  task.film.width = o.window.width, task.film.height = o.window.height;  // --size
  return task;
}

EvaluateTask evaluate_task(const Options& o) {
  return {o.input,
          o.data,
          o.align_poses,
          splat::evaluation_settings(o.train),
          o.was_given("low-pass"),
          without_depths(o.dataset),
          o.device,
          o.console};
}

MeshTask mesh_task(const Options& o) {
  MeshTask task;
  task.splats = o.input, task.data = o.data, task.output = o.output, task.force = o.force;
  task.settings = o.mesh;
  task.settings.region = o.train.region;
  task.look = splat::evaluation_settings(o.train), task.low_pass_given = o.was_given("low-pass");
  task.dataset = without_depths(o.dataset);
  task.device = o.device;
  return task;
}

ThumbnailTask thumbnail_task(const Options& o) {
  constexpr int kUsualSide = 256;
  return {o.input, o.output, o.force, o.window.width > 0 ? std::max(o.window.width, o.window.height) : kUsualSide,
          o.device.threads};
}

// --max-splats and --sh-degree are settings of training; here they count when they were given.
ConvertTask convert_task(const Options& o) {
  ConvertTask task{o.output,
                   o.typed.contains("output"),
                   o.force,
                   o.convert,
                   o.data,
                   o.film.path,
                   splat::evaluation_settings(o.train),
                   without_depths(o.dataset),
                   o.device,
                   o.console};
  task.dataset.eval = true;
  if (o.was_given("max-splats")) task.convert.filters.max_splats = o.train.max_splats;
  if (o.was_given("sh-degree")) task.convert.filters.max_sh_degree = o.train.sh_degree;
  task.convert.spz_version_given = o.was_given("spz-version");
  return task;
}

InfoTask info_task(const Options& o) {
  return {o.input, o.dataset, o.device.threads, o.console, o.train.random_splats};
}

BenchTask bench_task(const Options& o) { return {o.bench, o.device, o.console}; }

WindowTask window_task(const Options& o) {
  return {o.input, o.also, given_low_pass(o), o.window, o.force, without_depths(o.dataset), o.device};
}

ServeTask serve_task(const Options& o) { return {o.input, given_low_pass(o), o.serve, o.device.threads, o.console}; }

}  // namespace app
