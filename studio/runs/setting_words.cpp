#include "studio/runs/setting_words.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace studio {
namespace {

struct Words {
  std::string_view of, stand_for;
};
// Whole words of names, in order: two before one of them.
constexpr Words kWords[] = {{"test images", "held-out photos"},
                            {"images", "photos"},
                            {"eval", "hold out photos"},
                            {"alpha", "transparent pixels"},
                            {"depths", "depth maps"},
                            {"poses", "camera poses"},
                            {"init", "initial splats"},
                            {"leave out", "photos to leave out"},
                            {"force", "replace existing files"},
                            {"minutes", "training time"},
                            {"save at", "save splats at"},
                            {"lr", "rate"},
                            {"rate first", "rate at the start"},
                            {"rate last", "rate at the end"},
                            {"weight first", "weight at the start"},
                            {"weight last", "weight at the end"},
                            {"mean", "positions"},
                            {"sh0", "base colour"},
                            {"sh rest", "view-dependent colour"},
                            {"log scale", "sizes"},
                            {"quat", "rotations"},
                            {"radius px", "radius"},
                            {"lpips", "LPIPS"},
                            {"psnr", "PSNR"},
                            {"sh", "SH"},
                            {"ssim", "SSIM"},
                            {"mcmc", "MCMC"}};
constexpr std::string_view kStrategies[] = {"MCMC ", "budget "};

struct Kind {
  std::string_view placeholder;
  ValueKind kind;
};
constexpr Kind kKinds[] = {{"N", ValueKind::kNumber},  {"PX2", ValueKind::kNumber}, {"N,N", ValueKind::kNumbers},
                           {"A,B", ValueKind::kNames}, {"DIR", ValueKind::kFolder}, {"FILE", ValueKind::kFile}};

// All of them; both may hold blanks at their ends.
void replace(std::string& text, const std::string& of, const std::string& by) {
  for (size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + by.size() - 1))
    text.replace(at, of.size(), by);
}

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = char(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// "opacity rate at the end": "learning rate of opacity at the end".
std::string with_rate_first(const std::string& text) {
  constexpr std::string_view kRate = " rate";
  const size_t at = text.find(kRate);
  if (at == std::string::npos) return text;
  const std::string after = text.substr(at + kRate.size());
  return "learning rate of " + text.substr(0, at) + (after.empty() || after.starts_with(" at ") ? "" : ",") + after;
}

}  // namespace

std::string setting_label(const std::string& name) {
  std::string text = " " + name + " ";
  for (const char joint : {'-', '_'}) std::replace(text.begin(), text.end(), joint, ' ');
  for (const Words& words : kWords)
    replace(text, " " + std::string(words.of) + " ", " " + std::string(words.stand_for) + " ");
  text = text.substr(1, text.size() - 2);
  std::string strategy;
  for (const std::string_view one : kStrategies)
    if (text.starts_with(one)) {
      strategy = capitalised(text.substr(0, one.size() - 1)) + ": ";
      text.erase(0, one.size());
    }
  text = with_rate_first(text);
  return strategy.empty() ? capitalised(text) : strategy + text;
}

ValueKind kind_of(const SettingRow& row) {
  if (row.is_flag()) return ValueKind::kYesNo;
  if (!row.choices.empty()) return ValueKind::kChoice;
  for (const Kind& one : kKinds)
    if (one.placeholder == row.placeholder) return one.kind;
  return ValueKind::kText;
}

const char* words_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kYesNo:
      return "yes or no";
    case ValueKind::kChoice:
      return "one of a list";
    case ValueKind::kNumber:
      return "a number";
    case ValueKind::kNumbers:
      return "numbers, with commas between them";
    case ValueKind::kNames:
      return "names, with commas between them";
    case ValueKind::kFolder:
      return "a folder";
    case ValueKind::kFile:
      return "a file";
    case ValueKind::kText:
      return "text";
  }
  return "";
}

std::string choice_text(const std::string& value) { return value == "auto" ? "automatic" : value; }

std::string setting_tip(const SettingRow& row) {
  const ValueKind kind = kind_of(row);
  const std::string standard = kind == ValueKind::kYesNo ? "no" : choice_text(row.default_value);
  return capitalised(row.help) + ".\n" + capitalised(words_of(kind)) +
         (standard.empty() ? "" : ". Default " + standard) + ". On the command line --" + row.name;
}

std::string in_words(const std::string& sentence, std::span<const SettingRow> rows) {
  for (const SettingRow& row : rows) {
    const std::string option = "--" + row.name, label = setting_label(row.name);
    std::string in_files = row.name;
    std::replace(in_files.begin(), in_files.end(), '-', '_');
    const bool twice = sentence.starts_with(option + ": ");  // "--ssim-weight: ssim_weight is 2 but ..."
    const std::string said = twice ? sentence.substr(option.size() + 2) : sentence;
    for (const std::string& one : {option, in_files})
      if (said.starts_with(one + " ")) return label + said.substr(one.size());
    if (twice) return label + ": " + said;
  }
  return sentence;
}

}  // namespace studio
