#include "app/jobs/mesh/mesh_making.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/jobs/host/host.h"
#include "app/jobs/mesh/mesh_pictures.h"
#include "app/jobs/work_memory.h"
#include "mesh/depth_map.h"
#include "mesh/free_space.h"
#include "mesh/manifold.h"
#include "mesh/marching_cubes.h"
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
#include "splat/core/percentile.h"
#include "splat/core/system.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/region.h"
#include "splat/train/same_scene.h"

namespace app {

namespace {

constexpr size_t kMostViews = 200;
constexpr int kViewsAround = 48, kSizeAround = 768;  // where no photos are given
constexpr float kDepths = 3;                         // median depths: what lies farther is background
constexpr float kLeastPixels = 0.7f;                 // of a pixel at the median depth: the finest voxel
constexpr double kSmallPart = 0.01, kSmallHole = 0.05;
constexpr double kMemoryShare = 0.5;  // of what is available, for the field
// What the rest takes: measured on the demo, photo sets and objects (docs/benchmarks.md). Of a block: the field, and
// the faces found in it before they are a mesh, or what repairs and simplifies these or gives them a back; of a face
// with a texture: mesh, charts, which views see it.
constexpr size_t kBytesPerBlock = 4108 + 1850, kBytesPerBlockSimplified = 7300, kBytesPerBlockBacked = 9000;
constexpr size_t kFacesPerBlock = 60, kBytesPerTexel = 25, kBytesPerTexturedFace = 130;
constexpr size_t kBytesPerPixelDrawn = 48, kBytesPerPixelColoured = 27;  // of a picture of the splats
constexpr double kPerFusing = 1.7, kTexturing = 0.03;  // of the time for a block and view: extraction too; a texel
constexpr double kPaceKnown = 0.1;                     // of the blocks
// For estimates: how many views they draw; how many more blocks all views find; what photos and splats take.
constexpr size_t kEstimateViews = 6, kBytesPerPixel = 3, kDepthBytes = 4;
constexpr uint64_t kComparedMaps = 2;  // of each depth map while they are compared
constexpr double kBlocksOfAllViews = 1.5;
constexpr int kRepairs = 4;          // rounds
constexpr float kApart = 1e-3f;      // voxels between surfaces that touched
constexpr double kMostFree = 0.1;    // of what closes a hole, that views look through
constexpr float kThickness = 4;      // voxels, of a surface that stays open otherwise
constexpr int kSmoothings = 20;      // of the surface
constexpr int kViewsOfSplats = 24;   // that colour what no photo sees
constexpr float kConfirm = 0.02f;    // a second view must see the same within this share of the depth
constexpr float kPerDifference = 4;  // how far the field reaches, in differences between two views

class MeshMaking {
 public:
  MeshMaking(MeshInput& input, const MeshPlan& plan, splat::Backend& backend, Monitor& monitor, MadeMesh& made)
      : input_(input),
        plan_(plan),
        settings_(plan.settings),
        backend_(backend),
        monitor_(monitor),
        made_(made),
        pool_(plan.threads),
        pictures_(backend, input.look, input.photos.get()) {}

  Outcome run() {
    if (Outcome outcome = choose_views(); !outcome) return outcome;
    if (Outcome outcome = check_photos(); !outcome) return outcome;
    if (Outcome outcome = read_depths(); !outcome) return outcome;
    if (Outcome outcome = extract(); !outcome) return outcome;
    const bool textured = plan_.texture_side > 0;
    if (textured) simplify();
    if (Outcome outcome = colour(); !outcome) return outcome;
    if (!textured) simplify();
    made_.defects = mesh::find_defects(mesh_);
    if (Outcome outcome = texture(); !outcome) return outcome;
    if (Outcome outcome = evaluate(); !outcome) return outcome;
    made_.up = input_.up;
    made_.to_metres = input_.to_metres;
    made_.voxel = tsdf_settings_.voxel;
    made_.views = maps_.size();
    return done();
  }

