// A term of training: what is trained or weighed beside the splats, photo by photo (exposures, poses, depth maps, a
// surface). The trainer calls every term in turn and knows none by name. A new one is its class here, its settings in
// TrainConfig and its place in Trainer::terms_.
#pragma once

#include <string>
#include <vector>

#include "splat/backend/backend.h"
#include "splat/backend/surface_settings.h"
#include "splat/core/archive.h"
#include "splat/core/result.h"
#include "splat/model/dataset.h"

namespace splat {

struct TrainConfig;

std::string two_decimals(double value);  // for sentences of the log

// What a term measures with, between two iterations.
struct TermInputs {
  const Dataset& dataset;
  ImageSource& images;
  Backend& backend;
  const TrainConfig& config;
  RenderSettings render;               // as in the coming iteration, but whole: the strategy leaves nothing out
  std::vector<PhotoColour> colours{};  // the photos' as trained so far, by view; empty: as given
};

// One iteration; `planned`: of how many.
struct TermIteration {
  int iteration = 0, planned = 0;
  int view = -1;                         // index in the dataset
  const TrainingImage* photo = nullptr;  // at the size it is trained at; without pixels where nobody needs it
};

class PhotoTerm {
 public:
  virtual ~PhotoTerm() = default;

  virtual Status begin(const TermInputs&) {
    return {};
  }  // once, before the first iteration of a run that is not resumed
  // Before `iteration` of a run of `iterations`: something is to be measured first.
  virtual bool due(int /*iteration*/, int /*iterations*/) const { return false; }
  virtual Status measure(const TermInputs&) { return {}; }

  virtual bool needs_photo(int /*view*/) const { return false; }  // else TermIteration::photo may be without pixels
  virtual void place(int /*view*/, View&) const {}                // before the view is drawn
  // After it was drawn, before it is compared.
  virtual void weigh(const TermIteration&, Backend&, LossSettings&, SurfaceSettings&) {}
  virtual void step(const TermIteration&, Backend&, const LossValue&) {}  // after Backend::backward()
  virtual void adjust(AdamSettings&) const {}                             // before the splats' own step

  virtual void save(Archive&) const {}
  virtual Status load(const Archive&) { return {}; }
};

}  // namespace splat
