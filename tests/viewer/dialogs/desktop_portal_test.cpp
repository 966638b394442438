// The desktop's file dialog: the conversation with a portal on a bus of the test's own.
#include "viewer/dialogs/desktop_portal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/viewer/dialogs/fake_portal.h"

namespace viewer {
namespace {

using Clock = std::chrono::steady_clock;
using test::FakePortal;
using test::PrivateBus;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// How long a call waited for something, s: its time where the kernel says that this thread gave its processor away.
// What a busy machine takes from it does not count.
class Waiting {
 public:
  double seconds() const { return gave_away() > before_ ? seconds_since(start_) : 0; }

 private:
  static long gave_away() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
  }

  long before_ = gave_away();
  Clock::time_point start_ = Clock::now();
};

// As the window does: a look each frame. No look may take long.
std::optional<PortalAnswer> wait_for(DesktopPortal& portal, double seconds, double* longest_look = nullptr) {
  const auto start = Clock::now();
  while (seconds_since(start) < seconds) {
    const Waiting look;
    auto answer = portal.poll();
    if (longest_look) *longest_look = std::max(*longest_look, look.seconds());
    if (answer) return answer;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return std::nullopt;
}

bool soon(const std::function<bool()>& condition) {
  const auto start = Clock::now();
  while (seconds_since(start) < 10) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

class Portal : public testing::Test {
 protected:
  void SetUp() override {
    if (!bus_.running()) GTEST_SKIP() << "there is no dbus-daemon here";
  }
  PrivateBus bus_;
};

TEST_F(Portal, AChosenFileComesBackAsAPath) {
  FakePortal desktop(bus_.address(), {.uris = {"file:///home/me/my%20scans/caf%C3%A9.ply", "file:///second"}});
  DesktopPortal portal(bus_.address(), {FileDialogKind::kOpenFile, "Open a splat file", "/home/me", ""});
  const auto answer = wait_for(portal, 10);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->available);
  EXPECT_EQ(answer->chosen, "/home/me/my scans/caf\xC3\xA9.ply");
  ASSERT_EQ(desktop.calls().size(), 1u);
  const test::PortalCall call = desktop.calls()[0];
  EXPECT_EQ(call.method, "OpenFile");
  EXPECT_EQ(call.title, "Open a splat file");
  EXPECT_EQ(call.folder, std::string("/home/me\0", 9)) << "with its zero, as the portal wants it";
  EXPECT_FALSE(call.directory);
  EXPECT_FALSE(portal.poll()) << "an answer comes once";
}

TEST_F(Portal, FoldersAndNewFilesAreAskedForAsSuch) {
  FakePortal desktop(bus_.address(), {.uris = {"file:///data/garden"}});
  DesktopPortal folder(bus_.address(), {FileDialogKind::kOpenFolder, "Open a dataset", "/data", "", {"a", {".b"}}});
  ASSERT_TRUE(wait_for(folder, 10));
  const FileKinds kinds{"Splats", {".ply", ".spz"}};
  DesktopPortal save(bus_.address(), {FileDialogKind::kSaveFile, "Save", "/data", "scene.spz", kinds});
  ASSERT_TRUE(wait_for(save, 10));
  ASSERT_EQ(desktop.calls().size(), 2u);
  EXPECT_EQ(desktop.calls()[0].method, "OpenFile");
  EXPECT_TRUE(desktop.calls()[0].directory);
  EXPECT_EQ(desktop.calls()[1].method, "SaveFile");
  EXPECT_EQ(desktop.calls()[1].suggested, "scene.spz");
  EXPECT_EQ(desktop.calls()[0].filters, "");
  EXPECT_EQ(desktop.calls()[1].filters,
            "[('Splats', [(0, '*.[pP][lL][yY]'), (0, '*.[sS][pP][zZ]')]), ('All files', [(0, '*')])]");
}

TEST_F(Portal, ACancelledDialogIsAnAnswerWithoutAPath) {
  FakePortal desktop(bus_.address(), {.response = 1, .uris = {"file:///never"}});
  DesktopPortal portal(bus_.address(), {FileDialogKind::kOpenFile, "Open", "", ""});
  const auto answer = wait_for(portal, 10);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->available);
  EXPECT_FALSE(answer->chosen);
}

TEST_F(Portal, AnOldPortalsOwnRequestIsFollowed) {
  FakePortal desktop(bus_.address(), {.version = 1, .own_object = true, .uris = {"file:///a.ply"}});
  DesktopPortal portal(bus_.address(), {FileDialogKind::kOpenFile, "Open", "", ""});
  const auto answer = wait_for(portal, 10);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->chosen, "/a.ply");
}

