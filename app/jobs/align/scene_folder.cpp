#include "app/jobs/align/scene_folder.h"

namespace app {

namespace fs = std::filesystem;

SceneFolder::SceneFolder(const fs::path& scene) : scene_(scene) {
  std::error_code code;
  parent_is_new_ = scene.has_parent_path() && !fs::exists(scene.parent_path(), code);
  fs::create_directories(scene, code);  // an error shows in take()
}

SceneFolder::~SceneFolder() {
  lock_.release();
  std::error_code code;
  if (fs::remove(scene_, code) && parent_is_new_) fs::remove(scene_.parent_path(), code);
}

splat::Status SceneFolder::take() { return lock_.take(scene_ / kLockName); }

}  // namespace app
