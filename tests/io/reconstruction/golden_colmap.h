// A small COLMAP model, written from the format's description (https://colmap.github.io/format.html), not with our
// code: two cameras, three images, four points. The text files say exactly the same as the binary ones.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace io::test {

template <class T>
void put(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::string golden_camera(uint32_t id, int32_t model, uint64_t width, uint64_t height,
                                 const std::vector<double>& params) {
  std::string bytes;
  put(bytes, id);
  put(bytes, model);
  put(bytes, width);
  put(bytes, height);
  for (const double value : params) put(bytes, value);
  return bytes;
}

inline std::string counted(const std::vector<std::string>& records) {
  std::string bytes;
  put(bytes, uint64_t(records.size()));
  for (const std::string& record : records) bytes += record;
  return bytes;
}

struct GoldenImage {
  uint32_t id = 1;
  std::array<double, 4> q{1, 0, 0, 0};
  std::array<double, 3> t{0, 0, 0};
  uint32_t camera = 1;
  std::string name = "a.jpg";
  std::vector<uint64_t> point_ids{};  // of its observations

  std::string bytes() const {
    std::string result;
    put(result, id);
    put(result, q);
    put(result, t);
    put(result, camera);
    result += name + '\0';
    put(result, uint64_t(point_ids.size()));
    for (const uint64_t point : point_ids) {
      put(result, 10.5);
      put(result, 20.25);
      put(result, point);
    }
    return result;
  }
};

inline std::string golden_point(uint64_t id, std::array<double, 3> xyz, std::array<uint8_t, 3> rgb,
                                const std::vector<uint32_t>& track) {
  std::string bytes;
  put(bytes, id);
  put(bytes, xyz);
  put(bytes, rgb);
  put(bytes, 0.5);
  put(bytes, uint64_t(track.size() / 2));
  for (const uint32_t value : track) put(bytes, value);
  return bytes;
}

inline constexpr uint64_t kNoPoint = ~uint64_t(0);

inline std::string golden_cameras_bin() {
  return counted({golden_camera(1, 1, 640, 480, {500, 501, 320, 240.5}),
                  golden_camera(7, 4, 1920, 1080, {1000, 1001, 960, 540, 0.1, -0.2, 0.001, 0.002})});
}
inline std::string golden_cameras_txt() {
  return "# Camera list with one line of data per camera:\n"
         "#   CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n"
         "# Number of cameras: 2\n"
         "1 PINHOLE 640 480 500 501 320 240.5\n"
         "7 OPENCV 1920 1080 1000 1001 960 540 0.1 -0.2 0.001 0.002\n";
}

inline std::vector<GoldenImage> golden_images() {
  return {{5, {1, 0, 0, 0}, {0.5, -1, 2}, 7, "b folder/c 2.jpg", {3, kNoPoint}},
          {2, {0.5, 0.5, 0.5, 0.5}, {0, 0, 4}, 1, "a.jpg", {}},
          {9, {0, 2, 0, 0}, {1, 2, 3}, 1, "\xc3\xa4\xe2\x82\xac.png", {3, 4, 11}}};
}
inline std::string golden_images_bin() {
  std::vector<std::string> records;
  for (const GoldenImage& image : golden_images()) records.push_back(image.bytes());
  return counted(records);
}
inline std::string golden_images_txt() {
  return "# Image list with two lines of data per image:\n"
         "#   IMAGE_ID, QW, QX, QY, QZ, TX, TY, TZ, CAMERA_ID, NAME\n"
         "#   POINTS2D[] as (X, Y, POINT3D_ID)\n"
         "# Number of images: 3, mean observations per image: 1.3333\n"
         "5 1 0 0 0 0.5 -1 2 7 b folder/c 2.jpg\n"
         "10.5 20.25 3 10.5 20.25 -1\n"
         "2 0.5 0.5 0.5 0.5 0 0 4 1 a.jpg\n"
         "\n"
         "9 0 2 0 0 1 2 3 1 \xc3\xa4\xe2\x82\xac.png\n"
         "10.5 20.25 3 10.5 20.25 4 10.5 20.25 11\n";
}

inline std::string golden_points_bin() {
  return counted({golden_point(3, {0.5, 1.5, -2}, {255, 0, 10}, {5, 0, 9, 0}),
                  golden_point(4, {1, 2, 3}, {1, 2, 3}, {9, 1}), golden_point(11, {-1e3, 0, 0.125}, {0, 128, 255}, {}),
                  golden_point(12, {7, 8, 9}, {4, 5, 6}, {2, 0})});
}
inline std::string golden_points_txt() {
  return "# 3D point list with one line of data per point:\n"
         "#   POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[] as (IMAGE_ID, POINT2D_IDX)\n"
         "# Number of points: 4, mean track length: 1.5\n"
         "3 0.5 1.5 -2 255 0 10 0.5 5 0 9 0\n"
         "4 1 2 3 1 2 3 0.5 9 1\n"
         "11 -1e3 0 0.125 0 128 255 0.5\n"
         "12 7 8 9 4 5 6 0.5 2 0\n";
}

}  // namespace io::test
