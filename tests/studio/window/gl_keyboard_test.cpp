// The window by keyboard alone: no press is lost, dialogs end by Escape and Enter, widgets are reached.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <set>
#include <thread>

#include "io/io.h"
#include "splat/bench/bench_scene.h"
#include "tests/studio/window/window_run.h"

namespace {

namespace fs = std::filesystem;
using test::WindowRun;

class GlKeyboard : public testing::Test {
 protected:
  fs::path write_scene(const std::string& name) const {
    fs::path path = folder_.path() / name;
    EXPECT_TRUE(io::write_splat_file(path, splat::bench::make_scene({2000, 400, 300}).model).ok());
    return path;
  }
  splat::test::TempFolder folder_;
};

// Ten presses of 5 ms in every frame of 200 ms: the program stands still meanwhile.
TEST_F(GlKeyboard, AHundredShortPressesInLongFramesArrive) {
  constexpr auto kFrame = std::chrono::milliseconds(200);
  std::string letters;
  for (int i = 0; i < 96; ++i) letters += char('a' + (i * 7) % 26);
  const std::string name = letters + ".ply";
  write_scene(name);
  WindowRun run({}, {{"PWD", folder_.path().string()}});
  SKIP_WITHOUT_DISPLAY(run);
  run.click("Open...");
  run.input("sleep 1 type --delay 60 '" + folder_.path().string() + "'");
  run.input("sleep 1 key Return sleep 1");
  for (size_t from = 0; from < name.size(); from += 10) {
    kill(run.process(), SIGSTOP);
    run.input("type --delay 5 '" + name.substr(from, 10) + "'");
    std::this_thread::sleep_for(kFrame);
    kill(run.process(), SIGCONT);
    std::this_thread::sleep_for(kFrame);
  }
  run.input("sleep 1 key Return");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.splats == 2000; }, 20)) << "the name must be right in every letter";
}

TEST_F(GlKeyboard, AFieldGoesOnTakingLettersAfterAnEnterThatWasRefused) {
  write_scene("scene.ply");
  WindowRun run({});
  SKIP_WITHOUT_DISPLAY(run);
  run.click("Open...");
  run.input("sleep 1 type --delay 60 '/nowhere/at/all.ply'");
  run.input("sleep 0.5 key Return sleep 1 key ctrl+a");
  run.input("type --delay 60 '" + (folder_.path() / "scene.ply").string() + "'");
  run.input("sleep 0.5 key Return");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.splats == 2000; }, 20));
}

TEST_F(GlKeyboard, TheFirstPageAndTheMenusAreReached) {
  for (const char* keys : {"key Tab sleep 0.5 key Return", "key F10 sleep 0.5 key Return sleep 0.5 key Return",
                           "key Alt_L sleep 0.5 key Return sleep 0.5 key Return"}) {
    WindowRun run({}, {{"PWD", folder_.path().string()}});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "000"; }));
    run.input("sleep 1 " + std::string(keys) + " sleep 1");
    EXPECT_NE(run.trace_text().find("\nbutton New folder at "), std::string::npos) << "the dialog of files: " << keys;
  }
}

TEST_F(GlKeyboard, AltAloneLeadsToTheMenusAndBack) {
  WindowRun run({write_scene("scene.ply").string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.finish_frame();
  const auto before = run.place_of("Camera");
  run.click("Display");  // from a panel, too: this folds a section of one
  ASSERT_TRUE(run.wait([&](const auto&) { return run.place_of("Camera") != before; }));
  for (const char* key : {"Alt_L", "F10"}) {
    run.input("key " + std::string(key));
    ASSERT_TRUE(run.wait([](const auto& s) { return s.focus == "?"; })) << key;
    run.input("key " + std::string(key));
    ASSERT_TRUE(run.wait([](const auto& s) { return s.focus.empty(); })) << key;
  }
}

TEST_F(GlKeyboard, AltWithSomethingElseLeadsToNoMenu) {
  WindowRun run({write_scene("scene.ply").string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled && s.panels == "100"; }));
  const std::string middle = std::to_string(run.state()->x + run.state()->width / 2) + " 300 ";
  run.input("mousemove " + middle);
  std::string panels = "000";
  for (const char* input :
       {"keydown Alt_L click 4 keyup Alt_L", "keydown Alt_L mousedown 1 mousemove_relative 20 0 mouseup 1 keyup Alt_L",
        "mousedown 2 key Alt_L mouseup 2", "keydown Alt_L key w keyup Alt_L", "keydown w sleep 0.3 key Alt_L keyup w",
        "keydown Alt_L key Shift_L keyup Alt_L", "keydown Shift_L key Alt_L keyup Shift_L"}) {
    run.input(std::string(input) + " key Tab");  // in the menus it would be theirs
    ASSERT_TRUE(run.wait([&](const auto& s) { return s.settled && s.panels == panels; }, 20)) << input;
    panels = panels == "000" ? "100" : "000";
  }
}

// What is passed by Tab, `steps` times.
std::set<std::string> walked(WindowRun& run, int steps) {
  std::set<std::string> names;
  for (int i = 0; i < steps; ++i) {
    run.input("key Tab sleep 0.5");
    names.insert(run.state()->focus);
  }
  return names;
}

TEST_F(GlKeyboard, EveryControlOfTheFirstPageIsReachedAndHasAName) {
  const std::string scene = write_scene("scene.ply").string();
  WindowRun run({}, {}, "{\"recent\": [\"" + scene + "\"]}");
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.panels == "000"; }));
  run.input("sleep 1");
  EXPECT_EQ(walked(run, 5),
            (std::set<std::string>{"Open...", "Open_folder...", "Try_the_demo", "recent_scene.ply", "device"}));
}

