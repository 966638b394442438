#include "io/reconstruction/transforms_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "io/bytes.h"
#include "io/files_below.h"
#include "io/foreign_file.h"
#include "io/json.h"
#include "io/names.h"
#include "io/reconstruction/check_camera.h"
#include "io/reconstruction/left_out.h"
#include "io/reconstruction/origin.h"
#include "io/reconstruction/other_programs.h"
#include "io/reconstruction/points_beside.h"
#include "io/reconstruction/transforms_frame.h"
#include "io/text.h"
#include "splat/core/counted.h"
#include "splat/model/camera_models.h"
#include "splat/model/lens.h"

namespace io {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kScanNetFolder = "nerfstudio";

// What has a meaning here, or nothing that could be lost: other keys are named.
constexpr std::array<std::string_view, 45> kKnownKeys{"frames",
                                                      "test_frames",
                                                      "is_bad",
                                                      "has_mask",
                                                      "file_path",
                                                      "transform_matrix",
                                                      "mask_path",
                                                      "depth_file_path",
                                                      "depth_path",
                                                      "enable_depth_loading",
                                                      "integer_depth_scale",
                                                      "ply_file_path",
                                                      "camera_model",
                                                      "is_fisheye",
                                                      "fl_x",
                                                      "fl_y",
                                                      "camera_angle_x",
                                                      "camera_angle_y",
                                                      "x_fov",
                                                      "y_fov",
                                                      "K",
                                                      "intrinsics",
                                                      "intrinsic_matrix",
                                                      "camera_matrix",
                                                      "cx",
                                                      "cy",
                                                      "w",
                                                      "h",
                                                      "k1",
                                                      "k2",
                                                      "k3",
                                                      "k4",
                                                      "p1",
                                                      "p2",
                                                      "fisheye_crop_radius",
                                                      "ftheta_p0",
                                                      "latlong",
                                                      "equirectangular",
                                                      "train_filenames",
                                                      "val_filenames",
                                                      "test_filenames",
                                                      "applied_transform",
                                                      "applied_scale",
                                                      "colmap_im_id",
                                                      "sharpness"};

// The names of a list, as frames are called; none where there is no list, or an empty one.
Result<std::set<std::string>> read_names(const json& file, const char* key, const std::string& name) {
  std::set<std::string> names;
  const auto list = file.find(key);
  if (list == file.end() || list->is_null()) return names;
  const Error unusable{"'" + name + "': '" + key + "' is not a list of names"};
  if (!list->is_array()) return unusable;
  for (const json& entry : *list) {
    if (!entry.is_string()) return unusable;
    names.insert(name_of(with_slashes(entry.get<std::string>())));
  }
  return names;
}

// As nerfstudio: trained on is train_filenames, held out is test_filenames (else val_filenames). Without a list of
// what to train on it is what the others do not name.
Status apply_lists(const json& file, const std::string& name, Reconstruction& result) {
  SPLAT_ASSIGN_OR_RETURN(const auto train, read_names(file, "train_filenames", name));
  SPLAT_ASSIGN_OR_RETURN(const auto test, read_names(file, "test_filenames", name));
  SPLAT_ASSIGN_OR_RETURN(const auto val, read_names(file, "val_filenames", name));
  if (train.empty() && test.empty() && val.empty()) return {};
  const std::set<std::string>& held_out = test.empty() ? val : test;
  std::set<std::string> unknown = train;
  unknown.insert(held_out.begin(), held_out.end());
  std::vector<std::string> unlisted;
  for (ReconstructionImage& image : result.images) {
    unknown.erase(image.name);
    image.held_out = held_out.contains(image.name);
    if (image.left_out) continue;
    image.left_out = !*image.held_out && !(train.empty() ? !val.contains(image.name) : train.contains(image.name));
    if (image.left_out) unlisted.push_back(image.name);
  }
  if (!unlisted.empty())
    result.notes.push_back(splat::counted(unlisted.size(), "photo is", "photos are") +
                           " in no list of those to train on or to hold out ('train_filenames', '" +
                           (test.empty() ? "val" : "test") + "_filenames') and left out: " + first_names(unlisted));
  if (!unknown.empty())
    result.warnings.push_back(splat::counted(unknown.size(), "name") + " in the lists of '" + name +
                              "' without a frame: " + first_names({unknown.begin(), unknown.end()}));
  return {};
}

// A key that nobody reads may change what the others mean.
void note_unknown_keys(const json& file, Reconstruction& result) {
  std::set<std::string> unknown;
  const auto look = [&](const json& object) {
    for (const auto& [key, value] : object.items())
      if (!value.is_null() && std::find(kKnownKeys.begin(), kKnownKeys.end(), key) == kKnownKeys.end())
        unknown.insert(in_quotes(key));
  };
  look(file);
  for (const char* list : {"frames", "test_frames"})
    if (const auto frames = file.find(list); frames != file.end() && frames->is_array())
      for (const json& frame : *frames)
        if (frame.is_object()) look(frame);
  if (!unknown.empty())
    result.notes.push_back("keys of transforms.json that have no meaning here: " +
                           first_names({unknown.begin(), unknown.end()}));
}

bool is_same(const ReconstructionImage& a, const ReconstructionImage& b) {
  return a.camera_index == b.camera_index && a.cam_from_world == b.cam_from_world && a.mask_hint == b.mask_hint &&
         a.depth_hint == b.depth_hint && a.held_out == b.held_out;
}

// Gives equal cameras equal numbers and sorts by name. A photo that is listed again counts once, as listed first.
void finish(Reconstruction& result, const std::string& name) {
  using Key = std::tuple<int, int, int, std::vector<double>, bool, bool, std::optional<double>, std::optional<double>>;
  std::map<Key, int> index_of_camera;
  for (ReconstructionImage& image : result.images) {
    const splat::SourceCamera& camera = image.camera;
    const ReconstructionImage::Pending& pending = image.pending;
    const Key key{int(camera.model),   camera.width,        camera.height,   camera.params,
                  pending.principal_x, pending.principal_y, pending.angle_x, pending.angle_y};
    image.camera_index = index_of_camera.emplace(key, int(index_of_camera.size())).first->second;
  }
  result.cameras = int(index_of_camera.size());
  const auto by_name = [](const ReconstructionImage& a, const ReconstructionImage& b) { return a.name < b.name; };
  std::stable_sort(result.images.begin(), result.images.end(), by_name);
  LeftOut twice;
  const auto is_repeated = [&](const ReconstructionImage& image, const ReconstructionImage& first) {
    if (!is_same(image, first))
      twice.add("frame", image.name,
                "'" + name + "' lists the photo " + in_quotes(image.name) +
                    " twice, with different cameras or poses; the first counts");
    return true;
  };
  const auto begin = result.images.begin();
  auto kept = begin;
  for (auto image = begin; image != result.images.end(); ++image) {
    if (kept != begin && std::prev(kept)->name == image->name && is_repeated(*image, *std::prev(kept))) continue;
    if (kept != image) *kept = std::move(*image);
    ++kept;
  }
  result.images.erase(kept, result.images.end());
  twice.report(result.warnings);
}

// A name may stand in a file as it does in a URL: "a%20b.jpg".
std::string percent_decoded(const std::string& text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const bool escaped = text[i] == '%' && i + 2 < text.size() &&
                         std::from_chars(&text[i + 1], &text[i + 1] + 2, value, 16).ptr == &text[i + 1] + 2;
    decoded += escaped ? char(value) : text[i];
    if (escaped) i += 2;
  }
  return decoded;
}

