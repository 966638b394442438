// Nothing jumps: whatever is pressed on a page, at random, every control stays where it is. And the tools as icons.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/studio/window/gl_edit.h"
#include "tests/support/test_paths.h"

namespace {

using test::GlEdit;
using test::WindowRun;
using test::WindowState;

constexpr size_t kPresses = 200;
using Places = std::map<std::string, std::array<int, 2>>;

// As the trace says, from its byte `from` on.
Places places_in(const std::string& trace, size_t from) {
  Places places;
  std::istringstream lines(trace.substr(from));
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.rfind(" at ");
    if (line.rfind("button ", 0) != 0 || at == std::string::npos) continue;
    std::array<int, 2> place{};
    std::istringstream(line.substr(at + 4)) >> place[0] >> place[1];
    places[line.substr(7, at - 7)] = place;
  }
  return places;
}

// What is drawn at a place of the scene moves with it; and what two tools or a dialog have, too, goes by one name here.
bool may_move(const std::string& name) {
  return name == "Gizmo" || name.rfind("Face ", 0) == 0 || name == "Apply" || name == "Cancel";
}

// Half of what is pressed are keys, half are clicks on controls by their names, some at a time.
void press_at_random(WindowRun& run, const std::vector<std::string>& keys, const std::vector<std::string>& buttons) {
  constexpr size_t kAtATime = 5;
  std::mt19937 random(7);
  run.finish_frame();
  Places places = places_in(run.trace_text(), 0);
  std::string words;
  size_t before = run.trace_text().size();
  for (size_t press = 0; press < kPresses; ++press) {
    const auto& from = press % 2 == 0 ? keys : buttons;
    const std::string& what = from[random() % from.size()];
    if (press % 2 == 0) {
      words += " key " + what;
    } else {
      ASSERT_TRUE(places.contains(what)) << "no control is called '" << what << "'";
      words += " mousemove " + std::to_string(places[what][0]) + " " + std::to_string(places[what][1]) + " click 1";
    }
    words += " sleep 0.05";
    if ((press + 1) % kAtATime != 0) continue;
    run.input(words);
    run.finish_frame();
    for (const auto& [name, place] : places_in(run.trace_text(), before)) {
      const auto known = places.insert({name, place}).first;
      if (may_move(name)) continue;
      EXPECT_EQ(known->second, place) << words << " moved '" << name << "'";
    }
    before = run.trace_text().size();
    words.clear();
  }
  EXPECT_EQ(run.state()->errors, 0);
}

class GlPlaces : public GlEdit {};

// Nothing is deleted: an object of which nothing is left is no longer listed.
TEST_F(GlPlaces, OfTheEditModeStayWhateverIsPressed) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  press_at_random(
      run,
      {"r",
       "l",
       "p",
       "b",
       "c",
       "o",
       "n",
       "y",
       "t",
       "j",
       "m",
       "u",
       "v",
       "x",
       "i",
       "h",
       "k",
       "shift+h",
       "shift+k",
       "plus",
       "minus",
       "ctrl+a",
       "ctrl+shift+a",

       "ctrl+z",
       "ctrl+shift+z",
       "space",
       "bracketright"},
      {"Rectangle R", "Lasso L",   "Polygon P", "Brush B", "Colour C", "Flood O", "Sphere N", "Box Y", "Transform T",
       "Crop box J",  "Measure M", "Align U",   "Look V",  "Undo",     "Redo",    "All",      "None",  "Invert I",
       "Grow +",      "Shrink -",  "Hide H",    "Lock K",  "Unhide",   "Unlock",  "Orbit",    "Fly"});
}

TEST_F(GlPlaces, OfAPageOfSplatsStayWhateverIsPressed) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.settled; }));
  press_at_random(run, {"f", "h", "l", "v", "g", "ctrl+1", "1", "ctrl+2", "2", "KP_5", "Home", "plus", "minus", "w"},
                  {"Orbit", "Fly", "Frame##overlay", "Ortho##overlay", "Axes", "Start view", "Level", "1", "2", "3"});
}

