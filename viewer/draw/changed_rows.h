// Rows of the opened splats that editing added, moved or took away, in the form in which the window draws them. The
// application puts them in order; the window's part of the splats then stands as the application's model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <vector>

#include "splat/core/parallel.h"
#include "splat/edit/edited_model.h"
#include "viewer/camera/geometry.h"
#include "viewer/draw/packed_splats.h"

namespace viewer {

struct ChangedRows {
  std::filesystem::path splats;  // that were opened
  size_t rows = 0;               // of the model now
  uint64_t revision = 0;         // EditedModel::revision()
  std::vector<splat::edit::RowRun> runs;
  PackedSplats packed;               // of the rows of all runs, in order
  std::vector<float> centres_radii;  // [packed.count,4] of the same: centres_and_radii()
  Bounds bounds, framed;             // of the model now, as of OpenedSplats
};

// All since edited.forget_changes(). Cost: a few passes over those rows.
ChangedRows changed_rows_of(const splat::edit::EditedModel& edited, splat::ThreadPool& pool);

// values [.,width], of the rows of all runs in order, become those rows of `all` [N,width], which gets `rows` rows.
template <class T>
void write_rows(const std::vector<splat::edit::RowRun>& runs, size_t width, const std::vector<T>& values, size_t rows,
                std::vector<T>& all) {
  all.resize(rows * width);
  auto from = values.begin();
  for (const splat::edit::RowRun& run : runs) {
    const auto count = std::ptrdiff_t((run.end - run.begin) * width);
    std::copy(from, from + count, all.begin() + std::ptrdiff_t(run.begin * width));
    from += count;
  }
}
// To what the window has of the splats before OpenGL has it.
void write_changed_rows(const ChangedRows& changed, PackedSplats& packed, std::vector<float>& centres_radii);

}  // namespace viewer
