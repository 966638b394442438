#include "io/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "io/bytes.h"
#include "tests/support/temp_folder.h"

namespace {

namespace fs = std::filesystem;

class Checkpoint : public testing::Test {
 protected:
  static splat::Archive small_archive() {
    splat::Archive archive;
    archive.put("a/number", 42);
    archive.put_string("text", "gr\xC3\xBC\xC3\x9F");
    archive.put_array("values", std::span<const float>(std::vector<float>{1, 2, 3}));
    archive.put_array("empty", std::span<const float>());
    return archive;
  }
  std::string stored(const splat::Archive& archive) const {
    EXPECT_TRUE(io::write_checkpoint(path_, archive).ok());
    return *io::read_file(path_);
  }
  splat::Result<splat::Archive> read(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return io::read_checkpoint(path_);
  }

  splat::test::TempFolder temp_;
  fs::path folder_ = temp_.path();
  fs::path path_ = folder_ / "run \xC3\xA4.ckpt";
};

TEST_F(Checkpoint, ComesBackAsItWas) {
  splat::Archive archive = small_archive();
  std::mt19937 generator(1);
  std::vector<uint32_t> noise(100000);
  for (uint32_t& value : noise) value = uint32_t(generator());
  archive.put_array("noise", std::span<const uint32_t>(noise));
  stored(archive);
  splat::Result<splat::Archive> back = io::read_checkpoint(path_);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(back->blobs, archive.blobs);
  const std::string none = stored({});
  EXPECT_TRUE(read(none)->blobs.empty());
}

TEST_F(Checkpoint, TruncatedAnywhereIsRefused) {
  const std::string bytes = stored(small_archive());
  for (size_t size = 0; size < bytes.size(); ++size) {
    splat::Result<splat::Archive> result = read(bytes.substr(0, size));
    ASSERT_FALSE(result.ok()) << "cut to " << size;
    EXPECT_NE(result.error().message.find(path_.string()), std::string::npos) << result.error().message;
  }
  EXPECT_FALSE(read(bytes + '\0').ok());
}

TEST_F(Checkpoint, DamagedAnywhereIsRefused) {
  const std::string bytes = stored(small_archive());
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int change : {0x01, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[i] = char(damaged[i] ^ change);
      ASSERT_FALSE(read(damaged).ok()) << "byte " << i << " changed by " << change;
    }
}

TEST_F(Checkpoint, ForeignAndNewerFilesAreNamed) {
  EXPECT_EQ(read("ply\nformat ascii 1.0\n").error().message, "'" + path_.string() + "' is not a hipsplat checkpoint");
  std::string newer = stored(small_archive());
  newer[8] = 2;
  EXPECT_NE(read(newer).error().message.find("version 2"), std::string::npos);
  EXPECT_FALSE(io::read_checkpoint(folder_ / "none.ckpt").ok());
  EXPECT_FALSE(io::read_checkpoint(folder_).ok());
}

TEST_F(Checkpoint, HugeCountsAndSizesAllocateNothing) {
  std::string bytes = stored(small_archive());
  std::string count = bytes, name = bytes, size = bytes;
  for (size_t i = 12; i < 16; ++i) count[i] = '\xFF';
  for (size_t i = 16; i < 20; ++i) name[i] = '\xFF';
  for (size_t i = 28; i < 36; ++i) size[i] = '\xFF';
  for (const std::string& damaged : {count, name, size}) EXPECT_FALSE(read(damaged).ok());
}

TEST_F(Checkpoint, AFailedWriteKeepsTheOlderFile) {
  const std::string before = stored(small_archive());
  EXPECT_FALSE(io::write_checkpoint(folder_ / "missing" / "run.ckpt", small_archive()).ok());
  fs::create_directory(folder_ / "taken");
  EXPECT_FALSE(io::write_checkpoint(folder_ / "taken", small_archive()).ok());
  EXPECT_EQ(*io::read_file(path_), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2) << "no temporary files left";
}

}  // namespace
