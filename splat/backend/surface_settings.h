// Of the terms that make splats a surface (Backend::add_surface_loss): each is a mean over the pixels of the view.
#pragma once

namespace splat {

struct SurfaceSettings {
  float normal_weight = 0;      // of 1 - the cosine between drawn normals and those of the depths (math/plane.h)
  float distortion_weight = 0;  // world units^2, of what lies apart in inverse depth (math/distortion.h)
};

}  // namespace splat
