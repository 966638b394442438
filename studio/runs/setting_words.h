// What kind of value a setting of training takes, by the placeholder that its row has for the command line, and what
// the window says of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/settings/row.h"
#include "studio/names.h"

namespace studio {

enum class ValueKind : uint8_t { kYesNo, kChoice, kNumber, kNumbers, kNames, kFolder, kFile, kText };

ValueKind kind_of(const OptionRow& row);
const char* words_of(ValueKind kind);          // "a folder"
std::string default_of(const OptionRow& row);  // "automatic": decided by the run's length or its photos
std::string choice_text(const std::string&);   // "auto": "automatic"

// What the mouse finds at it: help, kind, default, and the name on the command line.
std::string setting_tip(const OptionRow& row);
// A sentence that begins with the name that one of them has on the command line or in files, with the label instead.
std::string in_words(const std::string& sentence, std::span<const OptionRow> rows);

}  // namespace studio
