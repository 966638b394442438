#include "align/video/frame_choice.h"

#include <algorithm>
#include <cmath>

#include "io/image_file.h"

namespace align {

namespace {

constexpr double kFramesPerSecond = 2.5, kLongFilm = 60, kFramesPerSecondBeyond = 0.5;
constexpr int kFewestFrames = 24, kMostFrames = 300;
constexpr int kCandidates = 3;
constexpr double kSamePicture = 2;  // of 255

}  // namespace

FramePlan plan_frames(const VideoInfo& video, int wanted) {
  FramePlan plan;
  const double beyond = std::max(0.0, video.seconds - kLongFilm);
  const double by_length = kFramesPerSecond * (video.seconds - beyond) + kFramesPerSecondBeyond * beyond;
  const int there = std::max(1, int(video.seconds * video.fps));
  plan.frames = wanted > 0 ? wanted : std::clamp(int(std::lround(by_length)), kFewestFrames, kMostFrames);
  plan.frames = std::min(plan.frames, there);
  plan.candidates = std::clamp(there / plan.frames, 1, kCandidates);
  plan.candidates_per_second = plan.frames * plan.candidates / video.seconds;
  plan.interval_seconds = video.seconds / plan.frames;
  return plan;
}

void FrameChoice::candidate(std::string_view jpeg) {
  const auto size = io::image_size(jpeg, "frame");
  if (!size) return;
  const int reduction = std::max(1, std::max(size->width, size->height) / kSharpnessSide);
  const auto read = io::decode_reduced_image(jpeg, "frame", reduction);
  if (!read) return;
  const PictureLook look = look_at(read->image);
  if (best_.empty() || look.sharpness > best_look_.sharpness) {
    best_ = jpeg;
    best_look_ = look;
  }
  if (++seen_ == plan_.candidates) end();
}

void FrameChoice::end() {
  if (!best_.empty()) {
    const bool same = last_kept_ && difference(*last_kept_, best_look_) < kSamePicture;
    skipped_ += same;
    if (!same) {
      last_kept_ = best_look_;
      on_frame_(interval_, best_);
    }
    ++interval_;
  }
  best_.clear();
  seen_ = 0;
}

}  // namespace align
