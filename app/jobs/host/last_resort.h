// Handlers of exhausted memory, which take none themselves.
#pragma once

namespace app {

// First thing in main(): an exception that nobody can handle, or one within the standard library, then removes
// temporary files and ends in a sentence; and the stack gets its room while there is some.
void install_out_of_memory_handlers();

void say_out_of_memory() noexcept;  // on stderr, without taking any

// A reserve that is given back when operator new finds no memory (std::new_handler), so that small things succeed even
// where no exception may pass: training ends in a saved state, or goes on. Held from install_out_of_memory_handlers()
// on.
void hold_reserve() noexcept;     // anew, where it was given back and there is memory again
void release_reserve() noexcept;  // before work that must succeed

}  // namespace app
