#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/commands/commands.h"
#include "app/console/host.h"
#include "app/console/interrupt.h"
#include "app/console/standard_streams.h"
#include "app/input/splat_input.h"
#include "app/run/run_output.h"
#include "app/run/session.h"
#include "app/run/stage_line.h"
#include "io/atomic_file.h"
#include "io/meshes/mesh_file.h"
#include "mesh/free_space.h"
#include "mesh/manifold.h"
#include "mesh/marching_cubes.h"
#include "mesh/mesh_repair.h"
#include "mesh/simplify.h"
#include "mesh/smooth.h"
#include "mesh/texture/atlas.h"
#include "mesh/texture/bake.h"
#include "mesh/texture/exposure.h"
#include "mesh/texture/mesh_view.h"
#include "mesh/thicken.h"
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
// What the rest takes beside fusing: measured on the demo and a photo set, coarse and normal (docs/benchmarks.md).
constexpr size_t kBytesPerBlock = 4112 + 2600, kBytesPerTexel = 20;
constexpr double kPerFusing = 1.8, kTexturing = 0.0125;  // of the time for a block and view: extraction too; a texel
constexpr double kPaceKnown = 0.1;                       // of the blocks
constexpr int kRepairs = 4;                              // rounds
constexpr float kApart = 1e-3f;                          // voxels between surfaces that touched
constexpr double kMostFree = 0.1;                        // of what closes a hole, that views look through
constexpr float kThickness = 4;                          // voxels, of a surface that stays open otherwise
constexpr int kSmoothings = 20;                          // of the surface
constexpr int kViewsOfSplats = 24;                       // that colour what no photo sees
constexpr float kConfirm = 0.02f;    // a second view must see the same within this share of the depth
constexpr float kPerDifference = 4;  // how far the field reaches, in differences between two views

class MeshRun {
 public:
  explicit MeshRun(const MeshTask& task)
      : task_(task), pool_(task.device.threads), stages_(choose_display(task.console.json, task.console.quiet)) {}

  Outcome run() {
    if (!io::is_mesh_name(task_.output))
      return bad_input(
          fmt::format("a mesh cannot be written as '{}': use {}", task_.output.string(), io::writable_mesh_formats()));
    if (texture_side() > 0 && !io::holds_texture(task_.output))
      return bad_input(fmt::format("'{}' cannot hold a texture: write .glb or .obj, or give --texture vertex",
                                   task_.output.string()));
    if (const auto status = check_writable_folder(task_.output.parent_path()); !status)
      return bad_input(status.error());
    if (Outcome outcome = open(); !outcome) return outcome;
    install_interrupt_handlers();
    if (Outcome outcome = read_depths(); !outcome) return outcome;
    if (Outcome outcome = extract(); !outcome) return outcome;
    if (texture_side() > 0) simplify();
    if (Outcome outcome = colour(); !outcome) return outcome;
    if (texture_side() == 0) simplify();
    defects_ = mesh::find_defects(mesh_);
    if (Outcome outcome = texture(); !outcome) return outcome;
    if (Outcome outcome = evaluate(); !outcome) return outcome;
    stages_.begin("writing");
    io::remove_dead_partial_files_of(task_.output);
    if (const auto status = io::write_mesh(task_.output, mesh_, up_, texture_); !status) return failed(status.error());
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
    std::vector<int> photos;
    if (!task_.data.empty()) {
      if (Outcome outcome = open_dataset(task_.data, task_.dataset, dataset_); !outcome) return outcome;
      if (Outcome outcome = open_photos(dataset_, {0, task_.device.threads, task_.console}, photos_); !outcome)
        return outcome;
      for (int i : dataset_.training_views()) {
        views.push_back(dataset_.views[size_t(i)].view());
        photos.push_back(i);
      }
      up_ = dataset_.view_up;
    } else {
      views = mesh::views_around(input->file.gaussians, kViewsAround, kSizeAround);
      splat::log::info(fmt::format("no --data: {} views from all around the splats' middle", views.size()));
    }
    if (views.empty()) return bad_input(fmt::format("'{}' has no views", task_.data.string()));
    for (size_t i : mesh::spread_views(views, kMostViews)) {
      photo_of_.push_back(photos.empty() ? -1 : photos[i]);
      maps_.push_back({views[i], {}});
    }
    if (Outcome outcome = open_backend(task_.device, chosen_); !outcome) return outcome;
    chosen_.backend->upload(input->file.gaussians);
    if (texture_side() > 0 && photos_)
      extra_views_ = mesh::views_around(input->file.gaussians, kViewsOfSplats, kSizeAround);
    return done();
  }

