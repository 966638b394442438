#include "viewer/live/engine_thread.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "splat/core/device_error.h"
#include "viewer/camera/camera_state.h"
#include "viewer/live/pace.h"
#include "viewer/live/variant_drawer.h"

namespace viewer {

struct EngineThread::Worker final : EngineModel {
  using Job = splat::UniqueFunction<void()>;

  Worker(MakeBackend make, Outputs out)
      : outputs(std::move(out)), drawer(std::move(make)), thread([this] { work(); }) {}
  ~Worker() {
    {
      std::lock_guard lock(mutex);
      stop = true;
    }
    changed.notify_one();
    thread.join();
  }

  void add(Job job) {
    {
      std::lock_guard lock(mutex);
      jobs.push_back(std::move(job));
    }
    changed.notify_one();
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stop || !jobs.empty() || picture_wanted(); });
      if (stop) return;
      Job job;
      std::optional<RenderRequest> request;
      const bool moved = std::exchange(view_changed, jobs.empty() ? false : view_changed);
      if (!jobs.empty()) {
        job = std::move(jobs.front());
        jobs.pop_front();
      } else {
        request = view;
      }
      lock.unlock();
      guarded([&] { job ? job() : draw(*request, moved); });
      job = {};  // what it holds is freed outside the lock
      lock.lock();
    }
  }

  bool picture_wanted() const { return view && has_model && !failed && (view_changed || !pace.sharp()); }

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
    drawer.release();
    std::unique_lock lock(mutex);
    failed = true;
    lock.unlock();
    outputs.problem(sentence);
  }

  void draw(const RenderRequest& request, bool moved) {
    if (const auto status = drawer.prepare(request.settings, present(), states()); !status)
      return give_up(status.error().message);
    show_moved(request.moved);
    // A selection alone: at once, and at a size that the next one can be made in.
    const bool stays_sharp = drawer.has_drawn(request);
    if (stays_sharp) pace.stays_sharp();
    EngineImage image = drawer.draw(request, stays_sharp ? 1 : pace.next(moved));
    if (!stays_sharp) pace.took(image.divisor, image.milliseconds);
    outputs.picture(std::move(image));
  }

  const splat::Gaussians& present() const { return edits ? edits->model() : model; }
  std::span<const uint8_t> states() const { return edits ? edits->states() : std::span<const uint8_t>(); }

  splat::edit::EditedModel& edited() override { return *edits; }
  splat::Result<splat::Backend*> seeing(const splat::View& seen, bool antialias) override {
    SPLAT_TRY(drawer.prepare({}, present(), states()));
    show_moved({});
    return &drawer.seeing(seen, antialias);
  }

  splat::Result<splat::ImageF> picture(const splat::View& seen, bool antialias) override {
    SPLAT_TRY(drawer.prepare({}, present(), unselected()));
    show_moved({});
    return drawer.picture(seen, antialias);
  }

  void show_moved(const ShownMove& move) {
    if (edits) drawer.show_moved(*edits, move.revision == edits->revision() ? move : ShownMove());
  }

  std::vector<uint8_t> unselected() const {
    std::vector<uint8_t> unselected(states().begin(), states().end());
    for (uint8_t& state : unselected) state &= uint8_t(~splat::edit::kSelected);
    return unselected;
  }

  void edit(int threads, splat::UniqueFunction<void(EngineModel&)>& job) {
    if (present().size() == 0) return;
    if (!edits)
      edits = std::make_unique<splat::edit::EditedModel>(std::move(model), splat::edit::EditedModel::kHistoryBytes,
                                                         threads);
    const uint64_t rows = edits->revision();
    job(*this);
    if (edits->revision() != rows) drawer.take_changes(*edits), edits->forget_changes();
    std::lock_guard lock(mutex);
    view_changed = true;
  }

  // As a file would show it.
  EngineImage draw_once(const RenderRequest& request) {
    if (present().size() == 0) return {};
    if (const auto status = drawer.prepare(request.settings, present(), unselected()); !status) {
      give_up(status.error().message);
      return {};
    }
    show_moved({});
    return drawer.draw(request, 1);
  }

  void replace_model(splat::Gaussians given) {
    edits.reset();
    model = std::move(given);
    drawer.forget_model();
    pace.forget();
    if (model.size() == 0) drawer.release();
    std::lock_guard lock(mutex);
    has_model = model.size() > 0;
    failed = false;
    view_changed = true;
  }

  // ---- between the threads
  std::mutex mutex;
  std::condition_variable changed;
  bool stop = false, has_model = false, failed = false, view_changed = false;
  std::deque<Job> jobs;
  std::optional<RenderRequest> view;

  // ---- the thread's own
  const Outputs outputs;
  splat::Gaussians model;                           // empty while it is edited
  std::unique_ptr<splat::edit::EditedModel> edits;  // null: not edited yet
  VariantDrawer drawer;
  ResolutionPace pace;  // looked at under the lock, by this thread only

  std::thread thread;
};

EngineThread::EngineThread(MakeBackend make_backend, Outputs outputs)
    : worker_(std::make_unique<Worker>(std::move(make_backend), std::move(outputs))) {}
EngineThread::~EngineThread() = default;

void EngineThread::set_model(splat::Gaussians model) {
  worker_->add([w = worker_.get(), given = std::move(model)]() mutable { w->replace_model(std::move(given)); });
}

void EngineThread::set_view(std::optional<RenderRequest> view) {
  Worker& w = *worker_;
  {
    std::lock_guard lock(w.mutex);
    const bool same = w.view && view && same_view(w.view->view, view->view) && w.view->settings == view->settings &&
                      w.view->moved == view->moved;
    w.view = std::move(view);
    w.view_changed = w.view_changed || !same;
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
