// Cleaning up in the window: floaters put into a trained scene are proposed, selected and measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "app/cli/commands/commands.h"
#include "io/io.h"
#include "splat/clean/proposal.h"
#include "splat/model/gaussian_rows.h"
#include "studio/cleanup/cleanup_answer.h"
#include "studio/documents/training_choices.h"
#include "studio/job_thread.h"
#include "tests/studio/live_window.h"
#include "tests/support/dark_balls.h"
#include "tests/support/scene_on_disk.h"

namespace studio::test {

using namespace app::test;
namespace {

namespace fs = std::filesystem;
namespace edit = splat::edit;

constexpr int kLength = 300;  // iterations
const float kNormal = splat::clean::least_score(splat::clean::Strength::kNormal);

// A scene, what a run with every 5th photo held out has left of it, and a dark ball before each camera.
class Cleaning : public testing::Test {
 protected:
  void SetUp() override {
    studio::TrainingChoices c;
    c.train.iterations = kLength;
    c.output = run_;
    c.dataset.test_every = 5;
    c.device.backend = "cpu";
    auto options = options_of(scene_.dataset(), c);
    ASSERT_TRUE(options.ok()) << options.error().message;
    options->device.threads = 1;
    ASSERT_TRUE(run_train(*options).ok());
    add_balls();
    window_.send(studio::OpenPath{run_});
    ASSERT_TRUE(window_.wait([&] { return window_.splats.has_value(); })) << window_.all_notices();
    request({});
  }

  void add_balls() {
    const fs::path file = run_ / ("point_cloud/iteration_" + std::to_string(kLength) + "/point_cloud.ply");
    auto splats = io::read_splat_file(file);
    ASSERT_TRUE(splats.ok()) << splats.error().message;
    splat::Gaussians& model = splats->gaussians;
    trained_ = model.size();
    const splat::Gaussians balls = splat::test::dark_balls(model, splat::test::make_tiny_dataset().dataset.views);
    balls_ = balls.size();
    splat::append_rows(balls, model);
    ASSERT_TRUE(io::write_splat_file(file, model).ok());
  }

  void request(const studio::EditRequest& what) {
    window_.edited.reset();
    window_.send(studio::EditScene{what});
    ASSERT_TRUE(window_.wait([&] { return window_.edited.has_value(); })) << window_.all_notices();
  }
  void select_proposed(uint32_t reasons = ~0u) { request({edit::SelectProposed{kNormal, reasons}}); }
  void propose() {
    window_.send(studio::ProposeCleanup{});
    ASSERT_TRUE(window_.wait([&] { return window_.cleanup.has_value(); }, 60)) << window_.all_notices();
    ASSERT_FALSE(window_.cleanup->scores.empty()) << window_.all_notices();
  }

  void measure(uint64_t scene) {
    window_.cleanup_effect.reset();
    window_.send(studio::MeasureCleanup{scene});
    ASSERT_TRUE(window_.wait([&] { return window_.cleanup_effect.has_value(); })) << window_.all_notices();
    EXPECT_EQ(window_.cleanup_effect->scene, scene);
  }

