// Which photo is compared, which are measured in turn, and how their figures are ordered.
#include "studio/compare/compare_mode.h"

#include <gtest/gtest.h>

namespace studio {
namespace {

std::vector<PhotoCamera> cameras(const std::vector<std::string>& names, int held_out = -1) {
  std::vector<PhotoCamera> all;
  for (const std::string& name : names) {
    PhotoCamera& camera = all.emplace_back();
    camera.name = name;
    camera.held_out = int(all.size()) - 1 == held_out;
  }
  return all;
}

Comparison measured(int view, double psnr, double ssim = 0.5) {
  Comparison one;
  one.view = view, one.psnr = psnr, one.ssim = ssim;
  one.render = {1, 1, 3, {0, 0, 0}};
  return one;
}

TEST(CompareMode, TwoPicturesBlinkInTurnAndDifferBrightly) {
  CompareMode compare;
  EXPECT_FALSE(compare.shows_right(0));
  EXPECT_FALSE(compare.shows_right(0.5));
  EXPECT_TRUE(compare.shows_right(0.7));
  EXPECT_FALSE(compare.shows_right(1.3));
  const splat::Image8 a{2, 1, 3, {10, 20, 30, 0, 255, 100}}, b{2, 1, 3, {10, 25, 20, 200, 0, 100}};
  EXPECT_EQ(difference(a, b).pixels, (std::vector<uint8_t>{0, 20, 40, 255, 255, 0}));
  EXPECT_EQ(difference(b, a).pixels, difference(a, b).pixels);
  for (const CompareStyle next : {CompareStyle::kBlink, CompareStyle::kDifference, CompareStyle::kWipe}) {
    compare.next_style();
    EXPECT_EQ(compare.style, next);
  }
}

Comparison failed(int view) {
  Comparison none;
  none.view = view;
  return none;
}

TEST(CompareMode, ChoosesAPhotoThatIsHeldOutAndKeepsAChoice) {
  CompareMode compare;
  compare.choose({});
  EXPECT_EQ(compare.view, -1);
  compare.choose(cameras({"a", "b", "c"}));
  EXPECT_EQ(compare.view, 0);
  compare.choose(cameras({"a", "b", "c"}, 2));
  EXPECT_EQ(compare.view, 0) << "it was chosen before";
  compare.forget();
  compare.choose(cameras({"a", "b", "c"}, 2));
  EXPECT_EQ(compare.view, 2);
  compare.choose(cameras({"a"}));
  EXPECT_EQ(compare.view, 0) << "the one before is not there any more";
}

TEST(CompareMode, StepsAround) {
  CompareMode compare;
  compare.view = 2;
  compare.step(1, 3);
  EXPECT_EQ(compare.view, 0);
  compare.step(-1, 3);
  EXPECT_EQ(compare.view, 2);
  compare.step(1, 0);
  EXPECT_EQ(compare.view, 2);
}

TEST(CompareMode, MeasuresOnePhotoAfterTheOther) {
  CompareMode compare;
  EXPECT_FALSE(compare.measure({}));
  EXPECT_EQ(compare.measure({4, 7, 1}), 4);
  EXPECT_EQ(compare.note(measured(4, 20)), 7);
  EXPECT_EQ(compare.note(failed(7)), 1) << "one that fails does not end it";
  EXPECT_FALSE(compare.note(measured(1, 21)));
  EXPECT_TRUE(compare.waiting.empty());
  EXPECT_TRUE(compare.figures.at(7).failed);
  EXPECT_EQ(compare.figures.at(1).psnr, 21);
}

TEST(CompareMode, AnAnswerThatWasLostIsRequestedAgain) {
  CompareMode compare;
  EXPECT_EQ(compare.measure({0, 1}), 0);
  EXPECT_EQ(compare.note(measured(5, 20)), 0) << "5 was chosen by hand, and its answer took the place of the first";
  EXPECT_EQ(compare.note(measured(0, 20)), 1);
  EXPECT_FALSE(compare.note(measured(1, 20)));
  EXPECT_FALSE(compare.note(measured(5, 20))) << "nothing is being measured";
}

TEST(CompareMode, OrdersByFiguresAndLeavesTheRestToTheEnd) {
  CompareMode compare;
  const std::vector<PhotoCamera> all = cameras({"d", "b", "c", "a"});
  (void)compare.note(measured(0, 25, 0.7));
  (void)compare.note(measured(1, 30, 0.6));
  (void)compare.note(failed(2));
  using Views = std::vector<int>;
  EXPECT_EQ(ordered(compare, all, PhotoOrder::kName, false), (Views{3, 1, 2, 0}));
  EXPECT_EQ(ordered(compare, all, PhotoOrder::kName, true), (Views{0, 2, 1, 3}));
  EXPECT_EQ(ordered(compare, all, PhotoOrder::kPsnr, false), (Views{0, 1, 3, 2}));
  EXPECT_EQ(ordered(compare, all, PhotoOrder::kPsnr, true), (Views{1, 0, 3, 2}));
  EXPECT_EQ(ordered(compare, all, PhotoOrder::kSsim, true), (Views{0, 1, 3, 2}));
}

}  // namespace
}  // namespace studio
