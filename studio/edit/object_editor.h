// What is typed for the object that is looked at in the list of objects.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "studio/names.h"

namespace studio {

struct ObjectEditor {
  std::optional<uint32_t> looked_at;  // the one that was clicked last
  bool into_view = false;             // what is known of it, with the next frame
  bool renames = false;               // its name is to be typed, likewise
  std::array<char, 256> name{};       // ends in 0
  std::array<double, 3> position{}, turn_deg{};
  double scale = 1;
  uint64_t read_from = 0;           // EditMode::scenes that these were taken from
  std::optional<uint32_t> read_of;  // and the object
};

}  // namespace studio
