#include "library/errors.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <thread>

#include "splat/core/check.h"
#include "splat/core/device_error.h"
#include "splat/core/parallel.h"

namespace library {
namespace {

TEST(LibraryErrors, AFailedCheckIsAnInternalErrorWithItsText) {
  const int one = 1;
  EXPECT_EQ(guarded([&] { SPLAT_CHECK_EQ(one, 2); }), HS_ERROR_INTERNAL);
  const std::string said = hs_error();
  EXPECT_NE(said.find("one == 2: 1 vs 2"), std::string::npos) << said;
  EXPECT_NE(said.find("errors_test.cpp:"), std::string::npos) << said;
}

TEST(LibraryErrors, AFailedCheckOfAnotherThreadIsToo) {
  splat::ThreadPool pool(4);
  const auto body = [&] { pool.for_each(1000, [](size_t i, int) { SPLAT_CHECK(i != 999); }); };
  EXPECT_EQ(guarded(body), HS_ERROR_INTERNAL);
  EXPECT_NE(std::string(hs_error()).find("i != 999"), std::string::npos) << hs_error();
  EXPECT_EQ(guarded(body), HS_ERROR_INTERNAL) << "the pool goes on";
}

TEST(LibraryErrors, EveryExceptionHasItsStatus) {
  EXPECT_EQ(guarded([] {}), HS_OK);
  EXPECT_EQ(guarded([] { throw std::bad_alloc(); }), HS_ERROR_MEMORY);
  EXPECT_EQ(guarded([] { throw std::length_error("vector"); }), HS_ERROR_MEMORY);
  EXPECT_EQ(guarded([] { throw splat::DeviceError("hipMalloc", "out of memory", 100, 10); }), HS_ERROR_MEMORY);
  EXPECT_EQ(guarded([] { throw splat::DeviceError("hipLaunch", "the device is lost"); }), HS_ERROR_DEVICE);
  EXPECT_STREQ(hs_error(), "the GPU refused hipLaunch: the device is lost");
  EXPECT_EQ(guarded([] { throw Failure{HS_ERROR_FILE, "'a.ply' is empty"}; }), HS_ERROR_FILE);
  EXPECT_STREQ(hs_error(), "'a.ply' is empty");
  EXPECT_EQ(guarded([] { throw std::runtime_error("surprise"); }), HS_ERROR_INTERNAL);
  EXPECT_EQ(guarded([] { throw 7; }), HS_ERROR_INTERNAL);
}

TEST(LibraryErrors, EveryThreadHasItsOwnSentence) {
  guarded([] { refuse("mine"); });
  std::thread([] {
    EXPECT_STREQ(hs_error(), "");
    guarded([] { refuse("another's"); });
  }).join();
  EXPECT_STREQ(hs_error(), "mine");
}

TEST(LibraryErrors, ALongSentenceEndsInAWholeCharacter) {
  std::string sentence(2046, 'a');
  sentence += "ö and more";
  guarded([&] { refuse(sentence); });
  EXPECT_EQ(std::string(hs_error()), std::string(2046, 'a'));
}

}  // namespace
}  // namespace library
