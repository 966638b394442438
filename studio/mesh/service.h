// Meshes: made of what is open on a thread of their own, shown by the window, kept by the writing thread for the files.
#pragma once

#include <memory>
#include <optional>

#include "app/jobs/mesh/mesh_making.h"
#include "splat/model/screen_filter.h"
#include "studio/context.h"
#include "studio/mesh/messages.h"
#include "studio/service.h"

namespace studio {

class MeshService final : public Service {
 public:
  explicit MeshService(Context& context);
  void scene_changed(bool same) override;

 private:
  void make(MakeMesh&& wanted);
  // filter: none: as the open scene was trained.
  void make_of(splat::Gaussians model, std::optional<splat::ScreenFilter> filter, const MeshRequest& wanted, Job& job);
  MeshInput input_of(splat::Gaussians&& model, std::optional<splat::ScreenFilter> filter, const MeshRequest& wanted);
  void open(const std::filesystem::path& path);
  void open_file(const std::filesystem::path& path, Job& job);
  void show(std::unique_ptr<MadeMesh> made, ShownMesh shown, const Job& job);  // unless it was cancelled
  void predict(MeshRequest&& request);
  // some: of all `splats`, which stand for them (thinned.h).
  void predict_of(splat::Gaussians&& some, size_t splats, const MeshRequest& request, uint64_t number);
  void save(SaveMesh&& wanted);
  void forget();

  Context& context_;
  std::unique_ptr<MadeMesh> made_;  // of the writing thread; null: none is shown
};

}  // namespace studio
