// Ctrl-C, SIGTERM and a closed terminal (SIGHUP): the first asks the running command to stop at its next safe point, a
// second Ctrl-C or SIGTERM ends the process at once with exit code 130, leaving no half-written file.
#pragma once

namespace app {

void install_interrupt_handlers();
bool interrupted();

}  // namespace app
