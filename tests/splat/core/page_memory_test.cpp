#include "splat/core/page_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "splat/core/huge_pages.h"

namespace splat {
namespace {

constexpr size_t kBytes = 5 * 1000 * 1000, kMore = 23 * 1000 * 1000;

bool all_are(const unsigned char* begin, const unsigned char* end, unsigned char value) {
  return std::all_of(begin, end, [&](unsigned char byte) { return byte == value; });
}

TEST(PageMemory, IsZeroAndOnABoundaryOfHugePages) {
  auto* const pages = static_cast<unsigned char*>(map_pages(kBytes));
  EXPECT_EQ(uintptr_t(pages) % kHugePage, 0u);
  EXPECT_TRUE(all_are(pages, pages + kBytes, 0));
  std::fill_n(pages, kBytes, 7);
  unmap_pages(pages, kBytes);
}

TEST(PageMemory, KeepsItsBytesWhenItGrowsAndTheNewOnesAreZero) {
  auto* pages = static_cast<unsigned char*>(map_pages(kBytes));
  auto* const neighbour = static_cast<unsigned char*>(map_pages(kBytes));  // often where it would grow to
  std::fill_n(pages, kBytes, 7);
  std::fill_n(neighbour, kBytes, 9);
  pages = static_cast<unsigned char*>(grow_pages(pages, kBytes, kMore));
  EXPECT_EQ(uintptr_t(pages) % kHugePage, 0u);
  EXPECT_TRUE(all_are(pages, pages + kBytes, 7));
  EXPECT_TRUE(all_are(pages + kBytes, pages + kMore, 0));
  std::fill_n(pages, kMore, 8);
  EXPECT_TRUE(all_are(neighbour, neighbour + kBytes, 9));
  unmap_pages(pages, kMore);
  unmap_pages(neighbour, kBytes);
}

}  // namespace
}  // namespace splat
