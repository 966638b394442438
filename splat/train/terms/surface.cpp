#include "splat/train/terms/surface.h"

#include "splat/train/config.h"

namespace splat {

Surface::Surface(const TrainConfig& config, double extent)
    : wanted_(config.surface),
      from_(config.surface_from),
      normal_weight_(config.surface_normals),
      distortion_weight_(config.surface_distortion * float(extent * extent)),
      thickness_weight_(config.surface_thickness / float(extent)) {}

void Surface::weigh(const TermIteration& now, Backend&, LossSettings&, SurfaceSettings& surface) {
  surface.facing = !wanted_ || now.iteration <= from_;
  if (surface.facing) return;
  surface.normal_weight = normal_weight_;
  surface.distortion_weight = distortion_weight_;
}

void Surface::adjust(AdamSettings& steps) const {
  if (wanted_) steps.thickness_regularizer = thickness_weight_;
}

}  // namespace splat
