#include "io/json.h"

#include <algorithm>

#include "io/names.h"
#include "io/text.h"

namespace io {

using nlohmann::json;

namespace {

constexpr int kDeepest = 64;  // levels; our formats have 5. Deeper text only wastes memory
struct TooDeep {};

// nlohmann's text without its prefix "[json.exception.parse_error.101] parse error at line 1, column 2: ".
std::string reason_of(const json::exception& exception) {
  std::string text = exception.what();
  const size_t bracket = text.find("] ");
  if (bracket != std::string::npos) text.erase(0, bracket + 2);
  const size_t colon = text.find(": ");
  if (text.rfind("parse error", 0) == 0 && colon != std::string::npos) text.erase(0, colon + 2);
  const std::string clean = in_quotes(text);
  return clean.substr(1, clean.size() - 2);
}

}  // namespace

Result<json> parse_json(std::string_view text, const std::string& name) {
  SPLAT_ASSIGN_OR_RETURN(text, as_utf8(text, name));
  if (trimmed(text).empty()) return Error{"'" + name + "' is empty"};
  const auto guard = [](int depth, json::parse_event_t, json&) {
    if (depth > kDeepest) throw TooDeep{};
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), guard, true, true);
  } catch (const json::parse_error& error) {
    const auto begin = text.begin(), end = begin + ptrdiff_t(std::min(error.byte, text.size()));
    return Error{"'" + name + "', line " + std::to_string(1 + std::count(begin, end, '\n')) +
                 ": not valid JSON: " + reason_of(error)};
  } catch (const json::exception& error) {
    return Error{"'" + name + "' is not usable JSON: " + reason_of(error)};
  } catch (const TooDeep&) {
    return Error{"'" + name + "' nests deeper than " + std::to_string(kDeepest) +
                 " levels: this is not a file of this kind"};
  }
}

}  // namespace io
