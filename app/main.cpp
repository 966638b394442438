#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <system_error>

#include "app/cli/commands/commands.h"
#include "app/cli/generated_texts.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/stack.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/host/host.h"
#include "app/jobs/host/last_resort.h"
#include "app/jobs/mesh/mesh_job.h"
#include "app/settings/options.h"
#include "devices/device_test.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"

namespace {

app::Outcome run_mesh(const app::Options& options) {
  app::install_interrupt_handlers("interrupted: nothing was written");
  app::TerminalMonitor monitor(options.console);
  return app::run_mesh(app::mesh_task(options), monitor);
}

app::Outcome run(const app::Options& options) {
  switch (options.verb) {
    case app::kTrain:
      return app::run_train(options);
    case app::kBlocks:
      return app::run_blocks(options);
    case app::kAlign:
      return app::run_align(app::align_task(options), options.console);
    case app::kRender:
      return app::run_render(app::render_task(options));
    case app::kEvaluate:
      return app::run_evaluate(app::evaluate_task(options));
    case app::kMesh:
      return run_mesh(options);
    case app::kThumbnail:
      return app::run_thumbnail(app::thumbnail_task(options));
    case app::kConvert:
      return app::run_convert(app::convert_task(options));
    case app::kInfo:
      return app::run_info(app::info_task(options));
    case app::kDoctor:
      return app::run_doctor(options.device.threads, options.console);
    case app::kBench:
      return app::run_bench(app::bench_task(options));
    case app::kWindow:
      if (options.serve.asked) return app::run_serve(app::serve_task(options));
      return app::run_window(app::window_task(options));
    default:
      return app::done();
  }
}

app::Outcome parse_and_run(int count, char** words) {
  if (const auto text = app::generated_text({words + 1, words + count}, HIPSPLAT_VERSION)) {
    app::print_text(*text);
    return app::done();
  }
  app::Options options;
  if (app::Outcome outcome = app::parse_options({words + 1, words + count}, options); !outcome) return outcome;
  if (options.help || options.help_all) {
    app::print_text(app::help_text(options));
    return app::done();
  }
  if (options.version) {
    app::print("hipsplat {}\n", HIPSPLAT_VERSION);
    return app::done();
  }
  splat::log::set_quiet(options.console.quiet);
  return run(options);
}

app::Outcome outcome_of(int count, char** words) try {
  return parse_and_run(count, words);
} catch (const std::bad_alloc&) {
  return app::failed(app::out_of_memory());
} catch (const splat::DeviceError& error) {
  return app::failed(error.what());
} catch (const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again)
    return app::failed("the system refuses another thread: raise the limit on them (ulimit -u, a container's pids)");
  return app::failed(std::string("unexpected problem: ") + error.what());
} catch (const std::exception& error) {
  return app::failed(std::string("unexpected problem: ") + error.what());
}

int whole_program(int count, char** words) try {
  // A runtime that fails while it is being unloaded has drawn all the same.
  if (const std::optional<int> code = splat::device_test_process(count, words)) std::_Exit(*code);
  app::install_out_of_memory_handlers();
  app::open_standard_streams();
  app::Outcome outcome = outcome_of(count, words);
  if (!app::flush_results() && outcome.ok())
    outcome = app::failed("the results could not be written to standard output: is its disk full?");
  if (outcome.code == app::ExitCode::kInterrupted)
    splat::log::warning(outcome.sentence);
  else if (!outcome.ok())
    splat::log::error(outcome.sentence);
  return int(outcome.code);
} catch (const std::bad_alloc&) {
  app::say_out_of_memory();
  return int(app::ExitCode::kFailed);
}

}  // namespace

int main(int count, char** words) {
  return app::run_with_enough_stack([&] { return whole_program(count, words); });
}
