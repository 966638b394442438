#include "align/record.h"

#include <cstdio>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"

namespace align {

using nlohmann::json;
using splat::Status;

Stamp& Stamp::add(std::string_view text) {
  const auto mix = [this](uint8_t byte) { hash_ = (hash_ ^ byte) * 1099511628211ull; };  // FNV-1a
  for (const char c : text) mix(uint8_t(c));
  mix(0);
  return *this;
}

std::string Stamp::text() const {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash_));
  return text;
}

AlignRecord::AlignRecord(std::filesystem::path file) : file_(std::move(file)), json_(json::object()) {
  const auto text = io::read_file(file_);
  if (!text) return;
  const auto parsed = io::parse_json(*text, file_.string());
  if (parsed && parsed->is_object() && parsed->value("stages", json::object()).is_object()) json_ = *parsed;
}

bool AlignRecord::begun(Stage stage, const Stamp& stamp) const {
  const auto stages = json_.find("stages");
  if (stages == json_.end()) return false;
  const auto entry = stages->find(name_of(stage));
  return entry != stages->end() && entry->is_object() && entry->value("stamp", json()) == stamp.text();
}

bool AlignRecord::done(Stage stage, const Stamp& stamp) const {
  return begun(stage, stamp) && json_["stages"][name_of(stage)].value("done", json()) == true;
}

Status AlignRecord::begin(Stage stage, const Stamp& stamp) {
  json_["stages"][name_of(stage)] = {{"stamp", stamp.text()}, {"done", false}};
  return write();
}

Status AlignRecord::finish(Stage stage, const Stamp& stamp, double seconds) {
  json_["stages"][name_of(stage)] = {{"stamp", stamp.text()}, {"done", true}, {"seconds", seconds}};
  return write();
}

Status AlignRecord::set(const std::string& key, nlohmann::json value) {
  json_[key] = std::move(value);
  return write();
}

Status AlignRecord::write() const {
  return io::write_file_atomically(file_, json_.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace align
