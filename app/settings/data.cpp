#include "app/settings/data.h"

#include <fmt/format.h>

namespace app {

using splat::Error;
using splat::Status;

namespace {

constexpr int kSmallestSide = 16;  // px; -r between 9 and this is a mistake
constexpr unsigned kTrainingVerbs = kTrain | kBlocks;
constexpr unsigned kDataVerbs =
    kTrainingVerbs | kEvaluate | kInfo | kWindow | kConvert;  // hipsplat convert: with --clean

const char* const kData = "Data";

OptionRow resolution_row(OptionRow row, int* target) {
  row.set = [target](const std::string& text) -> Status {
    const auto value = parse_integer(text);
    if (!value || *value < 1 || (*value > 8 && *value < kSmallestSide) || *value > 65535)
      return Error{fmt::format("--resolution needs a divisor from 1 to 8 or the largest side in px, not '{}'", text)};
    *target = int(*value);
    return {};
  };
  row.get = [target] { return *target == 0 ? nlohmann::json() : nlohmann::json(*target); };
  return row;
}

// As names_row(), but none may be named.
OptionRow leave_out_row(OptionRow row, std::vector<std::string>* names) {
  row = names_row(std::move(row), names);
  row.set = [names](const std::string& text) -> Status {
    *names = split_list(text);
    return {};
  };
  return row;
}

}  // namespace

void add_data_rows(std::vector<OptionRow>& rows, Options& o) {
  rows.push_back(resolution_row(
      {kData, "r", "resolution", "1|2|4|8|PX",
       fmt::format("divide the photos' sides, or their longest side in px (default: full size up to {} px)",
                   io::kDefaultMaxSide),
       kDataVerbs | kRender | kMesh},
      &o.dataset.resolution));
  OptionRow images{kData,
                   "",
                   "images",
                   "DIR",
                   "folder of the photos (default: images/, or where the dataset says)",
                   kDataVerbs | kRender | kMesh};
  images.label = "Photos";
  images.set = [&o](const std::string& text) -> Status {
    o.dataset.images_folder = text;
    return {};
  };
  images.get = [&o] {
    return o.dataset.images_folder.empty() ? nlohmann::json() : nlohmann::json(o.dataset.images_folder);
  };
  rows.push_back(images);
  rows.push_back(path_row(
      {kData, "", "masks", "DIR", "folder of masks; black pixels are ignored (default: masks/ where it exists)",
       kDataVerbs | kAlign | kMesh},
      &o.dataset.masks_folder));
  rows.push_back(labelled(
      enum_row<bool>({kData, "", "alpha", "MEANING",
                      "of transparent pixels: empty: nothing is there but the background; ignore: not known, as "
                      "what a mask leaves out",
                      kDataVerbs | kMesh},
                     &o.dataset.ignores_transparent, {{"empty", false}, {"ignore", true}}),
      "Transparent pixels"));
  rows.push_back(labelled(
      auto_row({kData, "", "depths", "MODE",
                "train with depth maps, 16-bit PNG in depths/ or named in transforms.json; auto: where there are some",
                kTrainingVerbs},
               &o.dataset.depths),
      "Depth maps"));
  rows.push_back(
      labelled(flag_row({kData, "", "eval", "",
                         "hold views out of training and report PSNR, SSIM and FLIP on them; of mesh: of its surface",
                         kDataVerbs | kMesh},
                        &o.dataset.eval),
               "Hold out photos"));
  rows.push_back(
      integer_row({kData, "", "test-every", "N",
                   "hold out every N-th view by sorted name, from the first; implies --eval", kDataVerbs | kMesh},
                  &o.dataset.test_every, 2, 1'000'000));
  rows.push_back(labelled(
      names_row({kData, "", "test-images", "A,B", "hold out exactly these views; implies --eval", kDataVerbs | kMesh},
                &o.dataset.test_images),
      "Held-out photos"));
  rows.push_back(
      labelled(leave_out_row({kData, "", "leave-out", "A,B",
                              "neither train on these photos nor hold them out; with --resume the run goes on without "
                              "them, and with all again where none is named",
                              kTrain | kInfo},
                             &o.dataset.leave_out),
               "Photos to leave out"));
}

}  // namespace app
