#include <gtest/gtest.h>
#include <hipsplat.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

constexpr int kAcross = 8;
constexpr size_t kOnePicture = size_t(kAcross) * kAcross;
constexpr float kNoNumber = std::numeric_limits<float>::quiet_NaN();

// Two triangles in a picture of 8x8 px, each over all of it. Corners 0, 1 and 2 of both are the top left, and as far
// again beyond the top right and the bottom left: with r and d the shares of the way there, those on the screen are
// 1 - r - d, r and d. The first triangle has w 1 and z 0; the second w 2, 2, 1 and z/w = -x/w / 2 - 1/4: it is nearer
// but where x/w < -1/2.
class LibraryTriangles : public testing::Test {
 protected:
  LibraryTriangles() {
    triangles_.struct_size = sizeof triangles_;
    triangles_.count = 2;
    triangles_.vertices = 6;
    triangles_.corners = corners_.data();
    scene_.struct_size = sizeof scene_;
    scene_.positions = positions_.data();
    scene_.pictures = 1;
    scene_.width = scene_.height = kAcross;
    faces_.struct_size = sizeof faces_;
    faces_.positions = positions_.data();
    faces_.width = faces_.height = kAcross;
    attributes_.struct_size = sizeof attributes_;
    attributes_.values = values_.data();
    attributes_.rast = rast_.data();
    attributes_.rast_db = rast_db_.data();
    attributes_.differentiated = wanted_.data();
    attributes_.differentiated_count = 1;
    attributes_.channels = 2;
    attributes_.pictures = 1;
    attributes_.width = attributes_.height = kAcross;
    gradients_.struct_size = sizeof gradients_;
    face_values_.struct_size = sizeof face_values_;
    face_values_.values = values_.data();
    face_values_.face_numbers = numbers_.data();
    face_values_.shares = shares_.data();
    face_values_.pixels = kOnePicture;
    face_values_.channels = 2;
  }

  hs_status rasterize() { return hs_triangles_rasterize(&triangles_, &scene_, rast_.data(), rast_db_.data()); }
  hs_status rasterize_backward() {
    return hs_triangles_rasterize_backward(&triangles_, &scene_, rast_.data(), v_rast_.data(), nullptr, v_.data());
  }
  hs_status interpolate() { return hs_triangles_interpolate(&triangles_, &attributes_, out_.data(), out_da_.data()); }
  hs_status interpolate_backward() {
    return hs_triangles_interpolate_backward(&triangles_, &attributes_, out_.data(), out_da_.data(), &gradients_);
  }
  hs_status rasterize_faces() {
    return hs_triangles_rasterize_faces(&triangles_, &faces_, numbers_.data(), shares_.data());
  }
  hs_status interpolate_faces() { return hs_triangles_interpolate_faces(&triangles_, &face_values_, out_.data()); }

  // After `change` the call is refused with a sentence that has `words`; without it goes on.
  void refuses(const std::string& words, const std::function<hs_status()>& call, const std::function<void()>& change) {
    const auto kept = std::tuple(triangles_, scene_, faces_, attributes_, gradients_, face_values_, corners_);
    change();
    EXPECT_EQ(call(), HS_ERROR_ARGUMENT) << words;
    EXPECT_NE(std::string(hs_error()).find(words), std::string::npos) << "'" << hs_error() << "' lacks " << words;
    std::tie(triangles_, scene_, faces_, attributes_, gradients_, face_values_, corners_) = kept;
    EXPECT_EQ(call(), HS_OK) << "after " << words << ": " << hs_error();
  }