TEST_F(Portal, WithoutOneThereIsAnAnswerAtOnce) {
  const auto start = Clock::now();
  DesktopPortal nobody(bus_.address(), {FileDialogKind::kOpenFile, "Open", "", ""});
  auto answer = wait_for(nobody, 10);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->available);
  DesktopPortal no_bus("unix:path=/nowhere/bus", {FileDialogKind::kOpenFile, "Open", "", ""});
  answer = wait_for(no_bus, 10);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->available);
  EXPECT_LT(seconds_since(start), 3) << "the dialog that takes its place must not be late";

  FakePortal old(bus_.address(), {.version = 2});  // cannot choose folders
  DesktopPortal folder(bus_.address(), {FileDialogKind::kOpenFolder, "Open", "", ""});
  answer = wait_for(folder, 10);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->available);
  EXPECT_TRUE(old.calls().empty()) << "no dialog was shown";
}

TEST_F(Portal, ASilentDesktopDelaysNoFrameAndIsGivenUp) {
  FakePortal desktop(bus_.address(), {.answers_version = false});
  double longest = 0;
  const Waiting opening;
  DesktopPortal portal(bus_.address(), {FileDialogKind::kOpenFile, "Open", "", ""});
  EXPECT_LT(opening.seconds(), 0.05);
  const auto answer = wait_for(portal, 10, &longest);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->available);
  EXPECT_LT(longest, 0.05);
}

TEST_F(Portal, ABusThatSaysNothingIsGivenUp) {
  const splat::test::TempFolder folder;
  sockaddr_un place{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = (folder.path() / "bus").string(), address = "unix:path=" + path;
  ASSERT_LT(path.copy(place.sun_path, sizeof place.sun_path - 1), sizeof place.sun_path - 1);
  const int bus = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(bus, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  ASSERT_EQ(listen(bus, 8), 0);
  DesktopPortal waited_for(address, {FileDialogKind::kOpenFile, "Open", "", ""});
  const auto answer = wait_for(waited_for, 10);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->available);
  auto left = std::make_unique<DesktopPortal>(address, PortalQuestion{FileDialogKind::kOpenFile, "Open", "", ""});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const Waiting closing;
  left.reset();
  EXPECT_LT(closing.seconds(), 2);
  close(bus);
}

TEST_F(Portal, AnOpenDialogGoesAwayWithTheWindow) {
  FakePortal desktop(bus_.address(), {.answers_choice = false});
  auto portal =
      std::make_unique<DesktopPortal>(bus_.address(), PortalQuestion{FileDialogKind::kOpenFile, "Open", "", ""});
  ASSERT_TRUE(soon([&] { return desktop.calls().size() == 1; }));
  EXPECT_FALSE(portal->poll());
  const Waiting closing;
  portal.reset();
  EXPECT_LT(closing.seconds(), 2) << "it would wait for the desktop for 4 s";
  EXPECT_TRUE(soon([&] { return desktop.caller_left(); })) << "the portal closes the dialogs of those who left";
}

TEST(FileUri, IsReadOrRefused) {
  EXPECT_EQ(path_of_file_uri("file:///a/b.ply"), "/a/b.ply");
  EXPECT_EQ(path_of_file_uri("file://localhost/a%2Fb"), "/a/b");
  EXPECT_EQ(path_of_file_uri("file:///100%25"), "/100%");
  for (const char* bad : {"", "http://a/b", "file://host/a", "file:a", "file:///a%2", "file:///a%zz", "file:///a%00b"})
    EXPECT_FALSE(path_of_file_uri(bad)) << bad;
}

}  // namespace
}  // namespace viewer
