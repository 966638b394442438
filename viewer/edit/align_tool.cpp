#include "viewer/edit/align_tool.h"

namespace viewer {

using splat::registration::PairFit;

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
  refined_.reset();
  if (object == moving) {
    first_ = point;
  } else if (object == onto && first_) {
    pairs_.push_back({array3(*first_), array3(point)});
    first_.reset();
  }
}

void AlignTool::remove_last() {
  refined_.reset();
  if (first_)
    first_.reset();
  else if (!pairs_.empty())
    pairs_.pop_back();
}

void AlignTool::clear() {
  pairs_.clear();
  first_.reset();
  refined_.reset();
}

splat::Result<PairFit> AlignTool::fit() const { return splat::registration::fit_pairs(pairs_, with_scale); }

EditRequest AlignTool::refine() {
  EditRequest request;
  request.step = EditStep::kRefine;
  request.object = moving;
  request.onto = onto;
  request.with_scale = with_scale;
  if (const auto start = fit()) request.transform = start->to_from;
  waiting_ = true;
  refined_.reset();
  return request;
}

EditRequest AlignTool::accept() {
  EditRequest request;
  request.step = EditStep::kMoveObject;
  request.object = moving;
  if (refined_)
    request.transform = refined_->by;
  else if (const auto by = fit())
    request.transform = by->to_from;
  return request;
}

void AlignTool::answered(const EditedScene& scene) {
  if (scene.revision != revision_) clear();
  revision_ = scene.revision;
  if (scene.step != EditStep::kRefine) return;
  waiting_ = false;
  if (scene.refined && scene.refined->revision == scene.revision) refined_ = scene.refined;
}

}  // namespace viewer
