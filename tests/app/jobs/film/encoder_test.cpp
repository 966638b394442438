// What ffmpeg makes of pictures: colours stay what they are, pieces become one film.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>
#include <thread>
#include <tuple>

#include "align/external_tool.h"
#include "app/jobs/film/film_target.h"
#include "app/jobs/film/film_writer.h"
#include "app/jobs/output_lock.h"
#include "splat/path/picture_rate.h"
#include "tests/app/jobs/film/decoded.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

struct Encoder : public testing::Test {
  splat::test::TempFolder folder;
  FilmPlan plan;
  FilmSettings choices;
  std::string put;  // the bytes of all pictures

  void SetUp() override {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    plan.width = 128, plan.height = 64, plan.pictures = plan.end = 2 * kPiecePictures + 5;
  }
  // A grey ramp from left to right, which moves.
  splat::Image8 ramp(int index) const {
    const size_t channels = choices.transparent ? 4 : 3;
    splat::Image8 image{plan.width, plan.height, int(channels), {}};
    for (int y = 0; y < plan.height; ++y)
      for (int x = 0; x < plan.width; ++x) {
        const uint8_t grey = uint8_t(2 * ((x + index) % plan.width));
        image.pixels.insert(image.pixels.end(), {grey, grey, grey});
        if (channels == 4) image.pixels.push_back(uint8_t(4 * y));
      }
    return image;
  }
  fs::path film(const std::string& name) {
    fs::path output = folder.path() / name;
    const auto target = encoded_target({output, align::find_program("ffmpeg"), {{"splats_written", 1}}}, plan, choices);
    EXPECT_TRUE(target->check().ok());
    const auto missing = target->begin();
    EXPECT_TRUE(missing.ok());
    PictureQueue queue;
    splat::Status written;
    std::thread writer([&] {
      written = target->write(queue);
      if (!written) queue.close();
    });
    for (const int index : *missing) {
      splat::Image8 image = ramp(index);
      put.append(reinterpret_cast<const char*>(image.pixels.data()), image.pixels.size());
      queue.put({index, std::move(image), {}});
    }
    queue.finish();
    writer.join();
    EXPECT_TRUE(written.ok()) << written.error().message;
    const auto status = target->finish();
    EXPECT_TRUE(status.ok()) << status.error().message;
    EXPECT_FALSE(fs::exists(output.string() + ".parts"));
    return output;
  }
};

TEST_F(Encoder, GreysStayWithinTwo) {
  choices.quality = 4;
  const std::string back = decoded(film("ramp.mp4"));
  ASSERT_EQ(back.size(), put.size());
  size_t far = 0;
  for (size_t i = 0; i < put.size(); ++i) {
    const size_t x = i / 3 % size_t(plan.width),
                 at = (x + i / 3 / size_t(plan.width * plan.height)) % size_t(plan.width);
    if (at < 8 || at > 120) continue;  // beside the jump from white to black
    far += std::abs(int(uint8_t(back[i])) - int(uint8_t(put[i]))) > 2;
  }
  EXPECT_LT(far, put.size() / 1000);
}

TEST_F(Encoder, PiecesBecomeOneFilmOfEvenTimes) {
  const fs::path output = film("ramp.mp4");
  EXPECT_GT(psnr(decoded(output), put), 38);
  const std::string times = output_of("ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv=p=0 '" +
                                      output.string() + "'");
  std::vector<double> seconds;
  for (size_t at = 0; at < times.size(); at = times.find('\n', at) + 1) seconds.push_back(std::stod(times.substr(at)));
  std::sort(seconds.begin(), seconds.end());
  ASSERT_EQ(seconds.size(), size_t(plan.pictures));
  for (size_t i = 0; i < seconds.size(); ++i) EXPECT_NEAR(seconds[i] - seconds[0], double(i) / 30, 1e-3) << i;
  const std::string head = output_of("head -c 100 '" + output.string() + "'");
  EXPECT_NE(head.find("moov"), std::string::npos) << "it plays while it is loaded";
}

TEST_F(Encoder, EveryKindOfFilmSaysItsColours) {
  plan.pictures = plan.end = 2;
  for (const char* name : {"ramp.mp4", "ramp.webm", "ramp.mov"})
    EXPECT_EQ(
        output_of("ffprobe -v error -show_entries stream=color_space,color_transfer,color_primaries -of csv=p=0 '" +
                  film(name).string() + "'"),
        "bt709,iec61966-2-1,bt709\n")
        << name;
}

TEST_F(Encoder, TransparentFilmsKeepTheirAlpha) {
  choices.transparent = true;
  plan.pictures = plan.end = kPiecePictures + 2;
  for (const char* name : {"ramp.webm", "ramp.mov"}) {
    put.clear();
    const std::string back = decoded(film(name), "rgba");
    ASSERT_EQ(back.size(), put.size()) << name;
    std::string alpha, other;
    for (size_t i = 3; i < put.size(); i += 4) alpha += put[i], other += back[i];
    EXPECT_GT(psnr(alpha, other), 38) << name;
  }
}

