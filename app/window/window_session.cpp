#include "app/window/window_session.h"

#include <chrono>
#include <future>
#include <utility>

#include "app/run/session.h"
#include "app/window/continuation.h"
#include "app/window/opening.h"
#include "app/window/training_choices.h"
#include "app/window/window_session_impl.h"
#include "splat/core/log.h"
#include "viewer/opened_model.h"

namespace app {

namespace log = splat::log;

namespace {

constexpr auto kLong = std::chrono::hours(1);
constexpr auto kProgress = std::chrono::milliseconds(50);  // between two looks at how far opening is
constexpr auto kLook = std::chrono::milliseconds(500);     // at whether edits are to be kept

viewer::NoticeKind kind_of(log::Level level) {
  switch (level) {
    case log::Level::kWarning:
      return viewer::NoticeKind::kWarning;
    case log::Level::kError:
      return viewer::NoticeKind::kError;
    case log::Level::kInfo:
      break;
  }
  return viewer::NoticeKind::kInfo;
}

}  // namespace

// ---- beginning and end

WindowSession::WindowSession(const SessionOptions& options, viewer::AppState& state, std::filesystem::path config)
    : impl_(std::make_unique<Impl>(options, state, std::move(config))) {}
WindowSession::~WindowSession() = default;

WindowSession::Impl::Impl(const SessionOptions& given, viewer::AppState& shared, std::filesystem::path config_folder)
    : options(given),
      state(shared),
      config(std::move(config_folder)),
      engine(
          [this]() -> splat::Result<std::unique_ptr<splat::Backend>> {
            splat::BackendChoice choice;
            if (std::exchange(said_backend, true)) {  // another one like the first
              SPLAT_ASSIGN_OR_RETURN(choice, splat::make_backend(options.device.backend, options.device.index,
                                                                 options.device.threads, options.device.deterministic));
            } else if (const Outcome outcome = open_backend(options.device, choice); !outcome) {
              return splat::Error{outcome.sentence};
            }
            return std::move(choice.backend);
          },
          {[this](viewer::EngineImage image) { state.engine_image.put(std::move(image)); },
           [](const std::string& sentence) { log::error(sentence); }},
          options.device.threads) {
  log::set_listener([this](log::Level level, std::string_view line) {
    state.notices.put({kind_of(level), std::string(line)});
  });
  state.engine_view.set_waker([this] { forward_view(); });
  openings.add([this] {
    if (!options.opens) offer_kept_edits();
    state.devices.put({splat::list_backends(options.device.threads), setting_rows(), format_rows()});
  });
  try {
    dispatcher = std::thread([this] { dispatch(); });
  } catch (...) {  // a limit on threads; nothing may call a session that never began
    state.engine_view.set_waker({});
    log::set_listener({});
    throw;
  }
}

WindowSession::Impl::~Impl() {
  state.engine_view.set_waker({});
  state.commands.put(viewer::Quit{true});
  dispatcher.join();
  log::set_listener({});
}

void WindowSession::Impl::dispatch() {
  while (!quit) {
    const std::chrono::milliseconds idle = city_open ? kCityLook : kLong;
    auto command = state.commands.wait(opening ? kProgress : keep_edits_at ? kLook : idle);
    if (command) handle(*command);
    if (opening) say_progress();
    keep_edits_when_due();
    look_at_city_when_due();
  }
  wind_down();
  state.quit_done.put({});
}

void WindowSession::Impl::handle(viewer::Command& command) {
  std::visit([this](auto& one) { carry_out(one); }, command);
}

// Everything that was promised is written before the threads end.
void WindowSession::Impl::wind_down() {
  cancel_opening();
  ++thumbnails_wanted;
  ++predictions_wanted;
  ++pictures_wanted;
  std::unique_ptr<LiveTraining> last;
  {
    std::lock_guard lock(drawer_mutex);
    last = std::move(training);
  }
  if (last) last->leave(true);
  last.reset();
  engine.set_view({});
  std::promise<void> exported, written;
  engine.run([&](const splat::Gaussians&, const splat::edit::EditedModel* edited) {
    if (editing && edited) keeps_edits ? editing->keep(*edited) : editing->forget();
    exported.set_value();
  });
  exported.get_future().wait();
  writings.add([&] { written.set_value(); });
  written.get_future().wait();
}

// ---- training

// The old run writes its checkpoint and ends in its own time; nobody waits but the writing thread, at the end.
void WindowSession::Impl::end_training(bool save_checkpoint) {
  std::unique_ptr<LiveTraining> ending;
  {
    std::lock_guard lock(drawer_mutex);
    if (!training) return;
    training->set_view({});
    ending = std::move(training);
    engine.set_view(last_view);
  }
  ending->leave(save_checkpoint);
  state.training.put({});
  writings.add([ending = std::move(ending)]() mutable { ending.reset(); });
}

std::filesystem::path WindowSession::Impl::training_data() {
  std::lock_guard lock(scene_mutex);
  return scene.photos && scene.may_train ? scene.photos->root : std::filesystem::path();
}

void WindowSession::Impl::carry_out(viewer::StartTraining& command) {
  if (!command.choices.resume.empty() && open_photos_of_run(command)) return;
  const std::filesystem::path data = training_data();
  if (data.empty()) return log::error("there is no dataset to train on: open one first");
  auto made = options_of(data, command.choices);
  if (made) made->device.threads = options.device.threads;
  if (!made) return log::error(made.error().message);
  if (command.choices.resume.empty() && !command.replace && holds_a_run(made->output))
    return state.output_taken.put({made->output, suggested_output(data), command.choices});
  if (const splat::Status status = make_home_of(made->output); !status) return log::error(status.error().message);
  end_training(true);
  ++predictions_wanted;  // they would slow the run down
  std::lock_guard lock(drawer_mutex);
  engine.set_view({});
  training = std::make_unique<LiveTraining>(*made, state);
  training->set_view(last_view);
}

void WindowSession::Impl::carry_out(viewer::PauseTraining&) {
  if (training) training->pause();
}

void WindowSession::Impl::carry_out(viewer::ResumeTraining&) {
  if (training) training->resume();
}

void WindowSession::Impl::carry_out(viewer::StopTraining& command) {
  if (!training) return;
  if (command.save_checkpoint)
    training->stop();
  else
    end_training(false);
}

void WindowSession::Impl::carry_out(viewer::SaveCheckpoint&) {
  if (!training) return log::warning("nothing is being trained: there is no checkpoint to save");
  training->ask([this](TrainingRun& run) {
    if (const splat::Status status = run.write_checkpoint(); !status) return log::error(status.error().message);
    state.notices.put({viewer::NoticeKind::kDone, "checkpoint '" + run.last_checkpoint().string() + "'"});
  });
}

void WindowSession::Impl::carry_out(viewer::WantPackedModel&) {
  std::lock_guard lock(scene_mutex);  // the engine's next model is that of the next opening
  engine.run([this, opened = openings_shown](const splat::Gaussians& model, const splat::edit::EditedModel* edited) {
    splat::ThreadPool pool(options.device.threads);
    viewer::PackedModel packed = viewer::pack_model(model, pool);
    packed.opened = opened;
    packed.revision = edited ? edited->revision() : 0;
    state.packed.put(std::move(packed));
  });
}

void WindowSession::Impl::carry_out(viewer::PublishModel&) {
  if (!training) return;
  training->ask([this](TrainingRun& run) {
    splat::ThreadPool pool(options.device.threads);
    state.splats.put(LiveTraining::opened_model(run, pool));
  });
}

// ---- what is drawn: the run's model while there is a run, else the opened splats. Called on the window's thread.
void WindowSession::Impl::forward_view() {
  auto request = state.engine_view.take();
  if (!request) return;
  std::lock_guard lock(drawer_mutex);
  last_view = std::move(*request);
  if (training)
    training->set_view(last_view);
  else
    engine.set_view(last_view);
}

}  // namespace app