  // By a few views, as far as the pace of fusing shows. Nothing else may be called then.
  Outcome predict_all(size_t splats, Prediction& estimate) {
    estimating_ = true;
    const size_t given = std::max<size_t>(input_.splats.size(), 1), row_bytes = bytes_of_row(input_.splats);
    if (Outcome outcome = choose_views(); !outcome) return outcome;
    const auto depths_began = Clock::now();
    if (Outcome outcome = read_depths(); !outcome) return outcome;
    const double depths = seconds_since(depths_began);
    if (Outcome outcome = extract(); !outcome) return outcome;
    const double views = double(all_views_), more = views / double(maps_.size());
    const double before = more * (depths * double(splats) / double(given) + seconds_before_field() - depths);
    const double blocks = kBlocksOfAllViews * double(blocks_);
    estimate.seconds = seconds_of(before, blocks, views);
    const uint64_t maps = all_pixels_ * kDepthBytes, photos = from_photos() ? all_pixels_ * kBytesPerPixel : 0;
    estimate.memory_bytes = rss_bytes() + photos + (splats - std::min(splats, given)) * row_bytes +
                            std::max(kComparedMaps * maps, maps + bytes_after_depths(uint64_t(blocks)));
    return done();
  }

 private:
  using Clock = std::chrono::steady_clock;

  static Outcome interrupted_outcome() { return {ExitCode::kInterrupted, "interrupted"}; }
  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }

  double seconds_before_field() const { return std::chrono::duration<double>(field_began_ - began_).count(); }
  bool from_photos() const { return !input_.dataset.views.empty(); }
  static size_t bytes_of_row(const splat::Gaussians& model) {
    return sizeof(float) * size_t(splat::parameters_per_splat(model.sh_degree));
  }

  void begin(const std::string& stage) {
    stage_began_ = Clock::now();
    monitor_.stage(stage);
  }

  Outcome choose_views() {
    std::vector<splat::View> views;
    std::vector<int> photos;
    const splat::Box& region = settings_.region;
    splat::Gaussians inside;
    if (!region.empty()) inside = splat::gather_rows(input_.splats, splat::rows_inside(region, input_.splats));
    if (!region.empty() && inside.size() == 0)
      return bad_input(fmt::format("no splat of '{}' lies in the region", input_.name));
    if (from_photos()) {
      for (int i : input_.dataset.training_views()) {
        const splat::View view = input_.dataset.views[size_t(i)].view();
        if (!region.empty() && !splat::sees(splat::pixels_that_meet(region, view))) continue;
        views.push_back(view);
        photos.push_back(i);
      }
      if (views.empty() && !region.empty())
        return bad_input(fmt::format("no photo of '{}' sees the region", input_.dataset.root.string()));
    } else {
      // From around it others would stand in between.
      if (!region.empty()) input_.splats = inside;
      views = mesh::views_around(input_.splats, kViewsAround, kSizeAround);
      if (!estimating_)
        splat::log::info(fmt::format("no photos: {} views from all around the splats' middle", views.size()));
    }
    if (views.empty()) return bad_input(fmt::format("'{}' has no views", input_.dataset.root.string()));
    std::vector<size_t> chosen = mesh::spread_views(views, kMostViews);
    all_views_ = chosen.size();
    for (size_t i : chosen) all_pixels_ += uint64_t(views[i].camera.width) * uint64_t(views[i].camera.height);
    if (estimating_) chosen = mesh::spread_views(views, kEstimateViews);
    for (size_t i : chosen) {
      photo_of_.push_back(photos.empty() ? -1 : photos[i]);
      maps_.push_back({views[i], {}});
    }
    backend_.upload(input_.splats);
    if (plan_.texture_side > 0 && from_photos())
      extra_views_ = mesh::views_around(region.empty() ? input_.splats : inside, kViewsOfSplats, kSizeAround);
    input_.splats = {};
    return done();
  }

