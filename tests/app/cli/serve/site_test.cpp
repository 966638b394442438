// What a request may have: names below the token, from this machine, and commands from the page itself.
#include "app/cli/serve/site.h"

#include <gtest/gtest.h>

#include "app/cli/serve/token.h"

namespace app::test {
namespace {

const std::string kSecret = "abcdefghijklmnopqrstuvwxyz012345";

struct SiteTest : testing::Test {
  Board board;
  Site site{{kSecret, true, true}, board};

  HttpAnswer get(const std::string& target, const std::string& host = "127.0.0.1:8090") {
    return site.answer({.method = "GET", .target = target, .host = host});
  }
  HttpRequest command(const std::string& name) {
    return {"POST", "/" + kSecret + "/" + name, "127.0.0.1:8090", "http://127.0.0.1:8090", "same-origin", kSecret};
  }
};

TEST_F(SiteTest, TokensAreLongRandomAndComparedWhole) {
  const std::string one = *make_token(), other = *make_token();
  EXPECT_GE(one.size(), 32u);  // 6 bits each
  EXPECT_NE(one, other);
  EXPECT_TRUE(same_secret(kSecret, kSecret));
  EXPECT_FALSE(same_secret("", kSecret));
  EXPECT_FALSE(same_secret(kSecret + "x", kSecret));
  EXPECT_FALSE(same_secret(kSecret.substr(1), kSecret));
  EXPECT_FALSE(same_secret(std::string(kSecret.size(), 'x'), kSecret));
}

TEST_F(SiteTest, HasItsNamesBelowTheTokenAlone) {
  EXPECT_EQ(get("/" + kSecret + "/").status, 503);  // asks again by itself
  board.put_page("<page>");
  board.put_splats("spz");
  board.put_status("{}");
  EXPECT_EQ(get("/" + kSecret + "/").body, "<page>");
  EXPECT_EQ(get("/" + kSecret + "/?x=1").body, "<page>");
  EXPECT_EQ(get("/" + kSecret).status, 308);
  EXPECT_EQ(get("/" + kSecret + "/splats.spz").body, "spz");
  EXPECT_FALSE(board.watched());
  EXPECT_EQ(get("/" + kSecret + "/status.json").body, "{}");
  EXPECT_TRUE(board.watched());
  for (const std::string name : {"/", "", "*", "/x/", "/status.json", "/favicon.ico", "http://127.0.0.1/"})
    EXPECT_EQ(get(name).status, 404) << name;
  for (const std::string name : {"x", "../", "../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd",
                                 "//etc/passwd", "splats.spz/", "status.json%00", "pair", "pair/", "pair/1",
                                 "pair/-1/0", "pair/1/x", "pair/1/0/2", "pair/99999999999999999999/0", "pause", "stop"})
    EXPECT_EQ(get("/" + kSecret + "/" + name).status, 404) << name;
}

TEST_F(SiteTest, AnswersNamesOfThisMachineAlone) {
  board.put_page("<page>");
  const std::string root = "/" + kSecret + "/";
  for (const char* host :
       {"127.0.0.1:8090", "localhost:9000", "localhost", "127.0.0.1", "[::1]:8090", "[::1]", "127.0.0.2:8090"})
    EXPECT_EQ(get(root, host).status, 200) << host;
  for (const char* host :
       {"", "example.org", "example.org:8090", "127.0.0.1.example.org", "127.org", "localhost.example.org:80"})
    EXPECT_EQ(get(root, host).status, 403) << host;
  const Site open({kSecret, false, true}, board);  // bound to an address of the network: names of it are not known
  EXPECT_EQ(open.answer({.method = "GET", .target = root, .host = "box.example.org:80"}).status, 200);
}

TEST_F(SiteTest, CommandsNeedTheTokenInAHeaderAndTheSameOrigin) {
  EXPECT_EQ(site.answer(command("pause")).status, 202);
  EXPECT_EQ(board.take_command(), ServeCommand::kPause);
  EXPECT_EQ(board.take_command(), ServeCommand::kNone);
  HttpRequest request = command("stop");
  request.token.clear();
  EXPECT_EQ(site.answer(request).status, 403);
  request = command("stop");
  request.origin = "http://example.org";
  EXPECT_EQ(site.answer(request).status, 403);
  request = command("stop");
  request.fetch_site = "cross-site";
  EXPECT_EQ(site.answer(request).status, 403);
  request = command("stop");
  request.host = "example.org", request.origin = "http://example.org";
  EXPECT_EQ(site.answer(request).status, 403);
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT"}) {
    request = command("stop");
    request.method = method;
    EXPECT_EQ(site.answer(request).status, 405) << method;
  }
  EXPECT_EQ(site.answer(command("remove")).status, 404);
  EXPECT_EQ(board.take_command(), ServeCommand::kNone);
  const Site shown({kSecret, true, false}, board);
  EXPECT_EQ(shown.answer(command("stop")).status, 404);
  EXPECT_EQ(board.take_command(), ServeCommand::kNone);
}

// Also where nobody draws the view: splats alone are served, or a run is paused and cannot.
TEST_F(SiteTest, EachRequestEndsOneWait) {
  constexpr std::chrono::milliseconds kNone(0);
  EXPECT_FALSE(board.wait_for_requests(kNone));
  EXPECT_EQ(get("/" + kSecret + "/pair/3/-1").status, 202);
  EXPECT_TRUE(board.wait_for_requests(kNone));
  EXPECT_FALSE(board.wait_for_requests(kNone));
  EXPECT_EQ(board.wanted_view(), 3);
  EXPECT_EQ(site.answer(command("pause")).status, 202);
  EXPECT_TRUE(board.wait_for_requests(kNone));
  EXPECT_FALSE(board.wait_for_requests(kNone));
}

TEST_F(SiteTest, PairsAreDrawnWhenAskedForAndNewerOnesAgain) {
  const std::string root = "/" + kSecret + "/pair/";
  EXPECT_EQ(get(root + "3/-1").status, 202);
  EXPECT_EQ(board.wanted_view(), 3);
  board.wanted_view_is_drawn();
  board.put_pair({3, 100, 21.5, "jpeg"});
  const HttpAnswer answer = get(root + "3/99");
  EXPECT_EQ(answer.body, "jpeg");
  EXPECT_EQ(answer.headers[0].second, "100");
  EXPECT_EQ(answer.headers[1].second, "21.50");
  EXPECT_EQ(board.wanted_view(), -1);
  EXPECT_EQ(get(root + "3/100").status, 202);
  EXPECT_EQ(board.wanted_view(), 3);
}

// Whatever is asked for before a run looks: a stop is not lost, a checkpoint neither.
TEST_F(SiteTest, AStopIsNeverLost) {
  for (const char* later : {"checkpoint", "pause", "continue", "stop"}) {
    Board each;
    const Site its_site({kSecret, true, true}, each);
    each.ask(ServeCommand::kPause);
    EXPECT_EQ(its_site.answer(command("stop")).status, 202);
    its_site.answer(command(later));
    EXPECT_EQ(each.take_command(), ServeCommand::kStop) << later;
    EXPECT_EQ(each.take_command(), ServeCommand::kNone) << later;
    its_site.answer(command(later));
    EXPECT_EQ(each.take_command(), ServeCommand::kNone) << "it has ended";
  }
  for (const ServeCommand asked : {ServeCommand::kCheckpoint, ServeCommand::kPause, ServeCommand::kGoOn,
                                   ServeCommand::kPause, ServeCommand::kCheckpoint})
    board.ask(asked);
  EXPECT_EQ(board.take_command(), ServeCommand::kPause) << "which ends what was asked before it";
  EXPECT_EQ(board.take_command(), ServeCommand::kCheckpoint);
  EXPECT_EQ(board.take_command(), ServeCommand::kNone);
}

}  // namespace
}  // namespace app::test
