// Option names of other trainers, answered with ours.
#include "app/settings/foreign_options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "app/settings/options.h"

namespace app {
namespace {

std::string answer_to(std::vector<std::string> words) {
  Options options;
  return parse_options(std::move(words), options).sentence;
}

bool is_ours(std::string_view name) {
  Options options;
  const auto rows = option_table(options);
  return std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) {
    return name == (is_command(row) ? row.name + " " + row.value : "--" + row.name) ||
           (!row.short_name.empty() && name == "-" + row.short_name);
  });
}

TEST(ForeignOptions, LeadToOptionsThatThereAre) {
  std::set<std::string_view> names;
  for (const ForeignOption& row : foreign_options()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(row.ours.empty() || is_ours(row.ours)) << row.name << " -> " << row.ours;
    EXPECT_FALSE(is_ours(row.name)) << row.name << " is an option here";
    EXPECT_EQ(foreign_option(row.name), &row) << row.name << " is not written as it is looked up";
  }
}

// The arguments of INRIA's train.py, as its help lists them, and which of ours stands for them.
TEST(ForeignOptions, OfInriaAreAnsweredWithOurs) {
  constexpr std::pair<const char*, const char*> kInria[] = {
      {"--source_path", "train DATASET"},
      {"--model_path", "--output"},
      {"--white_background", "--background"},
      {"--random_background", "--background"},
      {"--data_device", "--backend"},
      {"--antialiasing", "--antialias"},
      {"--position_lr_init", "--mean-rate-first"},
      {"--position_lr_final", "--mean-rate-last"},
      {"--position_lr_max_steps", "--mean-lr-steps"},
      {"--feature_lr", "--sh0-rate"},
      {"--opacity_lr", "--opacity-rate"},
      {"--scaling_lr", "--log-scale-rate"},
      {"--rotation_lr", "--quat-rate"},
      {"--percent_dense", "--densify-dense-fraction with --strategy adc"},
      {"--lambda_dssim", "--ssim-weight"},
      {"--densification_interval", "--densify-every with --strategy adc"},
      {"--opacity_reset_interval", "--opacity-reset-every with --strategy adc"},
      {"--densify_from_iter", "--densify-from with --strategy adc"},
      {"--densify_until_iter", "--densify-until with --strategy adc"},
      {"--densify_grad_threshold", "--densify-gradient with --strategy adc"},
      {"--depth_l1_weight_init", "--depth-weight-first"},
      {"--depth_l1_weight_final", "--depth-weight-last"},
      {"--exposure_lr_init", "--exposure"},
      {"--train_test_exp", "--exposure"},
      {"--save_iterations", "--save-at"},
      {"--checkpoint_iterations", "--checkpoint-every"},
      {"--start_checkpoint", "--resume"}};
  for (const auto& [theirs, ours] : kInria)
    EXPECT_NE(answer_to({"train", "d", "-o", "o", theirs, "5"}).find(std::string("did you mean ") + ours + "?"),
              std::string::npos)
        << answer_to({"train", "d", "-o", "o", theirs, "5"});
  for (const char* theirs : {"--position_lr_delay_mult", "--convert_SHs_python", "--compute_cov3D_python",
                             "--debug_from", "--detect_anomaly", "--optimizer_type"})
    EXPECT_NE(answer_to({"train", "d", "-o", "o", theirs}).find("no such setting here"), std::string::npos) << theirs;
  EXPECT_NE(answer_to({"train", "d", "-o", "o", "--test_iterations", "7000"}).find("--eval"), std::string::npos);
}

// gsplat and nerfstudio put the names of groups before them.
TEST(ForeignOptions, OfGsplatAndNerfstudioAreAnsweredWithOurs) {
  constexpr std::pair<const char*, const char*> kOthers[] = {
      {"--grow_grad2d", "--densify-gradient"},
      {"--strategy.grow-grad2d=0.0002", "--densify-gradient"},
      {"--strategy.refine_every", "--densify-every"},
      {"--refine_every", "--densify-every"},
      {"--strategy.cap-max", "--max-splats"},
      {"--shN_lr", "--sh-rest-rate"},
      {"--means-lr", "--mean-rate-first"},
      {"--opacity_reg", "--mcmc-opacity-regularizer"},
      {"--init_opa", "--initial-opacity"},
      {"--pose_opt", "--poses"},
      {"--downscale-factor", "--resolution"},
      {"--pipeline.model.cull-alpha-thresh", "--prune-opacity"},
      {"--pipeline.model.densify-grad-thresh", "--densify-gradient"},
      {"--max-num-iterations", "--iterations"},
      {"--no-random-bkgd", "--background"},
      {"--lr-mean-end", "--mean-rate-last"},
      {"--growth-stop-iter", "--densify-until"}};
  for (const auto& [theirs, ours] : kOthers)
    EXPECT_NE(answer_to({"train", "d", "-o", "o", theirs}).find(std::string("did you mean ") + ours), std::string::npos)
        << theirs << ": " << answer_to({"train", "d", "-o", "o", theirs});
}

TEST(ForeignOptions, WhatIsNobodysGetsTheNearestOfOurs) {
  EXPECT_EQ(foreign_option("--iteratons"), nullptr);
  EXPECT_NE(answer_to({"train", "d", "-o", "o", "--iteratons", "5"}).find("did you mean --iterations?"),
            std::string::npos);
}

}  // namespace
}  // namespace app