void decode_where_only_that_is_there(fs::path& path) {
  if (path.empty() || is_file(path)) return;
  const fs::path decoded = percent_decoded(path.string());
  if (is_file(decoded)) path = decoded;
}

// ScanNet++ has its photos and masks in folders beside that of the file, and names none of them.
void resolve_scannetpp(ReconstructionImage& image, const fs::path& file) {
  const fs::path folder = file.parent_path(), root = root_of_transforms(file);
  if (root == folder) return;
  const bool undistorted = file.filename().string().find("undistorted") != std::string::npos;
  const auto resolve = [&](fs::path& path, const char* other) {
    const fs::path there = root / other / path.lexically_relative(folder);
    if (!path.empty() && !is_file(path) && is_file(there)) path = there;
  };
  resolve(image.file_hint, undistorted ? "resized_undistorted_images" : "resized_images");
  resolve(image.mask_hint, undistorted ? "resized_undistorted_masks" : "resized_anon_masks");
}

}  // namespace

void resolve_photo(ReconstructionImage& image, const fs::path& file) {
  const fs::path folder = file.parent_path();
  for (fs::path* path : {&image.file_hint, &image.mask_hint, &image.depth_hint}) decode_where_only_that_is_there(*path);
  resolve_scannetpp(image, file);
  if (is_file(image.file_hint)) return;
  for (const char* extension : {".png", ".jpg", ".jpeg", ".webp", ".PNG", ".JPG", ".JPEG"}) {
    const fs::path path = fs::path(image.file_hint).concat(extension);
    if (!is_file(path)) continue;
    image.file_hint = path;
    image.name += extension;
    return;
  }
  const fs::path photo = image.file_hint.filename();
  for (const fs::path& path : {folder / "images" / photo, folder / photo})
    if (is_file(path)) {
      image.file_hint = path;
      return;
    }
}

