#include "align/record.h"

#include <cstdio>

#include "io/atomic_file.h"
#include "io/bytes.h"
#include "io/json.h"

namespace align {

using nlohmann::json;
using splat::Status;

Stamp& Stamp::add(std::string_view text) {
  hash_.add(text);
  hash_.add({"\0", 1});  // a separator: "ab", "c" and "a", "bc" hash differently
  return *this;
}

std::string Stamp::text() const {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value()));
  return text;
}

AlignRecord::AlignRecord(std::filesystem::path file)
    : file_(std::move(file)), json_(std::make_unique<json>(json::object())) {
  const auto text = io::read_file(file_);
  if (!text) return;
  const auto parsed = io::parse_json(*text, file_.string());
  if (parsed && parsed->is_object() && parsed->value("stages", json::object()).is_object()) *json_ = *parsed;
}

AlignRecord::~AlignRecord() = default;

bool AlignRecord::empty() const { return !json_->contains("stages"); }

bool AlignRecord::begun(Stage stage, const Stamp& stamp) const {
  const auto stages = json_->find("stages");
  if (stages == json_->end()) return false;
  const auto entry = stages->find(name_of(stage));
  return entry != stages->end() && entry->is_object() && entry->value("stamp", json()) == stamp.text();
}

bool AlignRecord::done(Stage stage, const Stamp& stamp) const {
  return begun(stage, stamp) && (*json_)["stages"][name_of(stage)].value("done", json()) == true;
}

Status AlignRecord::begin(Stage stage, const Stamp& stamp) {
  json& stages = (*json_)["stages"];
  stages[name_of(stage)] = {{"stamp", stamp.text()}, {"done", false}};
  for (int later = int(stage) + 1; later < kStages; ++later) stages.erase(name_of(Stage(later)));
  return write();
}

Status AlignRecord::finish(Stage stage, const Stamp& stamp, double seconds) {
  (*json_)["stages"][name_of(stage)] = {{"stamp", stamp.text()}, {"done", true}, {"seconds", seconds}};
  return write();
}

Status AlignRecord::set(const std::string& key, const std::string& value) {
  (*json_)[key] = value;
  return write();
}

std::string AlignRecord::get(const std::string& key) const {
  const auto entry = json_->find(key);
  return entry != json_->end() && entry->is_string() ? entry->get<std::string>() : std::string();
}

Status AlignRecord::set_result(const AlignReport& report) {
  (*json_)["result"] = {{"photos", report.photos},
                        {"registered", report.registered},
                        {"missing", report.missing},
                        {"points", report.points},
                        {"reprojection_error_px", report.reprojection_error_px},
                        {"track_length", report.track_length}};
  return write();
}

std::vector<std::string> AlignRecord::missing() const {
  std::vector<std::string> names;
  const json result = json_->value("result", json::object());
  if (!result.is_object() || !result.contains("missing") || !result["missing"].is_array()) return names;
  for (const json& name : result["missing"])
    if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

Status AlignRecord::write() const {
  return io::write_file_atomically(file_, json_->dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace align
