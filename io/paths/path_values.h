// Numbers out of the JSON of camera paths. Internal to io/paths.
#pragma once

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "io/reconstruction/reconstruction.h"
#include "splat/core/result.h"

namespace io {

// A member of an object; errors say where it stands ("'path.json': key 3").
class PathValues {
 public:
  PathValues(const nlohmann::json& object, std::string where) : object_(object), where_(std::move(where)) {}

  PathValues(nlohmann::json&& gone, std::string where) = delete;

  const nlohmann::json* find(const char* name) const {
    if (!object_.is_object()) return nullptr;
    const auto it = object_.find(name);
    return it == object_.end() || it->is_null() ? nullptr : &*it;
  }
  splat::Error error(const std::string& problem) const { return {where_ + ": " + problem}; }

  splat::Result<double> number(const char* name) const {
    const nlohmann::json* value = find(name);
    if (!value || !usable(*value)) return error(std::string("'") + name + "' is missing or not a finite number");
    return value->get<double>();
  }
  splat::Result<double> number_or(const char* name, double otherwise) const {
    if (!find(name)) return otherwise;
    return number(name);
  }
  splat::Result<bool> flag(const char* name) const {  // false where there is none
    const nlohmann::json* value = find(name);
    if (value && !value->is_boolean()) return error(std::string("'") + name + "' is neither true nor false");
    return value && value->get<bool>();
  }
  // Numbers [first, first + kCount) of a list that holds at least those.
  template <size_t kCount>
  splat::Result<std::array<double, kCount>> numbers(const char* name, size_t first = 0) const {
    const nlohmann::json* value = find(name);
    std::array<double, kCount> read{};
    bool good = value && value->is_array() && value->size() >= first + kCount;
    for (size_t i = 0; good && i < kCount; ++i) {
      good = usable((*value)[first + i]);
      if (good) read[i] = (*value)[first + i].get<double>();
    }
    if (!good) return error(std::string("'") + name + "' is missing or not made of finite numbers");
    return read;
  }
  // 12 or 16 numbers in a row, or in rows of four, or such a list as text (three.js); the last row is 0 0 0 1 where it
  // is not given.
  splat::Result<std::array<double, 16>> matrix(const char* name) const {
    const nlohmann::json* value = find(name);
    const splat::Error unusable = error(std::string("'") + name + "' is missing or not made of finite numbers");
    nlohmann::json parsed, flat = nlohmann::json::array();
    if (value && value->is_string()) {
      parsed = nlohmann::json::parse(value->get_ref<const std::string&>(), nullptr, false);
      value = &parsed;
    }
    if (!value || !value->is_array() || value->size() > 16) return unusable;
    for (const nlohmann::json& row : *value) {
      if (row.is_array() && row.size() != 4) return unusable;
      if (row.is_array())
        flat.insert(flat.end(), row.begin(), row.end());
      else
        flat.push_back(row);
    }
    if (flat.size() != 12 && flat.size() != 16) return unusable;
    std::array<double, 16> read{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    for (size_t i = 0; i < flat.size(); ++i) {
      if (!usable(flat[i])) return unusable;
      read[i] = flat[i].get<double>();
    }
    return read;
  }

 private:
  static bool usable(const nlohmann::json& value) {
    return value.is_number() && std::abs(value.get<double>()) <= kMaxCoordinate;
  }

  const nlohmann::json& object_;
  std::string where_;
};

}  // namespace io
