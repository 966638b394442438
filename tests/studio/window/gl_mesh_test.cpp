// A mesh in the built program: made with a dialog, shown, blended, closed.
#include <gtest/gtest.h>

#include "tests/studio/window/window_run.h"
#include "tests/support/generated_objects.h"

namespace {

using test::WindowRun;

TEST(GlMesh, IsMadeOfTheSplatsAndShownOverThem) {
  const splat::test::TempFolder folder;
  const auto object =
      folder.write("object.ply", splat::test::generated_object(splat::test::Generator::kTrellis, 20000));
  WindowRun window({object.string()}, {}, test::settings_with_layout(380));
  SKIP_WITHOUT_DISPLAY(window);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.splats == 20000 && s.settled; }));
  window.click("Make a mesh...");
  const splat::Image8 splats = window.picture();
  window.click("Make it");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mesh > 1000 && s.mesh_drawn && s.settled; }, 120));
  EXPECT_FALSE(window.state()->shown) << "it covers the splats";
  EXPECT_EQ(window.state()->errors, 0);
  EXPECT_GT(test::mean_difference(splats, window.picture()), 0.1);
  window.click("Show the mesh");
  ASSERT_TRUE(window.wait([](const auto& s) { return !s.mesh_drawn && s.shown; })) << "the splats alone";
  window.click("Show the mesh");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mesh_drawn; }));
  window.click("Close mesh");
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mesh == 0 && s.shown && s.splats == 20000; }));
}

TEST(GlMesh, EscapeLeavesTheDialog) {
  const splat::test::TempFolder folder;
  const auto object = folder.write("object.ply", splat::test::generated_object(splat::test::Generator::kLgm, 5000));
  WindowRun window({object.string()}, {}, test::settings_with_layout(380));
  SKIP_WITHOUT_DISPLAY(window);
  ASSERT_TRUE(window.wait([](const auto& s) { return s.splats == 5000 && s.settled; }));
  window.click("Make a mesh...");
  window.input("key Escape");
  window.finish_frame();
  EXPECT_EQ(window.state()->mesh, 0u);
  window.click("Make a mesh...");
  window.input("key Return");  // as its first button
  ASSERT_TRUE(window.wait([](const auto& s) { return s.mesh > 0 && s.mesh_drawn; }, 120));
}

}  // namespace
