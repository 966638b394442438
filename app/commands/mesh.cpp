#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/commands/commands.h"
#include "app/console/host.h"
#include "app/console/interrupt.h"
#include "app/console/standard_streams.h"
#include "app/input/splat_input.h"
#include "app/run/progress_display.h"
#include "app/run/run_output.h"
#include "app/run/session.h"
#include "io/atomic_file.h"
#include "io/meshes/mesh_file.h"
#include "mesh/marching_cubes.h"
#include "mesh/mesh_repair.h"
#include "mesh/simplify.h"
#include "mesh/vertex_colours.h"
#include "mesh/view_ring.h"
#include "splat/core/log.h"

namespace app {

namespace {

constexpr size_t kMostViews = 200;
constexpr int kViewsAround = 48, kSizeAround = 768;  // where no photos are given
constexpr float kDepths = 3;                         // median depths: what lies farther is background
constexpr float kLeastPixels = 0.7f;                 // of a pixel at the median depth: the finest voxel
constexpr double kSmallPart = 0.01, kSmallHole = 0.05;
constexpr double kMemoryShare = 0.5;  // of what is available, for the field

class MeshRun {
 public:
  explicit MeshRun(const MeshTask& task)
      : task_(task), pool_(task.device.threads), line_(choose_display(task.console.json, task.console.quiet)) {}

  Outcome run() {
    if (!io::is_mesh_name(task_.output))
      return bad_input(
          fmt::format("a mesh cannot be written as '{}': use {}", task_.output.string(), io::writable_mesh_formats()));
    if (const auto status = check_writable_folder(task_.output.parent_path()); !status)
      return bad_input(status.error());
    if (Outcome outcome = open(); !outcome) return outcome;
    install_interrupt_handlers();
    if (Outcome outcome = read_depths(); !outcome) return outcome;
    if (Outcome outcome = extract(); !outcome) return outcome;
    if (Outcome outcome = colour(); !outcome) return outcome;
    line_.show("writing");
    io::remove_dead_partial_files_of(task_.output);
    if (const auto status = io::write_mesh(task_.output, mesh_, up_); !status) return failed(status.error());
    report();
    return done();
  }

 private:
  Outcome interrupted_outcome() const {
    return {ExitCode::kInterrupted, fmt::format("interrupted: nothing was written to '{}'", task_.output.string())};
  }

  Outcome open() {
    auto input = read_splat_input(task_.splats, task_.device.threads);
    if (!input) return bad_input(input.error());
    for (const std::string& warning : input->file.warnings) splat::log::warning(warning);
    if (input->file.gaussians.size() == 0) return bad_input(fmt::format("'{}' holds no splats", task_.splats.string()));
    settings_ = task_.look;
    settings_.antialias |= input->file.antialiased;
    if (input->file.view_up) up_ = *input->file.view_up;
    std::vector<splat::View> views;
    if (!task_.data.empty()) {
      if (Outcome outcome = open_dataset(task_.data, task_.dataset, dataset_); !outcome) return outcome;
      if (Outcome outcome = open_photos(dataset_, {0, task_.device.threads, task_.console}, photos_); !outcome)
        return outcome;
      for (const splat::DatasetView& view : dataset_.views) views.push_back(view.view());
      up_ = dataset_.view_up;
    } else {
      views = mesh::views_around(input->file.gaussians, kViewsAround, kSizeAround);
      splat::log::info(fmt::format("no --data: {} views from all around the splats' middle", views.size()));
    }
    if (views.empty()) return bad_input(fmt::format("'{}' has no views", task_.data.string()));
    for (size_t i : mesh::spread_views(views, kMostViews)) {
      photo_of_.push_back(int(i));
      maps_.push_back({views[i], {}});
    }
    if (Outcome outcome = open_backend(task_.device, chosen_); !outcome) return outcome;
    chosen_.backend->upload(input->file.gaussians);
    return done();
  }

