#include "viewer/live/engine_thread.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "splat/core/device_error.h"
#include "viewer/camera/camera_state.h"
#include "viewer/live/pace.h"
#include "viewer/live/thinned_drawer.h"
#include "viewer/live/variant_drawer.h"

namespace viewer {

struct EngineThread::Worker final : EngineModel {
  using Clock = std::chrono::steady_clock;
  using Job = splat::UniqueFunction<void()>;
  struct Queued {
    Job job;
    bool sets_model = false;
  };

  Worker(const MakeBackend& make, Outputs out, int threads)
      : outputs(std::move(out)), drawer(make), thinned(make, threads), thread([this] { work(); }) {}
  ~Worker() {
    {
      std::lock_guard lock(mutex);
      stop = true;
    }
    changed.notify_one();
    thread.join();
  }

  void add(Job job, bool sets_model = false) {
    {
      std::lock_guard lock(mutex);
      jobs.push_back({std::move(job), sets_model});
    }
    changed.notify_one();
  }

  // The one that is next: of a model that is still being read, the one that brings it.
  std::deque<Queued>::iterator next_job() {
    if (!awaits_whole) return jobs.begin();
    return std::find_if(jobs.begin(), jobs.end(), [](const Queued& queued) { return queued.sets_model; });
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stop || next_job() != jobs.end() || picture_wanted(); });
      if (stop) return;
      Job job;
      std::optional<RenderRequest> request;
      bool moved = false;
      if (const auto next = next_job(); next != jobs.end()) {
        job = std::move(next->job);
        jobs.erase(next);
      } else if (!view_changed && !stands_still(lock)) {
        continue;
      } else {
        request = view;
        moved = std::exchange(view_changed, false);
      }
      lock.unlock();
      guarded([&] { job ? job() : draw(*request, moved); });
      job = {};  // what it holds is freed outside the lock
      lock.lock();
    }
  }

  // False: something else came while that was waited for.
  bool stands_still(std::unique_lock<std::mutex>& lock) {
    const std::chrono::duration<double, std::milli> still(pace_of(*view).still_ms());
    const auto then = changed_at + std::chrono::duration_cast<Clock::duration>(still);
    return !changed.wait_until(lock, then, [&] { return stop || view_changed || next_job() != jobs.end(); });
  }

  bool picture_wanted() const { return view && has_model && !failed && (view_changed || (!sharp && !awaits_whole)); }

  // ---- on the thread, without the lock

  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      give_up("there is not enough memory to draw these splats with the engine: close other programs");
    } catch (const splat::DeviceError& error) {
      give_up(error.what());
    }
  }

  void give_up(const std::string& sentence) {
    drawer.release(), thinned.release();
    std::unique_lock lock(mutex);
    failed = true;
    lock.unlock();
    outputs.problem(sentence);
  }

  void draw(const RenderRequest& request, bool moved) {
    drawn_last = request.settings;
    // A selection alone: at once, and at a size that the next one can be made in.
    if (drawer.has_drawn(request)) {
      if (!prepare_whole(request)) return;
      if (drawer.has_drawn(request)) {
        pace.stays_sharp(), whole_pace.stays_sharp();
        sharp = true;
        return outputs.picture(drawer.draw(request, 1));
      }
    }
    if (!paced) begin_pace();
    if (awaits_whole) return draw_part(request);
    ResolutionPace& of_picture = pace_of(request);
    const ResolutionPace::Next next = of_picture.next(moved);
    if (next.halvings == 0 ? !prepare_whole(request) : !prepare_thinned(request, next.halvings)) return;
    EngineImage image = next.halvings == 0 ? drawer.draw(request, next.divisor) : thinned.draw(request, next.divisor);
    of_picture.took(image.milliseconds);
    sharp = of_picture.sharp();
    outputs.picture(std::move(image));
  }

  // What is dragged is drawn there by the whole model alone.
  ResolutionPace& pace_of(const RenderRequest& request) { return request.moved.moves() ? whole_pace : pace; }

  void draw_part(const RenderRequest& request) {
    const ResolutionPace::Next next = whole_pace.next(true);
    if (const auto status = thinned.prepare(request.settings, {}, {}, thinned.made_for()); !status)
      return give_up(status.error().message);
    EngineImage image = thinned.draw(request, std::max(next.divisor, ResolutionPace::kFinestThinned));
    whole_pace.took(image.milliseconds);
    outputs.picture(std::move(image));
  }

  // False: there will be no picture, which was said.
  bool prepare_whole(const RenderRequest& request) {
    const auto status = drawer.prepare(request.settings, present(), rows());
    if (!status) return give_up(status.error().message), false;
    show_moved(request.moved);
    return true;
  }

  bool prepare_thinned(const RenderRequest& request, int halvings) {
    const auto status = thinned.prepare(request.settings, present(), rows(), present().size() >> size_t(halvings));
    if (!status) give_up(status.error().message);
    return status.ok();
  }

  // How many splats are drawn at what size; a device with memory of its own has room for one model, and is quick.
  void begin_pace() {
    const bool thins = drawer.on_host();
    pace.begin(thins ? present().size() : 0), whole_pace.forget();
    paced = true;
  }

  const splat::Gaussians& present() const { return edits ? edits->model() : model; }
  ShownRows rows() const { return edits ? ShownRows{edits->states(), reasons} : ShownRows(); }
  static DisplaySettings as_they_are(const DisplaySettings& marked) {
    DisplaySettings settings;
    settings.selection = marked.selection, settings.selection_colour = marked.selection_colour;
    return settings;
  }

  splat::edit::EditedModel& edited() override { return *edits; }
  splat::Result<splat::Backend*> seeing(const splat::View& seen, const splat::ScreenFilter& filter) override {
    if (edits->revision() != revision_before_job) drawer.take_changes(*edits);  // a step of it has moved rows
    SPLAT_TRY(drawer.prepare(as_they_are(drawn_last), present(), rows()));      // as on the screen: that costs nothing
    show_moved({});
    return &drawer.seeing(seen, filter);
  }

  splat::Result<splat::ImageF> picture(const splat::View& seen, const splat::ScreenFilter& filter) override {
    SPLAT_TRY(drawer.prepare(as_they_are({}), present(), rows()));
    show_moved({});
    return drawer.picture(seen, filter);
  }

  void show_moved(const ShownMove& move) {
    if (edits) drawer.show_moved(*edits, move.revision == edits->revision() ? move : ShownMove());
  }

  void set_reasons(std::vector<uint8_t> given) override { reasons = std::move(given); }

  void edit(int threads, splat::UniqueFunction<void(EngineModel&)>& job) {
    if (present().size() == 0) return;
    if (!edits)
      edits = std::make_unique<splat::edit::EditedModel>(std::move(model), splat::edit::EditedModel::kHistoryBytes,
                                                         threads);
    revision_before_job = edits->revision();
    job(*this);
    if (edits->revision() != revision_before_job) {
      drawer.take_changes(*edits), edits->forget_changes();
      thinned.forget_model();
    }
    std::lock_guard lock(mutex);
    view_changed = true;
  }

  // As a file would show it.
  EngineImage draw_once(RenderRequest request) {
    if (present().size() == 0) return {};
    request.settings.selection = SelectionTint::kNone;
    if (const auto status = drawer.prepare(request.settings, present(), rows()); !status) {
      give_up(status.error().message);
      return {};
    }
    show_moved({});
    return drawer.draw(request, 1);
  }

  void replace_model(splat::Gaussians given) {
    const bool has_part = std::exchange(part_of, 0) == given.size() && given.size() > 0;
    forget_scene();
    model = std::move(given);
    if (!has_part) thinned.forget_model();
    if (model.size() == 0) drawer.release(), thinned.release();
    show_anew(model.size() > 0, false);
  }

  // A device with memory of its own draws the whole model only.
  void replace_by_part(splat::Thinned part, size_t splats) {
    forget_scene();
    part_of = splats;
    const bool drawn = part.model.size() > 0 && drawer.on_host();
    drawn ? thinned.take(std::move(part), ResolutionPace::part_of(splats)) : thinned.forget_model();
    show_anew(drawn, true);
  }

  void forget_scene() {
    edits.reset();
    reasons = {};
    model = {};
    drawer.forget_model();
    paced = false;
  }

  void show_anew(bool anything, bool awaits) {
    std::lock_guard lock(mutex);
    has_model = anything;
    awaits_whole = awaits;
    failed = sharp = false;
    view_changed = true;
  }

  // ---- between the threads
  std::mutex mutex;
  std::condition_variable changed;
  bool stop = false, has_model = false, failed = false, view_changed = false;
  bool awaits_whole = false;  // of the model there is a part
  std::deque<Queued> jobs;
  std::optional<RenderRequest> view;
  Clock::time_point changed_at;  // the view, by set_view()

  // ---- the thread's own
  const Outputs outputs;
  splat::Gaussians model;                           // empty while it is edited, or awaited
  size_t part_of = 0;                               // of how many splats thinned has a part before they are here
  std::unique_ptr<splat::edit::EditedModel> edits;  // null: not edited yet
  uint64_t revision_before_job = 0;                 // of edits
  std::vector<uint8_t> reasons;                     // ShownRows::reasons
  DisplaySettings drawn_last;                       // how it was
  VariantDrawer drawer;
  ThinnedDrawer thinned;              // while the view moves, and before the whole model is with its backend
  ResolutionPace pace, whole_pace;    // whole: of pictures that the thinned model cannot make
  bool paced = false, sharp = false;  // both are of this model; the last picture is at full size

  std::thread thread;
};

