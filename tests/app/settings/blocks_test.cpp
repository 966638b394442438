// The settings of blocks: what their rows take, and how they are written.
#include "app/settings/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace app {
namespace {

TEST(BlocksSettings, SizesAreReadBackAsTheyAreWritten) {
  EXPECT_EQ(size_text(8'000'000'000), "8G");
  EXPECT_EQ(size_text(7'900'000'000), "7900M");
  for (const uint64_t bytes : {uint64_t(1), uint64_t(1'500'000), uint64_t(999'999'999), uint64_t(1'000'000'000'000)})
    EXPECT_EQ(parse_bytes(size_text(bytes)), bytes);
}

TEST(BlocksSettings, TheRowOfTheMemoryIsAllThatTheWindowNeeds) {
  BlocksSettings settings;
  std::vector<OptionRow> rows;
  add_blocks_rows(rows, settings);
  const auto row = std::find_if(rows.begin(), rows.end(), [](const OptionRow& one) { return !one.label.empty(); });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->name, "block-memory");
  EXPECT_FALSE(row->hint.empty());
  EXPECT_TRUE(row->get().is_null()) << "nothing is typed at first";
  ASSERT_TRUE(row->set("8G").ok());
  EXPECT_EQ(settings.memory, 8'000'000'000u);
  EXPECT_EQ(row->get(), "8G");
  EXPECT_NE(row->set("much").error().message.find("--block-memory needs a size such as 8G"), std::string::npos);
  EXPECT_EQ(settings.memory, 8'000'000'000u);
  ASSERT_TRUE(row->set(row->usual).ok());
  EXPECT_EQ(settings, BlocksSettings());
}

}  // namespace
}  // namespace app