TEST_F(GlKeyboard, EveryPreferenceIsReachedAndHasAName) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("key ctrl+comma sleep 1");
  const std::set<std::string> names = walked(run, 18);
  for (const char* name : {"Theme", "Size", "Behind_the_scene", "Selection", "Drawn_by", "Mouse_as_in", "Touchpad",
                           "Sensitivity", "Reopen_the_last_scene", "Threads", "Reset_layout"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_FALSE(names.contains("?"));
  EXPECT_FALSE(names.contains(""));
}

TEST_F(GlKeyboard, ADialogThatKeysHaveOpenedBeginsAtItsMainButton) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("key F6 sleep 0.5 key space sleep 1");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.focus == "Save_as..."; }, 10)) << run.state()->focus;
}

TEST_F(GlKeyboard, EscapeAndEnterEndDialogs) {
  const fs::path broken = folder_.write("broken.ply", "ply\nformat ascii 1.0\nnonsense\n");
  for (const char* key : {"Escape", "Return"}) {
    WindowRun run({broken.string()});
    SKIP_WITHOUT_DISPLAY(run);
    ASSERT_TRUE(run.wait([](const auto& s) { return s.errors == 1; }));
    run.input("sleep 0.5 key " + std::string(key));
    EXPECT_TRUE(run.wait([](const auto& s) { return s.errors == 0; }, 10)) << key;
  }
}

TEST_F(GlKeyboard, EscapeEndsTheFileDialog) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("key ctrl+o sleep 1 key Escape sleep 1 key F2");  // F2 has no effect while a dialog is open
  EXPECT_TRUE(run.wait([](const auto& s) { return s.panels == "000"; }, 10));
}

std::string place_of(const WindowRun& run, const std::string& button) {
  const std::string text = run.trace_text(), start = "\nbutton " + button + " at ";
  const size_t at = text.rfind(start);
  return at == std::string::npos ? "" : text.substr(at + start.size(), text.find('\n', at + 1) - at - start.size());
}

TEST_F(GlKeyboard, WidgetsAreReached) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.finish_frame();
  const std::string before = place_of(run, "Camera");
  ASSERT_FALSE(before.empty());
  run.input("key F6 sleep 0.5 key Down sleep 0.3 key space sleep 0.5");  // folds Display: what is below moves up
  run.finish_frame();
  EXPECT_NE(place_of(run, "Camera"), before);
  EXPECT_EQ(run.state()->panels, "100");
  run.input("key Escape sleep 0.3 key Escape sleep 0.3 key Tab");  // back in the scene
  EXPECT_TRUE(run.wait([](const auto& s) { return s.panels == "000"; }, 10));
}

TEST_F(GlKeyboard, ThePaletteDoesWhatIsTyped) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("key ctrl+shift+p sleep 1 type --delay 60 'hide log'");
  run.input("sleep 0.5 key Return");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.panels == "101"; }, 10));
  run.input("sleep 0.5 key F2");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.panels == "001"; }, 10)) << "the palette has closed";
}

// A dialog that the palette opens ends by Enter as one that a key has opened: by its main button.
TEST_F(GlKeyboard, EnterAfterThePaletteIsTheDialogsMainButton) {
  const fs::path path = write_scene("scene.ply"), copy = folder_.path() / "scene-copy.ply";
  WindowRun run({path.string()}, {}, "{\"last_folder\": \"" + folder_.path().string() + "\"}");
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("key ctrl+shift+p sleep 1 type --delay 60 'save splats'");
  run.input("sleep 0.5 key Return");
  for (int i = 0; i < 12 && !fs::exists(copy); ++i) run.input("sleep 0.7 key Return");
  EXPECT_TRUE(fs::exists(copy)) << "for the format's dialog and for the file dialog";
}

TEST_F(GlKeyboard, WhatIsTypedTakesThePlaceOfWhatIsSelected) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("key ctrl+shift+p");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.typed == "="; }));
  run.input("type --delay 60 'something'");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.typed == "=something"; }, 10));
  run.input("key ctrl+a type --delay 60 'else'");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.typed == "=else"; }, 10)) << run.state()->typed;
}

TEST_F(GlKeyboard, F11ShowsTheSceneAloneAndTabThePanels) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled && s.panels == "100"; }));
  run.input("search --name hipsplat windowsize 600 500");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.x + s.width == 600; }, 10));
  const auto all = [](const auto& s) {
    return s.alone && s.x == 0 && s.y == 0 && s.width == WindowRun::kWidth && s.height == WindowRun::kHeight;
  };
  run.input("key F11");
  ASSERT_TRUE(run.wait(all, 10));
  run.input("key Tab");
  ASSERT_TRUE(run.wait([](const auto& s) { return !s.alone && s.panels == "100" && s.y > 0; }, 10));
  run.input("key Tab");
  ASSERT_TRUE(run.wait(all, 10));
  run.input("key F11");
  EXPECT_TRUE(run.wait([](const auto& s) { return !s.alone && s.panels == "100" && s.x + s.width == 600; }, 10));
}

TEST_F(GlKeyboard, F11FillsTheScreenAndBack) {
  const fs::path path = write_scene("scene.ply");
  WindowRun run({path.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const auto& s) { return s.settled; }));
  run.input("search --name hipsplat windowsize 600 500");
  ASSERT_TRUE(run.wait([](const auto& s) { return s.x + s.width == 600; }, 10));
  run.input("key F11");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.x + s.width == WindowRun::kWidth; }, 10));
  run.input("key F11");
  EXPECT_TRUE(run.wait([](const auto& s) { return s.x + s.width == 600; }, 10));
}

}  // namespace
