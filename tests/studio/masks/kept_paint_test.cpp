// Paint that is not saved, from one window to the next.
#include "studio/masks/kept_paint.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/temp_folder.h"

namespace studio {
namespace {

namespace fs = std::filesystem;
using studio::PaintKind;
using studio::PaintStep;

struct KeptPaint : testing::Test {
  splat::test::TempFolder folder;
  const fs::path config = folder.path() / "config";
  const splat::DatasetView photo = view("a.jpg"), other = view("b.jpg");
  const std::vector<PaintStep> steps{{PaintKind::kStroke, true, 0.025f, {{0.1f, 1.0f / 3}, {-0.5f, 2}}},
                                     {PaintKind::kPolygon, false, 0, {{0, 0}, {1, 0}, {1, 1}}},
                                     {PaintKind::kInvert}};

  splat::DatasetView view(const std::string& name) const {
    splat::DatasetView made;
    made.name = name;
    made.image_path = folder.write(name, "photo " + name);
    return made;
  }
  std::vector<PaintStep> kept(const splat::DatasetView& of) const { return PaintKeeper(config).kept(of); }
  void keep() const {
    const auto status = PaintKeeper(config).keep(photo, steps);
    ASSERT_TRUE(status.ok()) << status.error().message;
  }
  fs::path file() const {
    for (const auto& entry : fs::directory_iterator(config / "paint"))
      if (entry.path().extension() == ".paint") return entry.path();
    return {};
  }
};

TEST_F(KeptPaint, ComesBackAsItWasAndOnlyForItsPhoto) {
  EXPECT_TRUE(kept(photo).empty());
  EXPECT_FALSE(PaintKeeper(config).find({other, photo}));
  keep();
  const auto back = kept(photo);
  ASSERT_EQ(back.size(), steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(back[i].kind, steps[i].kind);
    EXPECT_EQ(back[i].erases, steps[i].erases);
    EXPECT_EQ(back[i].radius, steps[i].radius);
    EXPECT_EQ(back[i].points, steps[i].points);
  }
  EXPECT_TRUE(kept(other).empty());
  EXPECT_EQ(PaintKeeper(config).find({other, photo}), 1u);
  EXPECT_TRUE(PaintKeeper("").kept(photo).empty()) << "where nothing is kept";
  ASSERT_TRUE(PaintKeeper(config).keep(photo, {}).ok());
  EXPECT_TRUE(kept(photo).empty()) << "once it was saved or given up";
}

TEST_F(KeptPaint, IsOfThePhotoAndTheMaskThatWereThere) {
  keep();
  splat::DatasetView masked = photo;
  masked.mask_path = folder.write("a.png", "a mask");
  EXPECT_TRUE(kept(masked).empty()) << "as where it was saved, and the window was killed before it forgot it";
  EXPECT_FALSE(kept(photo).empty());
  folder.write("a.jpg", "another photo");
  EXPECT_TRUE(kept(photo).empty());
}

TEST_F(KeptPaint, TheNameOfThePhotoMayBeNoUtf8) {
  const splat::DatasetView odd = view("a\xff.jpg");
  ASSERT_TRUE(PaintKeeper(config).keep(odd, steps).ok());
  EXPECT_EQ(kept(odd).size(), steps.size());
}

TEST_F(KeptPaint, WhatIsDamagedIsNone) {
  keep();
  const fs::path path = file();
  std::ifstream in(path);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  const auto with = [&](const std::string& part, const std::string& by) {
    std::string text = good;
    const size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    std::ofstream(path) << text.replace(at, part.size(), by);
    return kept(photo).size();
  };
  EXPECT_EQ(with("\"kind\":2", "\"kind\":2"), steps.size());
  for (const char* kind : {"4", "-1", "2.5", "null"})
    EXPECT_EQ(with("\"kind\":2", std::string("\"kind\":") + kind), 0u) << kind;
  EXPECT_EQ(with("\"radius\":0.0", "\"radius\":-1"), 0u);
  EXPECT_EQ(with("[-0.5,2.0]", "[-0.5]"), 0u);
  EXPECT_EQ(with("[-0.5,2.0]", "[-0.5,1e300]"), 0u);
  EXPECT_EQ(with("[-0.5,2.0]", "7"), 0u);
  EXPECT_EQ(with("[-0.5,2.0]", R"({"a":1,"b":2})"), 0u);
  EXPECT_EQ(with("\"erases\":true", "\"erases\":1"), 0u);
  EXPECT_EQ(with("\"steps\":[", "\"steps\":{"), 0u);
}

TEST_F(KeptPaint, OfSeveralPhotosIsKeptAndLockedUntilEachIsSaved) {
  PaintKeeper window(config);
  ASSERT_TRUE(window.keep(photo, steps).ok());
  ASSERT_TRUE(window.keep(other, steps).ok());
  const auto locks = [&] {
    int held = 0;
    for (const auto& entry : fs::directory_iterator(config / "paint"))
      held += entry.path().extension() == ".lock" && OutputLock::held(entry.path());
    return held;
  };
  EXPECT_EQ(locks(), 2) << "another window is not offered the first one's";
  ASSERT_TRUE(window.keep(photo, {}).ok());
  EXPECT_EQ(locks(), 1);
  EXPECT_TRUE(kept(photo).empty());
  EXPECT_EQ(kept(other).size(), steps.size());
}

TEST_F(KeptPaint, IsNotOfferedWhereAnotherWindowPaints) {
  keep();
  const fs::path path = file();
  const int other_window = ::open(fs::path(path).replace_extension(".lock").c_str(), O_RDWR | O_CREAT, 0644);
  ASSERT_EQ(::flock(other_window, LOCK_EX), 0);
  EXPECT_TRUE(kept(photo).empty());
  EXPECT_FALSE(PaintKeeper(config).keep(photo, {}).ok()) << "nor thrown away";
  ::close(other_window);
  EXPECT_EQ(kept(photo).size(), steps.size()) << "it has ended, and has saved nothing";
}

}  // namespace
}  // namespace studio
