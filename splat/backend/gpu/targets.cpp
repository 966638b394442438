#include "splat/backend/gpu/targets.h"

#include <charconv>
#include <optional>

namespace splat::gpu {
namespace {

// The number after the prefix: 90 of "sm_90".
std::optional<int> number_after(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  int number = 0;
  const char* end = name.data() + name.size();
  const auto [stopped, error] = std::from_chars(name.data() + prefix.size(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

bool runs_on(std::string_view target, std::string_view architecture) {
  if (target == architecture) return true;
  const std::optional<int> device = number_after("sm_", architecture);
  if (!device) return false;
  if (const auto ptx = number_after("compute_", target)) return *ptx <= *device;
  const auto code = number_after("sm_", target);
  return code && *code / 10 == *device / 10 && *code <= *device;
}

}  // namespace

bool has_code_for(std::string_view targets, std::string_view architecture) {
  while (!targets.empty()) {
    const size_t end = targets.find(' ');
    if (runs_on(targets.substr(0, end), architecture)) return true;
    targets = end == std::string_view::npos ? std::string_view() : targets.substr(end + 1);
  }
  return false;
}

bool has_float_atomics(std::string_view architecture) {
  for (std::string_view without : {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"})
    if (architecture == without) return false;
  return !architecture.starts_with("gfx10") && !architecture.starts_with("gfx8");
}

// gfx942 is left to the runtime: MI300X has memory of its own, MI300A has not.
bool is_processors_own(std::string_view architecture) {
  for (std::string_view apu : {"gfx902", "gfx909", "gfx90c", "gfx1013", "gfx1033", "gfx1035", "gfx1036", "gfx1103",
                               "gfx1150", "gfx1151", "gfx1152", "gfx1153"})
    if (architecture == apu) return true;
  return false;
}

}  // namespace splat::gpu
