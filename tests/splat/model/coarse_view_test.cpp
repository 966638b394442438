#include "splat/model/coarse_view.h"

#include <gtest/gtest.h>

namespace splat {
namespace {

TrainingImage numbered(int width, int height) {
  TrainingImage image;
  image.width = width;
  image.height = height;
  for (int i = 0; i < 3 * width * height; ++i) image.rgb.push_back(uint8_t(7 * i));
  return image;
}

TEST(CoarseView, TakesMeansOfSquaresAndDividesTheCamera) {
  ThreadPool pool(2);
  View view;
  view.camera = {7, 5, 10, 12, 3.5f, 2.5f};
  view.cam_from_world.translation = {1, 2, 3};
  TrainingImage photo = numbered(7, 5);
  photo.mask.assign(35, 255);
  photo.mask[8] = 0;  // x 1, y 1
  CoarseView coarse;
  coarse.make(view, photo, 2, pool);
  EXPECT_EQ(coarse.view().camera.width, 3);
  EXPECT_EQ(coarse.view().camera.height, 2);
  EXPECT_EQ(coarse.view().camera.fx, 5.0f);
  EXPECT_EQ(coarse.view().camera.fy, 6.0f);
  EXPECT_EQ(coarse.view().camera.cx, 1.75f);
  EXPECT_EQ(coarse.view().camera.cy, 1.25f);
  EXPECT_EQ(coarse.view().cam_from_world.translation, view.cam_from_world.translation);
  const TrainingImage& small = coarse.photo();
  ASSERT_EQ(small.rgb.size(), 18u);
  for (int c = 0; c < 3; ++c)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) {
        int sum = 2;
        for (int d : {0, 1, 7, 8}) sum += photo.rgb[size_t(c * 35 + 14 * y + 2 * x + d)];
        EXPECT_EQ(small.rgb[size_t(c * 6 + 3 * y + x)], sum / 4);
      }
  EXPECT_EQ(small.mask, (std::vector<uint8_t>{0, 255, 255, 255, 255, 255}));

  photo.background = {0, 0.5f, 1};
  photo.alpha.assign(35, 0);
  photo.alpha[0] = photo.alpha[1] = 255;
  coarse.make(view, photo, 2, pool);
  EXPECT_EQ(small.alpha, (std::vector<uint8_t>{128, 0, 0, 0, 0, 0}));
  EXPECT_EQ(small.background, photo.background);

  photo.mask.clear();
  photo.alpha.clear();
  coarse.make(view, photo, 9, pool);  // more than the height: one square of 5x5
  EXPECT_EQ(coarse.view().camera.width, 1);
  EXPECT_EQ(coarse.view().camera.height, 1);
  EXPECT_TRUE(coarse.photo().mask.empty());
  EXPECT_TRUE(coarse.photo().alpha.empty());
}

TEST(CoarseView, SquaresOfMoreThan257RowsHaveTheirMean) {
  ThreadPool pool(1);
  View view;
  view.camera = {600, 300, 10, 12, 3, 2};
  TrainingImage white;
  white.width = 600, white.height = 300;
  white.rgb.assign(3 * 600 * 300, 255);
  CoarseView coarse;
  coarse.make(view, white, 300, pool);
  EXPECT_EQ(coarse.photo().rgb, std::vector<uint8_t>(6, 255));
}

TEST(CoarseView, WholeDivisorOneIsTheViewItself) {
  ThreadPool pool(1);
  View view;
  view.camera = {6, 4, 10, 12, 3, 2};
  const TrainingImage photo = numbered(6, 4);
  CoarseView coarse;
  coarse.make(view, photo, 1, pool);
  EXPECT_EQ(coarse.photo().rgb, photo.rgb);
  EXPECT_EQ(coarse.view().camera.fx, 10.0f);
}

}  // namespace
}  // namespace splat
