// Memory that is refused leaves rows that can still be read: a checkpoint is written of them.
#include <gtest/gtest.h>

#include "splat/backend/adam_step.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/backend/cpu/model_rows.h"
#include "splat/bench/bench_scene.h"
#include "tests/support/refused_memory.h"

// Those of AlignedBuffer.
void* operator new(size_t size, std::align_val_t alignment) {
  if (splat::test::t_until_refusal >= 0 && splat::test::t_until_refusal-- == 0) throw std::bad_alloc();
  void* const memory = std::aligned_alloc(size_t(alignment), (size + size_t(alignment) - 1) & ~(size_t(alignment) - 1));
  if (!memory) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }

namespace splat::cpu {
namespace {

TEST(ModelRows, CanBeReadWhereMemoryForMomentsWasRefused) {
  const Gaussians model = bench::make_scene({1000, 64, 48}).model;
  ModelRows rows;
  ThreadPool pool(1);
  rows.upload(model, pool);
  long n = 0;
  AdamMoments moments;
  while (splat::test::refusing(n, [&] { rows.need_moments(); })) {
    rows.download_moment_rows(0, rows.size(), moments);
    ASSERT_EQ(moments.first.size(), 1000u);
    for (float value : moments.second.sh) ASSERT_EQ(value, 0);
    ++n;
  }
  EXPECT_GT(n, 0) << "nothing was refused";
  rows.download_moment_rows(0, rows.size(), moments);
  for (float value : moments.first.sh) ASSERT_EQ(value, 0);
}

// What rows miss is counted as if nothing had been refused.
TEST(AdamPauses, GoOnWhereMemoryWasRefused) {
  AdamPauses spared;
  long n = 0;
  for (bool refused = true; refused; ++n) {
    AdamPauses pauses;
    refused = splat::test::refusing(n, [&] { pauses.next({.iteration = 1}, 1); });
    for (const int iteration : {1, 40}) {
      const AdamStep expected = spared.next({.iteration = iteration}, 1),
                     got = pauses.next({.iteration = iteration}, 1);
      for (uint32_t s = 1; s + 1 < uint32_t(iteration); ++s) ASSERT_EQ(got.pauses[s].of[0], expected.pauses[s].of[0]);
    }
  }
  EXPECT_GT(n, 3) << "nothing was refused";
}

// A strategy asks for memory before it changes rows, and must find it then.
TEST(CpuRows, ThatAreReservedAreCopiedWithoutMoreMemory) {
  const Gaussians model = bench::make_scene({1000, 64, 48}).model;
  const auto backend = std::move(*make_cpu_backend({.threads = 1}));
  backend->upload(model);
  std::vector<uint32_t> kept, sources(1000, 3);
  for (uint32_t row = 0; row < 1000; row += 2) kept.push_back(row);
  backend->reserve(kept.size() + sources.size());
  EXPECT_FALSE(splat::test::refusing(0, [&] { backend->keep_and_copy_rows(kept, sources, model); }));
  EXPECT_EQ(backend->size(), 1500u);
}

}  // namespace
}  // namespace splat::cpu