  Outcome read_depths() {
    for (size_t i = 0; i < maps_.size(); ++i) {
      if (interrupted()) return interrupted_outcome();
      line_.show(fmt::format("depth {}/{}", i + 1, maps_.size()));
      chosen_.backend->forward(maps_[i].view, settings_);
      chosen_.backend->read_depth(splat::DepthKind::kMedian, maps_[i].depth);
    }
    std::vector<float> depths, footprints;
    for (const mesh::DepthMap& map : maps_) {
      std::vector<float> seen;
      std::copy_if(map.depth.begin(), map.depth.end(), std::back_inserter(seen), [](float d) { return d > 0; });
      if (seen.empty()) continue;
      const auto middle = seen.begin() + ptrdiff_t(seen.size() / 2);
      std::nth_element(seen.begin(), middle, seen.end());
      depths.push_back(*middle);
      footprints.push_back(*middle / map.view.camera.fx);
    }
    if (depths.empty())
      return bad_input(fmt::format("no view sees anything of '{}': are these its cameras?", task_.splats.string()));
    const auto median = [](std::vector<float>& values) {
      std::nth_element(values.begin(), values.begin() + ptrdiff_t(values.size() / 2), values.end());
      return values[values.size() / 2];
    };
    const float depth = median(depths);
    const float parts = task_.choices.detail == "coarse" ? 256.0f : task_.choices.detail == "fine" ? 1024.0f : 512.0f;
    tsdf_settings_.max_depth = kDepths * depth;
    tsdf_settings_.voxel = std::max(2 * depth / parts, kLeastPixels * median(footprints));
    tsdf_settings_.max_blocks = std::max<size_t>(
        size_t(kMemoryShare * double(host_memory().available_bytes)) / sizeof(mesh::SparseTsdf::Block), 1);
    return done();
  }

  Outcome extract() {
    line_.show("comparing depths");
    mesh::drop_unreliable(maps_, {}, pool_);
    if (interrupted()) return interrupted_outcome();
    line_.show("fusing depths");
    auto tsdf = mesh::SparseTsdf::fuse(maps_, tsdf_settings_, pool_);
    if (!tsdf)
      return failed(fmt::format("{}, more than is available: choose a coarser --mesh-detail", tsdf.error().message));
    if (interrupted()) return interrupted_outcome();
    line_.show("extracting the surface");
    mesh_ = mesh::march(*tsdf, pool_);
    dropped_ = mesh::drop_small_parts(mesh_, kSmallPart);
    if (mesh_.faces.empty())
      return bad_input(
          fmt::format("no surface was found in '{}': its views do not agree on any depth", task_.splats.string()));
    closed_ = mesh::close_holes(mesh_, task_.choices.watertight ? 1 : kSmallHole);
    return done();
  }

  Outcome colour() {
    std::string problem;
    const auto picture = [&](size_t i) {
      line_.show(fmt::format("colours {}/{}", i + 1, maps_.size()));
      splat::ImageF image;
      if (photos_) {
        if (const auto photo = photos_->get(photo_of_[i]); photo) {
          image = {(*photo)->width, (*photo)->height, std::vector<float>((*photo)->rgb.size())};
          for (size_t k = 0; k < image.rgb.size(); ++k) image.rgb[k] = float((*photo)->rgb[k]) / 255;
          return image;
        } else if (problem.empty()) {
          problem = photo.error().message;
        }
      }
      chosen_.backend->forward(maps_[i].view, settings_);
      chosen_.backend->read_image(image);
      return image;
    };
    mesh::colour_vertices(mesh_, maps_, 2 * tsdf_settings_.voxel, picture, pool_);
    if (!problem.empty()) return failed(problem);
    if (task_.choices.faces > 0) mesh::simplify(mesh_, size_t(task_.choices.faces), tsdf_settings_.voxel);
    return interrupted() ? interrupted_outcome() : done();
  }

  void report() {
    line_.clear();
    const mesh::MeshDefects defects = mesh::find_defects(mesh_);
    if (task_.console.json) {
      print_json({{"type", "summary"},
                  {"backend", chosen_.backend->info().name},
                  {"views", maps_.size()},
                  {"voxel", tsdf_settings_.voxel},
                  {"vertices", mesh_.positions.size()},
                  {"faces", mesh_.faces.size()},
                  {"open_edges", defects.open_edges},
                  {"crowded_edges", defects.crowded_edges},
                  {"degenerate_faces", defects.degenerate_faces},
                  {"output", task_.output.string()}});
      return;
    }
    print("{} faces, {} vertices in {} ({} views, voxels of {:.4g})\n", mesh_.faces.size(), mesh_.positions.size(),
          task_.output.string(), maps_.size(), tsdf_settings_.voxel);
    print("{}; {} small parts left out, {} holes closed\n",
          defects.open_edges == 0 ? "closed" : fmt::format("open along {} edges", defects.open_edges), dropped_,
          closed_);
  }

  const MeshTask& task_;
  splat::ThreadPool pool_;
  StatusLine line_;
  splat::RenderSettings settings_;
  splat::Dataset dataset_;
  std::unique_ptr<splat::ImageSource> photos_;
  std::array<double, 3> up_{0, -1, 0};
  splat::BackendChoice chosen_;
  std::vector<mesh::DepthMap> maps_;
  std::vector<int> photo_of_;
  mesh::TsdfSettings tsdf_settings_;
  mesh::TriangleMesh mesh_;
  size_t dropped_ = 0, closed_ = 0;
};

}  // namespace

Outcome run_mesh(const MeshTask& task) { return MeshRun(task).run(); }

}  // namespace app
