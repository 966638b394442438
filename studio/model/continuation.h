// Runs that can go on, and folders that hold one.
#pragma once

#include <filesystem>
#include <optional>

#include "app/jobs/scene/trained_scene.h"
#include "studio/documents/run_state.h"

namespace studio {

// How to continue the run that `file`, splats or a checkpoint, belongs to: from it, else from the newest. nullopt: it
// has none, or its photos are not there.
std::optional<Continuation> continuation_of(const std::filesystem::path& file, const TrainedScene& trained);

// From a checkpoint whose name says its iteration; `options`: of the run. nullopt: the name does not.
std::optional<Continuation> continuation_from(const std::filesystem::path& checkpoint, const Options& options);

// Whether a new run that writes there would replace files of another.
bool holds_a_run(const std::filesystem::path& output);

}  // namespace studio
