// Splats as a surface (--surface): flat, with normals that agree with the depths, gathered in depth where a weight for
// that is given. Huang et al., "2D Gaussian Splatting for Geometrically Accurate Radiance Fields", SIGGRAPH 2024.
#pragma once

#include "splat/train/terms/photo_term.h"

namespace splat {

class Surface : public PhotoTerm {
 public:
  Surface() = default;
  Surface(const TrainConfig& config, double extent);  // extent: of the scene, world units

  void weigh(const TermIteration& now, Backend& backend, LossSettings& loss, SurfaceSettings& surface) override;
  void adjust(AdamSettings& steps) const override;

 private:
  bool wanted_ = false;
  int from_ = 0;
  float normal_weight_ = 0, distortion_weight_ = 0, thickness_weight_ = 0;
};

}  // namespace splat
