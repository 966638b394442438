// Names that other trainers have for our options: INRIA's train.py, render.py and convert.py, gsplat's simple_trainer,
// nerfstudio (splatfacto), Brush, LichtFeld Studio and OpenSplat. Whoever types one is answered with ours.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace app {

struct ForeignOption {
  std::string_view name;    // lower case, words joined by "-", with its dashes
  std::string_view ours;    // "--max-splats", or a command; empty: there is none
  std::string_view more{};  // with `ours` what else it takes (" with --strategy adc"); without, why there is none
};

std::span<const ForeignOption> foreign_options();

// The row of a word as typed: in any case of letters, with "_" or "-", behind the names of groups (--pipeline.model.)
// and with "no-" before it. Null: nobody's.
const ForeignOption* foreign_option(std::string_view word);

// " (did you mean --max-splats?)", ": there is no such setting here", or empty for a word that is nobody's.
std::string answer_to_foreign(std::string_view word);

}  // namespace app
