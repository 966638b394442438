#include "io/reconstruction/left_out.h"

#include "io/text.h"

namespace io {

void LeftOut::add(const std::string& kind, const std::string& name, const std::string& why) {
  constexpr size_t kShown = 3;  // names: with a reason behind them the sentence is long enough
  Parts& parts = parts_[kind];
  if (parts.count++ == 0) parts.first_reason = why;
  if (parts.names.size() < kShown) parts.names.push_back(name);
}

size_t LeftOut::count(const std::string& kind) const {
  const auto parts = parts_.find(kind);
  return parts == parts_.end() ? 0 : parts->second.count;
}

const std::string& LeftOut::first_reason(const std::string& kind) const { return parts_.at(kind).first_reason; }

void LeftOut::report(std::vector<std::string>& warnings) const {
  for (const auto& [kind, parts] : parts_) {
    std::string line = std::to_string(parts.count) + " " + kind;
    line += parts.count == 1 ? " cannot be used and is left out: " : "s cannot be used and are left out: ";
    for (size_t i = 0; i < parts.names.size(); ++i) line += (i ? ", " : "") + in_quotes(parts.names[i]);
    if (parts.count > parts.names.size()) line += " and " + std::to_string(parts.count - parts.names.size()) + " more";
    warnings.push_back(line + (parts.count == 1 ? " (" : " (the first: ") + parts.first_reason + ")");
  }
}

}  // namespace io
