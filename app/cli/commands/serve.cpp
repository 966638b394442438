#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "app/cli/commands/commands.h"
#include "app/cli/serve/serving.h"
#include "app/cli/terminal/interrupt.h"
#include "app/jobs/input/known_up.h"
#include "app/jobs/input/splat_input.h"
#include "app/jobs/scene/page_contents.h"
#include "app/jobs/work_memory.h"
#include "io/splats/html/html.h"
#include "splat/core/log.h"

namespace app {

namespace {
const char* const kNoLongerServed = "interrupted; the scene is no longer served";
}

Outcome run_serve(const ServeTask& task) {
  install_interrupt_handlers(kNoLongerServed);
  auto serving = Serving::open(task.where, false);
  if (!serving) return bad_input(serving.error());
  {
    auto found = read_splat_input(task.splats, task.threads);
    if (!found) return bad_input(found.error());
    io::SplatFile& file = found->file;
    for (const std::string& warning : file.warnings) splat::log::warning(warning);
    if (const auto status =
            check_work(fmt::format("packing '{}' for a browser", task.splats.string()), bytes_to_serve(file.gaussians));
        !status)
      return bad_input(status.error());
    io::SplatWriteOptions options;
    options.threads = task.threads;
    options.page = page_contents(found->path, file.gaussians, task.threads);
    options.page.title = task.splats.filename().string();
    io::SplatFileInfo info = io::info_of(file);
    if (const auto up = known_up(file, found->path)) info.view_up = up->direction;
    if (task.low_pass) info.low_pass = *task.low_pass;
    io::ServedPage served = io::make_served_page(file.gaussians, info, options, {"splats.spz"});
    (*serving)->board().put_splats(std::move(served.spz));
    (*serving)->board().put_page(std::move(served.html));
  }
  (*serving)->print_address(task.console);
  while (!interrupted()) (*serving)->board().wait_for_requests(std::chrono::milliseconds(200));
  return {ExitCode::kInterrupted, kNoLongerServed};
}

}  // namespace app
