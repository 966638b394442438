// The table of display modes: what each is called, and how OpenGL and the engine draw it.
#pragma once

#include <span>

#include "viewer/display_settings.h"

namespace viewer {

// Which copy of the model the engine draws: the splats as they are, dots, solid bodies, or positions as colours.
enum class ModelKind : uint8_t { kPlain, kDots, kSolid, kPositions };

struct DisplayModeEntry {
  RenderMode mode;
  const char* name;
  const char* tip;
  int splat_shader;    // `mode` of splats.vert and splats.frag
  int resolve_shader;  // `mode` of resolve.frag
  ModelKind model;     // kPlain: also while a run trains, which has no time for a copy
};

// In the order of RenderMode, which is that of the list in the window.
std::span<const DisplayModeEntry> display_modes();
const DisplayModeEntry& display_mode(RenderMode mode);

}  // namespace viewer
