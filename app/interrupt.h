// Ctrl-C and SIGTERM: the first asks the running command to stop at its next safe point, the second ends the process at
// once with exit code 130.
#pragma once

namespace app {

void install_interrupt_handlers();
bool interrupted();

}  // namespace app
