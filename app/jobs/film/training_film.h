// A film of how a scene forms (hipsplat train --film): the path is flown through the states of the run, its pictures
// spread evenly over the iterations. The first shows the splats training begins with, the last those in the file. Drawn
// by the run's backend between two iterations, written as PNG on another thread; an .mp4 and the like is encoded from
// them at the end. The run's own files are the same bytes as without it. Cost: drawing_share(), and the time of the
// encoder.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "app/jobs/film/film_place.h"
#include "app/jobs/film/film_writer.h"
#include "app/jobs/training/training_run.h"

namespace app {

class TrainingFilm {
 public:
  // By the choices in options.film; where these name no film, nothing below does anything.
  // monitor: whoever watches the run.
  TrainingFilm(const Options& options, Monitor& monitor);
  ~TrainingFilm();  // what was drawn is written: a resumed run goes on with it

  Outcome check();                   // before anything is read: the path's file, and what the film would replace
  Outcome plan(TrainingRun& run);    // within prepare(), before the first file: what it takes of memory and disk
  Outcome begin(TrainingRun& run);   // after prepare()
  Outcome draw(TrainingRun& run);    // between two iterations: the pictures that are due
  Outcome finish(TrainingRun& run);  // after finish(): the rest

 private:
  int due_at(int picture, const TrainingRun& run) const;  // iteration
  bool goes_on() const;                                   // with the pictures that are there
  splat::Status begin_pictures(const TrainingRun& run);
  Outcome check_need(const TrainingRun& run) const;
  splat::Status check_room(const TrainingRun& run) const;
  void give_up(const splat::Error& why);
  Outcome interrupted_encoding() const;
  Outcome draw_next(TrainingRun& run);
  Outcome encode();
  void announce(const TrainingRun& run) const;

  splat::StopAsked stopped() {
    return [this] { return monitor_.cancelled(); };
  }

  Monitor& monitor_;
  RenderTask task_;
  Options options_;  // of the run
  bool fresh_;
  io::PathFile path_;
  FilmPlace place_;
  FilmPlan plan_;
  std::filesystem::path folder_;  // of the PNG pictures
  nlohmann::json film_;           // what it is of, as in film.json
  std::unique_ptr<FilmTarget> pictures_;
  std::vector<int> missing_;
  size_t next_ = 0;  // of missing_
  std::optional<FrameDrawer> drawer_;
  std::optional<FilmWriter> writer_;
  splat::Status status_;  // an error: the film has ended, and training goes on
  std::chrono::duration<double> spent_{0};
};

// What drawing the film takes, as a part of what training takes, by the pixels of both.
double drawing_share(const FilmPlan& film, uint64_t photo_pixels, int iterations);

}  // namespace app
