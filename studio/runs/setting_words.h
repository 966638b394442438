// What a setting of training is called in the window, and what kind of value it takes: by rules from the name and the
// placeholder that it has on the command line, so that a new setting needs nothing here.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "studio/window/messages.h"

namespace studio {

enum class ValueKind : uint8_t { kYesNo, kChoice, kNumber, kNumbers, kNames, kFolder, kFile, kText };

std::string setting_label(const std::string& name);  // "mcmc-opacity-rate": "MCMC: learning rate of opacity"
ValueKind kind_of(const SettingRow& row);
const char* words_of(ValueKind kind);         // "a folder"
std::string choice_text(const std::string&);  // "auto": "automatic"

// What the mouse finds at it: help, kind, default, and the name on the command line.
std::string setting_tip(const SettingRow& row);
// A sentence that begins with the name that one of them has on the command line or in files, with the label instead.
std::string in_words(const std::string& sentence, std::span<const SettingRow> rows);

}  // namespace studio
