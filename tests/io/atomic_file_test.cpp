// Output files appear whole or not at all.
#include "io/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "io/bytes.h"
#include "tests/io/error_sentence.h"
#include "tests/support/dead_process.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::test::TempFolder;

size_t entries(const fs::path& folder) {
  return size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

// Files may grow to this size while it lives; more is refused as by a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

TEST(AtomicFile, AppearsAtCommit) {
  const TempFolder folder;
  const fs::path path = folder.path() / "a b \xc3\xa9.bin";
  std::string expected;
  {
    AtomicFile file(path);
    for (int i = 0; i < 300; ++i) {  // small and large pieces, more than the buffer holds
      const std::string piece(size_t(i) * 100 + (i == 150 ? 3000000 : 0), char('a' + i % 26));
      file.write(piece);
      expected += piece;
    }
    EXPECT_FALSE(fs::exists(path));
    ASSERT_TRUE(file.commit().ok());
  }
  EXPECT_EQ(*read_file(path), expected);
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
  const TempFolder folder;
  const fs::path path = folder.write("a.bin", "old");
  {
    AtomicFile file(path);
    file.write("new");
  }
  EXPECT_EQ(*read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, AFullDiskLeavesWhatWasThere) {
  const TempFolder folder;
  const fs::path path = folder.write("a.bin", "old");
  {
    const FileSizeLimit limit(100000);
    AtomicFile file(path);
    for (int i = 0; i < 100; ++i) file.write(std::string(50000, 'x'));
    EXPECT_TRUE(file.failed());
    expect_sentence(file.commit(), {"a.bin", "cannot write"});
  }
  EXPECT_EQ(*read_file(path), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(AtomicFile, ErrorsNameTheTarget) {
  const TempFolder folder;
  expect_sentence(write_file_atomically(folder.path() / "none" / "a.bin", "x"), {"none/a.bin", "cannot create"});
  expect_sentence(write_file_atomically(folder.path(), "x"), {folder.path().string(), "is a folder"});
  expect_sentence(write_file_atomically("/dev/full", "x"), {"/dev/full", "is a device"});
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(AtomicFile, DevicesAndLinksStayWhatTheyAre) {
  EXPECT_FALSE(write_file_atomically("/dev/null", "x").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const TempFolder folder;
  const fs::path real = folder.write("real/a.bin", "old");
  fs::create_symlink(real, folder.path() / "link.bin");
  ASSERT_TRUE(write_file_atomically(folder.path() / "link.bin", "new").ok());
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link.bin"));
  EXPECT_EQ(*read_file(real), "new");
}

TEST(AtomicFile, PartialFilesAreRemovedOnDemandAndOnlyThose) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "whole.bin", "whole").ok());
  AtomicFile first(folder.path() / "a.bin"), second(folder.path() / "b.bin");
  first.write("first");
  EXPECT_EQ(entries(folder.path()), 3u);
  remove_partial_files();
  EXPECT_EQ(entries(folder.path()), 1u);
  EXPECT_FALSE(first.commit().ok());
  EXPECT_EQ(*read_file(folder.path() / "whole.bin"), "whole");
  for (int i = 0; i < 100; ++i) {  // places in the list are used again
    AtomicFile another(folder.path() / "c.bin");
    EXPECT_EQ(entries(folder.path()), 2u);
    remove_partial_files();
    EXPECT_EQ(entries(folder.path()), 1u);
  }
}

TEST(AtomicFile, WhatKilledProcessesLeftIsRemoved) {
  const TempFolder folder;
  const std::string dead = ".hipsplat.part" + std::to_string(splat::test::dead_process()) + "-";
  for (const std::string& name : {"a.bin" + dead + "0", "a.bin" + dead + "1", "b.bin" + dead + "0"})
    folder.write(name, "half");
  const fs::path elsewhere = folder.path() / ("a.bin" + dead + "1");  // as by a machine that shares the folder
  const int fd = ::open(elsewhere.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  AtomicFile own(folder.path() / "a.bin");
  remove_dead_partial_files_of(folder.path() / "a.bin");
  EXPECT_EQ(entries(folder.path()), 3u);
  EXPECT_FALSE(fs::exists(folder.path() / ("a.bin" + dead + "0")));
  EXPECT_TRUE(fs::exists(elsewhere));
  ::close(fd);
  EXPECT_TRUE(own.commit().ok());
}

// In a container every process has the number 1, the one that left these as well.
TEST(AtomicFile, LeftoversWithTheNumberOfThisProcessNeitherBlockNorStay) {
  const TempFolder folder;
  const std::string own = "a.bin.hipsplat.part" + std::to_string(::getpid()) + "-";
  for (int serial = 0; serial < 400; ++serial) folder.write(own + std::to_string(serial), "half");
  ASSERT_TRUE(write_file_atomically(folder.path() / "a.bin", "whole").ok());
  const fs::path written = folder.path() / (own + "7");  // by one in another container
  const int fd = ::open(written.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  AtomicFile ours(folder.path() / "a.bin");
  remove_dead_partial_files_of(folder.path() / "a.bin");
  EXPECT_EQ(entries(folder.path()), 3u) << "a.bin, what the other writes, and what this process writes";
  EXPECT_TRUE(fs::exists(written));
  ::close(fd);
  EXPECT_TRUE(ours.commit().ok());
}

TEST(AtomicFile, APipeIsRefusedAndNotWaitedFor) {
  const TempFolder folder;
  const fs::path pipe = folder.path() / "config.json";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_sentence(write_file_atomically(pipe, "{}"), {"config.json", "is a pipe"});
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(AtomicFile, IsLockedWhileItIsWritten) {
  const TempFolder folder;
  AtomicFile file(folder.path() / "a.bin");
  const fs::path temporary = fs::directory_iterator(folder.path())->path();
  const int fd = ::open(temporary.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_NE(::flock(fd, LOCK_EX | LOCK_NB), 0);
  ::close(fd);
}

TEST(AtomicFile, TwoAtOnceDoNotMix) {
  const TempFolder folder;
  const fs::path path = folder.path() / "a.bin";
  AtomicFile first(path), second(path);
  first.write("first");
  second.write("second");
  ASSERT_TRUE(first.commit().ok());
  ASSERT_TRUE(second.commit().ok());
  EXPECT_EQ(*read_file(path), "second");
  EXPECT_EQ(entries(folder.path()), 1u);
}

// Names that others give their files: no process of hipsplat has left them.
TEST(AtomicFile, FilesOfOthersThatAreNamedLikePartsStay) {
  const TempFolder folder;
  const std::vector<std::string> theirs{"holiday.part2-3", "thesis.part1-4",       "a.bin.part12-0",
                                        ".part7-7",        "a.bin.hipsplat.part1", "hipsplat.part1-2x"};
  for (const std::string& name : theirs) folder.write(name, "mine");
  for (const std::string& name : theirs) EXPECT_EQ(target_of_partial_file(folder.path() / name), "") << name;
  EXPECT_EQ(target_of_partial_file(folder.path() / "a.hipsplat.part.bin.hipsplat.part12-0"), "a.hipsplat.part.bin");
  remove_dead_partial_files(folder.path(), "");
  remove_dead_partial_files_of(folder.path() / "a.bin");
  for (const std::string& name : theirs) EXPECT_TRUE(fs::exists(folder.path() / name)) << name;
}

TEST(AtomicFile, OnlyFilesAreWritten) {
  const TempFolder folder;
  fs::create_symlink("/dev/null", folder.path() / "null.ply");
  fs::create_directories(folder.path() / "folder.ply");
  expect_sentence(write_file_atomically(folder.path() / "null.ply", "{}"), {"null.ply", "is a device"});
  expect_sentence(write_file_atomically(folder.path() / "folder.ply", "{}"), {"folder.ply", "is a folder"});
  fs::create_symlink("nowhere", folder.path() / "new.ply");
  EXPECT_TRUE(write_file_atomically(folder.path() / "new.ply", "{}").ok()) << "a link to what is not there yet";
  EXPECT_EQ(*read_file(folder.path() / "new.ply"), "{}");
}

}  // namespace
}  // namespace io::test