  std::vector<int32_t> corners_{0, 1, 2, 3, 4, 5}, wanted_{1};
  std::vector<float> positions_{-1, -1, 0,    1, 3, -1, 0,     1, -1, 3, 0,     1,
                                -2, -2, 0.5f, 2, 6, -2, -3.5f, 2, -1, 3, 0.25f, 1};
  std::vector<float> values_{1, 0, 2, 4, 3, 0, 10, 0, 20, 8, 30, 0};
  std::vector<float> rast_ = std::vector<float>(4 * kOnePicture), rast_db_ = rast_, v_rast_ = rast_;
  std::vector<float> out_ = std::vector<float>(2 * kOnePicture), out_da_ = out_,
                     shares_ = std::vector<float>(3 * kOnePicture);
  std::vector<float> v_ = std::vector<float>(24);
  std::vector<int32_t> numbers_ = std::vector<int32_t>(kOnePicture);
  hs_triangles triangles_{};
  hs_triangle_scene scene_{};
  hs_face_scene faces_{};
  hs_triangle_attributes attributes_{};
  hs_triangle_gradients gradients_{};
  hs_face_values face_values_{};
};

// What is seen where x/w and y/w are these, by the words above; px: what a pixel is wide in terms of r.
struct Seen {
  int number;
  double share[3], depth, slopes[4];

  Seen(double x, double y, double px) {
    const double r = (x + 1) / 4, d = (y + 1) / 4;
    const bool first = x < -0.5;
    const double sum = first ? 1 : 1 + d;  // of shares / w, twice that of the second
    number = first ? 1 : 2;
    share[0] = (1 - r - d) / sum, share[1] = r / sum, share[2] = 1 - share[0] - share[1];
    depth = first ? 0 : -x / 2 - 0.25;
    slopes[0] = -px / sum, slopes[1] = (first ? -1 : -1 - share[0]) * px / sum;
    slopes[2] = px / sum, slopes[3] = first ? 0 : -share[1] * px / sum;
  }
};
// The centres of the first and the last column lie half a pixel from the border; of Hunyuan3D on it.
Seen seen_at(size_t pixel) {
  const auto place = [](size_t number) { return (double(number) + 0.5) / kAcross * 2 - 1; };
  return {place(pixel % kAcross), place(pixel / kAcross), 0.5 / kAcross};
}
Seen face_at(size_t pixel) {
  const auto place = [](size_t number) { return double(number) / (kAcross - 1) * 2 - 1; };
  return {place(pixel % kAcross), place(pixel / kAcross), 0.5 / (kAcross - 1)};
}

TEST_F(LibraryTriangles, WhatAPixelSees) {
  ASSERT_EQ(rasterize(), HS_OK) << hs_error();
  for (size_t p = 0; p < kOnePicture; ++p) {
    const Seen seen = seen_at(p);
    const float *rast = &rast_[4 * p], *db = &rast_db_[4 * p];
    EXPECT_EQ(rast[3], float(seen.number)) << p;
    EXPECT_NEAR(rast[0], seen.share[0], 1e-6) << p;
    EXPECT_NEAR(rast[1], seen.share[1], 1e-6) << p;
    EXPECT_NEAR(rast[2], seen.depth, 1e-6) << p;
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(db[i], seen.slopes[i], 1e-6) << p << " " << i;
  }
  const std::vector<float> with_slopes = rast_;
  ASSERT_EQ(hs_triangles_rasterize(&triangles_, &scene_, rast_.data(), nullptr), HS_OK) << hs_error();
  EXPECT_EQ(rast_, with_slopes);
}

TEST_F(LibraryTriangles, GradientsByPositionsAreCentralDifferences) {
  for (size_t i = 0; i < v_rast_.size(); ++i) v_rast_[i] = float(i % 7) - 3;
  const std::vector<float> v_slopes = [&] {
    std::vector<float> v = v_rast_;
    std::reverse(v.begin(), v.end());
    return v;
  }();
  const auto loss = [&] {
    EXPECT_EQ(rasterize(), HS_OK) << hs_error();
    double sum = 0;
    for (size_t i = 0; i < rast_.size(); ++i)
      sum += (i % 4 < 2 ? double(v_rast_[i]) * rast_[i] : 0) + double(v_slopes[i]) * rast_db_[i];
    return sum;
  };
  loss();
  std::vector<float> without = v_;
  ASSERT_EQ(
      hs_triangles_rasterize_backward(&triangles_, &scene_, rast_.data(), v_rast_.data(), v_slopes.data(), v_.data()),
      HS_OK);
  ASSERT_EQ(
      hs_triangles_rasterize_backward(&triangles_, &scene_, rast_.data(), v_rast_.data(), nullptr, without.data()),
      HS_OK);
  EXPECT_NE(v_, without);
  for (size_t i = 0; i < v_.size(); ++i) {
    if (i % 4 == 2) {
      EXPECT_EQ(v_[i], 0) << i;
      continue;
    }
    const float kept = positions_[i], step = 1.0f / 256;
    positions_[i] = kept + step;
    const double above = loss();
    positions_[i] = kept - step;
    EXPECT_NEAR(v_[i], (above - loss()) / (2 * step), 5e-3 * (1 + std::abs(double(v_[i])))) << i;
    positions_[i] = kept;
  }
}

