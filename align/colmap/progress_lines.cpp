#include "align/colmap/progress_lines.h"

#include <array>

#include "io/text.h"

namespace align {

namespace {

// "I20261122 10:27:53.236408 1403 file.cc:270] text" -> "text"
std::string_view without_prefix(std::string_view line) {
  if (line.size() > 1 && std::string_view("IWEF").find(line[0]) != std::string_view::npos && line[1] >= '0' &&
      line[1] <= '9') {
    const size_t end = line.find("] ");
    if (end != std::string_view::npos) line.remove_prefix(end + 2);
  }
  return line;
}

// The numbers in the text, in order.
template <size_t kCount>
size_t numbers_in(std::string_view text, std::array<size_t, kCount>& numbers) {
  size_t found = 0;
  for (size_t at = 0; at < text.size() && found < kCount;) {
    size_t end = at;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end > at) found += io::parse_number(text.substr(at, end - at), numbers[found]) ? 1 : 0;
    at = end + 1;
  }
  return found;
}

std::optional<ColmapLine> parse_block(std::string_view text) {
  std::array<size_t, 4> n{};
  const size_t count = numbers_in(text.substr(0, text.find(']')), n);
  if (count == 4 && n[0] > 0 && n[2] > 0)  // "Matching block [a/b, c/b]": rows of blocks
    return ColmapLine{ColmapLine::kBlock, (n[0] - 1) * n[3] + n[2] - 1, n[1] * n[3], 0, {}};
  if (count == 2 && n[0] > 0) return ColmapLine{ColmapLine::kBlock, n[0] - 1, n[1], 0, {}};
  return std::nullopt;
}

std::optional<ColmapLine> parse_registering(std::string_view text) {
  std::array<size_t, 2> n{};
  if (numbers_in(text, n) != 2) return std::nullopt;
  const bool counts_itself = text.find("num_reg_frames") == std::string_view::npos;  // 3.8
  return ColmapLine{ColmapLine::kRegistering, counts_itself && n[1] > 0 ? n[1] - 1 : n[1], 0, n[0], {}};
}

}  // namespace

std::optional<ColmapLine> parse_colmap_line(std::string_view line) {
  const std::string_view text = io::trimmed(without_prefix(line));
  const auto after = [&](std::string_view begin) { return io::trimmed(text.substr(begin.size())); };
  std::array<size_t, 2> n{};
  if (text.starts_with("Processed file [") && numbers_in(text, n) == 2)
    return ColmapLine{ColmapLine::kFile, n[0], n[1], 0, {}};
  if (text.starts_with("Name:")) return ColmapLine{ColmapLine::kFileName, 0, 0, 0, std::string(after("Name:"))};
  if (text.starts_with("ERROR:")) return ColmapLine{ColmapLine::kFileProblem, 0, 0, 0, std::string(after("ERROR:"))};
  if (text.starts_with("Features:") && numbers_in(text, n) >= 1)
    return ColmapLine{ColmapLine::kFeatures, n[0], 0, 0, {}};
  if (text.starts_with("Matching block [") || text.starts_with("Processing block [")) return parse_block(text);
  if (text.starts_with("Registering image #")) return parse_registering(text);
  if (text.starts_with("Initializing with image pair #") || text.starts_with("Registering initial image pair #"))
    return ColmapLine{ColmapLine::kFirstPair, 2, 0, 0, {}};
  if (text.starts_with("=> Could not register")) return ColmapLine{ColmapLine::kNotRegistered, 0, 0, 0, {}};
  if (text.starts_with("=> No good initial image pair found")) return ColmapLine{ColmapLine::kNoFirstPair, 0, 0, 0, {}};
  if (text.starts_with("Keeping ") && text.find("reconstruction") != std::string_view::npos)
    return ColmapLine{ColmapLine::kModelKept, 0, 0, 0, {}};
  if (text.starts_with("Discarding reconstruction")) return ColmapLine{ColmapLine::kModelDiscarded, 0, 0, 0, {}};
  return std::nullopt;
}

}  // namespace align
