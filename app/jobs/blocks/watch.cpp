#include "app/jobs/blocks/watch.h"

namespace app {

PhotoWatch BlocksWatch::photos() const {
  PhotoWatch photos;
  photos.cancelled = stop;
  photos.progress = [this](size_t done, size_t total) {
    say("photos", double(done) / double(total));
    if (monitor) monitor->reading(done, total);
  };
  return photos;
}

Outcome prepare(TrainingRun& run, const BlocksWatch& watch) {
  if (watch.monitor) run.watched_by(*watch.monitor);
  run.stop_where([&watch] { return watch.stopped(); });
  Outcome outcome = run.prepare();
  return !outcome && watch.stopped() ? stopped_by_watch("stopped before the first iteration") : outcome;
}

Outcome advance(TrainingRun& run, const BlocksWatch& watch) {
  if (!watch.stopped()) return run.advance();
  if (const splat::Status status = run.write_checkpoint(); !status)
    return failed("stopped, and the checkpoint could not be written: " + status.error().message);
  return stopped_by_watch("stopped");
}

}  // namespace app
