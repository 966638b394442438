// Where a training run writes: one splat file, or a folder in INRIA's layout. check() tests whether the place can be
// written, before anything is loaded, and leaves no trace; create() makes the folders. Existing files of the same name
// are replaced, each at once; others are kept. Of this run's checkpoints the newest two are kept.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/console/outcome.h"

namespace app {

// Whether files can be created in `folder`, which need not exist yet; an error sentence names it.
splat::Status check_writable_folder(const std::filesystem::path& folder);

class RunOutput {
 public:
  static splat::Result<RunOutput> check(const std::filesystem::path& target);

  splat::Status create() const;
  bool single_file() const { return single_file_; }
  const std::filesystem::path& target() const { return target_; }
  std::filesystem::path file(const char* name) const { return target_ / name; }  // of a folder: "metrics.json"
  std::filesystem::path splat_file(int iteration) const;
  std::filesystem::path checkpoint_file(int iteration) const;

  // After a checkpoint was completely written: removes those of this run but the newest two.
  void checkpoint_written(const std::filesystem::path& path);

 private:
  std::filesystem::path target_;
  bool single_file_ = false;
  std::vector<std::filesystem::path> checkpoints_;  // of this run, oldest first
};

}  // namespace app
