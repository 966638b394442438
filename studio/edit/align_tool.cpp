#include "studio/edit/align_tool.h"

#include "viewer/widgets/icons.h"

namespace studio {

using splat::registration::PairFit;

AlignTool::AlignTool()
    : Tool({"Align",
            "Click a point on one object, then the same on another, three times or more; Enter shows it, again applies",
            "Align tool", "U"},
           icon::kAlign, Presses::kClicks) {}

bool AlignTool::choose(const std::vector<SceneObject>& objects, std::optional<uint32_t> looked_at) {
  const auto there = [&](uint32_t object) { return object < objects.size() && objects[object].rows > 0; };
  if (there(moving) && there(onto) && moving != onto) return true;
  clear();
  std::vector<uint32_t> present;
  for (uint32_t object = 0; object < objects.size(); ++object)
    if (there(object)) present.push_back(object);
  if (present.size() < 2) return false;
  if (looked_at && there(*looked_at) && *looked_at > 0)
    moving = *looked_at;
  else if (!there(moving) || moving == onto)
    moving = present.back();
  if (!there(onto) || onto == moving) onto = present[present[0] == moving ? 1 : 0];
  return true;
}

void AlignTool::add(uint32_t object, const Vec3& point) {
  cancel();
  refined_.reset();
  if (object == moving) {
    first_ = point;
  } else if (object == onto && first_) {
    pairs_.push_back({array3(*first_), array3(point)});
    first_.reset();
  }
}

void AlignTool::remove_last() {
  cancel();
  refined_.reset();
  if (first_)
    first_.reset();
  else if (!pairs_.empty())
    pairs_.pop_back();
}

void AlignTool::clear() {
  cancel();
  pairs_.clear();
  first_.reset();
  refined_.reset();
}

splat::Result<PairFit> AlignTool::fit() const { return splat::registration::fit_pairs(pairs_, with_scale_); }

void AlignTool::set_with_scale(bool scaled) {
  if (scaled == with_scale_) return;
  cancel();
  refined_.reset();
  with_scale_ = scaled;
}

std::optional<splat::Similarity> AlignTool::motion() const {
  if (refined_) return refined_->by;
  const auto by = fit();
  return by ? std::optional(by->to_from) : std::nullopt;
}

EditRequest AlignTool::refine() {
  EditRequest request = show();
  const auto start = fit();
  request.wants.refined = {moving, onto, start ? start->to_from : splat::Similarity(), with_scale_};
  guided_ = start.ok();
  waiting_ = true;
  refined_.reset();
  return request;
}

// A floor may outweigh what stands on it: it lies on the other floor wherever the rest lies.
bool AlignTool::doubtful() const {
  constexpr double kMost = 0.9, kBetter = 0.8;  // share; of the distance before
  return refined_ && !guided_ && !(refined_->share >= kMost && refined_->rms < kBetter * refined_->start_rms);
}

EditRequest AlignTool::show() {
  EditRequest request;
  request.wants.marked = moving;
  shows_ = true;
  return request;
}

void AlignTool::cancel() {
  shows_ = false;
  shown_ = {};
}

splat::edit::MoveObject AlignTool::accept() const { return {moving, motion().value_or(splat::Similarity())}; }

// What was shown is in the rows now.
void AlignTool::rows_changed(uint64_t revision) {
  if (revision != revision_) cancel();
}

void AlignTool::answered(const EditedScene& scene) {
  if (scene.revision != revision_) clear();
  revision_ = scene.revision;
  if (scene.wants.refined) {
    waiting_ = false;
    if (scene.refined && scene.refined->revision == scene.revision) refined_ = scene.refined;
    if (!refined_) cancel();
  } else if (scene.stepped) {  // something else was done meanwhile
    cancel();
  }
  const auto by = motion();
  if (waiting_ || !shows_ || !by || scene.wants.marked != moving) return;
  shown_ = {*by, false, scene.revision, moving};
}

}  // namespace studio
