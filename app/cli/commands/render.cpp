#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/standard_streams.h"
#include "app/cli/terminal/status_line.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/film/film.h"
#include "app/jobs/render/pictures.h"
#include "splat/core/counted.h"
#include "splat/core/printable.h"

namespace app {

Outcome run_render(const RenderTask& task) {
  const bool film = !task.film.path.empty();
  install_interrupt_handlers(film ? nullptr : "interrupted; the pictures that are there are whole");
  TerminalMonitor monitor(task.console, film);
  if (film) return make_film(task, monitor);
  DrawnPictures pictures;
  if (Outcome outcome = draw_pictures(task, monitor, pictures); !outcome) return outcome;
  monitor.result({{"type", "summary"},
                  {"backend", pictures.drawn_by},
                  {"splats", pictures.splats},
                  {"pictures", pictures.written}},
                 fmt::format("{} in {}\n", splat::counted(pictures.written.size(), "picture"),
                             splat::printable(task.output.string())));
  return done();
}

}  // namespace app
