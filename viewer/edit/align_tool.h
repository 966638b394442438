// Laying one object on another by points that the user picks on both, in turn; what the engine refined of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "splat/registration/pairs.h"
#include "viewer/camera/geometry.h"
#include "viewer/edit/edit_request.h"

namespace viewer {

class AlignTool {
 public:
  uint32_t moving = 1, onto = 0;
  bool with_scale = false;

  // The two of them that are chosen where the present ones are not, or are the same; false: there are not two.
  bool choose(const std::vector<SceneObject>& objects, std::optional<uint32_t> looked_at);
  uint32_t next_object() const { return first_ ? onto : moving; }  // on which the next point lies
  void add(uint32_t object, const Vec3& point);                    // world; of another object: nothing
  void remove_last();
  void clear();
  bool empty() const { return pairs_.empty() && !first_; }
  const std::vector<splat::registration::PointPair>& pairs() const { return pairs_; }
  std::optional<Vec3> first() const { return first_; }  // of the pair that is begun

  // How the moving object is to be moved by the pairs; an error says what is missing.
  splat::Result<splat::registration::PairFit> fit() const;
  EditRequest refine();  // from where the pairs lay it, or from where it lies; it is waited for
  EditRequest accept();  // the refined motion, or that of the pairs; either is there
  bool waiting() const { return waiting_; }
  const std::optional<Refined>& refined() const { return refined_; }

  void answered(const EditedScene& scene);  // points of rows that have moved since are forgotten

 private:
  std::vector<splat::registration::PointPair> pairs_;
  std::optional<Vec3> first_;
  std::optional<Refined> refined_;
  bool waiting_ = false;
  uint64_t revision_ = 0;
};

}  // namespace viewer