TEST_F(LibraryTriangles, ValuesBetweenCorners) {
  ASSERT_EQ(rasterize(), HS_OK) << hs_error();
  ASSERT_EQ(interpolate(), HS_OK) << hs_error();
  for (size_t p = 0; p < kOnePicture; ++p) {
    const Seen seen = seen_at(p);
    const float* corner = &values_[6 * size_t(seen.number - 1)];
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(out_[2 * p + i],
                  seen.share[0] * corner[i] + seen.share[1] * corner[2 + i] + seen.share[2] * corner[4 + i], 2e-5);
      EXPECT_NEAR(out_da_[2 * p + i], corner[3] * seen.slopes[2 + i], 1e-5) << p << " " << i;  // of the second value
    }
  }
}

TEST_F(LibraryTriangles, GradientsOfValuesBetweenCorners) {
  ASSERT_EQ(rasterize(), HS_OK) << hs_error();
  std::vector<float> v_values(12, kNoNumber), v_rast(4 * kOnePicture, kNoNumber), v_slopes = v_rast;
  gradients_ = {sizeof gradients_, v_values.data(), v_rast.data(), v_slopes.data()};
  const std::vector<float> v_out(2 * kOnePicture, 2), v_out_da(2 * kOnePicture, 3);
  ASSERT_EQ(hs_triangles_interpolate_backward(&triangles_, &attributes_, v_out.data(), v_out_da.data(), &gradients_),
            HS_OK)
      << hs_error();
  std::vector<double> wanted(12, 0.0);
  for (size_t p = 0; p < kOnePicture; ++p) {
    const Seen seen = seen_at(p);
    const double slope[3] = {seen.slopes[0] + seen.slopes[1], seen.slopes[2] + seen.slopes[3],
                             -seen.slopes[0] - seen.slopes[1] - seen.slopes[2] - seen.slopes[3]};
    const float* corner = &values_[6 * size_t(seen.number - 1)];
    for (size_t k = 0; k < 3; ++k) {
      wanted[6 * size_t(seen.number - 1) + 2 * k] += 2 * seen.share[k];
      wanted[6 * size_t(seen.number - 1) + 2 * k + 1] += 2 * seen.share[k] + 3 * slope[k];
    }
    for (size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(v_rast[4 * p + k], 2 * (corner[2 * k] - corner[4]) + 2 * (corner[2 * k + 1] - corner[5])) << p;
      EXPECT_EQ(v_rast[4 * p + 2 + k], 0) << p;
      for (size_t axis = 0; axis < 2; ++axis)
        EXPECT_EQ(v_slopes[4 * p + 2 * k + axis], 3 * (corner[2 * k + 1] - corner[5])) << p;
    }
  }
  for (size_t i = 0; i < 12; ++i) EXPECT_NEAR(v_values[i], wanted[i], 1e-4) << i;
  gradients_ = {sizeof gradients_, nullptr, nullptr, nullptr};
  EXPECT_EQ(interpolate_backward(), HS_OK) << hs_error();
}

