#include "io/dataset/load_dataset.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "io/dataset/field_of_view.h"
#include "io/dataset/find_cameras.h"
#include "io/dataset/find_photos.h"
#include "io/dataset/folder_contents.h"
#include "io/dataset/held_out.h"
#include "io/dataset/lens_groups.h"
#include "io/dataset/panorama.h"
#include "io/dataset/training_image.h"
#include "io/dataset/undistort.h"
#include "io/reconstruction/check_camera.h"
#include "io/reconstruction/colmap.h"
#include "io/reconstruction/own_split.h"
#include "io/reconstruction/points_beside.h"
#include "io/reconstruction/transforms_json.h"
#include "io/scene_json.h"
#include "splat/core/parallel.h"
#include "splat/model/camera_models.h"
#include "splat/model/view_up.h"

namespace io {

namespace fs = std::filesystem;
using splat::Dataset, splat::DatasetView, splat::Error, splat::Lens, splat::Result, splat::Status, splat::ThreadPool;

namespace {

std::string size_text(int width, int height) { return std::to_string(width) + "x" + std::to_string(height); }

// What may not be looked into may hold what was not found.
Status check_readable(const fs::path& path) {
  for (const char* place : {"", "sparse", "sparse/0", "colmap", "colmap/sparse", "images"}) {
    const fs::path folder = path / place;
    std::error_code code;
    fs::directory_iterator files(folder, code);
    if (code == std::errc::permission_denied)
      return Error{"'" + (*place ? folder : path).string() + "' cannot be opened: " + code.message()};
  }
  return {};
}

Error no_cameras(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    if (const std::string archive = dataset_in_archive(path); !archive.empty()) return Error{archive};
    return Error{"'" + path.string() + "' is no dataset: a dataset is a folder, or a transforms.json"};
  }
  const FolderContents contents = contents_of(path);
  const std::string holds = "'" + path.string() + "' holds " + contents_sentence(contents);
  if (contents.photos == 0 && !contents.videos.empty())
    return Error{holds + ", and no cameras: give " + (contents.videos.size() > 1 ? "one of them" : "the video") +
                 " ('hipsplat train " + (path / contents.videos.front()).string() +
                 " -o OUT'), whose cameras are then "
                 "found first"};
  if (contents.photos > 0 || !contents.videos.empty())
    return Error{holds +
                 ", and no cameras (no COLMAP model and no transforms.json, three folders deep): 'hipsplat align' "
                 "finds the cameras of photos or of one video"};
  if (fs::exists(path / "cfg_args", ignored) && contents.splats.empty())
    return Error{"'" + path.string() +
                 "' is a run without results: wait for its first splats, or train its dataset again"};
  if (!contents.splats.empty())
    return Error{holds + ", and no dataset: open " + (contents.splats.size() == 1 ? "it" : "one of the splat files")};
  return Error{holds};
}

Result<Reconstruction> read_reconstruction(const fs::path& path, const FoundCameras& found,
                                           const fs::path& points_file) {
  std::error_code code;
  if (!fs::exists(path, code)) {
    if (code == std::errc::permission_denied)
      return Error{"'" + path.string() + "' cannot be opened: " + code.message()};
    return Error{"there is no dataset '" + path.string() + "'"};
  }
  if (!found.sentence.empty()) return Error{found.sentence};
  if (found.kind == FoundCameras::Kind::kNone) {
    SPLAT_TRY(check_readable(path));
    return no_cameras(path);
  }
  const bool colmap = found.kind == FoundCameras::Kind::kColmap;
  SPLAT_ASSIGN_OR_RETURN(Reconstruction reconstruction,
                         colmap ? read_colmap(found.source) : read_transforms_json(found.source));
  reconstruction.notes.insert(reconstruction.notes.begin(), found.notes.begin(), found.notes.end());
  if (const auto file = find_transforms_json_of(found.root); colmap && file)
    add_what_only_transforms_say(*file, reconstruction);
  add_own_split(found.root, reconstruction);
  if (points_file.empty()) {
    add_points_beside(found.root, reconstruction);
  } else {
    SPLAT_TRY(read_points_into(points_file, reconstruction));
    if (reconstruction.points.size() == 0) return Error{"'" + points_file.string() + "' holds no points to start from"};
    reconstruction.notes.push_back("the points to start from are the " + std::to_string(reconstruction.points.size()) +
                                   " of '" + points_file.string() + "'");
  }
  return reconstruction;
}

// How the photo's size relates to the camera's: the same, scaled (then *is_scaled), or an error.
Status check_size(const DatasetView& view, bool* is_scaled) {
  const double width = view.file_width, height = view.file_height;
  const double camera_width = view.source.width, camera_height = view.source.height;
  *is_scaled = width != camera_width || height != camera_height;
  if (fits_camera(view.source, view.file_width, view.file_height)) return {};
  const bool turned = width == camera_height && height == camera_width;
  const auto middle = splat::camera_model_info(view.source.model).focal_lengths();
  const bool swapped = turned && !splat::camera_model_info(view.source.model).is_panorama() &&
                       std::abs(view.source.params[middle] - width / 2) < std::abs(width - height) / 4 &&
                       std::abs(view.source.params[middle + 1] - height / 2) < std::abs(width - height) / 4;
  if (swapped)
    return Error{"'" + view.image_path.string() + "' is " + size_text(view.file_width, view.file_height) +
                 " pixels, but its camera in the reconstruction is " +
                 size_text(view.source.width, view.source.height) +
                 ": width and height are swapped there, for the centre (cx, cy) is that of the photo"};
  return Error{"'" + view.image_path.string() + "' is " + size_text(view.file_width, view.file_height) +
               " pixels, but its camera in the reconstruction is " + size_text(view.source.width, view.source.height) +
               (turned ? ": the photo was turned after the reconstruction was made; use the photos it was made from"
                       : ", another aspect ratio: use the photos the reconstruction was made from")};
}

// The training size, with INRIA's rounding: a side divided goes to the nearest whole number (of two as near to the even
// one, as Python's round), a side limited to a number of pixels down.
// A panorama's size is that of its faces. False: the size is the largest there is.
bool set_training_size(DatasetView& view, int resolution, int divided_by) {
  const bool divides = resolution >= 1 && resolution <= 8;
  const bool panorama = camera_model_info(view.source.model).is_panorama();
  const int full_width = panorama ? panorama_face_side(view.file_width) : view.file_width;
  const int full_height = panorama ? full_width : view.file_height;
  const double longest = std::max(full_width, full_height);
  const double limit = resolution == 0 ? kDefaultMaxSide : resolution;
  const double divisor = !divides ? std::max(1.0, longest / limit) : divided_by > 1 ? 1 : resolution;
  const auto side = [&](int pixels) {
    const double exact = pixels / divisor;
    return std::max(1, int(divides ? std::nearbyint(exact) : std::floor(exact + 1e-6)));
  };
  view.camera.width = side(full_width);
  view.camera.height = side(full_height);
  if (panorama) view.camera = panorama_face_camera(view.camera.width);
  return view.camera.width < full_width || view.camera.height < full_height;
}

// Reports what holds for many views once.
class Tally {
 public:
  void count(const std::string& note, size_t times = 1) { counts_[note] += times; }
  // Each as "N photos: NOTE".
  void report(std::vector<std::string>& notes) const {
    for (const auto& [note, count] : counts_)
      notes.push_back(std::to_string(count) + (count == 1 ? " photo: " : " photos: ") + note);
  }

