// How long work of the host learns that nobody waits for its result any more: it asks now and then, and ends by
// throwing Stopped. What it was to change is then as it was before; whoever passed the question catches it.
#pragma once

#include <exception>
#include <functional>

namespace splat {

using StopAsked = std::function<bool()>;  // asked from any thread, often; empty: never

struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

inline void end_if(const StopAsked& asked) {
  if (asked && asked()) throw Stopped();
}

}  // namespace splat
