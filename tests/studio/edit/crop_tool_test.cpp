// The crop box by its handles and numbers, and the boxes that are proposed of cameras.
#include "studio/edit/crop_tool.h"

#include <gtest/gtest.h>

#include <cmath>

#include "viewer/camera/camera_state.h"

namespace studio {
namespace {

using splat::Box;
using Point = std::array<double, 3>;

const Box kTurned = splat::box_about({1, -2, 5}, {0.5, 1, 2}, splat::quat_about({1, 2, -1}, 40));

void expect_close(const Point& a, const Point& b, double tolerance = 1e-9) {
  for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(a[c], b[c], tolerance) << "axis " << c;
}

splat::View view_from(const Point& from) {  // along z
  splat::View view;
  view.camera = {400, 300, 300, 300, 200, 150};
  view.cam_from_world.translation = {-from[0], -from[1], -from[2]};
  return view;
}

TEST(CropTool, AFaceMovesAndTheOppositeOneStays) {
  for (size_t face = 0; face < kFaces; ++face) {
    const Box wider = with_face_moved(kTurned, face, 0.7);
    expect_close(face_middle(wider, face ^ 1), face_middle(kTurned, face ^ 1));
    Point out = face_middle(kTurned, face);
    for (size_t c = 0; c < 3; ++c) out[c] += 0.7 * face_direction(kTurned, face)[c];
    expect_close(face_middle(wider, face), out);
    const Box thin = with_face_moved(kTurned, face, -100);
    EXPECT_TRUE(splat::is_usable(thin)) << "pushed through, it stays a box";
    expect_close(face_middle(thin, face ^ 1), face_middle(kTurned, face ^ 1));
  }
}

TEST(CropTool, MovesKeepItsSides) {
  const splat::Similarity by{1, splat::quat_about({0, 1, 1}, 25), {1, 2, 3}};
  const Box after = moved(kTurned, by);
  expect_close(after.half(), kTurned.half());
  for (size_t i = 0; i < 8; ++i) expect_close(after.corners()[i], by * kTurned.corners()[i]);
}

TEST(CropTool, DegreesAreTheTurnTheySay) {
  for (const Point& degrees : {Point{10, 20, 30}, Point{-170, 80, 5}, Point{0, 90, 40}, Point{0, 0, 0}}) {
    const auto turn = turn_from(degrees), again = turn_from(turn_degrees(turn));
    const double same = turn.w * again.w + turn.x * again.x + turn.y * again.y + turn.z * again.z;
    EXPECT_NEAR(std::abs(same), 1, 1e-12);
  }
  expect_close(turn_degrees(turn_from({10, 20, 30})), {10, 20, 30});
}

TEST(CropTool, AnAxisOfAnUprightBoxPointsUp) {
  const Vec3 up = normalized(Vec3{0.2, -1, 0.1});
  const Point axis = splat::Similarity{1, upright(up), {}}.turned({0, -1, 0});
  expect_close(axis, array3(up));
  const auto none = upright({0, 0, 1});
  EXPECT_EQ(none.w, 1) << "it does so already";
}

InputEvent left(InputEvent::Kind kind, double x, double y) {
  InputEvent event;
  event.kind = kind, event.button = MouseButton::kLeft, event.x = x, event.y = y;
  return event;
}

TEST(CropTool, AFacesHandleFollowsThePointer) {
  CropTool crop;
  crop.set(splat::box_about({0, 0, 0}, {1, 1, 1}));
  EXPECT_TRUE(crop.take_changed());
  const splat::View view = view_from({0.5, 0.3, -6});
  const auto handle = pixel_of(view, vec3(face_middle(*crop.box(), 1)));
  ASSERT_TRUE(handle);
  EXPECT_FALSE(crop.handle(left(InputEvent::Kind::kPress, 5, 5), view, 1)) << "that is the camera's";
  ASSERT_TRUE(crop.handle(left(InputEvent::Kind::kPress, handle->x, handle->y), view, 1));
  EXPECT_EQ(crop.face(), 1u);
  // 300 px at depth 6: 25 px are half a unit.
  ASSERT_TRUE(crop.handle(left(InputEvent::Kind::kMove, handle->x + 25, handle->y), view, 1));
  EXPECT_NEAR(crop.box()->high[0], 1.5, 1e-6);
  EXPECT_NEAR(crop.box()->low[0], -1, 1e-12);
  EXPECT_FALSE(crop.take_changed()) << "not while it is dragged";
  crop.cancel();
  EXPECT_EQ(crop.box()->high[0], 1);
  EXPECT_FALSE(crop.take_changed());
  crop.handle(left(InputEvent::Kind::kPress, handle->x, handle->y), view, 1);
  crop.handle(left(InputEvent::Kind::kMove, handle->x - 25, handle->y), view, 1);
  EXPECT_TRUE(crop.handle(left(InputEvent::Kind::kRelease, handle->x - 25, handle->y), view, 1));
  EXPECT_NEAR(crop.box()->high[0], 0.5, 1e-6);
  EXPECT_TRUE(crop.take_changed());
  EXPECT_FALSE(crop.dragging());
}

TEST(CropTool, KeepsWhatIsABox) {
  CropTool crop;
  crop.set(kTurned);
  crop.set(Box{});
  EXPECT_EQ(crop.box(), kTurned);
  crop.set(std::nullopt);
  EXPECT_FALSE(crop.box());
}

PhotoCamera camera_at(const Point& from, double degrees_about_y) {
  PhotoCamera camera;
  const auto rotation = splat::math::rotation_from_quat(splat::quat_about({0, 1, 0}, degrees_about_y));
  const auto& r = rotation.m;
  camera.view.camera = {400, 300, 300, 300, 200, 150};
  for (size_t i = 0; i < 3; ++i) {
    camera.view.cam_from_world.translation[i] = 0;
    for (size_t c = 0; c < 3; ++c) {
      camera.view.cam_from_world.rotation[3 * i + c] = r[i][c];
      camera.view.cam_from_world.translation[i] -= r[i][c] * from[c];
    }
  }
  return camera;
}

TEST(CropTool, BoxesOfCameras) {
  const std::vector<PhotoCamera> cameras{camera_at({0, 0, -4}, 0), camera_at({4, 0, 0}, 90), camera_at({0, 0, 4}, 180)};
  const auto seen = box_of_cameras(cameras, CameraBox::kSeen, {1, 0, 0, 0});
  ASSERT_TRUE(seen);
  expect_close(seen->centre(), {0, 0, 0});
  EXPECT_NEAR(seen->half()[0], 4 * 0.5 / std::sqrt(3.0), 1e-9) << "150 of 300 px at a depth of 4";
  const auto stands = box_of_cameras(cameras, CameraBox::kStands, {1, 0, 0, 0});
  ASSERT_TRUE(stands);
  for (const PhotoCamera& camera : cameras)
    EXPECT_TRUE(stands->contains(camera.view.cam_from_world.origin_in_source()));
  std::vector<PhotoCamera> more = cameras;
  more.push_back(camera_at({1e5, 0, 3e4}, 45));  // thrown there by a reconstruction
  expect_close(box_of_cameras(more, CameraBox::kStands, {1, 0, 0, 0})->half(), stands->half());
  expect_close(box_of_cameras(more, CameraBox::kSeen, {1, 0, 0, 0})->centre(), {0, 0, 0});
  EXPECT_FALSE(box_of_cameras({}, CameraBox::kSeen, {1, 0, 0, 0}));
}

}  // namespace
}  // namespace studio
