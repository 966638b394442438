#include "studio/window/window_settings.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <nlohmann/json.hpp>

namespace studio {
namespace {

using nlohmann::json;

// Calls visit(name, field, lowest, highest) for every number and switch.
template <class Settings, class Visitor>
void visit_fields(Settings& s, Visitor&& visit) {
  visit("theme", s.theme, 0, 1);
  visit("interface_scale", s.interface_scale, 0.75, 2);
  visit("width", s.width, 320, 16384);
  visit("height", s.height, 240, 16384);
  visit("maximized", s.maximized, 0, 1);
  visit("left_open", s.left_open, 0, 1);
  visit("right_open", s.right_open, 0, 1);
  visit("log_open", s.log_open, 0, 1);
  visit("layout_scale", s.layout_scale, 0.1, 10);
  visit("renderer", s.renderer, 0, 2);
  visit("show_grid", s.show_grid, 0, 1);
  visit("show_cameras", s.show_cameras, 0, 1);
  visit("camera_photos", s.camera_photos, 0, 1);
  visit("camera_size", s.camera_size, 0.1, 10);
  visit("profile", s.navigation.profile, 0, 2);
  visit("touchpad", s.navigation.touchpad, 0, 1);
  visit("reopen_last", s.reopen_last, 0, 1);
  visit("threads", s.threads, 0, 1024);
  visit("backdrop", s.backdrop, 0, 2);
  visit("selection_colour", s.selection_colour, 0, 4);
  visit("speed", s.navigation.speed, 0.01, 100);
  visit("sensitivity", s.navigation.sensitivity, 0.05, 20);
  visit("invert_y", s.navigation.invert_y, 0, 1);
  visit("fov_y_deg", s.navigation.fov_y_deg, 5, 140);
}

void read_field(const json& value, auto& field, double lowest, double highest) {
  using Field = std::decay_t<decltype(field)>;
  if (value.is_boolean() && std::is_same_v<Field, bool>) field = Field(value.get<bool>());
  if (!value.is_number() || std::is_same_v<Field, bool>) return;
  const double number = value.get<double>();
  if (number >= lowest && number <= highest) field = Field(number);
}

// Low corner, high corner, quaternion.
json box_numbers(const splat::Box& box) {
  json numbers = json::array();
  for (const double value : box.low) numbers.push_back(value);
  for (const double value : box.high) numbers.push_back(value);
  for (const double value : {box.rotation.w, box.rotation.x, box.rotation.y, box.rotation.z}) numbers.push_back(value);
  return numbers;
}

std::optional<splat::Box> box_from(const json& numbers) {
  constexpr size_t kNumbers = 10;
  if (!numbers.is_array() || numbers.size() != kNumbers) return std::nullopt;
  std::array<double, kNumbers> v{};
  for (size_t i = 0; i < kNumbers; ++i) {
    if (!numbers[i].is_number()) return std::nullopt;
    v[i] = numbers[i].get<double>();
  }
  const splat::Box box{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8], v[9]}};
  return splat::is_usable(box) ? std::optional(box) : std::nullopt;
}

}  // namespace

void WindowSettings::add_recent(const std::string& path) {
  std::erase(recent, path);
  recent.insert(recent.begin(), path);
  if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
  opened[path] = std::time(nullptr);
  std::erase_if(opened,
                [this](const auto& one) { return std::find(recent.begin(), recent.end(), one.first) == recent.end(); });
}

void WindowSettings::replace_recent(const std::string& path, const std::string& by) {
  std::erase(recent, path);
  add_recent(by);
}

std::string settings_text(const WindowSettings& settings) {
  json text = json::object();
  visit_fields(settings, [&](const char* name, const auto& field, double, double) {
    using Field = std::decay_t<decltype(field)>;
    if constexpr (std::is_enum_v<Field>)
      text[name] = int(field);
    else
      text[name] = field;
  });
  text["recent"] = settings.recent;
  text["opened"] = settings.opened;
  text["last_folder"] = settings.last_folder;
  if (settings.last_box) text["last_box"] = box_numbers(*settings.last_box);
  text["layout"] = settings.layout;
  return text.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

WindowSettings settings_from_text(const std::string& text) {
  WindowSettings settings;
  const json read = json::parse(text, nullptr, false);
  if (!read.is_object()) return settings;
  visit_fields(settings, [&](const char* name, auto& field, double lowest, double highest) {
    if (read.contains(name)) read_field(read[name], field, lowest, highest);
  });
  if (read.contains("recent") && read["recent"].is_array())
    for (const json& path : read["recent"])
      if (path.is_string() && settings.recent.size() < WindowSettings::kMaxRecent)
        settings.recent.push_back(path.get<std::string>());
  if (read.contains("opened") && read["opened"].is_object())
    for (const auto& [path, time] : read["opened"].items())
      if (time.is_number_integer() && settings.opened.size() < WindowSettings::kMaxRecent)
        settings.opened[path] = time.get<int64_t>();
  if (read.contains("last_folder") && read["last_folder"].is_string())
    settings.last_folder = read["last_folder"].get<std::string>();
  if (read.contains("last_box")) settings.last_box = box_from(read["last_box"]);
  if (read.contains("layout") && read["layout"].is_string()) settings.layout = read["layout"].get<std::string>();
  return settings;
}

}  // namespace studio