TEST_F(LibraryTriangles, SeveralPictures) {
  ASSERT_EQ(rasterize(), HS_OK) << hs_error();
  const std::vector<float> alone = rast_;
  std::vector<float> rast(8 * kOnePicture), v(48), v_rast(8 * kOnePicture, 1), positions = positions_;
  const int32_t ranges[4] = {1, 1, 0, 2};  // the second triangle; both
  scene_.pictures = 2;
  scene_.ranges = ranges;
  ASSERT_EQ(hs_triangles_rasterize(&triangles_, &scene_, rast.data(), nullptr), HS_OK) << hs_error();
  for (size_t p = 0; p < kOnePicture; ++p) EXPECT_EQ(rast[4 * p + 3], 2);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), rast.begin() + 4 * kOnePicture));
  ASSERT_EQ(hs_triangles_rasterize_backward(&triangles_, &scene_, rast.data(), v_rast.data(), nullptr, v.data()),
            HS_OK);
  EXPECT_TRUE(std::all_of(v.begin() + 24, v.end(), [](float x) { return x == 0; }));  // [V,4] only

  scene_.ranges = nullptr;  // positions of their own: the second triangle behind the first
  positions.insert(positions.end(), positions_.begin(), positions_.end());
  for (size_t i = 24 + 14; i < 48; i += 4) positions[i] = 0.9f * positions[i + 1];
  scene_.positions = positions.data();
  ASSERT_EQ(hs_triangles_rasterize(&triangles_, &scene_, rast.data(), nullptr), HS_OK) << hs_error();
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), rast.begin()));
  for (size_t p = kOnePicture; p < 2 * kOnePicture; ++p) EXPECT_EQ(rast[4 * p + 3], 1);

  std::vector<float> values = values_, out(4 * kOnePicture);  // values of their own
  values.insert(values.end(), 12, 5.0f);
  attributes_.values = values.data();
  attributes_.by_picture = 1;
  attributes_.pictures = 2;
  attributes_.rast = rast.data();
  attributes_.rast_db = nullptr;
  attributes_.differentiated_count = 0;
  ASSERT_EQ(hs_triangles_interpolate(&triangles_, &attributes_, out.data(), nullptr), HS_OK) << hs_error();
  EXPECT_NE(out[0], 5);
  for (size_t i = 2 * kOnePicture; i < out.size(); ++i) EXPECT_FLOAT_EQ(out[i], 5);
}

TEST_F(LibraryTriangles, AsHunyuan3D) {
  ASSERT_EQ(rasterize_faces(), HS_OK) << hs_error();
  ASSERT_EQ(interpolate_faces(), HS_OK) << hs_error();
  for (size_t p = 0; p < kOnePicture; ++p) {
    const Seen seen = face_at(p);
    EXPECT_EQ(numbers_[p], seen.number) << p;
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(shares_[3 * p + k], seen.share[k], 1e-5) << p;
    const float* corner = &values_[6 * size_t(seen.number - 1)];
    for (size_t i = 0; i < 2; ++i)
      EXPECT_NEAR(out_[2 * p + i],
                  seen.share[0] * corner[i] + seen.share[1] * corner[2 + i] + seen.share[2] * corner[4 + i], 1e-4);
  }
  std::vector<float> prior(kOnePicture, -0.1f);  // peels what is nearer off, but for what the truncation lets through
  faces_.depth_prior = prior.data();
  for (const float truncation : {0.0f, -0.3f}) {
    faces_.occlusion_truncation = truncation;
    ASSERT_EQ(rasterize_faces(), HS_OK) << hs_error();
    for (size_t p = 0; p < kOnePicture; ++p) {
      const Seen seen = face_at(p);
      const bool peeled = seen.depth * 0.49999 < -0.1 * 0.49999 + double(truncation);
      EXPECT_EQ(numbers_[p], peeled ? 1 : seen.number) << p << " " << truncation;
    }
  }
}

TEST_F(LibraryTriangles, TheSameBytesOnAnyNumberOfThreads) {
  std::vector<std::vector<float>> found;
  for (const int32_t threads : {1, 3, 0}) {
    scene_.threads = attributes_.threads = threads;
    v_rast_.assign(4 * kOnePicture, 0.3f);
    ASSERT_EQ(rasterize(), HS_OK);
    ASSERT_EQ(interpolate(), HS_OK);
    ASSERT_EQ(rasterize_backward(), HS_OK);
    std::vector<float> all = rast_;
    for (const auto* more : {&rast_db_, &out_, &out_da_, &v_}) all.insert(all.end(), more->begin(), more->end());
    found.push_back(all);
    EXPECT_EQ(found.back(), found.front()) << threads;
  }
}

