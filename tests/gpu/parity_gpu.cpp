// The parity suite on the GPUs of this machine; no test where there is none.
#include "devices/registry.h"
#include "tests/splat/backend/parity_suite.h"

namespace splat::test {
namespace {

std::vector<BackendCase> gpu_cases() {
  std::vector<BackendCase> cases;
  for (const BackendStatus& status : list_backends(1)) {
    if (!status.usable || status.name == "cpu") continue;
    for (bool deterministic : {false, true})
      cases.push_back({status.name + (deterministic ? "_deterministic" : ""), [=]() -> std::unique_ptr<Backend> {
                         auto made = make_backend(status.name, -1, 1, deterministic);
                         if (!made) throw std::runtime_error(made.error().message);
                         return std::move(made->backend);
                       }});
  }
  return cases;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BackendParity);
INSTANTIATE_TEST_SUITE_P(Gpu, BackendParity, ::testing::ValuesIn(gpu_cases()), case_name);

}  // namespace
}  // namespace splat::test
