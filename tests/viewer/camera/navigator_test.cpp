#include "viewer/camera/navigator.h"

#include <gtest/gtest.h>

#include <cmath>

namespace viewer {
namespace {

using splat::math::dot;
using Kind = InputEvent::Kind;

constexpr int kWidth = 1200, kHeight = 800;

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

void expect_same(const CameraState& a, const CameraState& b, double tolerance = 0) {
  expect_near(a.position, b.position, tolerance);
  for (int c = 0; c < 3; ++c)
    expect_near(splat::math::column(a.world_from_cam, c), splat::math::column(b.world_from_cam, c), tolerance);
  EXPECT_NEAR(a.focus_distance, b.focus_distance, tolerance);
  EXPECT_NEAR(a.fov_y_deg, b.fov_y_deg, tolerance);
}

void expect_rotation(const Mat3& r) {
  const Mat3 product = r * transposed(r);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(product.m[i][j], i == j ? 1 : 0, 1e-12);
}

// Looks along +z at a box of radius 2 around (1, 2, 8), up is -y.
Navigator make_navigator() {
  Navigator navigator;
  navigator.set_viewport(kWidth, kHeight);
  const double half = 2 / std::sqrt(3.0);
  navigator.set_scene({{1 - half, 2 - half, 8 - half}, {1 + half, 2 + half, 8 + half}});
  CameraState state;
  state.position = {1, 2, 2};
  state.focus_distance = 6;
  navigator.set_camera(state);
  return navigator;
}

InputEvent mouse(Kind kind, double x, double y, MouseButton button = MouseButton::kLeft, Modifiers modifiers = {}) {
  InputEvent event;
  event.kind = kind, event.x = x, event.y = y, event.button = button, event.modifiers = modifiers;
  return event;
}

InputEvent key(Kind kind, Key key, Modifiers modifiers = {}) {
  InputEvent event;
  event.kind = kind, event.key = key, event.modifiers = modifiers;
  return event;
}

void drag(Navigator& navigator, MouseButton button, double dx, double dy, Modifiers modifiers = {}) {
  navigator.handle(mouse(Kind::kPress, 600, 400, button, modifiers));
  for (int i = 1; i <= 10; ++i)
    navigator.handle(mouse(Kind::kMove, 600 + dx * i / 10, 400 + dy * i / 10, button, modifiers));
  navigator.handle(mouse(Kind::kRelease, 600 + dx, 400 + dy, button, modifiers));
}

void settle(Navigator& navigator) {
  for (int i = 0; i < 300 && navigator.moving(); ++i) navigator.update(0.02);
  EXPECT_FALSE(navigator.moving());
}

void tap(Navigator& navigator, Key pressed, Modifiers modifiers = {}) {
  navigator.handle(key(Kind::kKeyDown, pressed, modifiers));
  navigator.handle(key(Kind::kKeyUp, pressed, modifiers));
  settle(navigator);
}

std::vector<PhotoCamera> ring_of_photos(int count) {
  std::vector<PhotoCamera> photos;
  for (int i = 0; i < count; ++i) {
    CameraState state;
    const double angle = 2 * kPi * i / count;
    state.position = {1 + 6 * std::sin(angle), 2, 8 - 6 * std::cos(angle)};
    state.world_from_cam = rotation_about({0, 1, 0}, -angle);
    PhotoCamera photo{"photo " + std::to_string(i), view_of(state, 300, 400), false};
    photo.view.camera.cx = 140;  // not centred
    photo.view.camera.fy *= 1.01f;
    photos.push_back(photo);
  }
  return photos;
}

TEST(Navigator, OrbitKeepsPivotAndDistance) {
  Navigator navigator = make_navigator();
  const Vec3 pivot = navigator.camera().pivot();
  drag(navigator, MouseButton::kLeft, 217, -93);
  settle(navigator);
  expect_near(navigator.camera().pivot(), pivot, 1e-9);
  EXPECT_NEAR(length(navigator.camera().position - pivot), 6, 1e-9);
  EXPECT_GT(length(navigator.camera().position - Vec3{1, 2, 2}), 1);
  expect_rotation(navigator.camera().world_from_cam);
}

TEST(Navigator, OrbitDragsTheNearSideAlong) {
  Navigator navigator = make_navigator();
  const Vec3 near_side{1, 2, 6};
  const Pixel before = *pixel_of(navigator.view(), near_side);
  drag(navigator, MouseButton::kLeft, 40, 0);
  const Pixel right = *pixel_of(navigator.view(), near_side);
  EXPECT_GT(right.x, before.x + 5);
  EXPECT_NEAR(right.y, before.y, 1e-3);
  drag(navigator, MouseButton::kLeft, -40, 30);
  EXPECT_GT(pixel_of(navigator.view(), near_side)->y, before.y + 3);
}

TEST(Navigator, OrbitStopsAtThePolesAndStaysLevel) {
  for (double direction : {-5000.0, 5000.0}) {
    Navigator navigator = make_navigator();
    drag(navigator, MouseButton::kLeft, 30, direction);
    settle(navigator);
    const CameraState& camera = navigator.camera();
    EXPECT_NEAR(std::abs(dot(camera.forward(), navigator.up())), 1, 1e-6);
    EXPECT_GE(dot(camera.down(), navigator.up()), -1);
    EXPECT_NEAR(dot(camera.right(), navigator.up()), 0, 1e-6);
    drag(navigator, MouseButton::kLeft, 0, -direction / 50);  // and comes back
    EXPECT_LT(std::abs(dot(navigator.camera().forward(), navigator.up())), 0.99);
    EXPECT_LT(dot(navigator.camera().down(), navigator.up()), 0) << "upside down";
  }
}

TEST(Navigator, LookTurnsInPlace) {
  Navigator navigator = make_navigator();
  const Vec3 ahead{1, 2, 6};
  drag(navigator, MouseButton::kRight, 60, 45);
  expect_near(navigator.camera().position, {1, 2, 2}, 0);
  EXPECT_LT(pixel_of(navigator.view(), ahead)->x, kWidth / 2 - 10) << "to the right: things move left";
  EXPECT_LT(pixel_of(navigator.view(), ahead)->y, kHeight / 2 - 10) << "down: things move up";
}

TEST(Navigator, SensitivityIsHalfATurnAcrossTheHeight) {
  Navigator navigator = make_navigator();
  drag(navigator, MouseButton::kRight, kHeight / 2.0, 0);
  EXPECT_NEAR(dot(navigator.camera().forward(), Vec3{1, 0, 0}), 1, 1e-9) << "a quarter turn";
}

TEST(Navigator, PanMovesThePivotsPlaneWithTheCursor) {
  for (const auto& [button, modifiers] :
       {std::pair(MouseButton::kMiddle, Modifiers{}), std::pair(MouseButton::kLeft, Modifiers{true, false, false})}) {
    Navigator navigator = make_navigator();
    const Vec3 point = navigator.camera().pivot();
    drag(navigator, button, 77, -31, modifiers);
    const Pixel pixel = *pixel_of(navigator.view(), point);
    EXPECT_NEAR(pixel.x, kWidth / 2.0 + 77, 1e-3);
    EXPECT_NEAR(pixel.y, kHeight / 2.0 - 31, 1e-3);
  }
}

TEST(Navigator, WheelDolliesToTheCursor) {
  for (bool orthographic : {false, true}) {
    Navigator navigator = make_navigator();
    if (orthographic) navigator.toggle_orthographic();
    const double depth = pixel_of(navigator.view(), navigator.camera().pivot())->depth;
    const Vec3 point = point_at(navigator.view(), 900, 150, depth);
    InputEvent wheel = mouse(Kind::kWheel, 900, 150);
    wheel.wheel = 2;
    navigator.handle(wheel);
    settle(navigator);
    const Pixel pixel = *pixel_of(navigator.view(), point);
    EXPECT_NEAR(pixel.x, 900, 0.01);
    EXPECT_NEAR(pixel.y, 150, 0.01);
    EXPECT_NEAR(navigator.camera().focus_distance, 6 * std::exp(-0.3), 1e-3);
  }
}

TEST(Navigator, WheelNeverReachesOrPassesThePivot) {
  Navigator navigator = make_navigator();
  InputEvent wheel = mouse(Kind::kWheel, 600, 400);
  wheel.wheel = 500;
  navigator.handle(wheel);
  settle(navigator);
  EXPECT_GT(navigator.camera().focus_distance, 0);
  EXPECT_LT(navigator.camera().focus_distance, 0.01);
  expect_near(navigator.camera().pivot(), {1, 2, 8}, 1e-9);
}

TEST(Navigator, ModeSwitchMovesNothing) {
  Navigator navigator = make_navigator();
  drag(navigator, MouseButton::kLeft, 100, 50);
  settle(navigator);
  const CameraState before = navigator.camera();
  const splat::View view = navigator.view();
  for (NavigationMode mode : {NavigationMode::kFly, NavigationMode::kOrbit}) {
    navigator.set_mode(mode);
    navigator.update(0.1);
    expect_same(navigator.camera(), before);
    EXPECT_TRUE(same_view(navigator.view(), view));
  }
  navigator.handle(key(Kind::kKeyDown, Key::kV));
  EXPECT_EQ(navigator.mode(), NavigationMode::kFly);
  expect_same(navigator.camera(), before);
}

TEST(Navigator, FlightGoesWhereTheKeysSay) {
  const std::pair<Key, Vec3> ways[] = {{Key::kForward, {0, 0, 1}}, {Key::kBack, {0, 0, -1}}, {Key::kRight, {1, 0, 0}},
                                       {Key::kLeft, {-1, 0, 0}},   {Key::kUp, {0, -1, 0}},   {Key::kDown, {0, 1, 0}}};
  for (const auto& [pressed, way] : ways) {
    Navigator navigator = make_navigator();
    const double speed = navigator.flight_speed();
    navigator.handle(key(Kind::kKeyDown, pressed));
    navigator.update(1);
    EXPECT_DOUBLE_EQ(navigator.flight_speed(), speed) << "it stays as the flight began";
    navigator.handle(key(Kind::kKeyUp, pressed));
    settle(navigator);
    const Vec3 moved = navigator.camera().position - Vec3{1, 2, 2};
    EXPECT_NEAR(dot(moved, way), speed, 1e-3 * speed);
    EXPECT_NEAR(length(moved), speed, 1e-3 * speed);
  }
}

TEST(Navigator, ATapOfAFlightKeyLeavesTheOrbitForThatMomentOnly) {
  Navigator navigator = make_navigator();
  navigator.handle(key(Kind::kKeyDown, Key::kForward));
  navigator.update(0.1);
  drag(navigator, MouseButton::kLeft, 50, 0);
  const Vec3 flown = navigator.camera().position;
  expect_near({flown.x, flown.y, 2}, {1, 2, 2}, 1e-9);
  EXPECT_GT(flown.z, 2) << "a drag in flight looks around in place";
  navigator.handle(key(Kind::kKeyUp, Key::kForward));
  settle(navigator);
  EXPECT_EQ(navigator.mode(), NavigationMode::kOrbit);
  const Vec3 pivot = navigator.camera().pivot();
  drag(navigator, MouseButton::kLeft, 100, 0);
  settle(navigator);
  expect_near(navigator.camera().pivot(), pivot, 1e-9);
  EXPECT_GT(length(navigator.camera().position - flown), 1) << "and orbits after it";
}

TEST(Navigator, AFlightKeyDuringAnOrbitingDragMakesItLookAround) {
  Navigator navigator = make_navigator();
  navigator.handle(mouse(Kind::kPress, 600, 400));
  navigator.handle(mouse(Kind::kMove, 620, 400));
  navigator.handle(key(Kind::kKeyDown, Key::kForward));
  const Vec3 before = navigator.camera().position;
  navigator.handle(mouse(Kind::kMove, 700, 400));
  expect_near(navigator.camera().position, before, 1e-12);
}

TEST(Navigator, FAndADoubleClickBringThePivotBackFromWhereverOneFlew) {
  for (const bool by_key : {true, false}) {
    Navigator navigator = make_navigator();
    navigator.set_mode(NavigationMode::kFly);
    navigator.handle(key(Kind::kKeyDown, Key::kForward));
    navigator.handle(key(Kind::kKeyDown, Key::kLeft));
    navigator.update(1.3);
    navigator.handle(key(Kind::kKeyUp, Key::kForward));
    navigator.handle(key(Kind::kKeyUp, Key::kLeft));
    settle(navigator);
    EXPECT_GT(length(navigator.camera().pivot() - Vec3{1, 2, 8}), 1);
    const CameraState before = navigator.camera();
    by_key ? tap(navigator, Key::kF) : navigator.focus_on_scene();  // the click hit nothing
    EXPECT_EQ(navigator.mode(), NavigationMode::kOrbit);
    if (by_key) {
      expect_near(navigator.camera().pivot(), {1, 2, 8}, 1e-9);
      continue;
    }
    expect_near(navigator.camera().position, before.position, 0);
    EXPECT_NEAR(dot(navigator.camera().pivot() - Vec3{1, 2, 8}, navigator.camera().forward()), 0, 1e-9)
        << "at the depth of the scene's middle";
  }
}

TEST(Navigator, FlightFollowsTheSceneAndTheDistance) {
  Navigator navigator = make_navigator();
  CameraState state = navigator.camera();
  const auto speed_at = [&](const Vec3& position, double focus) {
    state.position = position, state.focus_distance = focus;
    navigator.set_camera(state);
    return navigator.flight_speed();
  };
  EXPECT_DOUBLE_EQ(speed_at({1, 2, 8}, 6), 1) << "inside: the scene's radius in 2 s";
  EXPECT_NEAR(speed_at({1, 2, -92}, 100), 50, 1) << "far away: the distance in 2 s";
  EXPECT_NEAR(speed_at({1, 2, 8}, 0.5), 0.25, 1e-12) << "near what one looks at";
  EXPECT_NEAR(speed_at({1, 2, 8}, 1e-3), 0.1, 1e-12) << "never slower than that";
  NavigationSettings fast = navigator.settings();
  fast.speed = 3;
  navigator.set_settings(fast);
  EXPECT_DOUBLE_EQ(speed_at({1, 2, 8}, 6), 3);
}

TEST(Navigator, TwoFingersOnATouchpadOrbitWhereThatIsChosen) {
  const auto swipe = [](Navigator& navigator, double sideways, double notches, Modifiers modifiers = {}) {
    InputEvent event = mouse(Kind::kWheel, 600, 400, MouseButton::kLeft, modifiers);
    event.sideways = sideways, event.wheel = notches;
    navigator.handle(event);
    settle(navigator);
  };
  NavigationSettings touchpad;
  touchpad.touchpad = TouchpadUse::kOrbit;
  Navigator zooming = make_navigator();
  swipe(zooming, 3, 0);
  expect_near(zooming.camera().position, {1, 2, 2}, 1e-12);
  Navigator navigator = make_navigator();
  navigator.set_settings(touchpad);
  const Vec3 pivot = navigator.camera().pivot();
  swipe(navigator, 2.5, -1.25);
  expect_near(navigator.camera().pivot(), pivot, 1e-9);
  EXPECT_GT(length(navigator.camera().position - Vec3{1, 2, 2}), 0.5);
  Navigator dragged = make_navigator();
  drag(dragged, MouseButton::kLeft, 50, -25);
  settle(dragged);
  expect_same(navigator.camera(), dragged.camera(), 1e-6);
  navigator = make_navigator();
  navigator.set_settings(touchpad);
  swipe(navigator, 0, 2, {false, true, false});
  EXPECT_NEAR(navigator.camera().focus_distance, 6 * std::exp(-0.3), 1e-3) << "with Ctrl, as a pinch comes";
  const Mat3 direction = navigator.camera().world_from_cam;
  swipe(navigator, 2, 1, {true, false, false});
  for (int c = 0; c < 3; ++c)
    expect_near(splat::math::column(navigator.camera().world_from_cam, c), splat::math::column(direction, c), 1e-12);
  EXPECT_LT(navigator.camera().position.x, 1 - 0.01) << "with Shift things go with the fingers";
}

TEST(Navigator, ShiftFliesFiveTimesAsFast) {
  double ways[2];
  for (int fast = 0; fast < 2; ++fast) {
    Navigator navigator = make_navigator();
    if (fast) navigator.handle(key(Kind::kKeyDown, Key::kShift));
    navigator.handle(key(Kind::kKeyDown, Key::kRight));
    navigator.update(0.5);
    ways[fast] = length(navigator.camera().position - Vec3{1, 2, 2});
  }
  EXPECT_NEAR(ways[1] / ways[0], 5, 1e-9);
}

TEST(Navigator, FlightWheelAndTransitionsDoNotDependOnTheTimeStep) {
  const auto run = [](double step) {
    Navigator navigator = make_navigator();
    InputEvent wheel = mouse(Kind::kWheel, 200, 700);
    wheel.wheel = 1;
    const auto advance = [&](double seconds) {
      for (double t = 0; t < seconds - 1e-9; t += step) navigator.update(step);
    };
    navigator.handle(key(Kind::kKeyDown, Key::kForward));
    navigator.handle(key(Kind::kKeyDown, Key::kLeft));
    advance(0.4);
    navigator.handle(key(Kind::kKeyUp, Key::kForward));
    advance(0.2);
    navigator.handle(key(Kind::kKeyUp, Key::kLeft));
    advance(1);
    navigator.handle(wheel);
    advance(0.6);
    navigator.frame_scene();
    advance(0.2);
    return navigator.camera();
  };
  const CameraState fine = run(0.001);
  expect_same(run(0.01), fine, 2e-3);
  expect_same(run(0.05), fine, 2e-3);
}

TEST(Navigator, FocusLossReleasesEverything) {
  Navigator navigator = make_navigator();
  navigator.handle(key(Kind::kKeyDown, Key::kForward));
  navigator.handle(mouse(Kind::kPress, 600, 400, MouseButton::kRight));
  navigator.update(0.1);
  EXPECT_TRUE(navigator.moving());
  navigator.handle(key(Kind::kFocusLost, Key::kCount));
  const CameraState before = navigator.camera();
  navigator.handle(mouse(Kind::kMove, 700, 500));
  navigator.update(0.5);
  EXPECT_FALSE(navigator.moving());
  expect_same(navigator.camera(), before);
}

TEST(Navigator, KeysWithControlBelongToTheWindow) {
  Navigator navigator = make_navigator();
  const CameraState before = navigator.camera();
  navigator.handle(key(Kind::kKeyDown, Key::kBack, {false, true, false}));  // Ctrl+S
  navigator.handle(key(Kind::kKeyDown, Key::kF, {false, true, false}));
  navigator.update(0.5);
  expect_same(navigator.camera(), before);
}

TEST(Navigator, AFramedHomeIsFramedAnewInAViewportOfAnotherSize) {
  Navigator navigator = make_navigator();
  navigator.set_viewport(1200, 700);
  navigator.frame_scene();
  settle(navigator);
  navigator.set_home_here();
  const double wide = navigator.camera().focus_distance;
  navigator.set_viewport(500, 700);
  EXPECT_GT(navigator.camera().focus_distance, 1.2 * wide) << "it was not left";
  EXPECT_TRUE(navigator.at_home());
  drag(navigator, MouseButton::kRight, 150, 20);
  settle(navigator);
  const CameraState left = navigator.camera();
  navigator.set_viewport(1200, 700);
  expect_same(navigator.camera(), left);
  navigator.go_home();
  settle(navigator);
  EXPECT_NEAR(navigator.camera().focus_distance, wide, 1e-9);
}

TEST(Navigator, FrameShowsTheWholeSceneAndKeepsTheDirection) {
  for (const auto& [width, height] : {std::pair(1200, 800), std::pair(500, 900)}) {
    Navigator navigator = make_navigator();
    navigator.set_viewport(width, height);
    drag(navigator, MouseButton::kRight, 150, 20);
    settle(navigator);
    const Mat3 direction = navigator.camera().world_from_cam;
    tap(navigator, Key::kF);
    for (int c = 0; c < 3; ++c)
      expect_near(splat::math::column(navigator.camera().world_from_cam, c), splat::math::column(direction, c), 1e-9);
    expect_near(navigator.camera().pivot(), {1, 2, 8}, 1e-9);
    for (int corner = 0; corner < 8; ++corner) {
      const double half = 2 / std::sqrt(3.0);
      const Vec3 point{1 + (corner & 1 ? half : -half), 2 + (corner & 2 ? half : -half),
                       8 + (corner & 4 ? half : -half)};
      const auto pixel = pixel_of(navigator.view(), point);
      ASSERT_TRUE(pixel);
      EXPECT_GT(pixel->x, 0);
      EXPECT_LT(pixel->x, width);
      EXPECT_GT(pixel->y, 0);
      EXPECT_LT(pixel->y, height);
    }
  }
}

TEST(Navigator, HomeKeyShowsCamerasTooAndHGoesHome) {
  Navigator navigator = make_navigator();
  const CameraState home = navigator.camera();
  navigator.set_home(home);
  navigator.set_photo_cameras(ring_of_photos(8));
  tap(navigator, Key::kHome);
  EXPECT_GT(navigator.camera().focus_distance, 12) << "the ring of cameras has a radius of 6";
  tap(navigator, Key::kH);
  expect_same(navigator.camera(), home, 1e-9);
}

TEST(Navigator, NumpadViewsLookAlongTheAxesOfUp) {
  for (const Vec3& up : {Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 1, 0}, normalized(Vec3{0.3, -0.8, 0.2})}) {
    Navigator navigator = make_navigator();
    navigator.set_up(up, false);
    tap(navigator, Key::kNumpad1);
    const Vec3 front = navigator.camera().forward();
    EXPECT_NEAR(dot(front, up), 0, 1e-9);
    EXPECT_NEAR(dot(navigator.camera().down(), up), -1, 1e-9);
    const Vec3 right_of_front = navigator.camera().right();
    tap(navigator, Key::kNumpad1, {false, true, false});
    EXPECT_NEAR(dot(navigator.camera().forward(), front), -1, 1e-9);
    tap(navigator, Key::kNumpad3);
    EXPECT_NEAR(dot(navigator.camera().forward(), right_of_front), -1, 1e-9) << "seen from the right";
    tap(navigator, Key::kNumpad7);
    EXPECT_NEAR(dot(navigator.camera().forward(), up), -1, 1e-9);
    EXPECT_NEAR(dot(navigator.camera().down(), front), -1, 1e-9) << "the far side is at the top of the picture";
    expect_near(navigator.camera().pivot(), {1, 2, 8}, 1e-9);
  }
}

TEST(Navigator, OrthographicShowsThePivotsPlaneAtTheSameSize) {
  Navigator navigator = make_navigator();
  const CameraState before = navigator.camera();
  const Vec3 point{2.3, 1.1, 8};
  const Pixel perspective = *pixel_of(navigator.view(), point);
  tap(navigator, Key::kNumpad5);
  expect_same(navigator.camera(), before);
  const Pixel orthographic = *pixel_of(navigator.view(), point);
  EXPECT_NEAR(perspective.x, orthographic.x, 0.02);
  EXPECT_NEAR(perspective.y, orthographic.y, 0.02);
  const Pixel nearer = *pixel_of(navigator.view(), Vec3{2.3, 1.1, 7});
  EXPECT_NEAR(nearer.x, orthographic.x, 2) << "depth hardly matters";
}

TEST(Navigator, BracketsStepThroughThePhotosAndTheViewIsThePhotosOwn) {
  Navigator navigator = make_navigator();
  const std::vector<PhotoCamera> photos = ring_of_photos(5);
  navigator.set_photo_cameras(photos);
  EXPECT_FALSE(navigator.photo());
  int expected[] = {0, 1, 0, 4};
  Key keys[] = {Key::kBracketRight, Key::kBracketRight, Key::kBracketLeft, Key::kBracketLeft};
  for (int i = 0; i < 4; ++i) {
    tap(navigator, keys[i]);
    ASSERT_EQ(navigator.photo(), expected[i]);
    EXPECT_TRUE(same_view(navigator.view(), fitted(photos[size_t(expected[i])].view, kWidth, kHeight)));
  }
  const double centre = kWidth / 2.0 - 10 * kHeight / 400.0;  // the photo's principal point is 10 px left of its middle
  EXPECT_NEAR(navigator.view().camera.cx, centre, 1e-3);
  drag(navigator, MouseButton::kLeft, 10, 0);
  EXPECT_FALSE(navigator.photo());
}

TEST(Navigator, HomeCanBeAPhotoAndAPictureOfAnySizeShowsIt) {
  Navigator navigator = make_navigator();
  const std::vector<PhotoCamera> photos = ring_of_photos(5);
  navigator.set_photo_cameras(photos);
  navigator.set_home(navigator.camera());
  navigator.set_home_photo(2);
  drag(navigator, MouseButton::kLeft, 40, 10);
  tap(navigator, Key::kH);
  EXPECT_EQ(navigator.photo(), 2);
  EXPECT_TRUE(same_view(navigator.view(900, 500), fitted(photos[2].view, 900, 500)));
  drag(navigator, MouseButton::kLeft, 40, 10);
  EXPECT_TRUE(same_view(navigator.view(900, 500), view_of(navigator.camera(), 900, 500)));
  navigator.set_photo_cameras({});
  tap(navigator, Key::kH);
  EXPECT_FALSE(navigator.photo()) << "another scene has no such photo";
}

TEST(Navigator, CGoesToTheNearestPhoto) {
  Navigator navigator = make_navigator();
  navigator.set_photo_cameras(ring_of_photos(5));
  CameraState state = state_of(ring_of_photos(5)[3].view, kWidth, kHeight, 6);
  state.position = state.position + Vec3{0.5, 0.3, -0.2};
  navigator.set_camera(state);
  tap(navigator, Key::kC);
  EXPECT_EQ(navigator.photo(), 3);
}

TEST(Navigator, DraggingAfterATiltedPhotoLevelsTheCamera) {
  Navigator navigator = make_navigator();
  std::vector<PhotoCamera> photos = ring_of_photos(1);
  CameraState tilted;
  tilted.world_from_cam = rotation_about({0, 0, 1}, radians(90));
  photos[0].view = view_of(tilted, 400, 300);
  navigator.set_photo_cameras(photos);
  tap(navigator, Key::kBracketRight);
  EXPECT_NEAR(std::abs(dot(navigator.camera().right(), navigator.up())), 1, 1e-9) << "exactly as the photo was taken";
  drag(navigator, MouseButton::kLeft, 5, 0);
  settle(navigator);
  EXPECT_NEAR(dot(navigator.camera().right(), navigator.up()), 0, 1e-4);
  EXPECT_LT(dot(navigator.camera().down(), navigator.up()), 0);
}

TEST(Navigator, FramingFromATiltedPhotoLevelsTheCameraAndKeepsTheDirection) {
  for (const Key key : {Key::kF, Key::kHome}) {
    Navigator navigator = make_navigator();
    std::vector<PhotoCamera> photos = ring_of_photos(1);
    CameraState tilted;
    tilted.world_from_cam = rotation_about({0, 1, 0}, radians(20)) * rotation_about({0, 0, 1}, radians(8));
    photos[0].view = view_of(tilted, 400, 300);
    navigator.set_photo_cameras(photos);
    tap(navigator, Key::kBracketRight);
    tap(navigator, key);
    EXPECT_NEAR(dot(navigator.camera().right(), navigator.up()), 0, 1e-9);
    EXPECT_LT(dot(navigator.camera().down(), navigator.up()), 0);
    expect_near(navigator.camera().forward(), tilted.forward(), 1e-9);
  }
}

TEST(Navigator, SettingUpLevelsByItWithoutMoving) {
  for (const Vec3& up : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, normalized(Vec3{-1, -2, 0.5})}) {
    Navigator navigator = make_navigator();
    navigator.set_up(up);
    settle(navigator);
    expect_near(navigator.camera().position, {1, 2, 2}, 1e-12);
    expect_near(navigator.camera().forward(), {0, 0, 1}, 1e-9);
    EXPECT_NEAR(dot(navigator.camera().right(), up), 0, 1e-4);
    EXPECT_LT(dot(navigator.camera().down(), up), 0);
  }
}

