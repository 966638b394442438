#include "io/reconstruction/point_files.h"

#include <gtest/gtest.h>

#include <cmath>

#include "io/splats/ply/ply.h"
#include "tests/support/temp_folder.h"

namespace {

using io::parse_point_text;
using Bytes = std::vector<uint8_t>;

splat::PointCloud parsed(std::string_view text) {
  auto points = parse_point_text(text, "a.xyz");
  EXPECT_TRUE(points.ok()) << points.error().message;
  return points.ok() ? *points : splat::PointCloud{};
}

TEST(PointFiles, TextsOfScannersInTheirUsualOrders) {
  const Bytes colours{255, 0, 7, 20, 30, 40};
  const std::vector<float> places{1, 2, 3, -4, 5, 6.5};
  for (const char* text :
       {"1 2 3 255 0 7\n-4 5 6.5 20 30 40\n",                                    // .xyz
        "2\n1 2 3 -812 255 0 7\n-4 5 6.5 0 20 30 40\n",                          // .pts
        "//X Y Z R G B Intensity\n1 2 3 255 0 7 0.5\n-4 5 6.5 20 30 40 0.25\n",  // CloudCompare
        "\"x\",\"y\",\"z\",\"intensity\",\"red\",\"green\",\"blue\"\r\n1,2,3,9,255,0,7\r\n-4,5,6.5,8,20,30,40\r\n",
        "# a comment\n1;2;3;0.1;-0.2;0.9;255;0;7\n-4;5;6.5;0.1;0.2;0.9;20;30;40",  // normals first
        "1\t2\t3\t255\t0\t7\t0.1\t-0.2\t0.9\n\n-4\t5\t6.5\t20\t30\t40\t0.1\t0.2\t0.9\n",
        "# POINT3D_ID, X, Y, Z, R, G, B, ERROR, TRACK[] as (IMAGE_ID, POINT2D_IDX)\n7 1 2 3 255 0 7 0.5 1 2 3 4\n"
        "8 -4 5 6.5 20 30 40 0.5 1 2\n"}) {
    const auto points = parsed(text);
    EXPECT_EQ(points.xyz, places) << text;
    EXPECT_EQ(points.rgb, colours) << text;
  }
}

TEST(PointFiles, ColoursMayBeFractionsOrMissing) {
  EXPECT_EQ(parsed("0 0 0 1 0.5 0\n1 1 1 0 0 0.2\n").rgb, (Bytes{255, 128, 0, 0, 0, 51}));
  const Bytes grey(6, 128);
  for (const char* text : {"0 0 0\n1 1 1\n", "0 0 0 17.5\n1 1 1 3\n", "0 0 0 0.1 -0.9 0.2\n1 1 1 0 0 1\n",
                           "x y z nx ny nz\n0 0 0 0.5 0.5 0.5\n1 1 1 0.1 0.2 0.3\n"})
    EXPECT_EQ(parsed(text).rgb, grey) << text;
}

TEST(PointFiles, SurveyCoordinatesLoseNothing) {
  const auto points =
      parsed("500000.001 5000000.002 100 1 2 3\n500001.001 5000001.003 101 4 5 6\n500002 5000002 102 7 8 9\n");
  ASSERT_EQ(points.size(), 3u);
  EXPECT_NEAR(points.origin[1] + double(points.xyz[1]), 5000000.002, 1e-5);
  EXPECT_EQ(parsed("1 2 3\nnan 1 1\n1e300 0 0\n").left_out, 2u);
}

TEST(PointFiles, WhatIsNoneIsOneSentence) {
  for (const auto& [text, part] : {std::pair{"1 2 3\n4 5\n", "line 2: expected a point"},
                                   {"1,5 2,5 3\n1 two 3\n", "line 2"},
                                   {"hello\nworld\n", "line 2: expected a point"},
                                   {"", "holds no points"},
                                   {"2\n", "holds no points"}}) {
    const auto points = parse_point_text(text, "a.xyz");
    ASSERT_FALSE(points.ok()) << text;
    EXPECT_NE(points.error().message.find(part), std::string::npos) << points.error().message;
  }
}

TEST(PointFiles, AreKnownByTheirNamesAndPlyByWhatItHolds) {
  const splat::test::TempFolder folder;
  const std::string start =
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
  const auto points = folder.write("points.ply", start + "end_header\n1 2 3\n");
  const auto splats =
      folder.write("splats.ply", start + "property float opacity\nproperty float scale_0\nend_header\n1 2 3 4 5\n");
  const auto packed = folder.write("packed.ply",
                                   "ply\nformat ascii 1.0\nelement vertex 1\nproperty uint packed_position\n"
                                   "property uint packed_rotation\nend_header\n1 2\n");
  EXPECT_TRUE(io::is_point_file(points));
  EXPECT_FALSE(io::is_point_file(splats));
  EXPECT_FALSE(io::is_point_file(packed));
  EXPECT_TRUE(io::is_point_file("SCAN.XYZ"));
  EXPECT_FALSE(io::is_point_file("a.spz"));
  EXPECT_EQ(io::read_point_file(points)->xyz, (std::vector<float>{1, 2, 3}));
  for (const char* name : {"a.las", "a.LAZ", "a.e57", "a.pcd", "a.ptx"})
    EXPECT_NE(io::read_point_file(name).error().message.find("CloudCompare or PDAL"), std::string::npos) << name;
}

}  // namespace