  Outcome check_photos() {
    if (!from_photos()) return done();
    const auto shown =
        splat::check_same_scene(backend_, {input_.dataset, *input_.photos, photo_of_, input_.look}, "no mesh was made");
    return shown ? done() : bad_input(shown.error());
  }

  Outcome read_depths() {
    begin("depths");
    for (size_t i = 0; i < maps_.size(); ++i) {
      if (monitor_.cancelled()) return interrupted_outcome();
      monitor_.step(i, maps_.size());
      pictures_.read_depth(is_transparent(photo_of_[i]) ? photo_of_[i] : -1, maps_[i]);
    }
    std::vector<float> depths, footprints;
    for (const mesh::DepthMap& map : maps_) {
      std::vector<float> seen = depths_in_region(map);
      if (seen.empty()) continue;
      depths.push_back(splat::median(std::move(seen)));
      footprints.push_back(depths.back() / map.view.camera.fx);
    }
    if (depths.empty())
      return bad_input(fmt::format("no view sees anything of '{}': are these its cameras?", input_.name));
    const float depth = splat::median(depths);
    const float parts = settings_.detail == "coarse" ? 256.0f : settings_.detail == "fine" ? 1024.0f : 512.0f;
    float width = 2 * depth;
    tsdf_settings_.region = settings_.region;
    if (settings_.region.empty()) {
      tsdf_settings_.max_depth = kDepths * depth;
    } else {
      const auto half = settings_.region.half();
      width = std::min(width, float(2 * *std::max_element(half.begin(), half.end())));
    }
    tsdf_settings_.voxel = std::max(width / parts, kLeastPixels * splat::median(footprints));
    tsdf_settings_.max_blocks = std::max<size_t>(
        size_t(kMemoryShare * double(host_memory().available_bytes)) / sizeof(mesh::SparseTsdf::Block), 1);
    return done();
  }

  // The depths of pixels that show something in the region; without a region, of all that show something.
  std::vector<float> depths_in_region(const mesh::DepthMap& map) const {
    std::vector<float> seen;
    if (settings_.region.empty()) {
      std::copy_if(map.depth.begin(), map.depth.end(), std::back_inserter(seen), [](float d) { return d > 0; });
      return seen;
    }
    const auto runs = splat::pixels_that_meet(settings_.region, map.view);
    for (int y = 0; y < int(runs.size()); ++y)
      for (int x = runs[size_t(y)].begin; x < runs[size_t(y)].end; ++x)
        if (const float depth = map.at(x, y); depth > 0 && settings_.region.contains(mesh::point_of(map, x, y)))
          seen.push_back(depth);
    return seen;
  }

  Outcome extract() {
    begin("comparing depths");
    mesh::smooth_depths(maps_, {}, pool_);
    tsdf_settings_.noise = kPerDifference * mesh::drop_unreliable(maps_, {.confirm = kConfirm}, pool_);
    if (monitor_.cancelled()) return interrupted_outcome();
    splat::return_freed_memory();
    begin("fusing depths");
    auto tsdf = mesh::SparseTsdf::fuse(maps_, tsdf_settings_, pool_, [&](size_t done, size_t blocks) {
      predict(done, blocks);
      monitor_.step(done, blocks);
      return memory_ && !monitor_.cancelled() && !(estimating_ && pace_ > 0);
    });
    if (!memory_)
      return bad_input(memory_.error().message + "; a coarser --mesh-detail or a smaller --texture takes less");
    if (monitor_.cancelled()) return interrupted_outcome();
    if (estimating_ && pace_ > 0) return app::done();
    if (!tsdf)
      return failed(fmt::format("{}, more than is available: choose a coarser --mesh-detail", tsdf.error().message));
    begin("extracting the surface");
    mesh_ = mesh::march(std::move(*tsdf), pool_);
    splat::return_freed_memory();
    mesh::smooth(mesh_, kSmoothings, pool_);
    made_.dropped = mesh::drop_small_parts(mesh_, kSmallPart);
    if (mesh_.faces.empty())
      return bad_input(fmt::format("no surface was found in '{}': its views do not agree on any depth", input_.name));
    close_holes(settings_.watertight ? 1 : kSmallHole);
    splat::return_freed_memory();
    return done();
  }