TEST_F(LibraryTriangles, NothingToDraw) {
  rast_.assign(rast_.size(), kNoNumber);
  triangles_.count = triangles_.vertices = 0;
  triangles_.corners = nullptr;
  scene_.positions = attributes_.values = nullptr;
  ASSERT_EQ(rasterize(), HS_OK) << hs_error();
  ASSERT_EQ(interpolate(), HS_OK) << hs_error();
  ASSERT_EQ(hs_triangles_rasterize_backward(&triangles_, &scene_, rast_.data(), v_rast_.data(), nullptr, nullptr),
            HS_OK);
  ASSERT_EQ(rasterize_faces(), HS_OK) << hs_error();
  for (const std::vector<float>* all : {&rast_, &rast_db_, &out_, &shares_})
    EXPECT_TRUE(std::all_of(all->begin(), all->end(), [](float x) { return x == 0; }));
  scene_.pictures = 0;
  EXPECT_EQ(hs_triangles_rasterize(&triangles_, &scene_, nullptr, nullptr), HS_OK) << hs_error();
  scene_.pictures = 1;
  scene_.width = 0;
  EXPECT_EQ(hs_triangles_rasterize(&triangles_, &scene_, nullptr, nullptr), HS_OK) << hs_error();
}

TEST_F(LibraryTriangles, ACornerThatIsNotFiniteHidesItsTriangleAlone) {
  positions_[14] = kNoNumber;
  ASSERT_EQ(rasterize(), HS_OK) << hs_error();
  ASSERT_EQ(rasterize_faces(), HS_OK) << hs_error();
  for (size_t p = 0; p < kOnePicture; ++p) EXPECT_EQ(int(rast_[4 * p + 3]) + numbers_[p], 2) << p;
}

TEST_F(LibraryTriangles, PositionsOfRandomBits) {
  std::mt19937 random(20261126);
  std::vector<float> v_values(12);
  gradients_.values = v_values.data();
  int seen = 0;
  for (int i = 0; i < 1000; ++i) {
    for (float& p : positions_) p = random() % 4 ? std::bit_cast<float>(uint32_t(random())) : float(random() % 5) - 2;
    for (float& v : v_rast_) v = std::bit_cast<float>(uint32_t(random()));
    scene_.width = 1 + i % kAcross;
    ASSERT_EQ(rasterize(), HS_OK) << hs_error();
    for (size_t p = 0; p < size_t(scene_.width) * kAcross; ++p) {
      const float* r = &rast_[4 * p];
      EXPECT_TRUE(r[0] >= 0 && r[0] <= 1 && r[1] >= 0 && r[1] <= 1 && std::abs(r[2]) <= 1) << i;
      EXPECT_TRUE(r[3] == 0 || r[3] == 1 || r[3] == 2) << i;
      seen += r[3] > 0;
    }
    attributes_.width = scene_.width;
    ASSERT_EQ(rasterize_backward(), HS_OK) << hs_error();
    ASSERT_EQ(interpolate(), HS_OK) << hs_error();
    ASSERT_EQ(interpolate_backward(), HS_OK) << hs_error();
    ASSERT_EQ(rasterize_faces(), HS_OK) << hs_error();
    ASSERT_EQ(interpolate_faces(), HS_OK) << hs_error();
  }
  EXPECT_GT(seen, 1000);
}

