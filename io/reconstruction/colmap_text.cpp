#include <algorithm>
#include <optional>

#include "io/names.h"
#include "io/reconstruction/check_camera.h"
#include "io/reconstruction/colmap_records.h"
#include "io/reconstruction/reconstruction.h"
#include "io/text.h"
#include "splat/model/camera_models.h"

namespace io::colmap {

namespace {

// Walks the lines that hold records and checks, at the end, what a truncated file gives away: COLMAP states the number
// of records in a comment ("# Number of points: 6871, ...") and ends every line.
class RecordLines {
 public:
  RecordLines(std::string_view text, const std::string& name) : lines_(text, name), name_(name) {}

  bool next() {  // the next line that is neither blank nor a comment
    while (lines_.next()) {
      const std::string_view text = trimmed(lines_.line());
      if (text.empty()) continue;
      if (text.front() != '#') return true;
      read_announcement(text);
    }
    return false;
  }
  std::string_view next_raw() { return lines_.next() ? lines_.line() : std::string_view(); }
  std::string_view line() const { return lines_.line(); }
  Error error(const std::string& problem) const { return lines_.error(problem); }

  // A file that was cut off ends inside a line in most cases; whole lines under a larger count were edited by hand.
  Status finish(uint64_t records, const char* what, Notes& notes) const {
    const bool fewer = announced_ && records < *announced_;
    const std::string held = std::to_string(records) + " of the " + std::to_string(announced_.value_or(0)) + " " +
                             what + " that its header announces";
    if (fewer && (lines_.ended_open() || records == 0))
      return Error{"'" + name_ + "' ends after " + held + " (truncated? else correct the line '# Number of " + what +
                   "')"};
    if (fewer) notes.warnings.push_back("'" + name_ + "' holds " + held + "; if it was cut off, the rest is missing");
    if (lines_.ended_open())
      notes.warnings.push_back(
          "'" + name_ + "': the last line has no line end; if the file was cut off there, its last value is wrong");
    return {};
  }

 private:
  void read_announcement(std::string_view comment) {
    constexpr std::string_view kPrefix = "# Number of ";
    const size_t colon = comment.find(':');
    if (!comment.starts_with(kPrefix) || colon == std::string_view::npos) return;
    std::string_view number = trimmed(comment.substr(colon + 1));
    number = number.substr(0, number.find_first_of(", "));
    uint64_t value = 0;
    if (parse_number(number, value)) announced_ = value;
  }

