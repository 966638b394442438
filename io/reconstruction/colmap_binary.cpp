#include <algorithm>
#include <cstring>

#include "io/bytes.h"
#include "io/names.h"
#include "io/reconstruction/check_camera.h"
#include "io/reconstruction/colmap_records.h"
#include "io/reconstruction/reconstruction.h"
#include "splat/model/camera_models.h"

// Sizes of records as COLMAP writes them, all little-endian, without padding.
namespace io::colmap {

namespace {

constexpr size_t kCameraBytes = 4 + 4 + 8 + 8 + 2 * 8;         // the shortest: EQUIRECTANGULAR
constexpr size_t kImageBytes = 4 + 4 * 8 + 3 * 8 + 4 + 2 + 8;  // a name of one letter, no observations
constexpr size_t kObservationBytes = 8 + 8 + 8;                // x, y, point id
constexpr size_t kPointBytes = 8 + 3 * 8 + 3 + 8 + 8;          // without its track
constexpr size_t kTrackElementBytes = 4 + 4;                   // image id, index of the observation

void note_rest(const ByteReader& reader, Notes& notes) {
  if (reader.remaining() > 0)
    notes.warnings.push_back("'" + reader.name() + "': the last " + std::to_string(reader.remaining()) +
                             " bytes belong to no record and are ignored");
}

Result<splat::SourceCamera> read_camera_record(ByteReader& reader) {
  const size_t start = reader.position();
  SPLAT_ASSIGN_OR_RETURN(const int32_t model, reader.read<int32_t>("a camera's model"));
  SPLAT_ASSIGN_OR_RETURN(const uint64_t width, reader.read<uint64_t>("a camera's width"));
  SPLAT_ASSIGN_OR_RETURN(const uint64_t height, reader.read<uint64_t>("a camera's height"));
  const splat::CameraModelInfo* info = splat::find_camera_model(model);
  if (!info)
    return reader.error_at(start, "camera model id " + std::to_string(model) +
                                      " is unknown; undistort the photos with " +
                                      "'colmap image_undistorter' or use one of " + splat::known_camera_models());
  splat::SourceCamera camera;
  camera.model = info->model;
  camera.width = int(std::min<uint64_t>(width, kMaxImageSide + 1));  // one too many is refused like any larger
  camera.height = int(std::min<uint64_t>(height, kMaxImageSide + 1));
  camera.params.resize(info->parameter_count());
  SPLAT_TRY(reader.read_array(std::span<double>(camera.params), "a camera's parameters"));
  return camera;
}

// How many of an image's 2D points see a 3D point; their places are not needed.
Result<uint64_t> read_observations(ByteReader& reader) {
  constexpr uint64_t kNoPoint = ~uint64_t(0);
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, reader.read_count(kObservationBytes, "observations"));
  uint64_t seen = 0;
  for (uint64_t i = 0; i < count; ++i) {
    SPLAT_TRY(reader.skip(2 * sizeof(double), "an observation"));
    SPLAT_ASSIGN_OR_RETURN(const uint64_t point, reader.read<uint64_t>("an observation"));
    seen += point != kNoPoint;
  }
  return seen;
}

}  // namespace

Result<Cameras> parse_cameras_bin(std::string_view bytes, const std::string& name, Notes& notes) {
  if (bytes.empty()) return Error{"'" + name + "' is empty"};
  ByteReader reader(bytes, name);
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, reader.read_count(kCameraBytes, "cameras"));
  Cameras cameras;
  for (uint64_t i = 0; i < count; ++i) {
    const size_t start = reader.position();
    SPLAT_ASSIGN_OR_RETURN(const uint32_t id, reader.read<uint32_t>("a camera's id"));
    SPLAT_ASSIGN_OR_RETURN(const splat::SourceCamera camera, read_camera_record(reader));
    if (cameras.contains(id) || notes.unusable_cameras.contains(id))
      return reader.error_at(start, "the camera id " + std::to_string(id) + " appears twice");
    const Status usable = check_camera(camera);
    if (usable)
      cameras.emplace(id, camera);
    else
      leave_out_camera(id, reader.error_at(start, "camera " + std::to_string(id) + ": " + usable.error().message),
                       notes);
  }
  if (cameras.empty()) return nothing_left("camera", "'" + name + "' holds no cameras", notes);
  note_rest(reader, notes);
  return cameras;
}