// A picture that another program made, or an older mesh.
TEST_F(LibraryTriangles, NumbersOfNoTriangleReadAsNone) {
  rast_.assign(4 * kOnePicture, 0.25f);
  v_rast_.assign(4 * kOnePicture, 1);
  numbers_.assign(kOnePicture, 0);
  const float numbers[] = {3, -1, 0.5f, 1e30f, kNoNumber};
  const int32_t faces[] = {3, -1, INT32_MAX, INT32_MIN, 0};
  for (size_t p = 0; p < kOnePicture; ++p) rast_[4 * p + 3] = numbers[p % 5], numbers_[p] = faces[p % 5];
  std::vector<float> v_values(12, 1);
  gradients_.values = v_values.data();
  const std::vector<float> ones(2 * kOnePicture, 1);
  ASSERT_EQ(hs_triangles_interpolate_backward(&triangles_, &attributes_, ones.data(), ones.data(), &gradients_), HS_OK);
  ASSERT_EQ(rasterize_backward(), HS_OK);
  v_values.insert(v_values.end(), v_.begin(), v_.end());
  for (const float v : v_values) EXPECT_EQ(v, 0);
  for (const auto& call : {std::function([&] { return interpolate(); }), {[&] { return interpolate_faces(); }}}) {
    out_.assign(2 * kOnePicture, 1);
    ASSERT_EQ(call(), HS_OK);
    for (const float value : out_) EXPECT_EQ(value, 0);
  }
}

TEST_F(LibraryTriangles, WrongTriangles) {
  const std::function<hs_status()> calls[] = {[&] { return rasterize(); },       [&] { return rasterize_backward(); },
                                              [&] { return interpolate(); },     [&] { return interpolate_backward(); },
                                              [&] { return rasterize_faces(); }, [&] { return interpolate_faces(); }};
  ASSERT_EQ(rasterize(), HS_OK);
  for (const auto& call : calls) {
    refuses("struct_size of triangles is 8,", call, [&] { triangles_.struct_size = 8; });
    refuses("count of triangles is 16777216; it is 0 to 16777215", call, [&] { triangles_.count = 1 << 24; });
    refuses("vertices is 18446744073709551615", call, [&] { triangles_.vertices = UINT64_MAX; });
    refuses("corners is null", call, [&] { triangles_.corners = nullptr; });
    refuses("triangle 1 has vertex 6 of 6", call, [&] { corners_[4] = 6; });
    refuses("triangle 0 has vertex -1 of 6", call, [&] { corners_[2] = -1; });
    refuses("triangle 0 has vertex 2147483647 of 6", call, [&] { corners_[0] = INT32_MAX; });
  }
}

