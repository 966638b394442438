#include "splat/train/config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace splat {
namespace {

TEST(LearningRates, MeansFallLogLinearlyAndStay) {
  const LearningRates rates;
  EXPECT_NEAR(mean_rate_at(rates, 0, {0, 30000}), 1.6e-4, 1e-10);
  EXPECT_NEAR(mean_rate_at(rates, 15000, {0, 30000}), 1.6e-5, 1e-11);
  EXPECT_NEAR(mean_rate_at(rates, 30000, {0, 30000}), 1.6e-6, 1e-12);
  EXPECT_NEAR(mean_rate_at(rates, 70000, {0, 30000}), 1.6e-6, 1e-12);
  EXPECT_NEAR(mean_rate_at(rates, 1, {0, 30000}), 1.6e-4 * std::pow(0.01, 1 / 30000.0), 1e-10) << "no warm-up";
  EXPECT_NEAR(mean_rate_at(rates, 10000, {10000, 30000}), 1.6e-4, 1e-10);
  EXPECT_NEAR(mean_rate_at(rates, 20000, {10000, 30000}), 1.6e-5, 1e-11);
}

TEST(LearningRates, OnlyTheMeansRateKnowsTheExtent) {
  const AdamSettings settings = adam_settings(LearningRates{}, 15000, {0, 30000}, 7.0);
  EXPECT_EQ(settings.iteration, 15000);
  EXPECT_NEAR(settings.mean_rate, 7 * 1.6e-5, 1e-9);
  EXPECT_FLOAT_EQ(settings.sh0_rate, 0.0025f);
  EXPECT_FLOAT_EQ(settings.sh_rest_rate, 0.0025f / 20);
  EXPECT_FLOAT_EQ(settings.opacity_rate, 0.025f);
  EXPECT_FLOAT_EQ(settings.log_scale_rate, 0.005f);
  EXPECT_FLOAT_EQ(settings.quat_rate, 0.001f);
}

TEST(TrainConfig, FullRunIsTheReferenceSchedule) {
  const TrainConfig config = resolve_config({});
  EXPECT_EQ(config.iterations, 30000);
  EXPECT_EQ(config.strategy, StrategyKind::kBudget);
  EXPECT_EQ(config.mean_lr_steps, 30000);
  EXPECT_EQ(config.sh_degree_interval, 1000);
  EXPECT_EQ(config.adc.from, 500);
  EXPECT_EQ(config.adc.until, 15000);
  EXPECT_EQ(config.adc.every, 100);
  EXPECT_EQ(config.adc.opacity_reset_every, 3000);
  EXPECT_FLOAT_EQ(config.adc.gradient_threshold, 2e-4f);
}

TEST(TrainConfig, ShortRunsCompressTheSchedule) {
  TrainConfig config;
  config.iterations = 1000;
  const TrainConfig thousand = resolve_config(config);
  EXPECT_EQ(thousand.mean_lr_steps, 1000);
  EXPECT_EQ(thousand.sh_degree_interval, 250);
  EXPECT_EQ(thousand.adc.from, 150);
  EXPECT_EQ(thousand.adc.until, 500);
  config.iterations = 7000;
  const TrainConfig seven = resolve_config(config);
  EXPECT_EQ(seven.mean_lr_steps, 7000);
  EXPECT_EQ(seven.sh_degree_interval, 1000);
  EXPECT_EQ(seven.adc.from, 500);
  EXPECT_EQ(seven.adc.until, 3500);
  for (int iterations : {0, 1, 2, 3}) {
    config.iterations = iterations;
    EXPECT_TRUE(check_config(resolve_config(config)).ok());
    EXPECT_GE(resolve_config(config).sh_degree_interval, 1);
  }
}

TEST(TrainConfig, ACheckpointKeepsTheLengthThatItsSchedulesWereMadeFor) {
  TrainConfig config;
  config.iterations = 200;
  Archive archive;
  save_config(resolve_config(config), archive);
  auto stored = load_config(archive);
  ASSERT_TRUE(stored.ok());
  stored->iterations = 400;
  EXPECT_EQ(resolve_config(*stored).planned_iterations, 200);
}

TEST(TrainConfig, LongerRunsKeepIt) {
  TrainConfig config;
  config.iterations = 100000;
  config = resolve_config(config);
  EXPECT_EQ(config.mean_lr_steps, 30000);
  EXPECT_EQ(config.adc.until, 15000);
}

TEST(TrainConfig, ResolvingKeepsWhatIsSet) {
  TrainConfig config;
  config.iterations = 1000;
  config.mean_lr_steps = 30000;
  config.adc.from = 200;
  config.adc.until = 15000;
  const TrainConfig resolved = resolve_config(config);
  EXPECT_EQ(resolved.mean_lr_steps, 30000);
  EXPECT_EQ(resolved.adc.from, 200);
  EXPECT_EQ(resolved.adc.until, 15000);
}

TEST(TrainConfig, ChecksEverySetting) {
  EXPECT_TRUE(check_config({}).ok());
  auto refused = [](auto change) {
    TrainConfig config;
    change(config);
    const Status status = check_config(config);
    return status.ok() ? std::string() : status.error().message;
  };
  EXPECT_EQ(refused([](TrainConfig& c) { c.iterations = -1; }), "iterations is -1 but must lie between 0 and 10000000");
  EXPECT_EQ(refused([](TrainConfig& c) { c.sh_degree = 4; }), "sh_degree is 4 but must lie between 0 and 3");
  EXPECT_NE(refused([](TrainConfig& c) { c.sh_degree_interval = -2; }), "");
  EXPECT_NE(refused([](TrainConfig& c) { c.ssim_weight = NAN; }), "");
  EXPECT_NE(refused([](TrainConfig& c) { c.adc.every = 0; }), "");
  EXPECT_NE(refused([](TrainConfig& c) { c.background_colour[2] = 1.5f; }), "");
  EXPECT_NE(refused([](TrainConfig& c) { c.initial_opacity = 1; }), "");
  EXPECT_NE(refused([](TrainConfig& c) { c.strategy = StrategyKind(7); }), "");
  EXPECT_EQ(refused([](TrainConfig& c) { c.region = {{-1, -1, -1}, {1, 1, 1}}; }), "");
  EXPECT_NE(refused([](TrainConfig& c) { c.region = {{-1, -1, 1}, {1, 1, 1}}; }), "") << "it has no height";
  EXPECT_NE(refused([](TrainConfig& c) { c.region = {{-1, -1, -1}, {1, 1, INFINITY}}; }), "");
  EXPECT_NE(refused([](TrainConfig& c) { c.region = {{-1, -1, -1}, {1, 1, 1}, {0, 0, 0, 0}}; }), "");
}

TEST(TrainConfig, ArchiveKeepsEveryFieldExactly) {
  TrainConfig config;
  int fields = 0;
  std::set<std::string> names;
  visit_fields(config, [&]<class T>(const Setting& setting, T& field) {  // a value of its own for every field
    const std::string name = setting.name;
    ++fields;
    names.insert(name);
    if constexpr (std::is_same_v<T, bool>)
      field = !field;
    else if constexpr (std::is_same_v<T, BackgroundMode>)
      field = BackgroundMode::kColour;
    else if constexpr (std::is_same_v<T, std::array<float, 3>>)
      field = {0.1f, 0.2f, 0.3f};
    else if constexpr (std::is_same_v<T, Box>)
      field = {{-1, -2, -3.5}, {0.1, 2, 1e6}, {0.6, 0, 0.8, 0}};
    else if constexpr (std::is_floating_point_v<T>)
      field = T(0.001) * T(fields);
    else if constexpr (std::is_integral_v<T>)
      field = T(name == "sh_degree" ? 2 : name == "far_points" || name == "bfloat16_moments" ? 1 : 10 + fields);
  });
  EXPECT_EQ(size_t(fields), names.size());
  Archive archive;
  save_config(config, archive);
  Result<TrainConfig> loaded = load_config(archive);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  Archive again;
  save_config(*loaded, again);
  EXPECT_EQ(archive.blobs, again.blobs);
  EXPECT_EQ(archive.blobs.size(), size_t(fields));

  for (const auto& [name, blob] : archive.blobs) {
    Archive longer = archive;
    longer.blobs[name].push_back({});
    EXPECT_FALSE(load_config(longer).ok()) << name;
  }
  archive.put("config/sh_degree", 9);
  EXPECT_FALSE(load_config(archive).ok());
}

// Its checksums see to it that a checkpoint lacks what is newer than itself, and nothing else.
TEST(TrainConfig, AFieldThatACheckpointLacksHasItsDefault) {
  TrainConfig config;
  config.iterations = 500, config.low_pass = 0.1f, config.seed = 7;
  Archive archive;
  save_config(resolve_config(config), archive);
  archive.blobs.erase("config/low_pass");
  const Result<TrainConfig> loaded = load_config(archive);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded->low_pass, TrainConfig{}.low_pass);
  EXPECT_EQ(loaded->seed, 7u);
  archive.blobs.erase("config/iterations");
  EXPECT_NE(load_config(archive).error().message.find("lacks the entry 'config/iterations'"), std::string::npos);
}

