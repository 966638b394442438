// Who has an output folder: the lock says so, whatever number the process has.
#include "app/jobs/output_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "io/bytes.h"
#include "tests/support/temp_folder.h"

namespace app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// As taken by a process of another container, which has this one's number there.
class HeldElsewhere {
 public:
  explicit HeldElsewhere(const fs::path& file) : fd_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    const std::string text = std::to_string(::getpid()) + " 0123456789abcdef another/pid:[1]";
    EXPECT_EQ(::flock(fd_, LOCK_EX | LOCK_NB), 0);
    EXPECT_GT(::pwrite(fd_, text.data(), text.size(), 0), 0);
  }
  ~HeldElsewhere() { ::close(fd_); }

 private:
  int fd_;
};

TEST(OutputLock, AnotherProcessWithThisNumberIsAnother) {
  const splat::test::TempFolder folder;
  const fs::path file = folder.path() / kLockName;
  const HeldElsewhere other(file);
  const Clock::time_point start = Clock::now();
  const splat::Status checked = OutputLock::check(file);
  ASSERT_FALSE(checked.ok());
  EXPECT_NE(checked.error().message.find("in use"), std::string::npos) << checked.error().message;
  EXPECT_NE(checked.error().message.find("another container"), std::string::npos) << checked.error().message;
  OutputLock lock;
  EXPECT_FALSE(lock.take(file).ok());
  EXPECT_LT(seconds_since(start), 5) << "refused at once";
}

TEST(OutputLock, WhatWasLeftByAKilledProcessHoldsNothing) {
  const splat::test::TempFolder folder;
  const fs::path file = folder.path() / kLockName;
  { const HeldElsewhere killed(file); }
  ASSERT_TRUE(fs::exists(file));
  EXPECT_TRUE(OutputLock::check(file).ok());
  EXPECT_FALSE(OutputLock::held(file));
  OutputLock lock;
  EXPECT_TRUE(lock.take(file).ok());
  lock.release();
  EXPECT_FALSE(fs::exists(file));
}

TEST(OutputLock, OfThisProcessIsWaitedFor) {
  const splat::test::TempFolder folder;
  const fs::path file = folder.path() / kLockName;
  OutputLock first, second;
  ASSERT_TRUE(first.take(file).ok());
  EXPECT_TRUE(OutputLock::check(file).ok()) << "a run of this window that is being left";
  EXPECT_TRUE(OutputLock::held(file)) << "whoever looks at its files sees that somebody works on them";
  std::thread leaving([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    first.release();
  });
  const Clock::time_point start = Clock::now();
  EXPECT_TRUE(second.take(file).ok());
  EXPECT_GT(seconds_since(start), 0.2);
  leaving.join();
}

// Others ask whether it is held, and hold it for that moment.
TEST(OutputLock, IsTakenWhileItIsAskedFor) {
  const splat::test::TempFolder folder;
  const fs::path file = folder.path() / kLockName;
  const int asking = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(::flock(asking, LOCK_EX | LOCK_NB), 0);
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ::close(asking);
  });
  OutputLock lock;
  EXPECT_TRUE(lock.take(file).ok());
  end.join();
}

// A file of the lock's name that is none, and a link under it: neither is written to, nor removed.
TEST(OutputLock, AFileOfSomebodyElsesIsNoLock) {
  const splat::test::TempFolder folder;
  for (const char* text : {"my notes", "12 of 15", "4711 0123456789abcdeg x"}) {
    const fs::path file = folder.write(".a.ply.lock", text);
    OutputLock lock;
    const splat::Status status = lock.take(file);
    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("no lock of hipsplat's"), std::string::npos) << status.error().message;
    lock.release();
    EXPECT_EQ(*io::read_file(file), text);
  }
  const fs::path notes = folder.write("notes", ""), link = folder.path() / ".b.ply.lock";
  fs::create_symlink(notes, link);
  OutputLock lock;
  EXPECT_FALSE(lock.take(link).ok());
  EXPECT_TRUE(fs::is_symlink(link));
}

}  // namespace
}  // namespace app