namespace {

Result<TransformsText> read_one(const fs::path& file) {
  SPLAT_ASSIGN_OR_RETURN(const std::string text, read_file(file));
  SPLAT_ASSIGN_OR_RETURN(TransformsText result, parse_transforms_json(text, file.string(), file.parent_path()));
  for (ReconstructionImage& image : result.reconstruction.images) resolve_photo(image, file);
  return result;
}

// The first of the two that has frames. A photo set of Blender's is split by its files.
void add_test_split(const fs::path& train_file, Reconstruction& result) {
  for (ReconstructionImage& image : result.images) image.held_out = false;
  for (const char* name : {"transforms_test.json", "transforms_val.json"}) {
    const fs::path file = train_file.parent_path() / name;
    if (!is_file(file)) continue;
    Result<TransformsText> test = read_one(file);
    if (!test) {
      result.warnings.push_back("the test split is not used: " + test.error().message);
      continue;
    }
    Reconstruction& split = test->reconstruction;
    result.notes.push_back("the " + std::to_string(split.images.size()) + " views of '" + name +
                           "' are the data's own test split: --eval holds them out, else they are trained on");
    result.warnings.insert(result.warnings.end(), split.warnings.begin(), split.warnings.end());
    for (ReconstructionImage& image : split.images) {
      image.held_out = true;
      result.images.push_back(std::move(image));
    }
    return;
  }
}

// With its test split; without points.
Result<TransformsText> read_split(const fs::path& file) {
  SPLAT_ASSIGN_OR_RETURN(TransformsText text, read_one(file));
  text.reconstruction.source = file;
  if (file.filename() == "transforms_train.json") add_test_split(file, text.reconstruction);
  finish(text.reconstruction, file.string());
  return text;
}

Status add_points(const fs::path& ply_file, Reconstruction& result) {
  result.points_file = ply_file;
  if (is_file(ply_file)) return read_points_into(ply_file, result);
  result.notes.push_back("the point cloud '" + ply_file.string() + "' that transforms.json names is not there");
  return {};
}

void move_to_local_origin(Reconstruction& result) {
  std::vector<splat::Rigid3> poses;
  for (const ReconstructionImage& image : result.images) poses.push_back(image.cam_from_world);
  result.origin = local_origin(poses);
  for (ReconstructionImage& image : result.images)
    image.cam_from_world = relative_to(image.cam_from_world, result.origin);
}

// The frames of a list of the file, where there is one.
void read_frames(const json& file, const std::string& list, const std::string& name, const fs::path& folder,
                 Reconstruction& reconstruction, LeftOut& left_out) {
  const auto frames = file.find(list);
  if (frames == file.end() || !frames->is_array()) return;
  const std::string label = list == "frames" ? "frame " : "test frame ";
  for (size_t i = 0; i < frames->size(); ++i) {
    const json& frame = (*frames)[i];
    std::string where = "'" + name + "', " + label + std::to_string(i), photo = label + std::to_string(i);
    if (const auto path = frame.find("file_path"); frame.is_object() && path != frame.end() && path->is_string()) {
      photo = path->get<std::string>();
      where += " (" + in_quotes(photo) + ")";
    }
    Result<ReconstructionImage> image = frame.is_object()
                                            ? read_frame(FrameKeys(file, frame, where), folder)
                                            : Result<ReconstructionImage>(Error{where + " is not an object"});
    if (image)
      reconstruction.images.push_back(std::move(*image));
    else
      left_out.add("photo", photo, image.error().message);
  }
}

// ScanNet++ has frames in a list of their own, and marks bad ones.
void note_own_split(size_t held_out, Reconstruction& reconstruction) {
  if (held_out > 0)
    reconstruction.notes.push_back("the " + std::to_string(held_out) +
                                   " 'test_frames' are the data's own test split: --eval holds them out, else they are "
                                   "trained on");
  std::vector<std::string> bad;
  for (const ReconstructionImage& image : reconstruction.images)
    if (image.left_out) bad.push_back(image.name);
  if (!bad.empty())
    reconstruction.notes.push_back(splat::counted(bad.size(), "photo is", "photos are") +
                                   " marked as bad ('is_bad') and left out: " + first_names(bad));
}

// Any .json that a user names may come here.
Error no_transforms(std::string_view text, const std::string& name) {
  const fs::path path = name;
  if (lower(path.filename().string()).starts_with("transforms"))
    return Error{"'" + name + "' is not a transforms.json: it has no list 'frames'"};
  const bool is_structure = text.find_first_of("{[") != std::string_view::npos;  // else a number or a text in quotes
  const std::string other = cameras_of_other_programs(path.parent_path(), {path.filename().string()});
  return Error{other.empty() ? "'" + name + "' " + what_it_is(is_structure ? text : "{", path) : other};
}

// By how many pixels of `model`'s picture the two lenses put what is seen apart, at most; infinite: no comparison.
double difference_px(const splat::SourceCamera& model, ReconstructionImage frame) {
  constexpr double kApart = std::numeric_limits<double>::infinity();
  constexpr int kSteps = 8;
  complete_camera(frame, model.width, model.height);
  const bool panorama = camera_model_info(model.model).is_panorama();
  if (panorama != camera_model_info(frame.camera.model).is_panorama()) return kApart;
  if (panorama) return 0;
  const splat::Lens ours = splat::lens_of(model);
  const splat::Lens theirs = scaled(splat::lens_of(frame.camera), double(model.width) / frame.camera.width,
                                    double(model.height) / frame.camera.height, model.width, model.height);
  double most = 0;
  for (int j = 0; j <= kSteps; ++j)
    for (int i = 0; i <= kSteps; ++i) {
      const double x = double(i) / kSteps * model.width, y = double(j) / kSteps * model.height;
      const auto ray = cam_from_image(ours, x, y);
      if (!ray) continue;
      const auto seen = image_from_cam(theirs, {(*ray)[0], (*ray)[1], 1});
      const double apart = std::hypot(seen[0] - x, seen[1] - y);
      most = std::isnan(apart) ? kApart : std::max(most, apart);
    }
  return most;
}

// Lenses of the transforms.json that lose to those of a model.
class OtherLenses {
 public:
  void compare(const ReconstructionImage& model, const ReconstructionImage& frame) {
    constexpr double kSame = 2e-3;  // of the longer side
    const splat::SourceCamera& camera = model.camera;
    if (camera.width <= 0 || camera.height <= 0 || !check_camera(camera)) return;
    const double apart = difference_px(camera, frame);
    if (apart <= kSame * std::max(camera.width, camera.height)) return;
    names_.push_back(model.name);
    most_ = std::max(most_, apart);
  }
  void report(std::vector<std::string>& warnings) const {
    if (names_.empty()) return;
    std::string by;
    if (std::isfinite(most_)) by = " (by up to " + std::to_string(std::lround(most_)) + " px)";
    const bool one = names_.size() == 1;
    warnings.push_back(std::to_string(names_.size()) + (one ? " photo has another lens" : " photos have other lenses") +
                       " in transforms.json than in the COLMAP model" + by + "; the model's " + (one ? "is" : "are") +
                       " used: " + first_names(names_));
  }