// Names that ffmpeg would take for a protocol, an option, a pattern or the end of a line.
TEST_F(Encoder, ANameIsANameAndNothingElse) {
  plan.pictures = plan.end = 2;
  plan.width = plan.height = 32;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  for (const char* name : {"-x.mp4", "concat:a|b.mp4", "it's \"%03d\"\n?#/pipe:1.MP4"}) {
    fs::create_directories(folder.path() / fs::path(name).parent_path());
    fs::path output = name;
    const auto target = encoded_target({output, align::find_program("ffmpeg"), {{"splats_written", 1}}}, plan, choices);
    ASSERT_TRUE(target->check().ok()) << name;
    const auto missing = target->begin();
    ASSERT_TRUE(missing.ok()) << name;
    FilmWriter writer(*target);
    for (const int index : *missing) writer.put({index, ramp(index), {}});
    ASSERT_TRUE(writer.end(true).ok()) << name;
    const auto status = target->finish();
    EXPECT_TRUE(status.ok()) << name << ": " << status.error().message;
    EXPECT_GT(fs::file_size(folder.path() / name), 500u) << name;
    EXPECT_FALSE(fs::exists(std::string(name) + ".parts")) << name;
  }
  fs::current_path(before);
}

TEST_F(Encoder, RatesOfTelevisionAreExact) {
  plan.pictures = plan.end = 4;
  for (const auto& [given, rate, name] : {std::tuple{29.97, "30000/1001", "a.mp4"}, {23.976, "24000/1001", "a.mov"}}) {
    plan.per_second = splat::picture_rate(given);
    EXPECT_EQ(output_of("ffprobe -v error -select_streams v -show_entries stream=r_frame_rate -of csv=p=0 '" +
                        film(name).string() + "'"),
              std::string(rate) + "\n")
        << given << " " << name;
  }
}

TEST_F(Encoder, EveryKindOfFilmSaysWhatItShows) {
  plan.pictures = plan.end = 2;
  plan.width = 64, plan.height = 32;
  for (const char* name : {"a.mp4", "a.mov", "a.webm"})
    for (const auto& [projection, mark] : {std::pair{"360", "equirectangular"}, {"stereo", "side by side"}}) {
      choices.projection = projection;
      put.clear();
      const fs::path output = film(name);
      const std::string said = output_of("ffprobe -v error -show_streams '" + output.string() + "'");
      EXPECT_NE(said.find(mark), std::string::npos) << name << " " << projection << ": " << said;
      const bool looked_at = std::string(projection) == "360";
      EXPECT_TRUE(!looked_at || decoded(output).size() == put.size()) << "the mark moved what it must not";
    }
}

TEST_F(Encoder, AWebmIsTheSameBytesEachTime) {
  plan.pictures = plan.end = 2;
  choices.projection = "360";
  EXPECT_EQ(output_of("cat '" + film("a.webm").string() + "'"), output_of("cat '" + film("b.webm").string() + "'"));
}

TEST_F(Encoder, ADamagedPieceIsDrawnAgain) {
  plan.width = plan.height = 32;
  const fs::path parts = folder.path() / "a.mp4.parts", piece = parts / "000001.mp4";
  const auto encode = [&] {  // all but the joining
    const auto target =
        encoded_target({folder.path() / "a.mp4", align::find_program("ffmpeg"), {{"splats", 1}}}, plan, choices);
    const auto missing = target->begin();
    EXPECT_TRUE(missing.ok());
    FilmWriter writer(*target);
    for (const int index : *missing) writer.put({index, ramp(index), {}});
    EXPECT_TRUE(writer.end(true).ok());
    return *missing;
  };
  EXPECT_EQ(encode().size(), size_t(plan.pictures));
  EXPECT_TRUE(encode().empty());
  const auto whole = fs::file_size(piece);
  const std::vector<int> second = [] {
    std::vector<int> all(kPiecePictures);
    std::iota(all.begin(), all.end(), kPiecePictures);
    return all;
  }();
  fs::resize_file(piece, whole / 2);
  EXPECT_EQ(encode(), second);
  fs::resize_file(piece, 0);
  EXPECT_EQ(encode(), second);
  std::fstream(piece, std::ios::in | std::ios::out).seekp(long(whole / 2)).write("damage", 6);
  EXPECT_EQ(encode(), second);
  fs::remove(piece);
  EXPECT_EQ(encode(), second);
  EXPECT_TRUE(encode().empty());
}

