// The folder that cameras are found in, held by one hipsplat at a time.
#pragma once

#include <filesystem>

#include "app/jobs/output_lock.h"
#include "splat/core/result.h"

namespace app {

// Makes the folder and removes it again, with the parent it made, where it is empty at the end.
class SceneFolder {
 public:
  explicit SceneFolder(const std::filesystem::path& scene);
  ~SceneFolder();
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;

  splat::Status take();  // an error that names the process that has it

 private:
  const std::filesystem::path scene_;
  bool parent_is_new_ = false;
  OutputLock lock_;
};

}  // namespace app
