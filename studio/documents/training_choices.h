// The window's choices for a run <-> the command line: a run in the window is the run of that command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/settings/options.h"
#include "splat/core/result.h"
#include "studio/documents/run_state.h"
#include "studio/window/messages.h"

namespace studio {

// The command line that the choices stand for, parsed; an error names the option.
splat::Result<Options> options_of(const std::filesystem::path& dataset, const TrainingChoices& choices);

// Likewise of a plan in blocks (hipsplat blocks plan) into the folder choices.output. choices.iterations: of each
// block; 0: by the photos.
splat::Result<Options> plan_options_of(const std::filesystem::path& dataset, const TrainingChoices& choices,
                                       const BlocksSettings& blocks);

// The same for a shell: "hipsplat train 'my photos' -o out ...", without what is the default anyway.
std::string command_line_of(const std::filesystem::path& dataset, const TrainingChoices& choices);

// As a shell reads it back: "hipsplat" and these words, in quotes where anything in them could mean something.
std::string shell_line(const std::vector<std::string>& words);

// Every option of a run that has no control of its own among the choices, with the defaults: to be read alone.
const std::vector<OptionRow>& training_settings();

// What the window calls the option of this name.
std::string setting_label(const std::string& name);

// Why a run cannot have this value of a setting, whatever the others; empty: it can.
std::string problem_of(const std::string& name, const std::string& value);

}  // namespace studio