TEST_F(LibraryTriangles, WrongScenes) {
  ASSERT_EQ(rasterize(), HS_OK);
  for (const auto& call : {std::function([&] { return rasterize(); }), {[&] { return rasterize_backward(); }}}) {
    refuses("struct_size of scene", call, [&] { scene_.struct_size = 0; });
    refuses("positions is null", call, [&] { scene_.positions = nullptr; });
    refuses("pictures is -1", call, [&] { scene_.pictures = -1; });
    refuses("width is 65536; it is 0 to 65535", call, [&] { scene_.width = 65536; });
    refuses("height is -1", call, [&] { scene_.height = -1; });
    refuses("rast would have 281462092005375 x 4 numbers", call,
            [&] { scene_.width = scene_.height = 65535, scene_.pictures = 65535, scene_.ranges = wanted_.data(); });
    refuses("threads is -1", call, [&] { scene_.threads = -1; });
    refuses("threads is 5000", call, [&] { scene_.threads = 5000; });
  }
  const int32_t ranges[][2] = {{1, 2}, {-1, 1}, {0, -1}, {2, 1}, {INT32_MAX, INT32_MAX}};
  for (const auto& range : ranges)
    refuses(
        "range 0 is of triangles", [&] { return rasterize(); }, [&] { scene_.ranges = range; });
  EXPECT_EQ(hs_triangles_rasterize(nullptr, &scene_, rast_.data(), nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_rasterize(&triangles_, nullptr, rast_.data(), nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_rasterize(&triangles_, &scene_, nullptr, nullptr), HS_ERROR_ARGUMENT);
  const auto backward = [&](const float* rast, const float* v_rast, float* v) {
    return hs_triangles_rasterize_backward(&triangles_, &scene_, rast, v_rast, nullptr, v);
  };
  EXPECT_EQ(backward(nullptr, v_rast_.data(), v_.data()), HS_ERROR_ARGUMENT);
  EXPECT_EQ(backward(rast_.data(), nullptr, v_.data()), HS_ERROR_ARGUMENT);
  EXPECT_EQ(backward(rast_.data(), v_rast_.data(), nullptr), HS_ERROR_ARGUMENT);
}

TEST_F(LibraryTriangles, WrongAttributes) {
  ASSERT_EQ(rasterize(), HS_OK);
  for (const auto& call : {std::function([&] { return interpolate(); }), {[&] { return interpolate_backward(); }}}) {
    refuses("struct_size of attributes", call, [&] { attributes_.struct_size = 8; });
    refuses("values is null", call, [&] { attributes_.values = nullptr; });
    refuses("rast is null", call, [&] { attributes_.rast = nullptr; });
    refuses("derivatives are wanted, but rast_db is null", call, [&] { attributes_.rast_db = nullptr; });
    refuses("differentiated is null", call, [&] { attributes_.differentiated = nullptr; });
    refuses("differentiated_count is -1", call, [&] { attributes_.differentiated_count = -1; });
    refuses("derivatives are wanted of attribute 1 of 1", call, [&] { attributes_.channels = 1; });
    refuses("channels is -1", call, [&] { attributes_.channels = -1; });
    refuses("by_picture is 2", call, [&] { attributes_.by_picture = 2; });
    refuses("pictures is -1", call, [&] { attributes_.pictures = -1; });
    refuses("width is -1", call, [&] { attributes_.width = -1; });
    refuses("height is 65536", call, [&] { attributes_.height = 65536; });
    refuses("threads is -1", call, [&] { attributes_.threads = -1; });
  }
  refuses(
      "struct_size of gradients", [&] { return interpolate_backward(); }, [&] { gradients_.struct_size = 8; });
  EXPECT_EQ(hs_triangles_interpolate(&triangles_, &attributes_, nullptr, out_da_.data()), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_interpolate(&triangles_, &attributes_, out_.data(), nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_interpolate(&triangles_, nullptr, out_.data(), out_da_.data()), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_interpolate_backward(&triangles_, &attributes_, nullptr, nullptr, &gradients_),
            HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_interpolate_backward(&triangles_, &attributes_, out_.data(), nullptr, nullptr),
            HS_ERROR_ARGUMENT);
}

TEST_F(LibraryTriangles, WrongFaces) {
  const std::function<hs_status()> drawn = [&] { return rasterize_faces(); },
                                   mixed = [&] { return interpolate_faces(); };
  refuses("struct_size of scene", drawn, [&] { faces_.struct_size = 8; });
  refuses("positions is null", drawn, [&] { faces_.positions = nullptr; });
  refuses("width is 65536", drawn, [&] { faces_.width = 65536; });
  refuses("height is -1", drawn, [&] { faces_.height = -1; });
  refuses("occlusion_truncation is not finite", drawn, [&] { faces_.occlusion_truncation = kNoNumber; });
  refuses("threads is -1", drawn, [&] { faces_.threads = -1; });
  refuses("struct_size of values", mixed, [&] { face_values_.struct_size = 8; });
  refuses("values is null", mixed, [&] { face_values_.values = nullptr; });
  refuses("face_numbers is null", mixed, [&] { face_values_.face_numbers = nullptr; });
  refuses("shares is null", mixed, [&] { face_values_.shares = nullptr; });
  refuses("channels is 65537", mixed, [&] { face_values_.channels = 65537; });
  refuses("face_numbers would have 18446744073709551615 x 1", mixed, [&] { face_values_.pixels = UINT64_MAX; });
  refuses("threads is 5000", mixed, [&] { face_values_.threads = 5000; });
  EXPECT_EQ(hs_triangles_rasterize_faces(&triangles_, &faces_, nullptr, shares_.data()), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_rasterize_faces(&triangles_, &faces_, numbers_.data(), nullptr), HS_ERROR_ARGUMENT);
  EXPECT_EQ(hs_triangles_interpolate_faces(&triangles_, &face_values_, nullptr), HS_ERROR_ARGUMENT);
}

}  // namespace
