#include "viewer/layers/mesh_layer.h"

#include <utility>

namespace viewer {

bool MeshLayer::update(const splat::View&) {
  if (auto uploaded = mesh_.take_uploaded()) disposal_.add(std::move(uploaded));
  const bool replaced = std::exchange(replaced_, false);
  if (replaced) {
    mesh_.clear();
    uploading_ = fresh_ != nullptr;
    if (!uploading_) return true;
    if (const splat::Status status = mesh_.start_upload(std::move(fresh_)); !status) problem = status.error().message;
  }
  if (!uploading_) return replaced;
  uploading_ = !mesh_.continue_upload(kUploadBytes);
  return true;
}

}  // namespace viewer
