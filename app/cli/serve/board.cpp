#include "app/cli/serve/board.h"

#include <utility>

namespace app {

// ---- of the server's threads

std::string Board::page() const {
  std::lock_guard lock(files_);
  return page_;
}

std::string Board::status() {
  watched_at_ = Clock::now().time_since_epoch().count();
  std::lock_guard lock(status_lock_);
  status_read_ = true;
  return status_;
}

std::string Board::splats() {
  std::lock_guard lock(files_);
  splats_read_ = true;
  return splats_;
}

std::optional<ServedPair> Board::pair(int view, int after) {
  {
    std::lock_guard lock(files_);
    if (pair_.view == view && pair_.iteration > after) return pair_;
  }
  wanted_view_ = view;
  requested_ = true;
  asked_.notify_all();
  return std::nullopt;
}

// A pause and its end undo each other; a checkpoint stands beside them.
void Board::ask(ServeCommand command) {
  {
    std::lock_guard lock(asking_);
    if (stopped_) return;
    stopped_ = command == ServeCommand::kStop;
    const auto replaced = [&](ServeCommand earlier) {
      return stopped_ || (earlier == ServeCommand::kCheckpoint) == (command == ServeCommand::kCheckpoint);
    };
    std::erase_if(commands_, replaced);
    commands_.push_back(command);
  }
  requested_ = true;
  asked_.notify_all();
}

// ---- of whoever has the scene

ServeCommand Board::take_command() {
  std::lock_guard lock(asking_);
  if (commands_.empty()) return ServeCommand::kNone;
  const ServeCommand command = commands_.front();
  commands_.erase(commands_.begin());
  return command;
}

void Board::put_page(std::string html) {
  std::lock_guard lock(files_);
  page_ = std::move(html);
}

bool Board::put_status(const std::string& json) {
  std::unique_lock lock(status_lock_, std::try_to_lock);
  if (!lock) return false;
  status_ = json;
  status_read_ = false;
  return true;
}

void Board::put_splats(std::string spz) {
  std::lock_guard lock(files_);
  splats_ = std::move(spz);
  splats_read_ = false;
}

void Board::put_pair(ServedPair pair) {
  std::lock_guard lock(files_);
  pair_ = std::move(pair);
}

bool Board::watched() const {
  constexpr auto kStillThere = std::chrono::seconds(10);  // a page asks every other second
  const Clock::rep at = watched_at_;
  return at != 0 && Clock::now().time_since_epoch() - Clock::duration(at) < kStillThere;
}

bool Board::wait_for_requests(std::chrono::milliseconds longest) {
  std::unique_lock lock(waiting_);
  return asked_.wait_for(lock, longest, [this] { return requested_.exchange(false); });
}

}  // namespace app
