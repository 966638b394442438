// What the window's own file dialog lists: filter, order, completion, places, new folders, and folders that are read
// beside the frames.
#include "viewer/dialogs/folder_list.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <optional>
#include <thread>

#include "tests/support/temp_folder.h"
#include "viewer/dialogs/folder_reader.h"
#include "viewer/dialogs/new_name.h"

namespace viewer {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const std::vector<FolderEntry> kEntries{
    {"apt.log", false, 900, 50},        {"Zoo", true, 0, 10},     {"scene.ply", false, 5'000'000, 30},
    {"Scene2.SPZ", false, 700'000, 40}, {"archive", true, 0, 20}, {"old scene.ply", false, 10, 5},
};

Names names(const FolderView& view, const std::vector<FolderEntry>& entries = kEntries) {
  Names shown;
  for (const uint32_t index : shown_entries(entries, view)) shown.push_back(entries[index].name);
  return shown;
}

TEST(FolderList, ShowsFoldersAndFilesOfTheKind) {
  EXPECT_EQ(names({}), (Names{"archive", "Zoo", "apt.log", "old scene.ply", "scene.ply", "Scene2.SPZ"}));
  EXPECT_EQ(names({.endings = {".ply", ".spz"}}),
            (Names{"archive", "Zoo", "old scene.ply", "scene.ply", "Scene2.SPZ"}));
  EXPECT_EQ(names({.endings = {".ply"}, .folders_only = true}), (Names{"archive", "Zoo"}));
}

TEST(FolderList, TypingFiltersAndWhatBeginsSoComesFirst) {
  EXPECT_EQ(names({.typed = "SCENE"}), (Names{"scene.ply", "Scene2.SPZ", "old scene.ply"}));
  EXPECT_EQ(names({.typed = "nothing"}), Names());
}

TEST(FolderList, IsInOrderOfNameSizeOrDate) {
  const Names ply{".ply", ".spz"};
  EXPECT_EQ(names({.order = FolderOrder::kDate, .falling = true, .endings = ply}),
            (Names{"archive", "Zoo", "Scene2.SPZ", "scene.ply", "old scene.ply"}));
  EXPECT_EQ(names({.order = FolderOrder::kSize, .endings = ply}),
            (Names{"archive", "Zoo", "old scene.ply", "Scene2.SPZ", "scene.ply"}));
  EXPECT_EQ(names({.falling = true, .endings = ply}),
            (Names{"Zoo", "archive", "Scene2.SPZ", "scene.ply", "old scene.ply"}));
}

TEST(FolderList, CompletesWhatIsTyped) {
  const auto complete = [](const std::string& typed) {
    return completed(kEntries, shown_entries(kEntries, {.typed = typed}), typed);
  };
  EXPECT_EQ(complete("o"), "old scene.ply");
  EXPECT_EQ(complete("z"), "Zoo/");
  EXPECT_EQ(complete("a"), "a") << "apt.log and archive";
  EXPECT_EQ(complete("arc"), "archive/");
  EXPECT_EQ(complete("nothing"), "nothing");
  const std::vector<FolderEntry> rooms{{"raum-\u00f6st.ply"}, {"raum-\u00fcber.ply"}};  // that begin with one byte
  EXPECT_EQ(completed(rooms, shown_entries(rooms, {.typed = "r"}), "r"), "raum-");
}

TEST(FolderList, NamesGetTheEndingThatIsSuggested) {
  const FileKinds splats{"Splats", {".ply", ".compressed.ply", ".spz", ".sog"}};
  EXPECT_EQ(with_suggested_ending("/a/garden", "scene.spz", splats), "/a/garden.spz");
  EXPECT_EQ(with_suggested_ending("/a/garden", "Scene.Compressed.PLY", splats), "/a/garden.compressed.ply");
  EXPECT_EQ(with_suggested_ending("/a/garden.sog", "scene.spz", splats), "/a/garden.sog");
  EXPECT_EQ(with_suggested_ending("/a/pictures", "film", {}), "/a/pictures");
  EXPECT_EQ(with_suggested_ending("/a/garden.v2", "scene.spz", splats), "/a/garden.v2.spz") << "no ending of splats";
  EXPECT_EQ(with_suggested_ending("/a/v1.2", "scene.compressed.ply", splats), "/a/v1.2.compressed.ply");
  EXPECT_EQ(with_suggested_ending("/a/Garden.PLY", "scene.spz", splats), "/a/Garden.PLY");
  EXPECT_EQ(with_suggested_ending("/a/tour.take3", "film.mp4", {"Films", {".mp4"}}), "/a/tour.take3.mp4");
  EXPECT_EQ(with_suggested_ending("/a/tour.MP4", "film.mp4", {}), "/a/tour.MP4");
  EXPECT_EQ(with_suggested_ending("/a.json/walk.1", "path.json", {}), "/a.json/walk.1.json") << "a folder's name";
  EXPECT_EQ(with_suggested_ending("/a/.png", "view.png", {}), "/a/.png.png") << "a name, and no ending";
}

TEST(FolderList, ReadsSizesAndDatesAndSaysWhyItCannot) {
  const splat::test::TempFolder folder;
  const fs::path file = folder.write("b.ply", std::string(1234, 'x'));
  folder.write(".hidden", "");
  fs::create_directory(folder.path() / "inner");
  const std::atomic<bool> goes_on{false};
  const FolderContents contents = read_folder(folder.path(), goes_on);
  EXPECT_EQ(names({}, contents.entries), (Names{"inner", "b.ply"}));
  for (const FolderEntry& entry : contents.entries) {
    EXPECT_EQ(entry.bytes, entry.folder ? 0u : 1234u);
    EXPECT_NEAR(double(entry.changed), double(std::time(nullptr)), 100);
  }
  const FolderContents none = read_folder(folder.path() / "not there", goes_on);
  EXPECT_NE(none.problem.find("'" + (folder.path() / "not there").string() + "' cannot be read"), std::string::npos);
}

TEST(FolderList, NewFoldersAreMadeOrRefusedInASentence) {
  const splat::test::TempFolder folder;
  EXPECT_TRUE(make_folder(folder.path(), "new one").ok());
  EXPECT_TRUE(fs::is_directory(folder.path() / "new one"));
  for (const std::string name : {"new one", "", ".", "..", ".hidden", "a/b"}) {
    const splat::Status made = make_folder(folder.path(), name);
    ASSERT_FALSE(made.ok()) << name;
    EXPECT_GT(made.error().message.size(), 15u) << name;
    EXPECT_EQ(made.error().message.find('\n'), std::string::npos);
  }
  EXPECT_FALSE(make_folder(folder.path(), std::string(300, 'x')).ok());
  EXPECT_TRUE(make_folders(folder.path() / "a/b/c").ok());
  EXPECT_TRUE(fs::is_directory(folder.path() / "a/b/c"));
  folder.write("file", "");
  const splat::Status made = make_folders(folder.path() / "file/inner");
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("cannot be made"), std::string::npos);
}

TEST(FolderList, PlacesAreThereOnce) {
  const splat::test::TempFolder folder;
  const fs::path home = folder.path() / "home", data = folder.path() / "data", gone = folder.path() / "gone";
  for (const fs::path& made : {home / "Desktop", data / "truck", folder.path() / "other"}) fs::create_directories(made);
  const std::vector<Place> places = usual_places(home, data / "truck", {data / "truck", gone, folder.path() / "other"});
  std::vector<fs::path> folders;
  for (const Place& place : places) folders.push_back(place.folder);
  EXPECT_EQ(folders, (std::vector<fs::path>{home, home / "Desktop", data / "truck", folder.path() / "other"}));
  EXPECT_EQ(places[0].name, "Home");
  EXPECT_EQ(places[2].name, "truck");
  fs::remove(home / "Desktop");
  EXPECT_EQ(usual_places(home, "", {}).size(), 1u);
  fs::create_directories(home / "truck");
  const std::vector<Place> same = usual_places(home, data / "truck", {home / "truck", folder.path() / "other"});
  ASSERT_EQ(same.size(), 4u);
  EXPECT_EQ(same[1].name, "data/truck") << "two of one name are told apart";
  EXPECT_EQ(same[2].name, "home/truck");
  EXPECT_EQ(same[3].name, "other");
}

// As udisks mounts them: in a folder of the user's; and as people do by hand.
TEST(FolderList, MountedDisksArePlaces) {
  const splat::test::TempFolder folder;
  const fs::path media = folder.path() / "media", mnt = folder.path() / "mnt";
  for (const fs::path& made : {media / "ann/STICK", media / "ann/empty", mnt / "share", mnt / "plain"})
    fs::create_directories(made);
  const auto is_mounted = [&](const fs::path& path) { return path == media / "ann/STICK" || path == mnt / "share"; };
  const std::vector<Place> places = mounted_places({media, mnt, folder.path() / "not there"}, is_mounted);
  ASSERT_EQ(places.size(), 2u);
  EXPECT_EQ(places[0].folder, media / "ann/STICK");
  EXPECT_EQ(places[1].name, "share");
}

template <class Value>
std::optional<Value> arrived(const std::function<std::optional<Value>()>& take) {
  for (int i = 0; i < 4000; ++i) {
    if (auto value = take()) return value;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return std::nullopt;
}

// Neither a folder of thousands nor a disk that does not answer, here among the places, holds up who asks.
TEST(FolderReader, ReadsBesideItsCallerTheNewestFolderAlone) {
  const splat::test::TempFolder folder;
  constexpr size_t kMany = 10'000;
  for (size_t i = 0; i < kMany; ++i) folder.write("many/file" + std::to_string(i) + ".ply", "");
  folder.write("few/one.ply", "");
  FolderReader reader;
  std::atomic<int> woken{0};
  std::atomic<bool> answers{false};
  reader.set_waker([&] { ++woken; });
  const auto contents = [&] { return arrived<FolderContents>([&] { return reader.take_contents(); }); };
  const auto disk = [&] {
    while (!answers) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::vector<Place>{{"Here", "", folder.path()}};
  };
  reader.read(folder.path() / "many", disk);
  const auto many = contents();
  ASSERT_TRUE(many);
  EXPECT_EQ(many->entries.size(), kMany);
  reader.read(folder.path() / "few", disk);
  const auto few = contents();
  ASSERT_TRUE(few);
  EXPECT_EQ(few->folder, folder.path() / "few");
  EXPECT_EQ(woken, 2);
  EXPECT_FALSE(reader.take_places());
  answers = true;
  const auto places = arrived<std::vector<Place>>([&] { return reader.take_places(); });
  ASSERT_TRUE(places);
  EXPECT_EQ(places->size(), 1u);
}

}  // namespace
}  // namespace viewer
