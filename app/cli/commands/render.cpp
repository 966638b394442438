#include "app/jobs/render/pictures.h"

#include "app/cli/commands/commands.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/terminal_monitor.h"
#include "app/jobs/film/film.h"

namespace app {

Outcome run_render(const RenderTask& task) {
  const bool film = !task.film.path.empty();
  install_interrupt_handlers(film ? nullptr : "interrupted; the pictures that are there are whole");
  TerminalMonitor monitor(task.console, film);
  return film ? make_film(task, monitor) : draw_pictures(task, monitor);
}

}  // namespace app
