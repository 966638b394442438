// Where a training run writes: one splat file, or a folder in INRIA's layout. check() tests whether the place can be
// written, before anything is loaded, and leaves no trace; create() makes the folders. Existing files of the same name
// are replaced, each at once; others are kept. Of the checkpoints in the folder the newest two are kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/jobs/outcome.h"
#include "app/jobs/output_lock.h"

namespace app {

// Whether files can be created in `folder`, which need not exist yet; an error sentence names it.
splat::Status check_writable_folder(const std::filesystem::path& folder, bool make_parents = false);

class RunOutput {
 public:
  // Folders above the output must be there, so that a mistyped name makes no tree of them: unless `make_parents`.
  static splat::Result<RunOutput> check(const std::filesystem::path& target, bool make_parents = false);
  // An error that names the process while another run writes there.
  splat::Status check_free() const;

  splat::Status create();  // the folders
  // Keeps other runs out (output_lock.h) and removes what dead processes left half-written; after create().
  splat::Status take();
  void release() { lock_.release(); }
  // Before a file is written: its folder, made anew where it has vanished meanwhile. An error where the folder's drive
  // is no longer there: what is written below its mount point then would be found by nobody.
  splat::Status make_folder_of(const std::filesystem::path& file) const;
  // Where files go that cannot be written into the output: a folder of its own in $XDG_STATE_HOME/hipsplat (else
  // ~/.local/state/hipsplat). Empty: there is no such place.
  std::filesystem::path spare_folder() const;
  // The newest checkpoint there of those written since then; empty: none.
  std::filesystem::path spare_checkpoint(std::filesystem::file_time_type since) const;
  bool single_file() const { return single_file_; }
  const std::filesystem::path& target() const { return target_; }
  std::filesystem::path file(const char* name) const { return target_ / name; }  // of a folder: "metrics.json"
  std::filesystem::path splat_file(int iteration) const;
  std::filesystem::path checkpoint_file(int iteration) const;

  // A checkpoint was completely written: older ones in its folder beyond the newest two are removed, those of earlier
  // processes too. One in the output itself makes this run's in the spare folder superfluous; of these only the newest
  // is kept.
  void checkpoint_written(const std::filesystem::path& path);

 private:
  std::filesystem::path lock_file() const;
  void remove_dead_partial_files() const;

  std::filesystem::path target_;
  bool single_file_ = false;
  std::filesystem::path spare_checkpoint_;  // of this run
  uint64_t device_ = 0;                     // of the file system that create() found
  OutputLock lock_;
};

}  // namespace app