 private:
  std::vector<std::string> names_;
  double most_ = 0;
};

}  // namespace

Result<TransformsText> parse_transforms_json(std::string_view text, const std::string& name, const fs::path& folder) {
  SPLAT_ASSIGN_OR_RETURN(const json file, parse_json(text, name, NonFinite::kText));
  const auto frames = file.is_object() ? file.find("frames") : file.end();
  if (frames == file.end() || !frames->is_array()) return no_transforms(text, name);
  if (frames->empty()) return Error{"'" + name + "': the list 'frames' is empty"};

  TransformsText result;
  Reconstruction& reconstruction = result.reconstruction;
  reconstruction.format = "transforms.json";
  reconstruction.source = folder / fs::path(name).filename();
  LeftOut left_out;
  read_frames(file, "frames", name, folder, reconstruction, left_out);
  const size_t trained = reconstruction.images.size();
  read_frames(file, "test_frames", name, folder, reconstruction, left_out);
  for (size_t i = 0; reconstruction.images.size() > trained && i < reconstruction.images.size(); ++i)
    reconstruction.images[i].held_out = i >= trained;
  note_own_split(reconstruction.images.size() - trained, reconstruction);
  if (reconstruction.images.empty()) return Error{left_out.first_reason("photo")};
  left_out.report(reconstruction.warnings);
  if (const auto ply = file.find("ply_file_path"); ply != file.end() && ply->is_string())
    result.ply_file = (folder / with_slashes(ply->get<std::string>())).lexically_normal();
  SPLAT_TRY(apply_lists(file, name, reconstruction));
  note_unknown_keys(file, reconstruction);
  finish(reconstruction, name);
  return result;
}

