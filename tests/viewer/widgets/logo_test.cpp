// The logo as it is drawn, against the icon files that were made of the SVG by another program.
#include "viewer/widgets/logo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "io/image_file.h"
#include "tests/support/test_paths.h"

namespace viewer {
namespace {

TEST(Logo, IsThatOfTheIconFiles) {
  for (const int side : {48, 128}) {
    const auto file = io::read_image(test_paths::source() / "packaging/desktop/icons" /
                                     ("hipsplat-" + std::to_string(side) + ".png"));
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_EQ(file->width, side);
    const std::vector<uint8_t> pixels = logo_pixels(side);
    ASSERT_EQ(pixels.size(), size_t(side) * size_t(side) * 4);
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < size_t(side) * size_t(side); ++i)
      for (size_t c = 0; c < 3 && pixels[4 * i + 3] == 255; ++c, ++count)
        sum += std::abs(double(pixels[4 * i + c]) - double(file->pixels[size_t(file->channels) * i + c]));
    EXPECT_GT(count, size_t(side) * size_t(side) * 2);
    // That program spans a gradient over the box around a turned ellipse, not over the ellipse, as SVG has it.
    EXPECT_LT(sum / double(count), 6) << side;
    EXPECT_EQ(pixels[3], 0) << "its corners are round";
  }
}

}  // namespace
}  // namespace viewer