Result<Images> parse_images_bin(std::string_view bytes, const std::string& name, const Cameras& cameras, Notes& notes) {
  if (bytes.empty()) return Error{"'" + name + "' is empty"};
  ByteReader reader(bytes, name);
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, reader.read_count(kImageBytes, "images"));
  Images result;
  ImageCollector collector(cameras, notes);
  for (uint64_t i = 0; i < count; ++i) {
    const size_t start = reader.position();
    ImageFields fields;
    SPLAT_ASSIGN_OR_RETURN(fields.id, reader.read<uint32_t>("an image's id"));
    SPLAT_TRY(reader.read_array(std::span<double>(fields.quaternion), "an image's rotation"));
    SPLAT_TRY(reader.read_array(std::span<double>(fields.translation), "an image's translation"));
    SPLAT_ASSIGN_OR_RETURN(fields.camera_id, reader.read<uint32_t>("an image's camera"));
    SPLAT_ASSIGN_OR_RETURN(const std::string image_name, reader.read_c_string("an image's name"));
    fields.name = image_name;
    SPLAT_ASSIGN_OR_RETURN(const uint64_t observations, read_observations(reader));
    if (const Status status = collector.add(fields); !status)
      notes.left_out.add("photo", label_of(fields), reader.error_at(start, status.error().message).message);
    else
      result.observations += observations;
  }
  if (collector.images.empty())
    return nothing_left("photo", "'" + name + "' registers no images: the reconstruction failed or is empty", notes);
  note_rest(reader, notes);
  result.images = std::move(collector.images);
  return result;
}

Result<splat::PointCloud> parse_points_bin(std::string_view bytes, const std::string& name, Notes& notes,
                                           const std::array<double, 3>& origin) {
  if (bytes.empty()) return Error{"'" + name + "' is empty"};
  ByteReader reader(bytes, name);
  SPLAT_ASSIGN_OR_RETURN(const uint64_t count, reader.read_count(kPointBytes, "points"));
  splat::PointCloud points;
  points.xyz.reserve(count * 3);
  points.rgb.reserve(count * 3);
  for (uint64_t i = 0; i < count; ++i) {
    const size_t start = reader.position();
    std::array<double, 3> xyz;
    std::array<uint8_t, 3> rgb{};
    SPLAT_ASSIGN_OR_RETURN(const uint64_t id, reader.read<uint64_t>("a point's id"));
    SPLAT_TRY(reader.read_array(std::span<double>(xyz), "a point's position"));
    SPLAT_TRY(reader.read_array(std::span<uint8_t>(rgb), "a point's colour"));
    SPLAT_TRY(reader.skip(sizeof(double), "a point's error"));
    SPLAT_ASSIGN_OR_RETURN(const uint64_t track, reader.read_count(kTrackElementBytes, "track elements"));
    SPLAT_TRY(reader.skip(track * kTrackElementBytes, "a point's track"));
    const std::array<double, 3> colour{double(rgb[0]), double(rgb[1]), double(rgb[2])};
    if (const Status status = add_point(points, xyz, colour, origin); !status)
      notes.left_out.add("3D point", std::to_string(id), reader.error_at(start, status.error().message).message);
  }
  if (points.size() == 0) notes.notes.push_back("'" + name + "' holds no points");
  note_rest(reader, notes);
  return points;
}

uint64_t count_images_bin(std::string_view first_bytes, uint64_t file_bytes) {
  uint64_t count = 0;
  if (first_bytes.size() < sizeof count) return 0;
  std::memcpy(&count, first_bytes.data(), sizeof count);
  return count <= file_bytes / kImageBytes ? count : 0;
}

}  // namespace io::colmap
