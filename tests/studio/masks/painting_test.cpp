// What strokes and polygons cover, and in which order.
#include "studio/masks/painting.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace studio {
namespace {

using splat::MaskChange;

// A letter a pixel, a row a line.
std::string text_of(const MaskChanges& changes) {
  std::string text;
  for (size_t i = 0; i < changes.of.size(); ++i) {
    text += ".~#o"[size_t(changes.of[i])];
    if ((i + 1) % size_t(changes.width) == 0) text += '\n';
  }
  return text;
}

// Corners in pixels of a picture 8 wide.
PaintStep polygon(std::vector<PaintPoint> corners, bool erases = false) {
  for (PaintPoint& corner : corners) corner = {corner[0] / 8, corner[1] / 8};
  return {PaintKind::kPolygon, erases, 0, std::move(corners)};
}

PaintStep stroke(std::vector<PaintPoint> points, float radius_px, bool erases = false) {
  PaintStep step = polygon(std::move(points), erases);
  step.kind = PaintKind::kStroke;
  step.radius = radius_px / 8;
  return step;
}

TEST(MaskPainting, AStrokeCoversWhatIsWithinItsRadius) {
  const PaintStep step = stroke({{1.5f, 1.5f}, {4.5f, 1.5f}, {4.5f, 4.5f}}, 1.01f);
  EXPECT_EQ(text_of(painted({&step, 1}, 8, 6)),
            ".####...\n"
            "######..\n"
            ".#####..\n"
            "...###..\n"
            "...###..\n"
            "....#...\n");
  const PaintStep dot = stroke({{7.9f, 5.9f}}, 1);
  EXPECT_EQ(text_of(painted({&dot, 1}, 8, 6)).substr(9 * 5), ".......#\n") << "cut off at the border";
}

TEST(MaskPainting, APolygonCoversWhatIsInside) {
  const std::vector<PaintStep> steps{polygon({{1, 1}, {7, 1}, {7, 5}, {1, 5}}),
                                     polygon({{0, 0}, {4, 0}, {0, 4}}, true)};
  EXPECT_EQ(text_of(painted(steps, 8, 6)),
            "ooo.....\n"
            "oo#####.\n"
            "o######.\n"
            ".######.\n"
            ".######.\n"
            "........\n")
      << "pixels whose centre is on the border are on one side";
  const PaintStep bow = polygon({{-4, -4}, {12, 10}, {12, -4}, {-4, 10}});
  EXPECT_EQ(text_of(painted({&bow, 1}, 8, 6)).substr(0, 9), "#......#\n") << "crosses itself, and leaves the picture";
}

TEST(MaskPainting, StepsFollowEachOther) {
  const PaintStep left = polygon({{0, 0}, {2, 0}, {2, 9}, {0, 9}}),
                  middle = polygon({{1, 0}, {3, 0}, {3, 9}, {1, 9}}, true);
  EXPECT_EQ(text_of(painted(std::vector<PaintStep>{left, middle}, 8, 1)), "#oo.....\n");
  EXPECT_EQ(text_of(painted(std::vector<PaintStep>{left, middle}, 16, 1)), "##oooo..........\n") << "twice the size";
  EXPECT_EQ(text_of(painted(std::vector<PaintStep>{left, middle, {PaintKind::kInvert}}, 8, 1)), "o##~~~~~\n");
  EXPECT_EQ(text_of(painted(std::vector<PaintStep>{left, {PaintKind::kInvert}, {PaintKind::kInvert}}, 8, 1)),
            "##......\n");
  EXPECT_EQ(text_of(painted(std::vector<PaintStep>{left, {PaintKind::kClear}}, 8, 1)), "oooooooo\n");
}

TEST(MaskPainting, ChangesGoOnTopOfTheMask) {
  for (const bool counts : {false, true}) {
    EXPECT_EQ(counts_after(MaskChange::kKeep, counts), counts);
    EXPECT_EQ(counts_after(MaskChange::kFlip, counts), !counts);
    EXPECT_FALSE(counts_after(MaskChange::kLeaveOut, counts));
    EXPECT_TRUE(counts_after(MaskChange::kUse, counts));
    for (const MaskChange change : {MaskChange::kKeep, MaskChange::kFlip, MaskChange::kLeaveOut, MaskChange::kUse})
      EXPECT_EQ(counts_after(flipped(change), counts), !counts_after(change, counts));
  }
}

TEST(MaskPainting, WhatDoesNotCountIsReddish) {
  const splat::Image8 photo{2, 1, 3, {100, 100, 100, 50, 60, 70}};
  MaskChanges changes(2, 1);
  EXPECT_EQ(tinted(photo, {}, {}, changes).pixels, photo.pixels);
  EXPECT_EQ(tinted(photo, {255, 0}, {}, changes).pixels, (std::vector<uint8_t>{100, 100, 100, 152, 50, 55}));
  changes.of = {MaskChange::kLeaveOut, MaskChange::kUse};
  EXPECT_EQ(tinted(photo, {255, 0}, {}, changes).pixels, (std::vector<uint8_t>{177, 70, 70, 50, 60, 70}));
}

TEST(MaskPainting, WhatNeverCountsLooksTheSameWhateverIsPainted) {
  const splat::Image8 photo{2, 1, 3, {100, 100, 100, 0, 0, 0}};
  MaskChanges changes(2, 1);
  const std::vector<uint8_t> shown = tinted(photo, {255, 0}, {255, 0}, changes).pixels;
  EXPECT_EQ(shown, (std::vector<uint8_t>{100, 100, 100, 48, 48, 48}));
  changes = painted(std::vector<PaintStep>{{PaintKind::kInvert}}, 2, 1);
  const std::vector<uint8_t> inverted = tinted(photo, {255, 0}, {255, 0}, changes).pixels;
  EXPECT_EQ(inverted, (std::vector<uint8_t>{177, 70, 70, 48, 48, 48})) << "neither black, as used, nor reddish";
}

}  // namespace
}  // namespace studio