  // From the blocks of the field what memory all takes, from its pace how long.
  void predict(size_t done, size_t blocks) {
    if (done == 0) {
      blocks_ = blocks;  // they have been found by now
      field_began_ = Clock::now();
      predicted_bytes_ = std::max(peak_rss_bytes(), rss_bytes() + bytes_after_depths(blocks));
      monitor_.predicted({predicted_bytes_, 0});
      if (const uint64_t held = rss_bytes(); !estimating_ && predicted_bytes_ > held)
        memory_ = check_work("this mesh", predicted_bytes_ - held);
    } else if (pace_ == 0 && (double(done) > kPaceKnown * double(blocks))) {
      pace_ = seconds_since(field_began_) / (double(done) * double(maps_.size()));
      monitor_.predicted({predicted_bytes_, seconds_of(seconds_before_field(), double(blocks), double(maps_.size()))});
    }
  }

  double texels() const { return double(plan_.texture_side) * double(plan_.texture_side); }
  bool simplifies() const { return settings_.faces > 0 || plan_.texture_side > 0; }
  uint64_t most_faces() const { return settings_.faces > 0 ? settings_.faces : kTexturedFaces; }
  uint64_t bytes_after_depths(uint64_t blocks) const {  // the most: of the field, or of the texture
    if (!simplifies()) return blocks * (settings_.watertight ? kBytesPerBlockBacked : kBytesPerBlock);
    if (plan_.texture_side == 0) return blocks * kBytesPerBlockSimplified;
    const uint64_t faces = std::min(most_faces(), blocks * kFacesPerBlock);
    const uint64_t picture =
        kSizeAround * kSizeAround * (kBytesPerPixelColoured + (from_photos() ? kBytesPerPixelDrawn : 0));
    return std::max(blocks * kBytesPerBlockSimplified,
                    uint64_t(texels()) * kBytesPerTexel + faces * kBytesPerTexturedFace + picture);
  }
  double seconds_of(double before, double blocks, double views) const {
    return before + pace_ * (blocks * views * kPerFusing + texels() * kTexturing);
  }

  // No view looks through what closes a hole: where one does, the surface ends.
  size_t close_holes(double share) {
    const auto may_close = [&](const std::vector<uint32_t>& hole, const mesh::Vec3& middle) {
      return mesh::seen_free(maps_, mesh_, hole, middle, tsdf_settings_.truncation * tsdf_settings_.voxel) < kMostFree;
    };
    const size_t closed = mesh::close_holes(mesh_, share, may_close);
    made_.closed += closed;
    return closed;
  }

  // Cuts what touches. Where no hole may be left, closes what that opens and what may be closed, until both are done.
  void repair() {
    for (int round = 0; round < kRepairs; ++round) {
      const size_t cut = mesh::make_manifold(mesh_, kApart * tsdf_settings_.voxel);
      if (!settings_.watertight || (round > 0 && cut == 0) || close_holes(1) == 0) break;
    }
  }

  // What is open although it should not be gets a back.
  void thicken() {
    if (!settings_.watertight) return;
    mesh::thicken(mesh_, kThickness * tsdf_settings_.voxel);
    mesh::make_manifold(mesh_, kApart * tsdf_settings_.voxel);
  }

  bool is_transparent(int photo) const { return photo >= 0 && input_.dataset.views[size_t(photo)].transparent; }

  Outcome coloured() const {
    if (!pictures_.problem().empty()) return failed(pictures_.problem());
    return monitor_.cancelled() ? interrupted_outcome() : done();
  }

