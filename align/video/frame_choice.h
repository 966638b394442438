// Which frames of a film are kept: the sharpest of each interval, unless it shows the same as the one before it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "align/photos/sharpness.h"
#include "align/video/probe.h"

namespace align {

struct FramePlan {
  int frames = 0;      // intervals, and so the most frames
  int candidates = 0;  // of each interval
  double candidates_per_second = 0;
  double interval_seconds = 0;
};

// `wanted` 0: by the length, 2.5 a second and fewer of long films. Never more than the film has.
FramePlan plan_frames(const VideoInfo& video, int wanted);

class FrameChoice {
 public:
  using OnFrame = std::function<void(int interval, const std::string& jpeg)>;
  // Begins with interval `first`.
  FrameChoice(const FramePlan& plan, int first, OnFrame on_frame)
      : plan_(plan), interval_(first), on_frame_(std::move(on_frame)) {}

  void candidate(std::string_view jpeg);
  void end();  // reports the last interval, which may be incomplete
  int interval() const { return interval_; }
  int skipped() const { return skipped_; }  // intervals that showed what the one before did

 private:
  FramePlan plan_;
  int interval_, seen_ = 0, skipped_ = 0;
  OnFrame on_frame_;
  std::string best_;
  PictureLook best_look_;
  std::optional<PictureLook> last_kept_;
};

}  // namespace align
