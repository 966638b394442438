#include "studio/runs/setting_words.h"

#include <string_view>

#include "splat/densify/setting.h"
#include "viewer/widgets/widgets.h"

namespace studio {
namespace {

struct Kind {
  std::string_view placeholder;
  ValueKind kind;
};
constexpr Kind kKinds[] = {{"N", ValueKind::kNumber},  {"PX2", ValueKind::kNumber}, {"N,N", ValueKind::kNumbers},
                           {"A,B", ValueKind::kNames}, {"DIR", ValueKind::kFolder}, {"FILE", ValueKind::kFile}};

}  // namespace

ValueKind kind_of(const OptionRow& row) {
  if (row.value.empty()) return ValueKind::kYesNo;
  if (!row.choices.empty()) return ValueKind::kChoice;
  for (const Kind& one : kKinds)
    if (one.placeholder == row.value) return one.kind;
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

std::string default_of(const OptionRow& row) {
  const nlohmann::json value = row.get ? row.get() : nlohmann::json();
  if (value == splat::kAuto) return "automatic";
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

std::string choice_text(const std::string& value) { return value == "auto" ? "automatic" : value; }

std::string setting_tip(const OptionRow& row) {
  const ValueKind kind = kind_of(row);
  const std::string standard = kind == ValueKind::kYesNo ? "no" : choice_text(default_of(row));
  return as_sentence(row.help) + ".\n" + as_sentence(words_of(kind)) +
         (standard.empty() ? "" : ". Default " + standard) + ". On the command line --" + row.name;
}

std::string in_words(const std::string& sentence, std::span<const OptionRow> rows) {
  for (const OptionRow& row : rows) {
    const std::string option = "--" + row.name, label = label_of(row);
    const bool twice = sentence.starts_with(option + ": ");  // "--ssim-weight: ssim_weight is 2 but ..."
    const std::string said = twice ? sentence.substr(option.size() + 2) : sentence;
    for (const std::string& one : {option, with_underscores(row.name)})
      if (said.starts_with(one + " ")) return label + said.substr(one.size());
    if (twice) return label + ": " + said;
  }
  return sentence;
}

}  // namespace studio
