// What a served page shows and asks, between the threads of the server and the one that has the scene. Texts are whole
// files of HTTP, made ahead: page (HTML), status (JSON), splats (SPZ), pair (JPEG: a photo, and its view beside it).
// Nothing here waits for a watcher: what the run's thread calls locks for the time of a move, and skips its turn where
// a server's thread is just there.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace app {

enum class ServeCommand { kNone, kPause, kGoOn, kStop, kCheckpoint };

struct ServedPair {
  int view = -1;       // in the dataset; -1: none yet
  int iteration = -1;  // that was drawn
  double psnr = 0;     // dB
  std::string jpeg;
};

class Board {
 public:
  // ---- of the server's threads
  std::string page() const;
  std::string status();  // somebody watches
  std::string splats();  // the newest; empty: none yet
  // Returns none, and requests a drawing, if the stored pair shows another view or is not newer than `after`.
  std::optional<ServedPair> pair(int view, int after);
  void ask(ServeCommand command);

  // ---- of whoever has the scene
  void put_page(std::string html);
  bool put_status(const std::string& json);               // false: not now
  void put_splats(std::string spz);                       // waits for readers: not for the thread that trains
  void put_pair(ServedPair pair);                         // likewise
  bool watched() const;                                   // somebody has asked for the status within the last seconds
  bool splats_were_read() const { return splats_read_; }  // the newest, or there are none
  bool status_was_read() const { return status_read_; }   // the newest
  ServeCommand take_command();                      // the oldest; a request to stop replaces all others and is the last
  int wanted_view() const { return wanted_view_; }  // -1: none
  void wanted_view_is_drawn() { wanted_view_ = -1; }
  bool wait_for_requests(std::chrono::milliseconds longest);  // false: none since the last of these calls

 private:
  using Clock = std::chrono::steady_clock;

  mutable std::mutex files_, status_lock_;
  std::string page_, splats_, status_;
  ServedPair pair_;
  std::atomic<bool> splats_read_{true}, status_read_{true};
  std::mutex asking_;
  std::vector<ServeCommand> commands_;  // in the order of their latest asking, each once
  bool stopped_ = false;                // asked for
  std::atomic<int> wanted_view_{-1};
  std::atomic<bool> requested_{false};     // a command or a view
  std::atomic<Clock::rep> watched_at_{0};  // 0: never
  std::mutex waiting_;
  std::condition_variable asked_;
};

}  // namespace app
