// From what the backend holds to the arguments of the kernels (kernels.h): pointers, sizes, settings. Nothing is
// launched or allocated here.
#pragma once

#include "splat/backend/gpu/frame.h"
#include "splat/backend/gpu/kernels.h"
#include "splat/backend/gpu/model_rows.h"
#include "splat/backend/gpu/photos.h"
#include "splat/backend/surface_settings.h"

namespace splat::gpu {

// The view that is being drawn, or was drawn last.
struct DrawnView {
  math::ViewParams<float> params{};
  RenderSettings settings;
  int slot = 0;  // of its counters, 0 or 1 in turns
  Report* report = nullptr;
  size_t capacity = 0;      // of its lists, in instances
  bool packed = true;       // keys hold tile and depth; else two sorts
  bool squares = false;     // footprints are cut to the tiles of a square (SquareTileRecord)
  bool planes = false;      // splats were drawn as planes, too
  bool distortion = false;  // with how far apart they lie
  bool facing = false;      // as planes that face the camera
};

int bits_for(size_t values);

ProjectArgs project_args(ModelRows& model, Frame& frame, const DrawnView& view);
// Lists in the order of splats: the order by depth, where keys do not hold it, comes in by the stage.
TileListArgs tile_list_args(size_t splats, Frame& frame, const DrawnView& view);
BlendArgs blend_args(Frame& frame, const DrawnView& view);
LossArgs loss_args(Frame& frame, const DrawnView& view, const Photos::OnDevice& photo, const LossSettings& settings);
PlaneArgs plane_args(ModelRows& model, Frame& frame, const DrawnView& view);
BlendArgs plane_blend_args(Frame& frame, const DrawnView& view);  // of splats as planes
SurfaceArgs surface_args(Frame& frame, const DrawnView& view, const SurfaceSettings& settings);
OrderedArgs ordered_args(ModelRows& model, Frame& frame, const DrawnView& view, const BlendArgs& blend);
UpdateArgs update_args(ModelRows& model, Frame& frame, const DrawnView& view, bool with_statistics);

}  // namespace splat::gpu
