// Checkpoints and PLYs are written, and checkpoints loaded, without a second copy of the model: what is held on top
// stays below 5 % of the parameters. Counted by standing in for operator new.
#include <gtest/gtest.h>

#include <cmath>

#include "io/bytes.h"
#include "io/checkpoint.h"
#include "io/io.h"
#include "splat/backend/cpu/cpu_backend.h"
#include "splat/model/gaussian_rows.h"
#include "splat/train/trainer.h"
#include "tests/support/counted_memory.h"
#include "tests/support/synthetic_scene.h"
#include "tests/support/temp_folder.h"
#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

constexpr int kSplats = 100'000;
constexpr double kModelBytes = double(kSplats) * 59 * sizeof(float);

struct Training {
  test::TinyDataset tiny = test::make_tiny_dataset();
  std::unique_ptr<Backend> backend = std::move(*make_cpu_backend({.threads = 1}));
  TrainConfig config = resolve_config({});
  Trainer trainer{config, {tiny.dataset, tiny.images, *backend, 1}};
};

TEST(StateMemory, FilesAreWrittenAndLoadedInBlocks) {
  Training run;
  ASSERT_TRUE(run.trainer.initialise(test::make_scene({.seed = 5, .splats = kSplats}).model).ok());
  ASSERT_TRUE(run.trainer.step().ok());
  const test::TempFolder folder;
  const auto checkpoint = folder.path() / "run.checkpoint", ply = folder.path() / "run.ply";

  const size_t saving = test::peak_of([&] {
    Archive archive;
    const auto rows = run.trainer.save_state_in_rows(archive);
    ASSERT_TRUE(io::write_checkpoint(checkpoint, archive, rows.get()).ok());
    EXPECT_EQ(std::filesystem::file_size(checkpoint), io::checkpoint_bytes(archive, rows.get()));
  });
  EXPECT_LT(double(saving), 0.05 * kModelBytes);

  const size_t writing = test::peak_of([&] {
    const io::SplatRows rows{kSplats, 3, [&](size_t first, size_t count, Gaussians& block) {
                               run.backend->download_rows(first, count, block);
                             }};
    ASSERT_TRUE(io::write_splat_file(ply, rows).ok());
  });
  EXPECT_LT(double(writing), 0.05 * kModelBytes);

  Training resumed;
  const size_t loading = test::peak_of([&] {
    const auto file = io::CheckpointFile::open(checkpoint);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(resumed.trainer.load_state(*file).ok());
  });
  constexpr double kStatisticsBytes = 12.0 * kSplats;  // and last steps: the backend's own; others do not come from new
  EXPECT_LT(double(loading) - kStatisticsBytes, 0.05 * kModelBytes);
}

// The bytes of a checkpoint do not depend on whether its rows were held in memory.
TEST(StateMemory, BlocksGiveTheBytesOfTheWhole) {
  Training run;
  ASSERT_TRUE(run.trainer.initialise(test::make_scene({.seed = 6, .splats = 3001}).model).ok());
  ASSERT_TRUE(run.trainer.step().ok());
  const test::TempFolder folder;
  Archive whole, small;
  run.trainer.save_state(whole);
  ASSERT_TRUE(io::write_checkpoint(folder.path() / "whole", whole).ok());
  const auto rows = run.trainer.save_state_in_rows(small);
  ASSERT_TRUE(io::write_checkpoint(folder.path() / "blocks", small, rows.get()).ok());
  const auto read = [&](const char* name) { return *io::read_file(folder.path() / name); };
  EXPECT_TRUE(read("whole") == read("blocks"));

  Training from_file, from_memory;  // entries above 4 kB stay in the file
  const auto file = io::CheckpointFile::open(folder.path() / "blocks", 4096);
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file->archive().blobs.contains("model/means"));
  ASSERT_TRUE(from_file.trainer.load_state(*file).ok());
  ASSERT_TRUE(from_memory.trainer.load_state(whole).ok());
  Archive a, b;
  from_file.trainer.save_state(a);
  from_memory.trainer.save_state(b);
  EXPECT_TRUE(a.blobs == b.blobs);
  EXPECT_TRUE(a.blobs == whole.blobs);
}

TEST(StateMemory, ASplatFileInBlocksHasTheBytesOfTheWhole) {
  Gaussians model = test::make_scene({.seed = 7, .splats = 3001}).model;
  model.means[3 * 700] = NAN;              // left out
  model.logit_opacities[1500] = INFINITY;  // made finite
  const test::TempFolder folder;
  const io::SplatRows rows{3001, 3, [&](size_t first, size_t count, Gaussians& block) {
                             std::vector<uint32_t> indices(count);
                             for (size_t i = 0; i < count; ++i) indices[i] = uint32_t(first + i);
                             block = gather_rows(model, indices);
                           }};
  for (const char* name : {"splats.ply", "splats.spz"}) {
    std::filesystem::create_directory(folder.path() / "whole");
    std::filesystem::create_directory(folder.path() / "blocks");
    const auto at_once = io::write_splat_file(folder.path() / "whole" / name, model),
               in_blocks = io::write_splat_file(folder.path() / "blocks" / name, rows);
    ASSERT_TRUE(at_once.ok() && in_blocks.ok());
    EXPECT_EQ(in_blocks->dropped, 1u);
    EXPECT_EQ(in_blocks->adjusted, at_once->adjusted);
    EXPECT_TRUE(*io::read_file(folder.path() / "whole" / name) == *io::read_file(folder.path() / "blocks" / name));
  }
}

TEST(StateMemory, NothingIsWrittenOfSplatsThatAreNotFinite) {
  Gaussians model = test::make_scene({.seed = 8, .splats = 50}).model;
  std::fill(model.means.begin(), model.means.end(), NAN);
  const test::TempFolder folder;
  const io::SplatRows rows{50, 3, [&](size_t, size_t, Gaussians& block) { block = model; }};
  for (const char* name : {"a.ply", "a.spz", "a.splat", "a.sog", "a.glb"}) {
    const auto at_once = io::write_splat_file(folder.path() / name, model),
               in_blocks = io::write_splat_file(folder.path() / name, rows);
    ASSERT_FALSE(at_once.ok() || in_blocks.ok());
    EXPECT_NE(at_once.error().message.find("none of the 50 splats"), std::string::npos) << at_once.error().message;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / name));
  }
}

}  // namespace
}  // namespace splat
