// What outputs may replace: a file that was named, of the kind that is written; through the program.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/image_file.h"
#include "io/io.h"
#include "io/splats/ply/ply.h"
#include "tests/app/cli/commands/random_cloud.h"
#include "tests/support/program.h"
#include "tests/support/scene_on_disk.h"
#include "tests/support/temp_folder.h"

namespace app::test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

class Replaced : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  std::string splats(const std::string& name, unsigned seed = 1) const {
    EXPECT_TRUE(io::write_splat_file(path(name), splat::test::cloud(60, 0, seed)));
    return path(name);
  }
  std::string file(const std::string& name, const std::string& text) const { return folder_.write(name, text); }
  std::string mesh(const std::string& name) const {
    return file(name,
                "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  }
  std::string picture(const std::string& name) const {
    splat::Image8 image;
    image.width = image.height = 2, image.channels = 3;
    image.pixels.assign(12, 200);
    return file(name, io::encode_png(image));
  }
  // Refused with these parts in the sentence, the file and its neighbours untouched.
  void expect_kept(const Words& words, const std::string& kept, const std::vector<std::string>& parts) const {
    const std::string before = text_of(kept);
    const auto entries = [&] { return std::distance(fs::directory_iterator(folder_.path()), {}); };
    const auto count = entries();
    expect_refused(run(words), 2, parts);
    EXPECT_TRUE(text_of(kept) == before) << kept;
    EXPECT_EQ(entries(), count);
  }

 private:
  splat::test::TempFolder folder_;
};

TEST_F(Replaced, APatternOfTheShellDoesNotCostItsLastFile) {
  const std::string a = splats("a.ply"), b = splats("b.ply", 2), c = splats("c.ply", 3), spz = splats("old.spz", 4);
  expect_kept({"--convert", a, b, c}, c, {c, "-o", "--force"});
  expect_kept({"--convert", a, b}, b, {b, "is there already"});
  expect_kept({"--convert", a, a}, a, {a, "is there already"});
  expect_kept({"--convert", a, spz}, spz, {"old.spz"});
  EXPECT_EQ(run({"--convert", a, b, path("new.ply")}).code, 0);
  EXPECT_EQ(io::read_splat_file(path("new.ply"))->gaussians.size(), 120u);
}

TEST_F(Replaced, WhatIsNamedOrForcedIsReplaced) {
  const std::string a = splats("a.ply"), b = splats("b.ply", 2), spz = splats("old.spz", 4);
  ASSERT_EQ(run({"--convert", a, b, "-o", b}).code, 0) << "an input may be the output";
  EXPECT_EQ(io::read_splat_file(b)->gaussians.size(), 120u);
  ASSERT_EQ(run({"--convert", a, a, "--max-splats", "40", "--force"}).code, 0);
  EXPECT_EQ(io::read_splat_file(a)->gaussians.size(), 40u);
  ASSERT_EQ(run({"--convert", b, "-o", spz}).code, 0);
  EXPECT_EQ(io::read_splat_file(spz)->gaussians.size(), 120u);
  const std::string empty = file("empty.ply", "");  // as mktemp makes it: nothing is lost
  EXPECT_EQ(run({"--convert", a, empty}).code, 0);
  EXPECT_EQ(run({"--convert", a, "-o", mesh("mesh.ply"), "--force"}).code, 0);
}

TEST_F(Replaced, AFileOfAnotherKindStaysEvenWhereItIsNamed) {
  const std::string a = splats("a.ply"), glb = splats("scene.glb"), shape = mesh("mesh.ply"), png = picture("a.png");
  expect_kept({"--convert", a, "-o", shape}, shape, {"mesh.ply", "a mesh", "splats", "--force"});
  expect_kept({"--convert", a, "-o", file("notes.ply", "not splats")}, path("notes.ply"), {"something else"});
  expect_kept({"--mesh", a, "-o", a}, a, {"a.ply", "splats", "a mesh would replace"});
  expect_kept({"--mesh", a, "-o", glb}, glb, {"scene.glb", "splats"});
  expect_kept({"--thumbnail", a, "-o", file("list", "of things")}, path("list"), {"list", "a picture"});
  EXPECT_EQ(run({"--thumbnail", a, "-o", png, "--size", "32"}).code, 0) << "a picture over a picture";
  EXPECT_EQ(run({"--thumbnail", a, "-o", file("tmp.Xy7", ""), "--size", "32"}).code, 0) << "as file managers do";
  EXPECT_EQ(run({"--thumbnail", a, "-o", path("list"), "--size", "32", "--force"}).code, 0);
}

TEST_F(Replaced, WhatStandsBesideAnObjIsAskedForToo) {
  const std::string a = splats("a.ply");
  const Words words{"--mesh", a, "-o", path("scene.obj"), "--texture", "1024", "--mesh-detail", "coarse"};
  expect_kept(words, file("scene.mtl", "shopping list"), {"scene.mtl", "not written with 'scene.obj'", "--force"});
  expect_kept(words, file("scene.mtl", "# by hand\nnewmtl surface\n"), {"scene.mtl", "not written with"});
  fs::remove(path("scene.mtl"));
  expect_kept(words, picture("scene.texture.jpg"), {"scene.texture.jpg", "not written with"});
  EXPECT_EQ(run({"--mesh", a, "-o", path("scene.obj"), "--texture", "none"}).err.find("--force"), std::string::npos)
      << "none is written";
}

// index.html takes index.spz with it: a scene that has this name stays, also where the page is named by -o.
TEST_F(Replaced, TheSplatsBesideAPageAreItsOwn) {
  const std::string a = splats("a.ply"), scene = splats("index.spz", 2), page = path("index.html");
  expect_kept({"--convert", a, "-o", page}, scene, {"index.spz", "not written with 'index.html'", "--force"});
  expect_kept({"--convert", a, page}, scene, {"index.spz"});
  expect_kept({"--convert", scene, "-o", page}, scene, {"index.spz"});
  EXPECT_EQ(run({"--convert", a, "-o", page, "--force"}).code, 0);
  EXPECT_EQ(run({"--convert", a, "-o", page}).code, 0) << "its own are replaced";
}

TEST_F(Replaced, WhatIsSaidBesideSplatsStays) {
  const std::string a = splats("a.ply"), notes = file("a.spz.scene.json", R"({"low_pass": 0.1})");
  expect_kept({"--convert", a, path("a.spz")}, notes, {"a.spz.scene.json", "not written with 'a.spz'", "--force"});
  EXPECT_EQ(run({"--convert", a, path("a.spz"), "--force"}).code, 0);
  EXPECT_FALSE(fs::exists(notes));
}

TEST_F(Replaced, APictureIsNotNamedLikeAnotherFile) {
  const std::string a = splats("a.ply");
  for (const char* name : {"t.jpg", "t.JPEG", "t.webp", "t.ply", "t.spz", "t.obj", "a.ply"})
    expect_kept({"--thumbnail", a, "-o", path(name)}, a, {name, ".png"});
}

TEST_F(Replaced, AWriteProtectedFileStays) {
  const std::string a = splats("a.ply"), kept = splats("kept.ply", 2), png = picture("kept.png");
  for (const std::string& file : {kept, png}) chmod(file.c_str(), 0444);
  expect_kept({"--convert", a, "-o", kept}, kept, {"kept.ply", "write-protected"});
  expect_kept({"--thumbnail", a, "-o", png}, png, {"kept.png", "write-protected"});
  EXPECT_EQ(run({"--convert", a, "-o", kept, "--force"}).code, 0);
}

TEST_F(Replaced, AFolderIsNoFile) {
  const std::string a = splats("a.ply");
  fs::create_directories(path("folder.png"));
  fs::create_directories(path("folder.glb"));
  expect_kept({"--thumbnail", a, "-o", path("folder.png")}, a, {"folder.png", "is a folder"});
  expect_kept({"--mesh", a, "-o", path("folder.glb")}, a, {"folder.glb", "is a folder"});
  expect_kept({"--convert", a, path("folder.glb")}, a, {"folder.glb", "is a folder"});
}

TEST_F(Replaced, ANameThatNoFileCanHaveIsFoundOutBeforeTheWork) {
  const std::string a = splats("a.ply"), longest = std::string(251, 'x') + ".glb";
  for (const Words& words : {Words{"--mesh", a, "-o", path(longest)}, Words{"--convert", a, path(longest)}})
    expect_kept(words, a, {"cannot create", "too long"});
}

TEST_F(Replaced, TrainingKeepsWhatItDidNotWrite) {
  const SceneOnDisk scene;
  const std::string shape = mesh("mesh.ply");
  expect_kept({"--train", scene.dataset(), "-o", shape, "-i", "1"}, shape, {"mesh.ply", "a mesh"});
  fs::create_directories(path("out"));
  const std::string mine = splats("out/input.ply");
  expect_kept({"--train", scene.dataset(), "-o", path("out"), "-i", "1"}, mine, {"input.ply", "splats"});
  const std::string old = splats("old.ply");
  EXPECT_EQ(run({"--train", scene.dataset(), "-o", old, "-i", "1"}).code, 0) << "-o names it";
}

TEST_F(Replaced, RenderedPicturesDoNotReplaceThePhotos) {
  const SceneOnDisk scene;
  const std::string a = splats("a.ply"), images = scene.dataset() + "/images";
  std::vector<fs::path> photos;
  for (const auto& entry : fs::directory_iterator(images)) photos.push_back(entry.path());
  ASSERT_FALSE(photos.empty());
  ASSERT_EQ(photos[0].extension(), ".png");
  const std::string before = text_of(photos[0]);
  const Words words{"--render", a, "--cameras", scene.dataset(), "-o", images};
  expect_refused(run(words), 2, {"is a photo", "--force"});
  EXPECT_TRUE(text_of(photos[0]) == before);
  for (int i = 0; i < 2; ++i)  // its own pictures are replaced
    EXPECT_EQ(run({"--render", a, "--cameras", scene.dataset(), "-o", path("pictures")}).code, 0);
  std::ofstream(path("pictures") / photos[0].filename()) << "notes";
  expect_refused(run({"--render", a, "--cameras", scene.dataset(), "-o", path("pictures")}), 2, {"something else"});
}

// A folder of another program has files with the names of a run's.
TEST_F(Replaced, AFolderOfAnotherProgramStays) {
  const SceneOnDisk scene;
  const auto train = [&](const std::string& to, const Words& more = {}) {
    Words words{"--train", scene.dataset(), "-o", to, "-i", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  fs::create_directories(path("app/point_cloud/iteration_30000"));
  const std::string result = file("app/point_cloud/iteration_30000/point_cloud.ply", "INRIA's");
  expect_kept(train(path("app")), result, {"app/point_cloud", "no run of hipsplat", "--force"});
  for (const char* name :
       {"config.json", "cameras.json", "cfg_args", "metrics.json", "report.html", "scene.json", "seconds.json"}) {
    const std::string folder = path(std::string(name) + "_of");
    fs::create_directories(folder);
    const std::string theirs = file(std::string(name) + "_of/" + name, R"({"port": 8080})");
    expect_kept(train(folder), theirs, {name, "no run of hipsplat has written it", "--force"});
  }
  EXPECT_EQ(run(train(path("config.json_of"), {"--force"})).code, 0);
  EXPECT_EQ(run(train(path("config.json_of"))).code, 0) << "a run's folder is trained into again";
  fs::create_directories(path("notes"));
  file("notes/readme.txt", "mine");
  EXPECT_EQ(run(train(path("notes"))).code, 0) << "other files stay";
  expect_kept(train(path("one.ply")), file("one.ply.checkpoint", "of a game"), {"one.ply.checkpoint", "no run of"});
  expect_kept(train(path("two.ply")), file(".two.ply.lock", "of an editor"), {".two.ply.lock", "no lock of"});
}

// Before anything is read or drawn: nobody reads from it, and a film or a run would take its place at the end.
TEST_F(Replaced, APipeASocketOrADeviceIsNoPlaceForAnOutput) {
  const SceneOnDisk scene;
  const std::string a = splats("a.ply");
  const auto made = [&](const std::string& name, const std::string& kind) {
    std::string at = path(kind + "-" + name);
    if (kind == "device")
      fs::create_symlink("/dev/null", at);
    else
      ::mkfifo(at.c_str(), 0600);
    return at;
  };
  for (const char* kind : {"pipe", "device"}) {
    const std::string is = std::string("is a ") + kind;
    for (const char* name : {"o.ply", "o.spz", "o.html", "o.compressed.ply"})
      expect_refused(run({"--convert", a, "-o", made(name, kind), "--force"}), 2, {name, is});
    expect_refused(run({"--mesh", a, "-o", made("o.obj", kind)}), 2, {"o.obj", is});
    expect_refused(run({"--thumbnail", a, "-o", made("o.png", kind)}), 2, {"o.png", is});
    expect_refused(run({"--train", scene.dataset(), "-o", made("t.ply", kind), "-i", "9", "--force"}), 2,
                   {"t.ply", is});
    if (std::system("command -v ffmpeg > /dev/null") != 0) continue;
    expect_refused(run({"--train", scene.dataset(), "-o", path("o"), "-i", "9", "--film", made("f.mp4", kind)}), 2,
                   {"f.mp4", is});
    expect_refused(run({"--render", a, "--path", "orbit", "-o", made("r.mp4", kind)}), 2, {"r.mp4", is});
    EXPECT_FALSE(fs::exists(path("o")));
  }
}

TEST_F(Replaced, ARunsFolderHoldsFilesAlone) {
  const SceneOnDisk scene;
  const auto refused = [&](const std::string& name, const std::vector<std::string>& parts) {
    fs::create_directories((fs::path(path("out")) / name).parent_path());
    EXPECT_EQ(::mkfifo((fs::path(path("out")) / name).c_str(), 0600), 0);
    expect_refused(run({"--train", scene.dataset(), "-o", path("out"), "-i", "9", "--force"}), 2, parts);
    fs::remove_all(path("out"));
  };
  refused("checkpoints", {"out/checkpoints", "is no folder"});
  refused("point_cloud", {"out/point_cloud", "is no folder"});
  refused("report.html", {"report.html", "is a pipe"});
  refused(".hipsplat.lock", {".hipsplat.lock", "is a pipe"});
  refused("checkpoints/iteration_9.checkpoint", {"iteration_9.checkpoint", "is a pipe"});
  refused("point_cloud/iteration_9/point_cloud.ply", {"point_cloud.ply", "is a pipe"});
}

}  // namespace
}  // namespace app::test