std::optional<fs::path> find_transforms_json(const fs::path& root) {
  if (is_file(root) && root.extension() == ".json") return root;
  for (const char* name : {"transforms.json", "transforms_train.json"})
    if (is_file(root / name)) return root / name;
  return std::nullopt;
}

std::optional<fs::path> find_transforms_json_of(const fs::path& root) {
  const auto found = find_transforms_json(root);
  return found ? found : find_transforms_json(root / kScanNetFolder);
}

fs::path root_of_transforms(const fs::path& file) {
  fs::path folder = file.parent_path(), above = folder.parent_path();
  std::error_code ignored;
  for (const char* photos : {"resized_images", "resized_undistorted_images"})
    if (folder.filename() == kScanNetFolder && fs::is_directory(above / photos, ignored)) return above;
  return folder;
}

Result<Reconstruction> read_transforms_json(const fs::path& file) {
  SPLAT_ASSIGN_OR_RETURN(TransformsText text, read_split(file));
  Reconstruction& result = text.reconstruction;
  move_to_local_origin(result);
  if (text.ply_file) SPLAT_TRY(add_points(*text.ply_file, result));
  return std::move(result);
}

void add_what_only_transforms_say(const fs::path& file, Reconstruction& model) {
  const std::string there = "there is a transforms.json too; the COLMAP model is used";
  Result<TransformsText> read = read_split(file);
  if (!read) {
    model.warnings.push_back(there + " alone: " + read.error().message);
    return;
  }
  std::map<std::string, ReconstructionImage*> by_name;
  for (ReconstructionImage& image : model.images) by_name.emplace(image.name, &image);
  size_t found = 0, masks = 0, depths = 0, split = 0;
  OtherLenses lenses;
  for (ReconstructionImage& frame : read->reconstruction.images) {
    std::string name = frame.name;  // the model's lie below the image folder: "images/a.jpg" -> "a.jpg"
    for (size_t slash; !by_name.contains(name) && (slash = name.find('/')) != std::string::npos;)
      name.erase(0, slash + 1);
    const auto image = by_name.find(name);
    if (image == by_name.end()) continue;
    ReconstructionImage& to = *image->second;
    ++found;
    lenses.compare(to, frame);
    masks += !frame.mask_hint.empty();
    depths += !frame.depth_hint.empty();
    split += frame.held_out.has_value();
    to.mask_hint = std::move(frame.mask_hint);
    to.depth_hint = std::move(frame.depth_hint);
    to.held_out = frame.held_out;
    to.left_out = frame.left_out;
    to.crop_radius_px = frame.crop_radius_px;
  }
  std::string taken;
  for (const auto& [count, what] : {std::pair{masks, "the masks"}, {depths, "the depth maps"}, {split, "the split"}})
    if (count > 0)
      taken += (taken.empty() ? "; from the other come " : ", ") + std::string(what) + " of " + std::to_string(count) +
               " photos";
  model.notes.push_back(there + (found == 0 ? ", the other names none of its photos" : "") + taken);
  lenses.report(model.warnings);
  const std::vector<std::string>& notes = read->reconstruction.notes;
  model.notes.insert(model.notes.end(), notes.begin(), notes.end());
}

}  // namespace io
