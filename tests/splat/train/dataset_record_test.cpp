// What a checkpoint says where it meets other data than it was made with.
#include "splat/train/trainer_state.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/tiny_dataset.h"

namespace splat {
namespace {

template <class Change>
std::string refusal(const Change& change, bool of_older_version = false) {
  Dataset dataset = test::make_tiny_dataset().dataset;
  Archive archive;
  save_dataset_record(dataset, archive);
  if (of_older_version) archive.blobs.erase("dataset/views");
  change(dataset);
  const Status same = check_dataset_record(dataset, ArchiveReader(archive));
  return same ? "" : same.error().message;
}

TEST(DatasetRecord, NamesThePhotosThatDiffer) {
  const std::string first = test::make_tiny_dataset().dataset.views.front().name;
  const auto expect = [](const std::string& sentence, const std::string& part) {
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  EXPECT_EQ(refusal([](Dataset&) {}), "");
  expect(refusal([](Dataset& d) { d.views.erase(d.views.begin()); }), "(1 photo is missing: " + first + ")");
  expect(refusal([](Dataset& d) { d.views.front().name = "an other.jpg"; }),
         "(1 photo is missing: " + first + "; 1 photo is new: an other.jpg)");
  expect(refusal([](Dataset& d) { d.views.front().camera.fx += 1; }), "1 photo has another size or camera: " + first);
  expect(refusal([](Dataset& d) { d.views.front().cam_from_world.translation[1] += 1e-9; }),
         "1 photo has another pose: " + first);
  expect(refusal([](Dataset& d) { d.views.front().held_out ^= true; }), "held out in one of the two alone: " + first);
  expect(refusal([](Dataset& d) { d.points.xyz.front() += 1; }), "(the 3D points or the order");
  expect(refusal([](Dataset& d) {
           for (DatasetView& view : d.views) view.camera.width /= 2;
         }),
         " photos have another size or camera: " + first);
  expect(refusal([](Dataset& d) { d.views.pop_back(); }, true),
         "views, cameras, poses, held-out views or points differ");
}

}  // namespace
}  // namespace splat
