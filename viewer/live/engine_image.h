// Pictures drawn by a backend, and requests for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "splat/model/camera.h"
#include "viewer/display_settings.h"
#include "viewer/live/shown_move.h"

namespace viewer {

struct RenderRequest {
  splat::View view;  // at the viewport's full size
  DisplaySettings settings;
  ShownMove moved{};  // of splats that are being edited
};

struct EngineImage {
  using OnlyNewest = void;
  int width = 0, height = 0;  // px: the view's size divided by `divisor`, at least 1
  std::vector<uint8_t> rgba;  // [H,W,4], rows from the top; opaque unless see_through was asked for
  RenderRequest request;      // that it answers: the view may have moved since
  int divisor = 1;            // 1: sharp; more: coarser and faster
  size_t part = 0;            // splats drawn, which stand for all; 0: all were drawn
  int iteration = -1;         // >= 0: of a training run
  double milliseconds = 0;    // that drawing took
};

}  // namespace viewer
