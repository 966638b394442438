// The order in which messages arrive, which both sides of the window rely on.
#include "viewer/bus.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "studio/edit/messages.h"

namespace viewer {
namespace {

using studio::EditedScene;
using studio::Refined;

struct Said {
  std::string text;
};
struct Counted {
  int number = 0;
};
struct Shown {
  using OnlyNewest = void;
  int picture = 0;
};

class BusTest : public testing::Test {
 protected:
  BusTest() {
    bus_.on<Said>([this](Said&& said) { got_.push_back(said.text); });
    bus_.on<Counted>([this](Counted&& counted) { got_.push_back(std::to_string(counted.number)); });
    bus_.on<Shown>([this](Shown&& shown) { got_.push_back("picture " + std::to_string(shown.picture)); });
  }
  using Strings = std::vector<std::string>;
  Strings delivered() {
    bus_.deliver();
    return std::exchange(got_, {});
  }

  Bus bus_;
  Strings got_;
};

TEST_F(BusTest, MessagesOfAnyTypeArriveInTheOrderInWhichTheyWerePut) {
  bus_.put(Said{"a"});
  bus_.put(Counted{1});
  bus_.put(Said{"b"});
  bus_.put(Counted{2});
  EXPECT_EQ(delivered(), (Strings{"a", "1", "b", "2"}));
  EXPECT_TRUE(bus_.empty());
  EXPECT_FALSE(bus_.deliver());
}

TEST_F(BusTest, OfPicturesTheNewestComesAfterWhatWasPutBeforeIt) {
  bus_.put(Shown{1});
  bus_.put(Said{"a"});
  bus_.put(Shown{2});
  bus_.put(Said{"b"});
  EXPECT_EQ(delivered(), (Strings{"a", "picture 2", "b"}));
}

// What the window draws of edited splats: it never has states for rows that it does not have yet.
TEST(Bus, RowsThatChangedComeBeforeTheNewestStatesOfAllRows) {
  Bus reports;
  std::vector<std::string> order;
  reports.on<ChangedRows>([&](ChangedRows&& rows) { order.push_back("rows " + std::to_string(rows.revision)); });
  reports.on<EditedScene>([&](EditedScene&& scene) { order.push_back("states " + std::to_string(scene.revision)); });
  for (const uint64_t revision : {1, 2, 3}) {
    ChangedRows rows;
    rows.revision = revision;
    reports.put(std::move(rows));
    EditedScene scene;
    scene.revision = revision;
    reports.put(std::move(scene));
  }
  reports.deliver();
  EXPECT_EQ(order, (std::vector<std::string>{"rows 1", "rows 2", "rows 3", "states 3"}));
}

// A click on nothing, and a result that was waited for, are said however soon another answer follows.
TEST(Bus, WhatStatesSayOnceIsSaidWithThoseThatTakeTheirPlace) {
  Bus reports;
  std::vector<EditedScene> arrived;
  reports.on<EditedScene>([&](EditedScene&& scene) { arrived.push_back(std::move(scene)); });
  EditedScene first, second;
  first.splats = second.splats = "a.ply";
  first.missed = true;
  first.wants.refined.emplace();
  first.refined = Refined{{2}};
  second.selected = 7;
  EditedScene of_another = second;
  of_another.splats = "b.ply";
  reports.put(first);
  reports.put(second);
  reports.deliver();
  reports.put(first);
  reports.put(of_another);
  reports.deliver();
  ASSERT_EQ(arrived.size(), 2u);
  EXPECT_TRUE(arrived[0].missed && arrived[0].wants.refined && arrived[0].refined);
  EXPECT_EQ(arrived[0].selected, 7u) << "the newest";
  EXPECT_FALSE(arrived[1].missed || arrived[1].wants.refined || arrived[1].refined);
}

TEST_F(BusTest, WhatAHandlerPutsIsDeliveredToo) {
  bus_.on<Counted>([this](Counted&& counted) {
    got_.push_back(std::to_string(counted.number));
    if (counted.number > 0) bus_.put(Counted{counted.number - 1});
  });
  bus_.put(Counted{2});
  EXPECT_EQ(delivered(), (Strings{"2", "1", "0"}));
}

TEST_F(BusTest, OneCanBeTakenBeforeItsTurn) {
  bus_.put(Said{"a"});
  bus_.put(Counted{7});
  EXPECT_TRUE(bus_.waits<Counted>());
  EXPECT_EQ(bus_.take<Counted>().value().number, 7);
  EXPECT_FALSE(bus_.waits<Counted>());
  EXPECT_FALSE(bus_.take<Counted>());
  EXPECT_EQ(delivered(), Strings{"a"});
}

TEST_F(BusTest, OneIsWaitedForFromAnotherThread) {
  EXPECT_FALSE(bus_.deliver_one(std::chrono::milliseconds(1)));
  std::thread writer([this] { bus_.put(Said{"late"}); });
  EXPECT_TRUE(bus_.deliver_one(std::chrono::hours(1)));
  writer.join();
  EXPECT_EQ(got_, Strings{"late"});
}

TEST_F(BusTest, WakesTheReader) {
  int woken = 0;
  bus_.set_waker([&] { ++woken; });
  bus_.put(Said{"a"});
  bus_.put(Shown{1});
  EXPECT_EQ(woken, 2);
}

struct Whole {
  std::unique_ptr<int> value;
};

TEST(Bus, ValuesAreMoved) {
  Bus bus;
  int got = 0;
  bus.on<Whole>([&](Whole&& whole) { got = *whole.value; });
  bus.put(Whole{std::make_unique<int>(5)});
  bus.deliver();
  EXPECT_EQ(got, 5);
}

struct Unknown {};

TEST(BusDeathTest, AMessageThatNobodyAnswersForIsABug) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  Bus bus;
  bus.put(Unknown{});
  EXPECT_DEATH(bus.deliver(), "handler");
}

}  // namespace
}  // namespace viewer
