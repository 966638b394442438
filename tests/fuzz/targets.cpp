#include "tests/fuzz/targets.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/bytes.h"
#include "io/cameras_json.h"
#include "io/checkpoint.h"
#include "io/image_file.h"
#include "io/images/exif.h"
#include "io/io.h"
#include "io/meshes/mesh_read.h"
#include "io/paths/path_file.h"
#include "io/reconstruction/check_camera.h"
#include "io/reconstruction/colmap_records.h"
#include "io/reconstruction/point_files.h"
#include "io/reconstruction/transforms_json.h"
#include "io/splats/formats.h"
#include "io/splats/gltf/gltf.h"
#include "io/splats/ksplat/ksplat.h"
#include "io/splats/ply/compressed_ply.h"
#include "io/splats/ply/ply.h"
#include "io/splats/sog/sog.h"
#include "io/splats/sog/sog_meta.h"
#include "io/splats/splat32/splat32.h"
#include "io/splats/spz/spz.h"
#include "splat/core/check.h"
#include "splat/core/parallel.h"
#include "splat/train/trainer.h"
#include "splat/train/trainer_state.h"
#include "tests/fuzz/app_targets.h"

namespace io::fuzz {

namespace {

using splat::Result;

// An error is one line of text; a value must keep the promises of its header.
template <class T, class Check>
void expect_sound(const Result<T>& result, Check&& check) {
  if (result) {
    check(*result);
  } else {
    SPLAT_CHECK(!result.error().message.empty());
    SPLAT_CHECK_EQ(result.error().message.find('\n'), std::string::npos);
  }
}

void check_pose(const splat::Rigid3& pose) {
  for (size_t r = 0; r < 3; ++r) {
    double norm2 = 0;
    for (size_t c = 0; c < 3; ++c) norm2 += pose.rotation[3 * r + c] * pose.rotation[3 * r + c];
    SPLAT_CHECK_LT(std::abs(norm2 - 1), 1e-9);
    SPLAT_CHECK(std::isfinite(pose.translation[r]));
  }
}

void check_cameras(const colmap::Cameras& cameras) {
  SPLAT_CHECK(!cameras.empty());
  for (const auto& [id, camera] : cameras) SPLAT_CHECK(check_camera(camera).ok());
}

void check_images(const colmap::Images& images) {
  SPLAT_CHECK(!images.images.empty());
  for (const colmap::Image& image : images.images) {
    SPLAT_CHECK(!image.name.empty());
    check_pose(image.cam_from_world);
  }
}

void check_points(const splat::PointCloud& points) {
  SPLAT_CHECK_EQ(points.xyz.size(), points.rgb.size());
  SPLAT_CHECK_EQ(points.xyz.size() % 3, 0u);
  for (const float value : points.xyz) SPLAT_CHECK_LE(std::abs(value), float(kMaxCoordinate));
}

colmap::Cameras two_cameras() {
  return {{1, {splat::CameraModel::kPinhole, 640, 480, {500, 501, 320, 240.5}}},
          {7, {splat::CameraModel::kOpenCv, 1920, 1080, {1000, 1001, 960, 540, 0.1, -0.2, 0.001, 0.002}}}};
}

void cameras_bin(std::string_view bytes) {
  colmap::Notes notes;
  expect_sound(colmap::parse_cameras_bin(bytes, "file", notes), check_cameras);
}
void cameras_txt(std::string_view bytes) {
  colmap::Notes notes;
  expect_sound(colmap::parse_cameras_txt(bytes, "file", notes), check_cameras);
}
void images_bin(std::string_view bytes) {
  colmap::Notes notes;
  expect_sound(colmap::parse_images_bin(bytes, "file", two_cameras(), notes), check_images);
  SPLAT_CHECK_LE(colmap::count_images_bin(bytes.substr(0, 8), bytes.size()), bytes.size());
}
void images_txt(std::string_view bytes) {
  colmap::Notes notes;
  expect_sound(colmap::parse_images_txt(bytes, "file", two_cameras(), notes), check_images);
  SPLAT_CHECK_LE(colmap::count_images_txt(bytes), bytes.size());
}
void points_bin(std::string_view bytes) {
  colmap::Notes notes;
  expect_sound(colmap::parse_points_bin(bytes, "file", notes), check_points);
}
void points_txt(std::string_view bytes) {
  colmap::Notes notes;
  expect_sound(colmap::parse_points_txt(bytes, "file", notes), check_points);
  expect_sound(parse_point_text(bytes, "file"), check_points);
}

void transforms_json(std::string_view bytes) {
  expect_sound(parse_transforms_json(bytes, "file", "/folder"), [](const TransformsText& text) {
    const Reconstruction& model = text.reconstruction;
    SPLAT_CHECK(!model.images.empty());
    for (ReconstructionImage image : model.images) {
      check_pose(image.cam_from_world);
      SPLAT_CHECK(image.camera_index >= 0 && image.camera_index < model.cameras);
      complete_camera(image, 640, 480);
      SPLAT_CHECK(check_camera(image.camera).ok());
    }
  });
}

void cameras_json(std::string_view bytes) {
  expect_sound(parse_cameras_json(bytes, "file"), [](const std::vector<NamedView>& views) {
    for (const NamedView& view : views) check_pose(view.view.cam_from_world);
  });
}

void camera_path(std::string_view bytes) {
  expect_sound(parse_path_file(bytes, "file"), [](const PathFile& file) {
    SPLAT_CHECK(check_path(file.path).ok());
    const splat::PathCurve curve(file.path);
    for (const double part : {0., 0.3, 1.}) {
      const splat::CameraPose pose = curve.at(part * curve.seconds());
      SPLAT_CHECK(std::isfinite(pose.position[0] + pose.position[1] + pose.position[2]));
      SPLAT_CHECK(pose.fov_y_deg > 0 && pose.fov_y_deg < 180);
    }
  });
}

void check_splats_of(const SplatFile& file) {
  const splat::Gaussians& model = file.gaussians;
  SPLAT_CHECK_LE(file.invalid_rows, model.size());
  SPLAT_CHECK(model.sh_degree >= 0 && model.sh_degree <= splat::kMaxShDegree);
  SPLAT_CHECK_LE(model.sh_degree, file.stored_sh_degree);
  SPLAT_CHECK_EQ(model.means.size(), model.size() * 3);
  SPLAT_CHECK_EQ(model.log_scales.size(), model.size() * 3);
  SPLAT_CHECK_EQ(model.quats.size(), model.size() * 4);
  SPLAT_CHECK_EQ(model.sh.size(), model.size() * size_t(model.coefficients()) * 3);
}

void ply(std::string_view bytes) {
  expect_sound(parse_splat_ply(bytes, "file"), check_splats_of);
  expect_sound(parse_point_cloud_ply(bytes, "file"), check_points);
  splat::ThreadPool pool(1);
  const auto half = [](size_t all) { return (all + 1) / 2; };
  expect_sound(parse_part_of_splat_ply(bytes, "file", half, pool), [&](const std::optional<PartOfSplats>& part) {
    if (!part) return;
    check_splats_of(part->file);
    SPLAT_CHECK_EQ(part->rows.size(), part->file.gaussians.size());
    for (size_t i = 0; i < part->rows.size(); ++i)
      SPLAT_CHECK(part->rows[i] < part->all && (i == 0 || part->rows[i - 1] < part->rows[i]));
  });
}

template <auto kReader>
void splats(std::string_view bytes) {
  ByteStream stream(bytes, "file");
  expect_sound(kReader(stream), check_splats_of);
}

// As a file without a name that helps: recognised by its content, if at all.
void any(std::string_view bytes) {
  const SplatFormatEntry* entry = format_by_content(bytes.substr(0, std::min(bytes.size(), kProbeBytes)), bytes.size());
  if (!entry) return;
  ByteStream stream(bytes, "file");
  expect_sound(entry->read(stream), check_splats_of);
}

void sog_meta(std::string_view bytes) {
  expect_sound(parse_sog_meta(bytes, "file"), [](const SogMeta& meta) { SPLAT_CHECK_LE(meta.sh_degree, 3); });
}

// JPEG, PNG, WebP, BMP and TGA, distinguished by content; decoded whole and, where it can be, at a quarter. Larger
// pictures than this would only make it slow.
void photo(std::string_view bytes) {
  constexpr int64_t kMaxPixelsHere = int64_t(1) << 20;
  const Result<ImageSize> size = image_size(bytes, "file");
  expect_sound(size, [](const ImageSize& s) { SPLAT_CHECK(s.width > 0 && s.height > 0 && s.channels > 0); });
  if (size && int64_t(size->width) * size->height > kMaxPixelsHere) return;
  for (const int reduction : {1, 4})
    expect_sound(decode_reduced_image(bytes, "file", reduction), [&](const ReducedImage& read) {
      const splat::Image8& image = read.image;
      SPLAT_CHECK(size.ok());
      SPLAT_CHECK_EQ(read.full_width, size->width);
      SPLAT_CHECK_EQ(read.full_height, size->height);
      SPLAT_CHECK_EQ(image.channels, size->channels);
      SPLAT_CHECK_EQ(image.pixels.size(), size_t(image.width) * size_t(image.height) * size_t(image.channels));
      SPLAT_CHECK_EQ(image.width, (size->width + read.reduction - 1) / read.reduction);
      SPLAT_CHECK_EQ(image.height, (size->height + read.reduction - 1) / read.reduction);
    });
}

void exif(std::string_view bytes) {
  const Exif read = parse_exif(bytes);
  SPLAT_CHECK(read.orientation >= 1 && read.orientation <= 8);
  SPLAT_CHECK(std::isfinite(read.focal_mm) && read.focal_mm >= 0);
  for (const std::string& text : {read.make, read.model, read.lens}) SPLAT_CHECK_LE(text.size(), 64u);
}

// A checkpoint as it lies in a file; and, since no chance finds a checksum, its entries alone: u8 number of a name, u16
// size, data. What a resumed run or a viewer would read of them.
void checkpoint(std::string_view bytes) {
  constexpr std::array kNames{"model/count",       "model/sh_degree",   "model/means",      "model/log_scales",
                              "model/quats",       "model/sh",          "trainer/history",  "model/logit_opacities",
                              "trainer/iteration", "config/iterations", "config/sh_degree", "statistics/visible"};
  const auto look = [](const splat::StateReader& state) {
    expect_sound(splat::load_config(state.archive()),
                 [](const splat::TrainConfig& c) { SPLAT_CHECK(check_config(c).ok()); });
    expect_sound(splat::load_history(state.archive()), [](const auto&) {});
    expect_sound(splat::stored_size(state), [](const splat::StoredSize& size) { SPLAT_CHECK_LE(size.sh_degree, 3); });
    expect_sound(splat::stored_model(state), [](const splat::Gaussians& model) {
      SPLAT_CHECK_EQ(model.sh.size(), model.size() * size_t(model.coefficients()) * 3);
    });
  };
  expect_sound(CheckpointFile::read(ByteStream(bytes, "file"), 64), look);
  splat::Archive archive;
  splat::save_config({}, archive);
  while (bytes.size() >= 3) {
    const size_t name = uint8_t(bytes[0]) % kNames.size(), size = size_t(load<uint16_t>(bytes.data() + 1));
    bytes.remove_prefix(3);
    archive.put_string(kNames[name], std::string(bytes.substr(0, size)));
    bytes.remove_prefix(std::min(size, bytes.size()));
  }
  look(splat::ArchiveReader(archive));
}

// meta.json of a SOG that lies unpacked in a folder, beside two pictures: names of files are its to choose.
void sog_folder(std::string_view bytes) {
  static const struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("hipsplat-fuzz-" + std::to_string(::getpid()));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } place;
  const std::filesystem::path& folder = place.path;
  std::ofstream(folder / "meta.json", std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  std::ofstream(folder / "means_l.webp", std::ios::binary) << "no picture";
  expect_sound(read_splat_file(folder), check_splats_of);
}

// Triangles: PLY, glTF, else OBJ.
void triangles(std::string_view bytes) {
  const bool gltf = bytes.starts_with("glTF") || bytes.starts_with("{");
  const auto read = read_mesh(bytes, gltf ? "m.glb" : bytes.starts_with("ply") ? "m.ply" : "m.obj");
  expect_sound(read, [](const MeshFile& file) {
    const size_t vertices = file.mesh.positions.size();
    SPLAT_CHECK_EQ(file.mesh.normals.size(), vertices);
    SPLAT_CHECK(file.mesh.uvs.empty() || file.mesh.uvs.size() == vertices);
    for (const mesh::Face& face : file.mesh.faces)
      for (const uint32_t corner : face) SPLAT_CHECK(corner < vertices);
  });
}

constexpr std::array<Target, 26> kTargets{{{"cameras_bin", cameras_bin},
                                           {"cameras_txt", cameras_txt},
                                           {"images_bin", images_bin},
                                           {"images_txt", images_txt},
                                           {"points_bin", points_bin},
                                           {"points_txt", points_txt},
                                           {"transforms_json", transforms_json},
                                           {"cameras_json", cameras_json},
                                           {"camera_path", camera_path},
                                           {"ply", ply},
                                           {"photo", photo},
                                           {"exif", exif},
                                           {"compressed_ply", splats<read_compressed_ply>},
                                           {"splat32", splats<read_splat32>},
                                           {"spz", splats<read_spz>},
                                           {"ksplat", splats<read_ksplat>},
                                           {"sog", splats<read_sog>},
                                           {"sog_meta", sog_meta},
                                           {"gltf", splats<read_gltf>},
                                           {"mesh", triangles},
                                           {"checkpoint", checkpoint},
                                           {"sog_folder", sog_folder},
                                           {"settings", settings},
                                           {"path_kind", path_kind},
                                           {"http_request", http_request},
                                           {"any", any}}};

}  // namespace

std::span<const Target> targets() { return kTargets; }

}  // namespace io::fuzz
