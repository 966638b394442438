// Ctrl-C, SIGTERM and a closed terminal (SIGHUP): the first asks the running command to stop at its next safe point, a
// second Ctrl-C or SIGTERM ends the process at once with exit code 130, leaving no half-written file. Commands with
// nothing to save do not wait for a safe point that is far, such as the end of a pipe or of packing: where they have
// not ended within most of a second the first does what a second one would.
#pragma once

namespace app {

// ended_soon: the sentence of a command with nothing to save, for where it had to be ended; null: a safe point is
// waited for.
void install_interrupt_handlers(const char* ended_soon = nullptr);
bool interrupted();

}  // namespace app
