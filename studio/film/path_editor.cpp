#include "studio/film/path_editor.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace studio {

using splat::CameraPath;
using splat::CameraPose;
using splat::PathKey;

namespace {

constexpr size_t kMostSteps = 200, kMostKeptKeys = 1'000'000;  // of the history

bool is_path(const CameraPath& path) { return path.keys.empty() || splat::check_path(path).ok(); }

}  // namespace

void PathEditor::take(CameraPath path) {
  if (!path.keys.empty()) {
    const double first = path.keys.front().seconds;
    for (PathKey& key : path.keys) key.seconds -= first;
  }
  path_ = std::move(path);
  curve_.reset();
  times_.clear();
  if (!path_.keys.empty()) curve_.emplace(path_), times_ = curve_->key_seconds();
  choose(chosen_);
  ++revision_;
}

void PathEditor::open(CameraPath path) {
  undo_.clear(), redo_.clear();
  chosen_.reset();
  dragging_ = false;
  take(is_path(path) ? std::move(path) : CameraPath());
}

void PathEditor::note(const char* what) {
  if (dragging_ && std::exchange(noted_, true)) return;
  undo_.push_back({what, path_, chosen_});
  redo_.clear();
  size_t keys = 0, kept = 0;
  while (kept < std::min(undo_.size(), kMostSteps) &&
         (keys += undo_[undo_.size() - 1 - kept].path.keys.size()) <= kMostKeptKeys)
    ++kept;
  undo_.erase(undo_.begin(), undo_.end() - ptrdiff_t(std::max<size_t>(kept, 1)));
}

void PathEditor::step(std::vector<Kept>& from, std::vector<Kept>& to) {
  if (from.empty()) return;
  Kept kept = std::move(from.back());
  from.pop_back();
  to.push_back({kept.what, path_, chosen_});
  chosen_ = kept.chosen;
  dragging_ = false;
  take(std::move(kept.path));
}

bool PathEditor::change(const char* what, const std::function<void(CameraPath&)>& change) {
  CameraPath now = path_;
  change(now);
  return replace(std::move(now), what);
}

bool PathEditor::replace(CameraPath path, const char* what) {
  if (!is_path(path)) return false;
  if (path == path_) return true;
  note(what);
  take(std::move(path));
  return true;
}

// Where a key belongs that the camera comes to at this time: of constant speed keys have other times than they say.
double PathEditor::key_seconds_at(double seconds) const {
  const std::vector<PathKey>& keys = path_.keys;
  for (size_t i = 0; i + 1 < keys.size() && path_.constant_speed; ++i) {
    if (seconds > times_[i + 1]) continue;
    const double from = times_[i] + keys[i].hold, way = times_[i + 1] - from;
    const double part = way > 0 ? std::clamp((seconds - from) / way, 0.0, 1.0) : 0.5;
    const double start = keys[i].seconds + keys[i].hold;
    return start + part * (keys[i + 1].seconds - start);
  }
  return seconds;
}

bool PathEditor::add(double seconds, const CameraPose& pose, double frame, double after) {
  const double once = path_.loop == splat::LoopMode::kPingPong ? this->seconds() / 2 : this->seconds();
  if (seconds > once && path_.loop == splat::LoopMode::kPingPong) seconds = 2 * once - seconds;
  CameraPath now = path_;
  std::vector<PathKey>& keys = now.keys;
  size_t at = 0;
  while (at < keys.size() && times_[at] < seconds - frame / 2) ++at;
  const bool last = at + 1 >= keys.size();
  const bool there = at < keys.size() && std::abs(times_[at] - seconds) <= frame / 2;
  const char* what = "add key";
  if (there && !last) {
    keys[at].pose = pose;
    what = "replace key";
  } else if (keys.empty()) {
    keys.push_back({0, pose});
  } else if (there || at == keys.size()) {
    const double end = keys.back().seconds + keys.back().hold;
    keys.push_back({std::max(seconds > end + frame / 2 ? seconds : end + after, end + frame), pose});
    at = keys.size() - 1;
  } else {
    keys.insert(keys.begin() + ptrdiff_t(at), {key_seconds_at(seconds), pose});
  }
  if (!replace(std::move(now), what)) return false;
  choose(at);
  return true;
}

bool PathEditor::repose(size_t key, const CameraPose& pose) {
  return change("move key", [&](CameraPath& path) { path.keys[key].pose = pose; });
}

bool PathEditor::remove(size_t key) {
  const bool done =
      change("delete key", [&](CameraPath& path) { path.keys.erase(path.keys.begin() + ptrdiff_t(key)); });
  if (done && !empty()) choose(std::min(key, path_.keys.size() - 1));
  return done;
}

bool PathEditor::duplicate(size_t key) {
  constexpr double kUsual = 2;  // s
  const std::vector<PathKey>& keys = path_.keys;
  const double end = keys[key].seconds + keys[key].hold;
  double gap = key > 0 ? keys[key].seconds - keys[key - 1].seconds - keys[key - 1].hold : kUsual;
  if (key + 1 < keys.size()) gap = std::min(gap, (keys[key + 1].seconds - end) / 2);
  const bool done = change("duplicate key", [&](CameraPath& path) {
    PathKey copy = path.keys[key];
    copy.seconds = end + gap, copy.hold = 0;
    path.keys.insert(path.keys.begin() + ptrdiff_t(key) + 1, copy);
  });
  if (done) choose(key + 1);
  return done;
}

bool PathEditor::can_move(size_t key) const {
  return key > 0 && (!path_.constant_speed || key + 1 == path_.keys.size());
}

bool PathEditor::move(size_t key, double seconds, double frame) {
  if (!can_move(key)) return false;
  const std::vector<PathKey>& keys = path_.keys;
  const double first = keys[key - 1].seconds + keys[key - 1].hold + frame;
  const double last = key + 1 < keys.size() ? keys[key + 1].seconds - keys[key].hold - frame : splat::kMostSeconds;
  return change("move key in time",
                [&](CameraPath& path) { path.keys[key].seconds = std::max(first, std::min(seconds, last)); });
}

bool PathEditor::stretch(double seconds) {
  if (!(this->seconds() > 0) || !(seconds > 0)) return false;
  const double by = seconds / this->seconds();
  return change("change length", [&](CameraPath& path) {
    for (PathKey& key : path.keys) key.seconds *= by, key.hold *= by;
    path.closing_seconds *= by;
  });
}

}  // namespace studio
