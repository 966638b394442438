// Settings of a run that have no control of their own, by mouse and keys in the built program.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/studio/window/window_run.h"
#include "tests/support/test_paths.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

constexpr int kRunning = 2;  // studio::RunStatus

TEST(GlSettings, ASettingThatIsFoundByItsNameIsTheRuns) {
  const splat::test::TempFolder folder;  // results go beside the dataset
  const fs::path dataset = folder.path() / "demo";
  fs::copy(test_paths::source() / "assets/demo", dataset, fs::copy_options::recursive);
  WindowRun run({dataset.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.photos == 32; }));
  run.click("Settings");
  run.input("key ctrl+shift+p sleep 1 type --delay 60 'all settings'");
  run.input("sleep 0.5 key Return");
  const auto shown = [&](const std::string& button) {
    return run.wait([&](const auto&) { return run.trace_text().find("\nbutton " + button) != std::string::npos; });
  };
  ASSERT_TRUE(shown("Close###close_settings"));
  // Its places are those of the list before and after the search: the last one counts.
  const auto first = run.place_of("images");
  run.input("sleep 0.5 type --delay 60 'rate of opacity'");
  const auto found = [&] {  // all else is gone
    const auto at = run.place_of("opacity-rate");
    return first && at && (*at)[1] < (*first)[1] + 60;
  };
  ASSERT_TRUE(run.wait([&](const auto&) { return found(); })) << "found by its name in words";
  run.click("opacity-rate");
  run.input("sleep 0.5 type --delay 60 '0.0625e'");
  ASSERT_TRUE(run.wait([&](const auto&) { return run.place_of("problem of opacity-rate").has_value(); }))
      << "said at the field";
  run.input("key BackSpace");
  run.input("sleep 0.5 key Return sleep 0.5");
  ASSERT_TRUE(shown("All settings... (1 changed)###all_settings"));
  run.input("key Escape");
  run.finish_frame();
  run.input("key ctrl+t");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.training == kRunning && s.iteration >= 1; }, 120));
  std::ifstream file(folder.path() / "demo_splats/config.json");
  const auto config = nlohmann::json::parse(file);
  EXPECT_DOUBLE_EQ(config.value("opacity_rate", 0.0), 0.0625) << config.dump();
  run.input("key ctrl+q sleep 0.5 key Return");
  EXPECT_EQ(run.wait_for_end(120), 0);
}

}  // namespace
