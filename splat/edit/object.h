// One of the objects that a scene is edited as: a file that was opened or added, or a part that was separated.
#pragma once

#include <string>

#include "splat/model/transform.h"

namespace splat::edit {

struct Object {
  std::string name;  // UTF-8; empty: it has none yet
  bool visible = true;
  bool locked = false;  // its rows are neither selected nor moved nor deleted
  Similarity placed{};  // where it lies, from where its file has it; a part: from where the file of the whole has it

  friend bool operator==(const Object&, const Object&) = default;
};

}  // namespace splat::edit
