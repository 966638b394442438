// The table of strategies itself; what each of them does has tests of its own.
#include "splat/densify/strategies.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "splat/train/config.h"

namespace splat {
namespace {

TEST(Strategies, EveryRowIsFoundByItsNumberAndItsName) {
  std::set<std::string> names;
  for (size_t i = 0; i < strategies().size(); ++i) {
    const StrategyRow& row = strategies()[i];
    EXPECT_EQ(size_t(row.kind), i);  // the number in a checkpoint
    EXPECT_EQ(&row_of(row.kind), &row);
    EXPECT_STREQ(name_of(row.kind), row.name);
    names.insert(row.name);
    EXPECT_NE(std::string(row.help), "");
  }
  EXPECT_EQ(names.size(), strategies().size());
  EXPECT_STREQ(name_of(StrategyKind(1000)), "unknown");
  EXPECT_STREQ(name_of(StrategyKind(-1)), "unknown");
}

TEST(Strategies, EveryRowMakesAStrategyOfItsDefaultsAtEveryLength) {
  for (const StrategyRow& row : strategies())
    for (int iterations : {0, 1, 10, 300, 1000, 7000, 30000, 100000}) {
      TrainConfig config;
      config.iterations = iterations;
      config.strategy = row.kind;
      config = resolve_config(config);
      EXPECT_TRUE(check_config(config).ok()) << row.name << ' ' << iterations;
      visit_strategy_fields(config, [&]<class T>(const Setting& setting, const T& field) {
        if constexpr (std::is_same_v<T, int>) {
          EXPECT_NE(field, kAuto) << setting.name;
        }
      });
      EXPECT_NE(row.make(config, {}), nullptr);
    }
}

}  // namespace
}  // namespace splat