TEST(Navigator, DoubleClickAsksForThePointAndCentresIt) {
  Navigator navigator = make_navigator();
  navigator.set_mode(NavigationMode::kFly);
  EXPECT_FALSE(navigator.take_pick());
  navigator.handle(mouse(Kind::kDoubleClick, 321, 123));
  const auto pick = navigator.take_pick();
  ASSERT_TRUE(pick);
  EXPECT_EQ(pick->x, 321);
  EXPECT_EQ(pick->y, 123);
  EXPECT_FALSE(navigator.take_pick());
  const Vec3 point{0.3, 1.5, 7};
  const double depth = pixel_of(navigator.view(), point)->depth;
  navigator.focus_on(point);
  settle(navigator);
  EXPECT_EQ(navigator.mode(), NavigationMode::kOrbit);
  expect_near(navigator.camera().pivot(), point, 1e-9);
  EXPECT_NEAR(pixel_of(navigator.view(), point)->depth, depth, 1e-6);
}

TEST(Navigator, ATransitionTakesItsTimeAndADragEndsIt) {
  Navigator navigator = make_navigator();
  navigator.frame({{10, 10, 10}, {20, 20, 20}});
  navigator.update(Navigator::kTransitionSeconds * 0.9);
  EXPECT_TRUE(navigator.moving());
  navigator.update(Navigator::kTransitionSeconds * 0.11);
  EXPECT_FALSE(navigator.moving());
  expect_near(navigator.camera().pivot(), {15, 15, 15}, 1e-9);
  navigator.frame_scene();
  navigator.update(0.1);
  drag(navigator, MouseButton::kMiddle, 1, 0);
  EXPECT_FALSE(navigator.moving());
}

