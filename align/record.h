// align.json: which stages are done, each with the stamp of what it was made from, and how the alignment went. Written
// whole at every change.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "align/align.h"
#include "splat/core/fnv1a.h"

namespace align {

// A hash that chains: of everything a stage depends on.
class Stamp {
 public:
  Stamp& add(std::string_view text);
  Stamp& add(int64_t value) { return add(std::to_string(value)); }
  uint64_t value() const { return hash_.value(); }
  std::string text() const;

 private:
  splat::Fnv1a hash_;
};

class AlignRecord {
 public:
  explicit AlignRecord(std::filesystem::path file);  // reads the file if it exists; a damaged one counts as empty
  ~AlignRecord();
  AlignRecord(const AlignRecord&) = delete;
  AlignRecord& operator=(const AlignRecord&) = delete;

  bool done(Stage stage, const Stamp& stamp) const;
  bool begun(Stage stage, const Stamp& stamp) const;     // with these inputs, whether finished or not
  splat::Status begin(Stage stage, const Stamp& stamp);  // invalidates the stages that depend on it
  splat::Status finish(Stage stage, const Stamp& stamp, double seconds);
  bool empty() const;  // no stage has begun here
  splat::Status set(const std::string& key, const std::string& value);
  std::string get(const std::string& key) const;  // empty: not set
  splat::Status set_result(const AlignReport& report);
  std::vector<std::string> missing() const;  // of the result

 private:
  splat::Status write() const;
  std::filesystem::path file_;
  std::unique_ptr<nlohmann::json> json_;
};

}  // namespace align
