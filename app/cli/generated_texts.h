// What packages install beside the program, made from the option table when hipsplat is built, so that it never lags
// behind: completion for shells and the manual page.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace app {

std::optional<std::string> completion_script(const std::string& shell);  // "bash", "zsh", "fish"; none: another

// man(7), section 1. `date`: of the release, "2026-11-22".
std::string manual_page(const std::string& version, const std::string& date);

// --print-completion SHELL and --print-manual DATE, which are for packages and profiles and not in the table.
std::optional<std::string> generated_text(const std::vector<std::string>& arguments, const std::string& version);

}  // namespace app
