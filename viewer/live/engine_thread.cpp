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

struct EngineThread::Worker {
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

  // The picture; none when no backend can be made.
  std::optional<EngineImage> picture_of(const RenderRequest& request, int divisor) {
    if (const auto status = drawer.prepare(request.settings, model); !status) {
      give_up(status.error().message);
      return std::nullopt;
    }
    return drawer.draw(request, divisor);
  }

  void draw(const RenderRequest& request, bool moved) {
    auto image = picture_of(request, pace.next(moved));
    if (!image) return;
    pace.took(image->divisor, image->milliseconds);
    outputs.picture(std::move(*image));
  }

  void replace_model(splat::Gaussians given) {
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
  splat::Gaussians model;
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
    const bool same = w.view && view && same_view(w.view->view, view->view) && w.view->settings == view->settings;
    w.view = std::move(view);
    w.view_changed = w.view_changed || !same;
  }
  w.changed.notify_one();
}

void EngineThread::run(splat::UniqueFunction<void(const splat::Gaussians& model)> job) {
  worker_->add([w = worker_.get(), job = std::move(job)]() mutable { job(w->model); });
}

void EngineThread::draw_once(const RenderRequest& request, splat::UniqueFunction<void(EngineImage)> done) {
  worker_->add([w = worker_.get(), request, done = std::move(done)]() mutable {
    auto image = w->model.size() > 0 ? w->picture_of(request, 1) : std::nullopt;
    done(image ? std::move(*image) : EngineImage{});
  });
}

}  // namespace viewer
