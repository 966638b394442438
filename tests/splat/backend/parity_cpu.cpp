// The CPU backend at every SIMD level this machine has, with one thread and with three; and the reference with itself.
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/reference/reference_backend.h"
#include "tests/splat/backend/parity_suite.h"

namespace splat::test {
namespace {

std::vector<BackendCase> cpu_cases() {
  std::vector<BackendCase> cases;
  for (cpu::SimdLevel level : cpu::usable_simd_levels()) {
    std::string name;
    for (char c : std::string(cpu::simd_level_name(level)))
      if (std::isalnum(static_cast<unsigned char>(c))) name += c;
    cases.push_back({name, [level]() -> std::unique_ptr<Backend> {
                       return std::move(*make_cpu_backend({.threads = 3, .level = level}));
                     }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Reference, BackendParity,
                         ::testing::Values(BackendCase{"double", [] { return make_reference_backend(); }}), case_name);
INSTANTIATE_TEST_SUITE_P(Cpu, BackendParity, ::testing::ValuesIn(cpu_cases()), case_name);

}  // namespace
}  // namespace splat::test
