#include "studio/session.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "splat/core/log.h"
#include "studio/align/service.h"
#include "studio/blocks/service.h"
#include "studio/cleanup/service.h"
#include "studio/compare/service.h"
#include "studio/documents/training_choices.h"
#include "studio/edit/service.h"
#include "studio/film/service.h"
#include "studio/masks/service.h"
#include "studio/mesh/service.h"
#include "studio/model/service.h"
#include "studio/runs/service.h"
#include "studio/window/settings_file.h"

namespace studio {

namespace fs = std::filesystem;
namespace log = splat::log;

namespace {

NoticeKind kind_of(log::Level level) {
  switch (level) {
    case log::Level::kWarning:
      return NoticeKind::kWarning;
    case log::Level::kError:
      return NoticeKind::kError;
    case log::Level::kInfo:
      break;
  }
  return NoticeKind::kInfo;
}

// The action that helps with the error that this thread logs: its listener is called from there.
thread_local std::string helps_now;
thread_local fs::path refused_now;  // the folder in which a file could not be written

// A new feature is a row here.
void add_services(Context& context) {
  const auto add = [&]<class Made>(std::unique_ptr<Made> made) -> Made& {
    Made& service = *made;
    context.services.push_back(std::move(made));
    return service;
  };
  add(std::make_unique<RunService>(context));
  add(std::make_unique<ModelService>(context));
  EditService& edit = add(std::make_unique<EditService>(context));
  add(std::make_unique<CleanupService>(context, edit));
  add(std::make_unique<CompareService>(context));
  add(std::make_unique<MaskService>(context));
  add(std::make_unique<MeshService>(context));
  add(std::make_unique<FilmService>(context));
  add(std::make_unique<BlocksService>(context));
  add(std::make_unique<AlignService>(context));
}

}  // namespace

void Context::say_done(const std::string& text, std::filesystem::path saved) {
  log::info(text);
  report(Notice{NoticeKind::kDone, text, "", std::move(saved)});
}

void Context::fail(const std::string& sentence, const std::string& mended_by) {
  helps_now = mended_by;
  log::error(sentence);
  helps_now.clear();
}

void Context::fail(const std::string& sentence, const fs::path& file, const std::string& mended_by) {
  refused_now = file.parent_path();
  fail(sentence, mended_by);
  refused_now.clear();
}

void Context::settle() {
  std::promise<void> drawn, written;
  model.opened().run([&](const splat::Gaussians&, const splat::edit::EditedModel*) { drawn.set_value(); });
  drawn.get_future().wait();
  writings.add([&] { written.set_value(); });
  written.get_future().wait();
}

struct Session::Impl {
  // Hands what is logged to the window, until it is destroyed: also where a thread that is refused ends the beginning.
  class Listener {
   public:
    explicit Listener(Context& context) {
      log::set_listener([&context](log::Level level, std::string_view line) {
        context.report(Notice{kind_of(level), std::string(line), helps_now, {}, refused_now});
      });
    }
    ~Listener() { log::set_listener({}); }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
  };

  Impl(const SessionOptions& options, Bridge& bridge, std::filesystem::path config);
  ~Impl();
  void dispatch();
  void wind_down();

  bool said_settings = false;  // that they cannot be kept: once; of the thread that writes
  Context context;
  Listener listener{context};
  bool quit = false;  // of the dispatcher
  std::thread dispatcher;
};

Session::Session(const SessionOptions& options, Bridge& bridge, std::filesystem::path config)
    : impl_(std::make_unique<Impl>(options, bridge, std::move(config))) {}
Session::~Session() = default;

Session::Impl::Impl(const SessionOptions& options, Bridge& bridge, std::filesystem::path config)
    : context(options, bridge, std::move(config)) {
  context.documents.handle_requests();
  add_services(context);
  Bus& requests = bridge.requests;
  requests.on<CancelWork>([this](CancelWork&&) { context.jobs.cancel(); });
  requests.on<SaveSettings>([this](SaveSettings&& settings) {
    if (context.config.empty()) return;
    context.writings.add([this, text = std::move(settings.text)] {
      const auto status = write_window_settings(context.config, text);
      if (!status && !std::exchange(said_settings, true))
        context.say_done(status.error().message + "; the window's settings are not kept");
    });
  });
  requests.on<Quit>([this](Quit&& how) { quit = true, context.keeps_edits = how.keep_edits; });
  context.openings.add([this] {
    context.report(Abilities{splat::list_backends(context.options.device.threads), format_rows(), splat_endings(),
                             opened_endings()});
  });
  dispatcher = std::thread([this] { dispatch(); });
}

Session::Impl::~Impl() {
  context.bridge.requests.put(Quit{true});
  dispatcher.join();
}

void Session::Impl::dispatch() {
  std::chrono::milliseconds longest = std::chrono::hours(1);
  while (!quit) {
    context.bridge.requests.deliver_one(longest);
    longest = std::chrono::hours(1);
    const auto soon = [&](std::optional<std::chrono::milliseconds> wanted) {
      if (wanted) longest = std::min(longest, *wanted);
    };
    soon(context.jobs.say_progress());
    context.all([&](Service& service) { soon(service.turn()); });
  }
  wind_down();
  context.report(QuitDone{});
}

// Everything that was promised is written before the threads end.
void Session::Impl::wind_down() {
  context.jobs.cancel();
  ++context.forecasts;
  context.documents.wind_down();
  context.all([](Service& service) { service.wind_down(); });
  context.model.opened().set_view({});
  context.settle();
}

}  // namespace studio