  Outcome colour() {
    if (settings_.texture == "none") return done();
    begin("colours");
    const auto picture_of_map = [&](size_t i) {
      monitor_.step(i, maps_.size());
      return pictures_.colours(maps_[i].view, photo_of_[i]);
    };
    mesh::colour_vertices(mesh_, maps_, 2 * tsdf_settings_.voxel, picture_of_map, pool_);
    return coloured();
  }

  void simplify() {
    if (!simplifies()) {
      repair();
      thicken();
      return;
    }
    begin("simplifying");
    const size_t faces = most_faces();
    for (size_t wanted = faces;;) {
      mesh::simplify(mesh_, wanted, tsdf_settings_.voxel);
      repair();
      const size_t open = settings_.watertight ? mesh::open_edges(mesh_).size() : 0;
      const size_t with_back = open > 0 ? 2 * (mesh_.faces.size() + open) : mesh_.faces.size();
      if (with_back <= faces || wanted < mesh_.faces.size() / 2) break;
      wanted = size_t(0.95 * double(mesh_.faces.size()) * double(faces) / double(with_back));
    }
    thicken();
  }

  Outcome texture() {
    if (plan_.texture_side == 0) return done();
    begin("choosing photos");
    std::vector<mesh::TextureView> views;
    for (const mesh::DepthMap& map : maps_)
      views.push_back({map.view, true, settings_.region.empty() ? nullptr : &map});
    for (const splat::View& view : extra_views_) views.push_back({view, false, nullptr});
    const auto at_vertices = mesh::find_best_views(mesh_, views, 2 * tsdf_settings_.voxel, pool_);
    begin("laying out the texture");
    auto atlas = mesh::lay_out(mesh_, plan_.texture_side, pool_);
    if (!atlas) return failed(atlas.error().message + ": give fewer --faces or a larger --texture");
    std::vector<mesh::VertexViews> best;
    for (uint32_t v : atlas->origin) best.push_back(at_vertices[v]);
    begin("texture");
    splat::return_freed_memory();
    const auto picture_of_view = [&](size_t i) {
      monitor_.step(i, views.size());
      return pictures_.colours(views[i].view, i < maps_.size() ? photo_of_[i] : -1);
    };
    std::vector<mesh::Vec3> exposures(views.size(), {1, 1, 1});
    if (input_.photos) exposures = mesh::level_exposures(mesh_, best, views, picture_of_view, pool_);
    made_.texture =
        mesh::bake_texture({mesh_, best, views, std::move(exposures), plan_.texture_side}, picture_of_view, pool_);
    made_.charts = atlas->charts, made_.filled = atlas->filled;
    return coloured();
  }

  // The mesh beside photos that it was not made of, where it covers them.
  Outcome evaluate() {
    double squared = 0, covered = 0, pixels = 0;
    const std::vector<int> held_out = input_.dataset.held_out_views();
    if (held_out.empty() || !input_.photos) return done();
    begin("comparing with the photos held out");
    for (int i : held_out) {
      const splat::View view = input_.dataset.views[size_t(i)].view();
      const mesh::MeshView seen = mesh::look_at(mesh_, view);
      const splat::ImageF ours = mesh::picture_of(mesh_, made_.texture, seen), photo = pictures_.colours(view, i);
      const std::vector<uint8_t> shown = pictures_.shown(i);
      mesh::DepthMap all;
      if (!settings_.region.empty()) {
        backend_.forward(view, input_.look);
        backend_.read_depth(splat::DepthKind::kMedian, all.depth);
      }
      for (size_t p = 0; p < seen.faces.size(); ++p) {
        if (!shown.empty() && !shown[p]) continue;
        ++pixels;
        if (seen.faces[p] == mesh::kNoFace || is_hidden(all.depth, seen, p)) continue;
        ++covered;
        for (size_t at = p; at < photo.rgb.size(); at += seen.faces.size())
          squared += double(ours.rgb[at] - photo.rgb[at]) * double(ours.rgb[at] - photo.rgb[at]) / 3;
      }
    }
    if (covered > 0) made_.held_out_psnr = -10 * std::log10(std::max(squared / covered, 1e-10));
    if (pixels > 0) made_.held_out_covered = covered / pixels;
    return coloured();
  }

