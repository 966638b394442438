// A thread that owns a model and a backend, and draws the requested view: coarse while it moves, sharp when it rests,
// always the newest request. The backend is made, and the model uploaded, with the first request: a window that draws
// by OpenGL never pays for it. Of many splats a part stands for all while the view moves, where the processor draws,
// and for the first picture, which comes before the whole model is uploaded (thinned_drawer.h). Every call returns at
// once; results come from the thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/core/result.h"
#include "splat/core/unique_function.h"
#include "splat/edit/edited_model.h"
#include "splat/model/thinned.h"
#include "viewer/live/engine_image.h"

namespace viewer {

// The model of an engine thread, for a job that edits it; what changed is drawn when the job is done.
class EngineModel {
 public:
  virtual splat::edit::EditedModel& edited() = 0;
  // Its last forward() shows this view of the rows as they are drawn now: what is hidden or deleted covers nothing.
  // Costs nothing where the view is the one on the screen, once that is sharp. An error: no backend can be made. Throws
  // what backends throw.
  virtual splat::Result<splat::Backend*> seeing(const splat::View& view, const splat::ScreenFilter& filter) = 0;
  // The same rows without tints, on black.
  virtual splat::Result<splat::ImageF> picture(const splat::View& view, const splat::ScreenFilter& filter) = 0;
  // By what the selected rows are tinted from now on where SelectionTint::kByReason is asked for: ShownRows::reasons.
  virtual void set_reasons(std::vector<uint8_t> reasons) = 0;

 protected:
  ~EngineModel() = default;
};

class EngineThread {
 public:
  using MakeBackend = std::function<splat::Result<std::unique_ptr<splat::Backend>>()>;
  struct Outputs {
    std::function<void(EngineImage)> picture;
    std::function<void(std::string sentence)> problem;  // no backend, or no memory: no picture will come
  };

  // threads: of the processor, for what is not the backend's work; 0: every core.
  EngineThread(const MakeBackend& make_backend, Outputs outputs, int threads = 0);
  ~EngineThread();  // waits for the current picture or job; others are dropped
  EngineThread(const EngineThread&) = delete;
  EngineThread& operator=(const EngineThread&) = delete;

  void set_model(splat::Gaussians model);  // no splats: nothing is drawn
  // A sample of a model that is still being read, ResolutionPace::part_of(splats) of its splats, which is drawn until
  // set_model() brings all, or none. What is given to the thread meanwhile waits for that.
  void set_part(splat::Thinned part, size_t splats);
  void set_view(std::optional<RenderRequest> view);  // what to draw from now on; nullopt: nothing

  // In order, one at a time, between two pictures. The model is the one set last before the call; edited: the same,
  // with what was done to it; null: nothing was yet.
  using Job = splat::UniqueFunction<void(const splat::Gaussians& model, const splat::edit::EditedModel* edited)>;
  void run(Job job);
  // Dropped where there are no splats. What was done to the model stays until the next one is set.
  void edit(int threads, splat::UniqueFunction<void(EngineModel& model)> job);
  // One picture at the view's full size, without what is deleted or hidden, and without tints; an empty
  // one when there is no model or no backend.
  void draw_once(const RenderRequest& request, splat::UniqueFunction<void(EngineImage)> done);

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace viewer
