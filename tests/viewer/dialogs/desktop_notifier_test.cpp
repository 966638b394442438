#include "viewer/dialogs/desktop_notifier.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>

#include "tests/viewer/dialogs/fake_notifications.h"
#include "tests/viewer/dialogs/fake_portal.h"

namespace viewer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

TEST(DesktopNotifier, WhatItSaysReachesTheDesktop) {
  const test::PrivateBus bus;
  if (!bus.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  const test::FakeNotifications desktop(bus.address());
  DesktopNotifier notifier;
  notifier.show("Training has finished", "PSNR 27.31 dB, caf\xC3\xA9", bus.address());
  const auto start = Clock::now();
  while (desktop.shown().empty() && seconds_since(start) < 10)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_EQ(desktop.shown().size(), 1u);
  EXPECT_EQ(desktop.shown()[0].first, "Training has finished");
  EXPECT_EQ(desktop.shown()[0].second, "PSNR 27.31 dB, caf\xC3\xA9");
}

TEST(DesktopNotifier, WithoutABusOrAnybodyThereNothingWaits) {
  auto start = Clock::now();
  {
    DesktopNotifier notifier;
    notifier.show("a", "b", "");
    notifier.show("a", "b", "unix:path=/nowhere/bus");
    notifier.show("a", "b", "not an address");
  }
  EXPECT_LT(seconds_since(start), 2);
  const test::PrivateBus bus;
  if (!bus.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  start = Clock::now();
  {
    DesktopNotifier notifier;
    notifier.show("a", "\xff\xfe is no text", bus.address());
  }
  EXPECT_LT(seconds_since(start), 2);
}

}  // namespace
}  // namespace viewer
