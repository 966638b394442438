// Folders that are read on threads of their own, so that no frame waits for a disk: what the newest one holds, and then
// the places beside it. A reading that is no longer wanted is given up between two entries.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <list>
#include <optional>
#include <thread>
#include <vector>

#include "viewer/dialogs/folder_list.h"
#include "viewer/mailbox.h"

namespace viewer {

class FolderReader {
 public:
  FolderReader() = default;
  ~FolderReader();  // once none is read any more
  FolderReader(const FolderReader&) = delete;
  FolderReader& operator=(const FolderReader&) = delete;

  void set_waker(std::function<void()> waker);  // called from threads; first waits until none is read
  // In place of the one before; places: called on the thread.
  void read(const std::filesystem::path& folder, std::function<std::vector<Place>()> places);
  std::optional<FolderContents> take_contents();  // each once
  std::optional<std::vector<Place>> take_places();

 private:
  struct Reading {
    std::atomic<bool> stop{false}, done{false};
    Mailbox<FolderContents> contents;
    Mailbox<std::vector<Place>> places;
    std::thread thread;
  };

  void give_up();

  std::function<void()> waker_;
  std::list<Reading> all_;  // the newest is the last; others have not ended yet
};

}  // namespace viewer
