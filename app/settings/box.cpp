#include "app/settings/box.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "io/box_file.h"

namespace app {

using splat::Box;
using splat::Error;

splat::Result<Box> parse_box(const std::string& option, const std::string& text) {
  constexpr size_t kCorners = 6, kTurned = 10;
  std::vector<double> v;
  for (const std::string& part : split_list(text)) {
    const auto value = parse_number(part);
    if (!value) break;
    v.push_back(*value);
  }
  const bool numbers = v.size() == split_list(text).size() && (v.size() == kCorners || v.size() == kTurned);
  if (!numbers && text.ends_with(".json")) {
    auto box = io::read_box_file(text);
    if (!box) return Error{fmt::format("--{}: {}", option, box.error().message)};
    return box;
  }
  if (!numbers)
    return Error{
        fmt::format("--{} needs two opposite corners, x,y,z,x,y,z such as -1,-1,-1,1,1,1, or a .json file that "
                    "the window has saved, not '{}'",
                    option, text)};
  Box box;
  for (size_t c = 0; c < 3; ++c) {
    box.low[c] = std::min(v[c], v[c + 3]);
    box.high[c] = std::max(v[c], v[c + 3]);
  }
  if (v.size() == kTurned) box.rotation = splat::unit_quat({v[6], v[7], v[8], v[9]});
  if (!splat::is_usable(box))
    return Error{fmt::format("--{} needs a box with three sides longer than 0, not '{}'", option, text)};
  return box;
}

std::string text_of(const Box& box) {
  std::string text = fmt::format("{},{}", fmt::join(box.low, ","), fmt::join(box.high, ","));
  const auto& q = box.rotation;
  if (box.turned()) text += fmt::format(",{},{},{},{}", q.w, q.x, q.y, q.z);
  return text;
}

OptionRow box_row(OptionRow row, Box* target) {
  row.is_path = true;
  row.set = [name = row.name, target](const std::string& text) -> splat::Status {
    SPLAT_ASSIGN_OR_RETURN(*target, parse_box(name, text));
    return {};
  };
  row.get = [target] { return target->empty() ? nlohmann::json() : nlohmann::json(text_of(*target)); };
  return row;
}

}  // namespace app
