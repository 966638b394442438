#include "splat/train/detail.h"

#include <gtest/gtest.h>

#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

TrainingImage grey(int width, int height, uint8_t value) {
  TrainingImage photo{width, height, std::vector<uint8_t>(size_t(3 * width * height), value), {}};
  return photo;
}
void set(TrainingImage& photo, int x, int y, uint8_t value) {
  const size_t plane = size_t(photo.width) * size_t(photo.height), at = size_t(y * photo.width + x);
  for (size_t channel = 0; channel < 3; ++channel) photo.rgb[channel * plane + at] = value;
}

TEST(Detail, EvenSurfacesAndSlowGradientsHaveNone) {
  EXPECT_EQ(detail_pixels(grey(20, 10, 77)), 0u);
  TrainingImage ramp = grey(60, 10, 0);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 60; ++x) set(ramp, x, y, uint8_t(4 * x));
  EXPECT_EQ(detail_pixels(ramp), 0u);
  EXPECT_EQ(detail_pixels(grey(2, 9, 3)), 0u);  // nothing but border
}

TEST(Detail, ADotCountsWithThoseItStandsOutFrom) {
  TrainingImage photo = grey(20, 10, 100);
  set(photo, 7, 5, 110);
  EXPECT_EQ(detail_pixels(photo), 1u);  // 10 from its neighbours, which differ by 2.5
  set(photo, 7, 5, 105);
  EXPECT_EQ(detail_pixels(photo), 0u);  // 5 is the noise of a photo
  set(photo, 7, 5, 130);
  EXPECT_EQ(detail_pixels(photo), 5u);
  photo.mask.assign(200, 255);
  photo.mask[5 * 20 + 7] = 0;
  EXPECT_EQ(detail_pixels(photo), 4u);
}

TEST(Detail, MeanIsOverTheViewsTrainedOn) {
  test::TinyDataset tiny = test::make_tiny_dataset();
  double sum = 0;
  const std::vector<int> views = tiny.dataset.training_views();
  for (int view : views) sum += double(detail_pixels(tiny.images.photos[size_t(view)]));
  const Result<double> mean = mean_detail_pixels(tiny.dataset, tiny.images);
  ASSERT_TRUE(mean.ok());
  EXPECT_DOUBLE_EQ(*mean, sum / double(views.size()));
  for (int view : tiny.images.asked) EXPECT_FALSE(tiny.dataset.views[size_t(view)].held_out);
  tiny.images.broken_view = views.front();
  EXPECT_FALSE(mean_detail_pixels(tiny.dataset, tiny.images).ok());
}

}  // namespace
}  // namespace splat