  // By something outside of the region, which `depth` shows.
  bool is_hidden(const std::vector<float>& depth, const mesh::MeshView& seen, size_t pixel) const {
    return !depth.empty() && depth[pixel] > 0 &&
           depth[pixel] < (1 - kConfirm) * seen.depth[pixel] - 2 * tsdf_settings_.voxel;
  }

  MeshInput& input_;
  const MeshPlan& plan_;
  const MeshSettings& settings_;
  splat::Backend& backend_;
  Monitor& monitor_;
  MadeMesh& made_;
  splat::ThreadPool pool_;
  MeshPictures pictures_;
  mesh::TriangleMesh& mesh_ = made_.mesh;
  std::vector<mesh::DepthMap> maps_;
  std::vector<int> photo_of_;
  mesh::TsdfSettings tsdf_settings_;
  std::vector<splat::View> extra_views_;
  Clock::time_point began_ = Clock::now(), stage_began_ = began_, field_began_ = began_;
  size_t all_views_ = 0, blocks_ = 0;
  uint64_t all_pixels_ = 0, predicted_bytes_ = 0;  // pixels: of all views
  double pace_ = 0;                                // s of fusing for a block and view; 0: not known yet
  bool estimating_ = false;
  splat::Status memory_;  // an error: there is too little
};

class StopsWhenAsked final : public Monitor {
 public:
  explicit StopsWhenAsked(const std::function<bool()>& stop) : stop_(stop) {}
  bool cancelled() override { return stop_(); }

 private:
  const std::function<bool()>& stop_;
};

}  // namespace

int texture_side(const MeshSettings& settings, bool holds) {
  if (settings.texture == "vertex" || settings.texture == "none") return 0;
  if (settings.texture.empty()) return holds ? kDefaultTexture : 0;
  return std::stoi(settings.texture);
}

DepthPixels pixels_of_depths(const MeshInput& input, const splat::Box& region) {
  constexpr uint64_t kSquare = uint64_t(kSizeAround) * kSizeAround;
  if (input.dataset.views.empty()) return {kSquare, kViewsAround * kSquare};
  DepthPixels pixels;
  const std::vector<int> photos = input.dataset.training_views();
  for (const int i : photos) {
    const splat::PinholeCamera& camera = input.dataset.views[size_t(i)].camera;
    const uint64_t count = uint64_t(camera.width) * uint64_t(camera.height);
    pixels.most = std::max(pixels.most, count), pixels.all += count;
  }
  if (photos.size() > kMostViews) pixels.all = pixels.all / photos.size() * kMostViews;
  if (!region.empty()) pixels.all = pixels.most;  // it may be that one photo alone sees it
  return pixels;
}

Outcome make_mesh(MeshInput input, const MeshPlan& plan, splat::Backend& backend, Monitor& monitor, MadeMesh& made) {
  return MeshMaking(input, plan, backend, monitor, made).run();
}

splat::Result<std::optional<Prediction>> predict_mesh(MeshInput input, size_t splats, const MeshPlan& plan,
                                                      splat::Backend& backend, const std::function<bool()>& stop) {
  StopsWhenAsked monitor(stop);
  MadeMesh made;
  Prediction prediction;
  const Outcome outcome = MeshMaking(input, plan, backend, monitor, made).predict_all(splats, prediction);
  if (outcome.code == ExitCode::kInterrupted) return std::optional<Prediction>();
  if (!outcome) return splat::Error{outcome.sentence};
  return std::optional(prediction);
}

}  // namespace app
