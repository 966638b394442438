#include <fmt/format.h>

#include <exception>
#include <new>

#include "app/commands/commands.h"
#include "app/console/host.h"
#include "app/console/standard_streams.h"
#include "app/options/options.h"
#include "splat/core/device_error.h"
#include "splat/core/log.h"

namespace {

app::Outcome run(const app::Options& options) {
  switch (options.verb) {
    case app::kTrain:
      return app::run_train(options);
    case app::kAlign:
      return app::run_align(app::align_task(options));
    case app::kRender:
      return app::run_render(app::render_task(options));
    case app::kEvaluate:
      return app::run_evaluate(app::evaluate_task(options));
    case app::kConvert:
      return app::run_convert(app::convert_task(options));
    case app::kInfo:
      return app::run_info(app::info_task(options));
    case app::kDoctor:
      return app::run_doctor(options.device.threads, options.console);
    case app::kBench:
      return app::run_bench(app::bench_task(options));
    case app::kWindow:
      return app::run_window(app::window_task(options));
    default:
      return app::done();
  }
}

app::Outcome parse_and_run(int count, char** words) {
  app::Options options;
  if (app::Outcome outcome = app::parse_options({words + 1, words + count}, options); !outcome) return outcome;
  if (options.help || options.help_all) {
    app::print("{}", app::help_text(options.help_all));
    return app::done();
  }
  if (options.version) {
    app::print("hipsplat {}\n", HIPSPLAT_VERSION);
    return app::done();
  }
  splat::log::set_quiet(options.console.quiet);
  return run(options);
}

}  // namespace

int main(int count, char** words) {
  app::open_standard_streams();
  app::Outcome outcome;
  try {
    outcome = parse_and_run(count, words);
  } catch (const std::bad_alloc&) {
    outcome =
        app::failed(fmt::format("out of memory ({} were held at most): close other programs, use smaller photos (-r 4) "
                                "or fewer splats (--max-splats)",
                                app::human_bytes(app::peak_rss_bytes())));
  } catch (const splat::DeviceError& error) {
    outcome = app::failed(error.what());
  } catch (const std::exception& error) {
    outcome = app::failed(std::string("unexpected problem: ") + error.what());
  }
  if (!app::flush_results() && outcome.ok())
    outcome = app::failed("the results could not be written to standard output: is its disk full?");
  if (outcome.code == app::ExitCode::kInterrupted)
    splat::log::warning(outcome.sentence);
  else if (!outcome.ok())
    splat::log::error(outcome.sentence);
  return int(outcome.code);
}