  const SceneOnDisk scene_;
  const fs::path run_ = scene_.output("run");
  size_t trained_ = 0, balls_ = 0;
  LiveWindow window_;
};

TEST_F(Cleaning, WhatStandsBeforeTheCamerasIsProposedSelectedAndWorthIt) {
  propose();
  EXPECT_EQ(window_.cleanup->held_out, 2u);
  size_t proposed = 0;
  for (size_t reason = 0; reason < splat::clean::kReasons; ++reason) {
    const std::vector<float>& scores = window_.cleanup->scores[reason];
    EXPECT_TRUE(std::is_sorted(scores.begin(), scores.end(), std::greater<>())) << reason;
    proposed += window_.cleanup->count(reason, kNormal);
  }
  EXPECT_GE(proposed, 6u) << "most balls before the 8 photos that it went by";
  select_proposed();
  EXPECT_EQ(window_.edited->selected, proposed);
  size_t selected_balls = 0;
  for (size_t row = trained_; row < trained_ + balls_; ++row)
    selected_balls += window_.edited->states[row] & splat::edit::kSelected;
  EXPECT_GE(selected_balls, 6u);
  EXPECT_EQ(window_.edited->deleted, 0u) << "nothing goes unasked";
  measure(7);
  EXPECT_GT(window_.cleanup_effect->psnr_after, window_.cleanup_effect->psnr_before + 1);
  EXPECT_EQ(window_.works.back().what, "") << "the progress is gone";
  const studio::CleanupEffect first = *window_.cleanup_effect;
  request({edit::DeleteSelected{}});
  measure(8);
  EXPECT_EQ(window_.cleanup_effect->psnr_before, first.psnr_after) << "what is deleted counts as gone";
  EXPECT_EQ(window_.cleanup_effect->psnr_after, first.psnr_after) << "nothing is selected";
  request({edit::Undo{}});
  measure(9);
  EXPECT_EQ(window_.cleanup_effect->psnr_before, first.psnr_before);
  EXPECT_EQ(window_.cleanup_effect->psnr_after, first.psnr_after);

  select_proposed(0);
  EXPECT_EQ(window_.edited->selected, 0u) << "no reason counts";
}

TEST_F(Cleaning, DeletedSplatsAreNotProposedAgain) {
  propose();
  select_proposed();
  const size_t first = window_.edited->selected;
  request({edit::DeleteSelected{}});
  EXPECT_EQ(window_.edited->deleted, first);
  window_.cleanup.reset();
  window_.notices.clear();
  propose();
  select_proposed();
  EXPECT_LT(window_.edited->selected, first);
  EXPECT_EQ(window_.edited->deleted, first);
  EXPECT_FALSE(window_.noticed("backend cpu", studio::NoticeKind::kInfo)) << "Devices lends, and has said which";
}

TEST_F(Cleaning, WithoutPhotosItSaysWhatIsMissing) {
  const fs::path alone = scene_.output("alone.ply");
  fs::copy_file(run_ / ("point_cloud/iteration_" + std::to_string(kLength) + "/point_cloud.ply"), alone);
  window_.splats.reset();
  window_.send(studio::OpenPath{alone});
  ASSERT_TRUE(window_.wait([&] { return window_.splats.has_value(); }));
  window_.send(studio::ProposeCleanup{});
  ASSERT_TRUE(window_.wait([&] { return window_.cleanup.has_value(); })) << window_.all_notices();
  EXPECT_TRUE(window_.cleanup->scores.empty());
  EXPECT_TRUE(window_.noticed("no photos to clean by", studio::NoticeKind::kError));
}

// A copy moves the rows' numbers: the model is uploaded anew.
TEST_F(Cleaning, MeasuresCopiesToo) {
  propose();
  select_proposed();
  const size_t balls = window_.edited->selected;
  measure(1);
  const studio::CleanupEffect once = *window_.cleanup_effect;
  request({edit::DuplicateSelected{}});
  ASSERT_EQ(window_.edited->selected, balls);
  measure(2);
  EXPECT_LT(window_.cleanup_effect->psnr_before, once.psnr_before) << "each ball twice hides more";
  EXPECT_EQ(window_.cleanup_effect->psnr_after, once.psnr_before) << "without the copies";
}

TEST(CleanupAnswer, EndsWorkThatThrowsOrIsDropped) {
  viewer::Bus reports;
  Job thrown, dropped;
  {
    JobThread thread;
    thread.add([answer = std::make_unique<CleanupAnswer>(thrown, reports)] { throw std::runtime_error("no memory"); });
  }
  EXPECT_TRUE(thrown.done);
  ASSERT_TRUE(reports.take<studio::CleanupProposal>());
  { const CleanupAnswer never_used(dropped, reports); }
  EXPECT_TRUE(dropped.done);
  EXPECT_TRUE(reports.take<studio::CleanupProposal>());
}

TEST_F(Cleaning, CanBeCancelled) {
  window_.send(studio::ProposeCleanup{});
  window_.send(studio::CancelWork{});
  ASSERT_TRUE(window_.wait([&] { return window_.cleanup.has_value(); }, 60)) << window_.all_notices();
  EXPECT_TRUE(window_.cleanup->scores.empty());
  for (const studio::Notice& notice : window_.notices)
    EXPECT_NE(notice.kind, studio::NoticeKind::kError) << notice.text;
}

}  // namespace
}  // namespace studio::test
