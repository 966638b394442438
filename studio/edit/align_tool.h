// Laying one object on another by points that the user picks on both, in turn; what the engine refined of it. Where it
// would lie is shown before it is taken: until then nothing has moved, and the history knows of nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "splat/registration/pairs.h"
#include "studio/edit/tool.h"

namespace studio {

// What the buttons and the keys do.
enum class AlignStep : uint8_t { kRefine, kShow, kTake, kPutBack };

class AlignTool final : public Tool {
 public:
  AlignTool();

  uint32_t moving = 1, onto = 0;

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
  std::optional<splat::Similarity> motion() const;  // the refined one, else that of the pairs; none: neither is there
  bool with_scale() const { return with_scale_; }
  void set_with_scale(bool scaled);
  EditRequest refine();    // from where the pairs lay it, or from where it lies; it is waited for, and then shown
  EditRequest show();      // where motion() lays it, once the answer marks its rows
  void cancel() override;  // it is shown where it lies
  ShownMove shown() const override { return shown_; }
  splat::edit::MoveObject accept() const;  // by motion(), which is there
  bool waiting() const { return waiting_; }
  const std::optional<Refined>& refined() const { return refined_; }
  bool doubtful() const;  // no pairs led there, and a part of it does not match, or it matched as well before

  void rows_changed(uint64_t revision) override;
  void answered(const EditedScene& scene) override;  // points of rows that have moved since are forgotten
  void forget() override { *this = AlignTool(); }

  // align_panel.cpp, like those that follow.
  bool take_pointer(Workspace& work, const InputEvent& event, double scale) override;
  void picked(Workspace& work, const PickedPoint& found) override;
  bool take_keys(Workspace& work, const std::string& keys) override;
  void add_actions(Workspace& work, std::vector<Action>& actions) override;
  void add_wants(EditWants& wants) const override { wants.marked = moving; }
  void draw_strip(Workspace& work) override;
  float panel_rows(const Workspace& work) const override;
  void draw_panel(Workspace& work) override;
  void draw_over_scene(Workspace& work, const ScenePlace& scene) override;
  void add_state(const Workspace& work, nlohmann::json& state) const override;

 private:
  bool can(const Workspace& work, AlignStep step) const;
  void take(Workspace& work, AlignStep step);
  void draw_results(Workspace& work) const;

  std::vector<splat::registration::PointPair> pairs_;
  std::optional<Vec3> first_;
  std::optional<Refined> refined_;
  ShownMove shown_;
  bool with_scale_ = false;
  bool waiting_ = false, shows_ = false;  // shows_: as soon as it can be
  bool guided_ = false;                   // by pairs: what is refined
  uint64_t revision_ = 0;
};

}  // namespace studio