 private:
  std::map<std::string, size_t> counts_;
};

// Photos that turn out to be of no use, and why: those that the user leaves out anyway are not worth a word.
class Unusable {
 public:
  Unusable(const PhotoSet& set, const DatasetOptions& options)
      : left_out_(set.left_out), names_(set.unusable), unsaid_(options.leave_out.begin(), options.leave_out.end()) {}
  void add(const std::string& name, const std::string& why) {
    names_.push_back(name);
    if (!unsaid_.contains(name)) left_out_.add("photo", name, why);
  }
  const std::vector<std::string>& names() const { return names_; }
  const LeftOut& left_out() const { return left_out_; }

 private:
  LeftOut left_out_;
  std::vector<std::string> names_;
  std::set<std::string> unsaid_;
};

// What is wrong with the camera of a photo, or with its size beside that camera's.
Status check_view(const DatasetView& view, const fs::path& source, bool* is_scaled) {
  for (const auto& check : {check_camera, check_field_of_view})
    if (const Status camera = check(view.source); !camera)
      return Error{"the camera of '" + view.name + "' in '" + source.string() +
                   "' is unusable: " + camera.error().message};
  return check_size(view, is_scaled);
}

void compare_with_stated_angle(const ReconstructionImage& image, Tally& warnings) {
  constexpr double kAgreement = 1.1;
  if (!image.stated_angle_x) return;
  const double stated = 0.5 * image.camera.width / std::tan(0.5 * *image.stated_angle_x);
  const double ratio = image.camera.params[0] / stated;
  if (ratio < kAgreement && 1 / ratio < kAgreement) return;
  std::ostringstream text;
  text << "the focal length, fl_x " << image.camera.params[0] << ", contradicts camera_angle_x, by which it is "
       << stated << " px (is fl_x in millimetres?); fl_x is used";
  warnings.count(text.str());
}

std::vector<DatasetView> make_views(Reconstruction& reconstruction, const PhotoSet& set, const DatasetOptions& options,
                                    Tally& tally, Tally& warnings, Unusable& unusable) {
  std::vector<DatasetView> views;
  size_t doubted = 0;
  std::string doubt;  // the first: focal lengths may differ by photo
  for (const PhotoSet::Photo& photo : set.photos) {
    ReconstructionImage& image = reconstruction.images[photo.image];
    complete_camera(image, photo.full_size.width, photo.full_size.height);
    if (take_shares_of_sides(image.camera))
      warnings.count(
          "focal length and centre are far below those of any lens in pixels: they are taken as shares of "
          "the picture's sides");
    DatasetView view;
    view.name = image.name;
    view.image_path = photo.path;
    view.mask_path = photo.mask;
    view.source = image.camera;
    if (!camera_model_info(view.source.model).is_panorama()) view.depth_path = photo.depth;
    view.cam_from_world = image.cam_from_world;
    view.photo_orientation = photo.orientation;
    view.file_width = photo.size.width;
    view.file_height = photo.size.height;
    view.file_has_alpha = photo.size.has_alpha();
    view.ignores_transparent = options.ignores_transparent;
    if (view.file_has_alpha)
      tally.count(options.ignores_transparent
                      ? "what is transparent does not count"
                      : "what is transparent is known to be empty (with --alpha ignore it would not count)");
    view.left_out = image.left_out;
    view.crop_radius_px = image.crop_radius_px;
    bool is_scaled = false;
    if (const Status usable = check_view(view, reconstruction.source, &is_scaled); !usable) {
      unusable.add(view.name, usable.error().message);
      continue;
    }
    if (const std::string text = doubt_of_camera(image.camera); !text.empty() && doubted++ == 0) doubt = text;
    compare_with_stated_angle(image, warnings);
    if (is_scaled && photo.divided_by == 1 && !camera_model_info(view.source.model).is_panorama())
      tally.count("the picture is " + size_text(view.file_width, view.file_height) + ", its camera " +
                  size_text(view.source.width, view.source.height) + "; focal length and centre are scaled");
    const bool is_reduced = set_training_size(view, options.resolution, photo.divided_by);
    if (options.resolution == 0 && is_reduced)
      tally.count(size_text(view.file_width, view.file_height) + ", trained at a longest side of " +
                  std::to_string(kDefaultMaxSide) + " pixels (-r 1 keeps the full size)");
    views.push_back(std::move(view));
  }
  if (doubted > 0) warnings.count(doubt, doubted);
  return views;
}

std::string percent(double fraction) { return std::to_string(int(100 * fraction)) + " %"; }  // rounded down

void note_panorama(const DatasetView& view, Tally& tally, Tally& warnings) {
  tally.count("EQUIRECTANGULAR, a panorama: split into " + std::to_string(panorama_faces().size()) + " views of " +
              size_text(view.camera.width, view.camera.height) + " and 90 degrees, held out or trained on together");
  if (std::abs(view.file_width - 2 * view.file_height) > 2)
    warnings.count("a panorama of " + size_text(view.file_width, view.file_height) +
                   " is not twice as wide as high; it is taken to show all directions, stretched");
}

// Where a pinhole shows as good as all of it, that is a fact; else a part of the photo is lost.
void note_undistortion(std::string_view model, const UndistortPlan& plan, Tally& tally, Tally& warnings) {
  constexpr double kAllKept = 0.99;
  std::string note =
      std::string(model) + ", undistorted to a pinhole that keeps " + percent(plan.kept_fraction) + " of the picture";
  if (plan.field_of_view_cut) note += " (a pinhole is cut at " + std::to_string(int(kMaxFieldOfViewDeg)) + " degrees)";
  (plan.kept_fraction < kAllKept || plan.field_of_view_cut ? warnings : tally).count(note);
}

// The pinholes that training sees. Those of panoramas are chosen already. Takes out what no pinhole can show.
void choose_cameras(std::vector<DatasetView>& all, ThreadPool& pool, Tally& tally, Tally& warnings,
                    Unusable& unusable) {
  std::vector<DatasetView*> views;
  for (DatasetView& view : all)
    if (!camera_model_info(view.source.model).is_panorama())
      views.push_back(&view);
    else
      note_panorama(view, tally, warnings);
  std::vector<Lens> lenses;
  for (const DatasetView* view : views) lenses.push_back(training_lens(*view));
  const LensGroups groups = group_lenses(lenses);
  std::vector<UndistortPlan> plans(groups.lenses.size());
  pool.for_each(plans.size(), [&](size_t i, int) { plans[i] = plan_undistortion(groups.lenses[i]); });
  std::set<std::string> out;
  for (size_t i = 0; i < views.size(); ++i) {
    const UndistortPlan& plan = plans[groups.group_of[i]];
    DatasetView& view = *views[i];
    view.camera = plan.camera;
    if (plan.identity) continue;
    const std::string model(camera_model_info(view.source.model).name);
    if (plan.blank_fraction > 2 * kMaxBlankFraction || plan.kept_fraction == 0) {
      unusable.add(view.name, "the " + model + " camera of '" + view.name + "' (" + view.image_path.string() +
                                  ") cannot be undistorted: its lens parameters leave nothing of the picture");
      out.insert(view.name);
      continue;
    }
    note_undistortion(model, plan, tally, warnings);
  }
  std::erase_if(all, [&](const DatasetView& view) { return out.contains(view.name); });
}

std::array<double, 3> up_of(const std::vector<DatasetView>& views, const std::vector<int>& strays) {
  std::vector<splat::Rigid3> poses;
  for (size_t i = 0; i < views.size(); ++i)
    if (!std::binary_search(strays.begin(), strays.end(), int(i))) poses.push_back(views[i].cam_from_world);
  const splat::MeanUp up = splat::mean_up(poses);
  return up.agreement > 1e-3 ? up.direction : std::array<double, 3>{0, -1, 0};  // they disagree entirely
}

Status place_on_earth(const fs::path& root, const std::array<double, 3>& origin, Dataset& dataset) {
  SPLAT_ASSIGN_OR_RETURN(const SceneFrame frame, read_scene_json(root));
  for (size_t k = 0; k < 3; ++k) dataset.origin[k] = frame.origin[k] + origin[k];
  dataset.epsg = frame.epsg;
  dataset.metres_per_unit = frame.metres_per_unit;
  if (origin == std::array<double, 3>{0, 0, 0}) return {};
  std::ostringstream note;
  note.precision(15);
  note << "the cameras lie far from 0: positions are counted from (" << origin[0] << ", " << origin[1] << ", "
       << origin[2] << ")";
  dataset.notes.push_back(note.str());
  return {};
}

}  // namespace