TEST_F(Encoder, FilesOfOthersInTheFolderOfThePiecesStay) {
  const fs::path parts = folder.path() / "a.mp4.parts";
  fs::create_directories(parts);
  for (const char* name : {"000000.mp4", "list.txt", "notes"}) {
    std::ofstream(parts / name) << "mine";
    const auto target = encoded_target({folder.path() / "a.mp4", "ffmpeg", {{"splats", 1}}}, plan, choices);
    const auto refused = target->check();
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_NE(refused.error().message.find(name), std::string::npos) << refused.error().message;
    EXPECT_EQ(output_of("cat '" + (parts / name).string() + "'"), "mine");
    fs::remove(parts / name);
  }
  fs::remove(parts);
  std::ofstream(parts) << "mine";
  EXPECT_FALSE(encoded_target({folder.path() / "a.mp4", "ffmpeg", {}}, plan, choices)->check().ok());
  const std::string longest = std::string(249, 'n') + ".mp4";  // a name, but not with an ending more
  EXPECT_FALSE(encoded_target({folder.path() / longest, "ffmpeg", {}}, plan, choices)->check().ok());
}

// Whoever does not read, ignores signals and floods its output is gone at once.
TEST_F(Encoder, NobodyWaitsForAnEncoderThatHangs) {
  for (const char* script :
       {"trap '' INT TERM; while :; do sleep 5; done", "trap '' INT; while :; do echo no >&2; done",
        "trap '' INT; cat > /dev/null; while :; do sleep 5; done"}) {
    const fs::path hangs = folder.path() / "hangs";
    std::ofstream(hangs) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(hangs, fs::perms::owner_all);
    const auto target = encoded_target({folder.path() / "a.mp4", hangs, {{"splats", 1}}}, plan, choices);
    ASSERT_TRUE(target->begin().ok());
    const auto start = std::chrono::steady_clock::now();
    const auto stopped = [&] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(200); };
    FilmWriter writer(*target, stopped);
    int index = 0;
    while (index < kPiecePictures && writer.put({index, ramp(index), {}})) ++index;
    EXPECT_TRUE(writer.end(index == kPiecePictures).ok());
    EXPECT_TRUE(writer.cut_short() || index < kPiecePictures);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(900)) << script;
  }
}

TEST_F(Encoder, AMissingEncoderIsASentence) {
  const auto target = encoded_target({folder.path() / "a.mp4", "/bin/false", {{"splats_written", 1}}}, plan, choices);
  ASSERT_TRUE(target->begin().ok());
  PictureQueue queue;
  queue.put({0, ramp(0), {}});
  queue.finish();
  const auto status = target->write(queue);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("ffmpeg ended with exit code 1"), std::string::npos) << status.error().message;
}

TEST_F(Encoder, OneAtATimeWritesAFilm) {
  const fs::path parts = folder.path() / "a.mp4.parts";
  const auto begun = [&](int tasks) {
    choices.tasks = tasks;
    return encoded_target({folder.path() / "a.mp4", "ffmpeg", {{"splats_written", 1}}}, plan, choices)->begin();
  };
  ASSERT_TRUE(begun(0).ok());
  const int other = ::open((parts / kLockName).c_str(), O_RDWR | O_CREAT, 0644);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  const auto refused = begun(0);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("in use"), std::string::npos) << refused.error().message;
  EXPECT_TRUE(begun(3).ok()) << "tasks share the folder";
  ::close(other);
  EXPECT_TRUE(begun(0).ok());
}

TEST_F(Encoder, AFullDiskGetsItsRoomBack) {
  const fs::path fails = folder.path() / "fails";
  std::ofstream(fails) << "#!/bin/sh\nfor last; do :; done\necho part > \"${last#file:}\"\nexit 1\n";
  fs::permissions(fails, fs::perms::owner_all);
  const auto target = encoded_target({folder.path() / "a.mp4", fails, {{"splats_written", 1}}}, plan, choices);
  ASSERT_TRUE(target->begin().ok());
  PictureQueue queue;
  queue.put({0, ramp(0), {}});
  queue.finish();
  EXPECT_FALSE(target->write(queue).ok());
  EXPECT_FALSE(target->finish().ok());
  for (const auto& entry : fs::directory_iterator(folder.path() / "a.mp4.parts"))
    EXPECT_NE(entry.path().extension(), ".mp4") << entry.path();
}

// Six digits are the name of a piece, and of files of others, too: those without a film's note stay.
TEST_F(Encoder, PiecesOfOthersStay) {
  const fs::path theirs = folder.write("a.mp4.parts/000000.mp4", "a holiday");
  const auto refused =
      encoded_target({folder.path() / "a.mp4", "ffmpeg", {{"splats", "a.ply"}}}, plan, choices)->check();
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("a.mp4.parts/000000.mp4' is there already and belongs to no film"),
            std::string::npos)
      << refused.error().message;
  ASSERT_TRUE(encoded_target({folder.path() / "a.mp4", "ffmpeg", {{"splats", "a.ply"}}}, plan, choices)->begin().ok());
  EXPECT_TRUE(fs::exists(theirs)) << "without check(), too";
  TargetSettings other{folder.path() / "a.mp4", "ffmpeg", {{"splats", "b.ply"}}};
  EXPECT_TRUE(encoded_target(other, plan, choices)->check().ok()) << "of another film of hipsplat";
  ASSERT_TRUE(encoded_target(other, plan, choices)->begin().ok());
  EXPECT_FALSE(fs::exists(theirs));
}

}  // namespace
}  // namespace app::test
