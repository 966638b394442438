// A mesh over the splats, or in their place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "viewer/display_settings.h"
#include "viewer/draw/mesh_gl.h"
#include "viewer/layers/layer.h"
#include "viewer/live/disposal.h"

namespace viewer {

// How it is drawn.
struct MeshLook {
  bool shown = true;
  MeshSurface surface = MeshSurface::kTextured;
  float weight = 1;    // [0,1] of it over the splats; 1: alone
  bool alone = false;  // there is nothing that it could be laid over: it is not thinned
};

class MeshLayer final : public Layer {
 public:
  explicit MeshLayer(Disposal& disposal) : disposal_(disposal) {}

  void set(std::unique_ptr<const PackedMesh> mesh) { fresh_ = std::move(mesh), replaced_ = true; }  // null: none

  splat::Status build() override { return mesh_.build(); }
  bool update(const splat::View& view) override;
  bool busy() const override { return uploading_; }
  bool drawn() const override { return look.shown && !mesh_.empty(); }
  bool covers() const override { return drawn() && weight() >= 1; }
  void draw(const splat::View& view) override { mesh_.draw(view, look.surface, weight(), near_plane); }

  MeshLook look;
  std::string problem;  // why it cannot be drawn, once; taken by its owner

 private:
  float weight() const { return look.alone ? 1 : look.weight; }

  Disposal& disposal_;
  MeshGl mesh_;
  std::unique_ptr<const PackedMesh> fresh_;
  bool replaced_ = false, uploading_ = false;
};

}  // namespace viewer