TEST(TrainConfig, Backgrounds) {
  TrainConfig config;
  config.seed = 3;
  EXPECT_EQ(evaluation_background(config), (std::array<float, 3>{0, 0, 0}));
  TrainConfig random = config;
  random.background = BackgroundMode::kRandom;
  for (int i = 1; i <= 20; ++i)
    EXPECT_EQ(training_background(config, i), i % 2 ? training_background(random, i) : evaluation_background(config));
  config.background = BackgroundMode::kBlack;
  EXPECT_EQ(training_background(config, 1), (std::array<float, 3>{0, 0, 0}));
  config.background = BackgroundMode::kWhite;
  EXPECT_EQ(training_background(config, 1), (std::array<float, 3>{1, 1, 1}));
  config.background = BackgroundMode::kColour;
  config.background_colour = {0.2f, 0.4f, 0.6f};
  EXPECT_EQ(training_background(config, 9), config.background_colour);
  EXPECT_EQ(evaluation_background(config), config.background_colour);
  config.background = BackgroundMode::kRandom;
  EXPECT_EQ(evaluation_background(config), (std::array<float, 3>{0, 0, 0}));
  std::set<std::array<float, 3>> colours;
  for (int i = 1; i <= 100; ++i) colours.insert(training_background(config, i));
  EXPECT_EQ(colours.size(), 100u);
  EXPECT_EQ(training_background(config, 5), training_background(config, 5));
  TrainConfig other = config;
  other.seed = 4;
  EXPECT_NE(training_background(config, 5), training_background(other, 5));
}

TEST(TrainConfig, Names) {
  EXPECT_STREQ(name_of(StrategyKind::kAdc), "adc");
  EXPECT_STREQ(name_of(BackgroundMode::kRandom), "random");
  EXPECT_STREQ(name_of(BackgroundMode::kAuto), "auto");
}

}  // namespace
}  // namespace splat