Result<Dataset> load_dataset(const fs::path& path, const DatasetOptions& options) {
  if (options.resolution < 0) return Error{"the resolution (-r) must be 1 to 8, or a number of pixels"};
  const FoundCameras found = find_cameras(path);
  SPLAT_ASSIGN_OR_RETURN(Reconstruction reconstruction, read_reconstruction(path, found, options.points_file));
  const fs::path& root = found.root;
  ThreadPool pool(options.threads);
  DatasetOptions places = options;
  if (places.images_folder.empty()) places.images_folder = found.photos.string();
  SPLAT_ASSIGN_OR_RETURN(PhotoSet set, find_photos(root, reconstruction, places, pool));

  Dataset dataset;
  dataset.root = path;
  dataset.format = reconstruction.format;
  dataset.notes = std::move(reconstruction.notes);
  dataset.warnings = std::move(reconstruction.warnings);
  dataset.notes.insert(dataset.notes.end(), set.notes.begin(), set.notes.end());
  dataset.missing_images = std::move(set.missing);
  dataset.extra_images = std::move(set.extra);
  dataset.warnings.insert(dataset.warnings.end(), set.warnings.begin(), set.warnings.end());
  Tally tally, warnings;
  Unusable unusable(set, options);
  dataset.views = make_views(reconstruction, set, options, tally, warnings, unusable);
  choose_cameras(dataset.views, pool, tally, warnings, unusable);
  if (dataset.views.empty())
    return Error{unusable.left_out().count("photo") > 0
                     ? unusable.left_out().first_reason("photo")
                     : "every photo of '" + path.string() + "' that can be used is left out (--leave-out)"};
  tally.report(dataset.notes);
  warnings.report(dataset.warnings);
  unusable.left_out().report(dataset.warnings);
  dataset.points = std::move(reconstruction.points);
  SPLAT_TRY(place_on_earth(root, reconstruction.origin, dataset));

  std::map<std::string_view, std::optional<bool>> side;
  for (const ReconstructionImage& image : reconstruction.images) side.emplace(image.name, image.held_out);
  std::vector<std::optional<bool>> split;
  for (const DatasetView& view : dataset.views) split.push_back(side.at(view.name));
  std::vector<std::string> gone = unusable.names();
  gone.insert(gone.end(), dataset.missing_images.begin(), dataset.missing_images.end());
  SPLAT_TRY(hold_out(dataset, split, gone, options));
  dataset.view_up = up_of(dataset.views, leave_out_strays(dataset));
  for (DatasetView& view : dataset.views)
    if (view.held_out) view.depth_path.clear();  // of no use to anybody
  SPLAT_TRY(split_panoramas(dataset.views));     // after hold_out(): a photo's faces stay together
  return dataset;
}

}  // namespace io