  LineReader lines_;
  std::string name_;
  std::optional<uint64_t> announced_;
};

template <class Number, size_t N>
bool next_all(Fields& fields, std::array<Number, N>& values) {
  return std::all_of(values.begin(), values.end(), [&](Number& value) { return fields.next(value); });
}

// Image sizes are whole numbers; some exporters write them as 1920.0.
bool next_side(Fields& fields, int& side) {
  double value = 0;
  if (!fields.next(value) || !(value >= 0) || value != double(uint64_t(std::min(value, 1e15)))) return false;
  side = int(std::min(value, double(kMaxImageSide + 1)));
  return true;
}

// What follows the id on a camera's line.
Result<splat::SourceCamera> parse_camera(const RecordLines& lines, uint32_t id, Fields& fields) {
  const std::string_view model = fields.next();
  const bool panorama = splat::is_panorama_name(model);
  const splat::CameraModelInfo* info = splat::find_camera_model(panorama ? "EQUIRECTANGULAR" : model);
  if (!info)
    return lines.error("camera model " + in_quotes(model) + " is unknown; undistort the photos with " +
                       "'colmap image_undistorter' or use one of " + splat::known_camera_models());
  splat::SourceCamera camera;
  camera.model = info->model;
  if (!next_side(fields, camera.width) || !next_side(fields, camera.height))
    return lines.error("width and height of camera " + std::to_string(id) + " are not whole numbers");
  for (std::string_view field = fields.next(); !field.empty(); field = fields.next()) {
    double value = 0;
    if (!parse_number(field, value))
      return lines.error("the camera parameter " + in_quotes(field) + " is not a number");
    camera.params.push_back(value);
  }
  if (panorama && model != info->name)
    camera.params = {double(camera.width), double(camera.height)};  // in place of f, cx, cy
  if (const Status status = check_camera(camera); !status)
    return lines.error("camera " + std::to_string(id) + ": " + status.error().message);
  return camera;
}

struct ObservationLine {
  uint64_t seen = 0;  // 2D points that see a 3D point
  bool valid = false;
};
// "X Y POINT3D_ID" repeated, with id -1 for none.
ObservationLine read_observations(std::string_view line) {
  Fields fields(line);
  ObservationLine result;
  for (std::string_view field = fields.next(); !field.empty(); field = fields.next()) {
    double x = 0, y = 0;
    int64_t point = 0;
    if (!parse_number(field, x) || !fields.next(y) || !fields.next(point)) return result;
    result.seen += point != -1;
  }
  result.valid = true;
  return result;
}

}  // namespace

Result<Cameras> parse_cameras_txt(std::string_view text, const std::string& name, Notes& notes) {
  SPLAT_ASSIGN_OR_RETURN(text, as_utf8(text, name));
  RecordLines lines(text, name);
  Cameras cameras;
  while (lines.next()) {
    Fields fields(lines.line());
    uint32_t id = 0;
    if (!fields.next(id)) return lines.error("a camera line starts with the camera's id, a whole number");
    if (cameras.contains(id) || notes.unusable_cameras.contains(id))
      return lines.error("the camera id " + std::to_string(id) + " appears twice");
    if (const auto camera = parse_camera(lines, id, fields))
      cameras.emplace(id, *camera);
    else
      leave_out_camera(id, camera.error(), notes);
  }
  SPLAT_TRY(lines.finish(cameras.size() + notes.unusable_cameras.size(), "cameras", notes));
  if (cameras.empty()) return nothing_left("camera", "'" + name + "' holds no cameras", notes);
  return cameras;
}

Result<Images> parse_images_txt(std::string_view text, const std::string& name, const Cameras& cameras, Notes& notes) {
  SPLAT_ASSIGN_OR_RETURN(text, as_utf8(text, name));
  RecordLines lines(text, name);
  Images result;
  ImageCollector collector(cameras, notes);
  while (lines.next()) {
    Fields fields(lines.line());
    ImageFields image;
    if (!fields.next(image.id)) return lines.error("an image line starts with the image's id, a whole number");
    if (!next_all(fields, image.quaternion) || !next_all(fields, image.translation) || !fields.next(image.camera_id))
      return lines.error("image " + std::to_string(image.id) +
                         ": expected IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME (followed by a line of observations, "
                         "which may be empty)");
    image.name = fields.rest();
    const Status added = collector.add(image);
    if (!added) notes.left_out.add("photo", label_of(image), lines.error(added.error().message).message);
    const ObservationLine observations = read_observations(lines.next_raw());
    if (!observations.valid)
      return lines.error("the observations of image " + in_quotes(image.name) +
                         " are not numbers in threes (X Y POINT3D_ID); every image line is followed by one such line, "
                         "which may be empty");
    if (added) result.observations += observations.seen;
  }
  SPLAT_TRY(lines.finish(collector.images.size() + notes.left_out.count("photo"), "images", notes));
  if (collector.images.empty())
    return nothing_left("photo", "'" + name + "' registers no images: the reconstruction failed or is empty", notes);
  result.images = std::move(collector.images);
  return result;
}

Result<splat::PointCloud> parse_points_txt(std::string_view text, const std::string& name, Notes& notes,
                                           const std::array<double, 3>& origin) {
  SPLAT_ASSIGN_OR_RETURN(text, as_utf8(text, name));
  RecordLines lines(text, name);
  splat::PointCloud points;
  while (lines.next()) {
    Fields fields(lines.line());
    uint64_t id = 0;
    std::array<double, 3> xyz;
    std::array<double, 3> rgb;  // some write 127.0
    double error_px = 0;
    if (!fields.next(id) || !next_all(fields, xyz) || !next_all(fields, rgb) || !fields.next(error_px))
      return lines.error("expected POINT3D_ID X Y Z R G B ERROR TRACK, with colours from 0 to 255");
    uint64_t track_values = 0;
    for (std::string_view field = fields.next(); !field.empty(); field = fields.next(), ++track_values) {
      uint32_t index = 0;
      if (!parse_number(field, index)) return lines.error("the point's track holds " + in_quotes(field));
    }
    if (track_values % 2) return lines.error("the point's track is not made of pairs (IMAGE_ID POINT2D_IDX)");
    const Status added = add_point(points, xyz, rgb, origin);
    if (!added) notes.left_out.add("3D point", std::to_string(id), lines.error(added.error().message).message);
  }
  SPLAT_TRY(lines.finish(points.size() + notes.left_out.count("3D point"), "points", notes));
  if (points.size() == 0) notes.notes.push_back("'" + name + "' holds no points");
  return points;
}

uint64_t count_images_txt(std::string_view text) {
  const Result<std::string_view> utf8 = as_utf8(text, {});
  if (!utf8) return 0;
  RecordLines lines(*utf8, {});
  uint64_t images = 0;
  while (lines.next()) {
    ++images;
    lines.next_raw();
  }
  return images;
}

}  // namespace io::colmap
