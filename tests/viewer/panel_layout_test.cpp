#include "viewer/panel_layout.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "viewer/window_settings.h"

namespace viewer {
namespace {

// A panel docked beside the scene, two as tabs, and one that floats.
PanelLayout rearranged() {
  PanelLayout layout = usual_layout({280, 350, 150});
  PanelTree panels;
  panels.panels = {"camera", "photos"};
  panels.in_front = "photos";
  panels.size = 220;
  PanelTree docked;
  docked.parts = {panels, layout.docked};
  docked.stacked = true;
  layout.docked = docked;
  layout.floating = {{"display", 40, 50, 300, 200}};
  return layout;
}

TEST(PanelLayout, IsTheSameAfterItWasText) {
  for (const PanelLayout& layout : {usual_layout({}), rearranged()}) {
    const auto back = layout_from_text(layout_text(layout));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, layout);
  }
  WindowSettings settings;
  settings.layout = layout_text(rearranged());
  EXPECT_EQ(settings_from_text(settings_text(settings)), settings);
}

TEST(PanelLayout, ATabThatIsNotThereIsNotInFront) {
  auto text = nlohmann::json::parse(layout_text(rearranged()));
  for (const nlohmann::json& name : {nlohmann::json("display"), nlohmann::json(7)}) {
    text["docked"]["stacked"][0]["in_front"] = name;
    const auto layout = layout_from_text(text.dump());
    ASSERT_TRUE(layout) << name;
    EXPECT_EQ(layout->docked.parts[0].in_front, "");
  }
}

TEST(PanelLayout, SizesOfTheUsualOneAreKnown) {
  const auto sizes = usual_sizes(usual_layout({280, 350, 150}));
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->left, 280);
  EXPECT_EQ(sizes->right, 350);
  EXPECT_EQ(sizes->log, 150);
  EXPECT_FALSE(usual_sizes(rearranged()));
}

TEST(PanelLayout, ABrokenOneIsNone) {
  using nlohmann::json;
  const json good = json::parse(layout_text(rearranged()));
  ASSERT_TRUE(layout_from_text(good.dump()));
  const auto broken = [&](const char* pointer, const json& value) {
    json text = good;
    text[json::json_pointer(pointer)] = value;
    EXPECT_FALSE(layout_from_text(text.dump())) << pointer << " " << value;
  };
  broken("/docked", 3);
  broken("/docked/stacked/0/panels", json::array());
  broken("/docked/stacked/0/panels/1", "camera");  // twice
  broken("/docked/stacked/0/panels/1", "a panel that there is not");
  broken("/docked/stacked/0/panels/1", 7);
  broken("/docked/stacked/0", {{"scene", true}});                // twice
  broken("/docked/stacked/1", {{"panels", {"left", "right"}}});  // no scene, no log
  broken("/docked/stacked/0/size", -5);
  broken("/docked/stacked/0/size", "wide");
  broken("/docked/stacked/0/size", 1e30);
  broken("/docked/stacked", json::array({good["docked"]["stacked"][1]}));
  broken("/floating/0/panel", "left");
  broken("/floating/0/width", 0);
  broken("/floating/0/x", nullptr);
  broken("/floating", "none");
  json deep = good["docked"];
  for (int i = 0; i < 20; ++i) deep = {{"beside", {deep, {{"panels", {"mesh"}}}}}};
  EXPECT_FALSE(layout_from_text(json{{"docked", deep}}.dump()));
  for (const char* text : {"", "[]", "{", "{}", "{\"docked\": {}}", "null"})
    EXPECT_FALSE(layout_from_text(text)) << text;
}

TEST(PanelLayout, SettingsWithAnotherThingInItsPlaceAreReadWithoutIt) {
  EXPECT_EQ(settings_from_text(R"({"layout": 5, "theme": 1})").theme, ThemeChoice::kLight);
  EXPECT_EQ(settings_from_text(R"({"layout": "x"})").layout, "");
}

}  // namespace
}  // namespace viewer
