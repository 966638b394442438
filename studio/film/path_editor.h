// A camera path while it is edited: its keys, the chosen one, and what can be undone. Seconds of the film, in which the
// first key stands at 0; world units. A step that would make no path (check_path()) changes nothing. Pure: no drawing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "splat/path/camera_path.h"
#include "studio/names.h"

namespace studio {

class PathEditor {
 public:
  using Path = splat::CameraPath;

  const Path& path() const { return path_; }
  bool empty() const { return path_.keys.empty(); }
  uint64_t revision() const { return revision_; }  // counts up with every change
  // When the camera comes to each key, and of one round, there and back; 0 without keys. pose_at: not without keys.
  const std::vector<double>& key_times() const { return times_; }
  double seconds() const { return curve_ ? curve_->seconds() : 0; }
  double last_time() const { return times_.empty() ? 0 : times_.back(); }
  splat::CameraPose pose_at(double seconds) const { return curve_->at(seconds); }

  std::optional<size_t> chosen() const { return chosen_; }
  const splat::PathKey* chosen_key() const { return chosen_ ? &path_.keys[*chosen_] : nullptr; }
  void choose(std::optional<size_t> key) { chosen_ = key && *key < path_.keys.size() ? key : std::nullopt; }

  void open(Path path);                       // of another scene: with nothing to undo; one that is no path: none
  bool replace(Path path, const char* what);  // all of it; false: it is no path
  // A key with this pose at this time, or in place of the key that is nearer than half a frame; it is chosen. At the
  // last key and after it, a new one `after` seconds later.
  bool add(double seconds, const splat::CameraPose& pose, double frame, double after);
  bool repose(size_t key, const splat::CameraPose& pose);
  bool remove(size_t key);
  bool duplicate(size_t key);                           // a second one as long after it as it takes from the key before
  bool move(size_t key, double seconds, double frame);  // to another time, between its neighbours
  bool can_move(size_t key) const;  // not the first; of constant speed the last alone: others follow from the way
  bool stretch(double seconds);     // all of it to this length
  bool change(const char* what, const std::function<void(Path&)>& change);  // any other step, in the order of keys

  // What changes between these is one step: a drag, a slider.
  void begin_drag() { dragging_ = true, noted_ = false; }
  void end_drag() { dragging_ = false; }
  bool dragging() const { return dragging_; }

  std::string undo_name() const { return undo_.empty() ? "" : undo_.back().what; }  // empty: nothing to undo
  std::string redo_name() const { return redo_.empty() ? "" : redo_.back().what; }
  void undo() { step(undo_, redo_); }
  void redo() { step(redo_, undo_); }

 private:
  struct Kept {
    std::string what;
    Path path;
    std::optional<size_t> chosen;
  };
  void step(std::vector<Kept>& from, std::vector<Kept>& to);
  void take(Path path);
  void note(const char* what);
  double key_seconds_at(double seconds) const;

  Path path_;
  std::optional<splat::PathCurve> curve_;
  std::vector<double> times_;
  std::optional<size_t> chosen_;
  uint64_t revision_ = 0;
  std::vector<Kept> undo_, redo_;
  bool dragging_ = false, noted_ = false;
};

}  // namespace studio