TEST(Navigator, BookmarksComeBack) {
  Navigator navigator = make_navigator();
  const CameraState before = navigator.camera();
  navigator.handle(key(Kind::kKeyDown, Key::k3, {false, true, false}));
  drag(navigator, MouseButton::kLeft, 200, 30);
  settle(navigator);
  const CameraState moved = navigator.camera();
  tap(navigator, Key::k4);
  expect_same(navigator.camera(), moved);
  tap(navigator, Key::k3);
  expect_same(navigator.camera(), before, 1e-9);
  navigator.forget_bookmark(2);
  EXPECT_FALSE(navigator.bookmarks()[2].has_value());
}

TEST(Navigator, WheelWhileLookingChangesTheSpeed) {
  Navigator navigator = make_navigator();
  const CameraState before = navigator.camera();
  const double speed = navigator.flight_speed();
  navigator.handle(mouse(Kind::kPress, 600, 400, MouseButton::kRight));
  InputEvent wheel = mouse(Kind::kWheel, 600, 400);
  wheel.wheel = 1;
  navigator.handle(wheel);
  navigator.update(0.5);
  EXPECT_NEAR(navigator.flight_speed(), 1.25 * speed, 1e-9);
  expect_same(navigator.camera(), before);
}

TEST(Navigator, ProfilesMapButtonsToDrags) {
  const auto orbit = NavigationMode::kOrbit;
  EXPECT_EQ(drag_of(NavigationProfile::kDefault, orbit, MouseButton::kLeft, {}), Drag::kOrbit);
  EXPECT_EQ(drag_of(NavigationProfile::kDefault, NavigationMode::kFly, MouseButton::kLeft, {}), Drag::kLook);
  EXPECT_EQ(drag_of(NavigationProfile::kDefault, orbit, MouseButton::kMiddle, {false, true, false}), Drag::kDolly);
  EXPECT_EQ(drag_of(NavigationProfile::kDefault, orbit, MouseButton::kRight, {}), Drag::kLook);
  EXPECT_EQ(drag_of(NavigationProfile::kBlender, orbit, MouseButton::kMiddle, {}), Drag::kOrbit);
  EXPECT_EQ(drag_of(NavigationProfile::kBlender, orbit, MouseButton::kMiddle, {true, false, false}), Drag::kPan);
  EXPECT_EQ(drag_of(NavigationProfile::kUnreal, orbit, MouseButton::kLeft, {}), Drag::kLook);
  EXPECT_EQ(drag_of(NavigationProfile::kUnreal, orbit, MouseButton::kLeft, {false, false, true}), Drag::kOrbit);
}

}  // namespace
}  // namespace viewer