TEST_F(GlPlaces, OfADatasetStayWhateverIsPressed) {
  WindowRun run({(test_paths::source() / "assets/demo").string()});
  SKIP_WITHOUT_DISPLAY(run);
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.settled && s.photos > 0; }));
  press_at_random(run, {"f", "h", "l", "v", "g", "bracketright", "bracketleft", "KP_5", "Home", "w"},
                  {"Orbit", "Fly", "Frame##overlay", "Ortho##overlay", "Axes", "Start view", "Level", "0", "3"});
}

TEST_F(GlPlaces, AToolIsChosenByItsIconAndByTheKeyboard) {
  WindowRun run({scene_.string()});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  ASSERT_EQ(run.state()->tool, "Rectangle");
  run.click("Lasso L");
  ASSERT_TRUE(run.wait([](const WindowState& s) { return s.tool == "Lasso"; }));
  run.input("key F6 sleep 0.3 key F6 sleep 0.3 key F6 sleep 0.3 key Down sleep 0.3 key Down sleep 0.3 key space");
  EXPECT_TRUE(run.wait([](const WindowState& s) { return s.tool == "Polygon"; }, 20)) << "the third of the bar";
  run.input("key Escape sleep 0.3 key b");
  EXPECT_TRUE(run.wait([](const WindowState& s) { return s.tool == "Brush"; }, 20)) << "keys are the scene's again";
}

class GlPlacesOfFields : public GlPlaces, public testing::WithParamInterface<std::array<int, 2>> {};

// Also below a long list of steps, over which they are drawn.
TEST_P(GlPlacesOfFields, OfTheToolAreInSight) {
  WindowRun run({scene_.string()}, {}, "", GetParam());
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  run.click("History");
  ASSERT_TRUE(run.wait([&](const WindowState&) { return run.place_of("step 0").has_value(); }));
  const std::vector<const char*> others{"Undo", "Delete", "Save edited splats...", "Done", "Objects", "History"};
  std::vector<std::optional<std::array<int, 2>>> before;
  for (const char* name : others) before.push_back(run.place_of(name));
  run.input("key j");
  ASSERT_TRUE(run.wait([&](const WindowState& s) { return s.crop[3] > 0 && run.place_of("Turned"); }));
  run.finish_frame();
  const WindowState s = *run.state();
  for (const char* name : {"Crop box", "All##box", "Middle", "Sides", "Turned"}) {
    const auto place = run.place_of(name);
    ASSERT_TRUE(place) << name;
    EXPECT_LT((*place)[1] + 12, s.y + s.height) << name;
  }
  EXPECT_EQ(s.crop_turn, 0);
  run.click("Turned");
  run.input("key ctrl+a type --delay 60 '30'");
  run.input("key Return");
  EXPECT_TRUE(run.wait([](const WindowState& now) { return now.crop_turn > 0.1; }, 20)) << "what it covers is beneath";
  for (size_t i = 0; i < others.size(); ++i) {
    ASSERT_TRUE(before[i]) << others[i];
    EXPECT_EQ(run.place_of(others[i]), before[i]) << others[i];
  }
}
INSTANTIATE_TEST_SUITE_P(In, GlPlacesOfFields,
                         testing::Values(std::array{WindowRun::kWidth, WindowRun::kHeight}, std::array{900, 600}));

TEST_F(GlPlaces, ToolsAndViewButtonsAreAllThereInASmallWindow) {
  WindowRun run({scene_.string()}, {}, "", {480, 320});
  SKIP_WITHOUT_DISPLAY(run);
  begin(run);
  const WindowState s = *run.state();
  for (const char* name : {"Rectangle R", "Look V", "Clean up tool"}) {
    const auto place = run.place_of(name);
    ASSERT_TRUE(place) << name;
    EXPECT_LT((*place)[0], s.x) << name << " lies at the scene's edge";
    EXPECT_LT((*place)[1], s.y + s.height) << name;
  }
  for (const char* name : {"Orbit", "Full screen"}) {
    const auto place = run.place_of(name);
    ASSERT_TRUE(place) << name;
    EXPECT_GE((*place)[0], s.x) << name;
    EXPECT_LT((*place)[0], s.x + s.width) << name;
  }
}

}  // namespace