EngineThread::EngineThread(const MakeBackend& make_backend, Outputs outputs, int threads)
    : worker_(std::make_unique<Worker>(make_backend, std::move(outputs), threads)) {}
EngineThread::~EngineThread() = default;

void EngineThread::set_model(splat::Gaussians model) {
  worker_->add([w = worker_.get(), given = std::move(model)]() mutable { w->replace_model(std::move(given)); }, true);
}

void EngineThread::set_part(splat::Thinned part, size_t splats) {
  worker_->add(
      [w = worker_.get(), part = std::move(part), splats]() mutable { w->replace_by_part(std::move(part), splats); },
      true);
}

void EngineThread::set_view(std::optional<RenderRequest> view) {
  Worker& w = *worker_;
  {
    std::lock_guard lock(w.mutex);
    const bool same = w.view && view && same_view(w.view->view, view->view) && w.view->settings == view->settings &&
                      w.view->moved == view->moved;
    w.view = std::move(view);
    w.view_changed = w.view_changed || !same;
    if (!same) w.changed_at = Worker::Clock::now();
  }
  w.changed.notify_one();
}

void EngineThread::run(Job job) {
  worker_->add([w = worker_.get(), job = std::move(job)]() mutable { job(w->present(), w->edits.get()); });
}

void EngineThread::edit(int threads, splat::UniqueFunction<void(EngineModel& model)> job) {
  worker_->add([w = worker_.get(), threads, job = std::move(job)]() mutable { w->edit(threads, job); });
}

void EngineThread::draw_once(const RenderRequest& request, splat::UniqueFunction<void(EngineImage)> done) {
  worker_->add([w = worker_.get(), request, done = std::move(done)]() mutable { done(w->draw_once(request)); });
}

}  // namespace viewer
