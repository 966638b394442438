// The window's choices for a run <-> the command line: a run in the window is the run of that command.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/options/options.h"
#include "splat/core/result.h"
#include "studio/documents/run_state.h"
#include "studio/window/messages.h"

namespace app {

// The command line that the choices stand for, parsed; an error names the option.
splat::Result<Options> options_of(const std::filesystem::path& dataset, const viewer::TrainingChoices& choices);

// The same for a shell: "hipsplat --train 'my photos' -o out ...", without what is the default anyway.
std::string command_line_of(const std::filesystem::path& dataset, const viewer::TrainingChoices& choices);

// Every option of a run that has no control of its own among the choices.
std::vector<viewer::SettingRow> setting_rows();

}  // namespace app