  Outcome read_depths() {
    stages_.begin("depths");
    for (size_t i = 0; i < maps_.size(); ++i) {
      if (interrupted()) return interrupted_outcome();
      stages_.step(i, maps_.size());
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
    stages_.begin("comparing depths");
    mesh::smooth_depths(maps_, {}, pool_);
    tsdf_settings_.noise = kPerDifference * mesh::drop_unreliable(maps_, {.confirm = kConfirm}, pool_);
    if (interrupted()) return interrupted_outcome();
    stages_.begin("fusing depths");
    auto tsdf = mesh::SparseTsdf::fuse(maps_, tsdf_settings_, pool_, [&](size_t done, size_t blocks) {
      predict(done, blocks);
      stages_.step(done, blocks);
      return !interrupted();
    });
    if (interrupted()) return interrupted_outcome();
    if (!tsdf)
      return failed(fmt::format("{}, more than is available: choose a coarser --mesh-detail", tsdf.error().message));
    stages_.begin("extracting the surface");
    mesh_ = mesh::march(*tsdf, pool_);
    mesh::smooth(mesh_, kSmoothings, pool_);
    dropped_ = mesh::drop_small_parts(mesh_, kSmallPart);
    if (mesh_.faces.empty())
      return bad_input(
          fmt::format("no surface was found in '{}': its views do not agree on any depth", task_.splats.string()));
    close_holes(task_.choices.watertight ? 1 : kSmallHole);
    return done();
  }

  // From the blocks of the field what memory all takes, from its pace how long.
  void predict(size_t done, size_t blocks) {
    const double texels = double(texture_side()) * double(texture_side());
    if (done == 0) {
      const uint64_t field = uint64_t(blocks) * kBytesPerBlock, texture = uint64_t(texels) * kBytesPerTexel;
      predicted_bytes_ = std::max(peak_rss_bytes(), rss_bytes() + std::max(field, texture));
      splat::log::info(fmt::format("memory: about {} at the most", human_bytes(predicted_bytes_)));
    } else if (predicted_seconds_ == 0 && double(done) > kPaceKnown * double(blocks)) {
      const double seconds = stages_.seconds_of_present(), pace = seconds / (double(done) * double(maps_.size()));
      const double fusing = seconds * double(blocks) / double(done);
      predicted_seconds_ = stages_.seconds() + fusing * kPerFusing + pace * texels * kTexturing;
      splat::log::info(fmt::format("about {:.0f} s in all", predicted_seconds_));
    }
  }

  // No view looks through what closes a hole: where one does, the surface ends.
  size_t close_holes(double share) {
    const auto may_close = [&](const std::vector<uint32_t>& hole, const mesh::Vec3& middle) {
      return mesh::seen_free(maps_, mesh_, hole, middle, tsdf_settings_.truncation * tsdf_settings_.voxel) < kMostFree;
    };
    const size_t closed = mesh::close_holes(mesh_, share, may_close);
    closed_ += closed;
    return closed;
  }

  // Cuts what touches. Where no hole may be left, closes what that opens and what may be closed, until both are done.
  void repair() {
    for (int round = 0; round < kRepairs; ++round) {
      const size_t cut = mesh::make_manifold(mesh_, kApart * tsdf_settings_.voxel);
      if (!task_.choices.watertight || (round > 0 && cut == 0) || close_holes(1) == 0) break;
    }
  }

  // What is open although it should not be gets a back.
  void thicken() {
    if (!task_.choices.watertight) return;
    mesh::thicken(mesh_, kThickness * tsdf_settings_.voxel);
    mesh::make_manifold(mesh_, kApart * tsdf_settings_.voxel);
  }

  // As a photo shows it, else as the splats look.
  splat::ImageF picture(const splat::View& view, int photo) {
    splat::ImageF image;
    if (photo >= 0) {
      if (const auto taken = photos_->get(photo); taken) {
        image = {(*taken)->width, (*taken)->height, std::vector<float>((*taken)->rgb.size())};
        for (size_t k = 0; k < image.rgb.size(); ++k) image.rgb[k] = float((*taken)->rgb[k]) / 255;
        return image;
      } else if (problem_.empty()) {
        problem_ = taken.error().message;
      }
    }
    chosen_.backend->forward(view, settings_);
    chosen_.backend->read_image(image);
    return image;
  }

  Outcome coloured() const {
    if (!problem_.empty()) return failed(problem_);
    return interrupted() ? interrupted_outcome() : done();
  }

  Outcome colour() {
    if (task_.choices.texture == "none") return done();
    stages_.begin("colours");
    const auto picture_of_map = [&](size_t i) {
      stages_.step(i, maps_.size());
      return picture(maps_[i].view, photo_of_[i]);
    };
    mesh::colour_vertices(mesh_, maps_, 2 * tsdf_settings_.voxel, picture_of_map, pool_);
    return coloured();
  }

  void simplify() {
    uint64_t faces = task_.choices.faces;
    if (faces == 0 && texture_side() > 0) faces = kTexturedFaces;
    if (faces == 0) {
      repair();
      thicken();
      return;
    }
    stages_.begin("simplifying");
    for (size_t wanted = faces;;) {
      mesh::simplify(mesh_, wanted, tsdf_settings_.voxel);
      repair();
      const size_t open = task_.choices.watertight ? mesh::open_edges(mesh_).size() : 0;
      const size_t with_back = open > 0 ? 2 * (mesh_.faces.size() + open) : mesh_.faces.size();
      if (with_back <= faces || wanted < mesh_.faces.size() / 2) break;
      wanted = size_t(0.95 * double(mesh_.faces.size()) * double(faces) / double(with_back));
    }
    thicken();
  }

  int texture_side() const {
    const std::string& choice = task_.choices.texture;
    if (choice == "vertex" || choice == "none") return 0;
    if (choice.empty()) return io::holds_texture(task_.output) ? kDefaultTexture : 0;
    return std::stoi(choice);
  }

  Outcome texture() {
    if (texture_side() == 0) return done();
    stages_.begin("choosing photos");
    std::vector<mesh::TextureView> views;
    for (const mesh::DepthMap& map : maps_) views.push_back({map.view, true});
    for (const splat::View& view : extra_views_) views.push_back({view, false});
    const auto at_vertices = mesh::find_best_views(mesh_, views, 2 * tsdf_settings_.voxel, pool_);
    stages_.begin("laying out the texture");
    auto atlas = mesh::lay_out(mesh_, texture_side(), pool_);
    if (!atlas) return failed(atlas.error().message + ": give fewer --faces or a larger --texture");
    std::vector<mesh::VertexViews> best;
    for (uint32_t v : atlas->origin) best.push_back(at_vertices[v]);
    stages_.begin("texture");
    const auto picture_of_view = [&](size_t i) {
      stages_.step(i, views.size());
      return picture(views[i].view, i < maps_.size() ? photo_of_[i] : -1);
    };
    std::vector<mesh::Vec3> exposures(views.size(), {1, 1, 1});
    if (photos_) exposures = mesh::level_exposures(mesh_, best, views, picture_of_view, pool_);
    texture_ = mesh::bake_texture({mesh_, best, views, std::move(exposures), texture_side()}, picture_of_view, pool_);
    charts_ = atlas->charts, filled_ = atlas->filled;
    return coloured();
  }

  // The mesh beside photos that it was not made of, where it covers them.
  Outcome evaluate() {
    double squared = 0, covered = 0, pixels = 0;
    const std::vector<int> held_out = dataset_.held_out_views();
    if (held_out.empty()) return done();
    stages_.begin("comparing with the photos held out");
    for (int i : held_out) {
      const splat::View view = dataset_.views[size_t(i)].view();
      const mesh::MeshView seen = mesh::look_at(mesh_, view);
      const splat::ImageF ours = mesh::picture_of(mesh_, texture_, seen), photo = picture(view, i);
      for (size_t p = 0; p < seen.faces.size(); ++p) {
        if (seen.faces[p] == mesh::kNoFace) continue;
        ++covered;
        for (size_t at = p; at < photo.rgb.size(); at += seen.faces.size())
          squared += double(ours.rgb[at] - photo.rgb[at]) * double(ours.rgb[at] - photo.rgb[at]) / 3;
      }
      pixels += double(seen.faces.size());
    }
    if (covered > 0) held_out_psnr_ = -10 * std::log10(std::max(squared / covered, 1e-10));
    if (pixels > 0) held_out_covered_ = covered / pixels;
    return coloured();
  }

  void report() {
    stages_.end();
    if (task_.console.json) {
      nlohmann::json summary{{"type", "summary"},
                             {"backend", chosen_.backend->info().name},
                             {"views", maps_.size()},
                             {"voxel", tsdf_settings_.voxel},
                             {"vertices", mesh_.positions.size()},
                             {"faces", mesh_.faces.size()},
                             {"open_edges", defects_.open_edges},
                             {"crowded_edges", defects_.crowded_edges},
                             {"degenerate_faces", defects_.degenerate_faces},
                             {"volume", defects_.volume},
                             {"predicted_bytes", predicted_bytes_},
                             {"peak_rss_bytes", peak_rss_bytes()},
                             {"predicted_seconds", predicted_seconds_},
                             {"seconds", stages_.seconds()},
                             {"output", task_.output.string()}};
      if (!texture_.pixels.empty())
        summary.update({{"texture", texture_.width}, {"charts", charts_}, {"texture_filled", filled_}});
      if (held_out_covered_ > 0)
        summary.update({{"held_out_psnr", held_out_psnr_}, {"held_out_covered", held_out_covered_}});
      for (const auto& [name, seconds] : stages_.finished()) summary["stages"][name] = seconds;
      print_json(summary);
      return;
    }
    print("{} faces, {} vertices in {} ({} views, voxels of {:.4g})\n", mesh_.faces.size(), mesh_.positions.size(),
          task_.output.string(), maps_.size(), tsdf_settings_.voxel);
    print("{}; {} small parts left out, {} holes closed\n",
          defects_.open_edges == 0 ? "closed" : fmt::format("open along {} edges", defects_.open_edges), dropped_,
          closed_);
    if (!texture_.pixels.empty())
      print("texture of {0}x{0}, {1:.0f} % of it on the surface, in {2} pieces\n", texture_.width, 100 * filled_,
            charts_);
    if (held_out_covered_ > 0)
      print("held out  PSNR {:.2f} dB where the mesh covers the photos, {:.1f} % of them\n", held_out_psnr_,
            100 * held_out_covered_);
  }

  const MeshTask& task_;
  splat::ThreadPool pool_;
  StageLine stages_;
  splat::RenderSettings settings_;
  splat::Dataset dataset_;
  std::unique_ptr<splat::ImageSource> photos_;
  std::array<double, 3> up_{0, -1, 0};
  splat::BackendChoice chosen_;
  std::vector<mesh::DepthMap> maps_;
  std::vector<int> photo_of_;
  mesh::TsdfSettings tsdf_settings_;
  mesh::TriangleMesh mesh_;
  mesh::MeshDefects defects_;
  splat::Image8 texture_;
  std::vector<splat::View> extra_views_;
  std::string problem_;
  uint64_t predicted_bytes_ = 0;
  double predicted_seconds_ = 0;
  size_t dropped_ = 0, closed_ = 0, charts_ = 0;
  double filled_ = 0, held_out_psnr_ = 0, held_out_covered_ = 0;
};

}  // namespace

Outcome run_mesh(const MeshTask& task) { return MeshRun(task).run(); }

}  // namespace app
