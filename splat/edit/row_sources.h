// Where the rows of an edited model are from: those of the file that was opened, then those of added files, numbered as
// sources; every row is one of them or a copy of one. Rows that moved are kept as they were opened, so that a move is
// computed from these values; all others have them in the model still, which is why it is given. Cost: a number for
// each row that was opened and each that came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "splat/edit/edited_state.h"
#include "splat/edit/history.h"
#include "splat/model/gaussians.h"

namespace splat::edit {

class RowSources {
 public:
  explicit RowSources(const Gaussians& opened);

  size_t opened_rows() const { return opened_rows_; }
  uint32_t of(uint32_t row) const { return row < opened_rows_ ? row : copies_[row - opened_rows_]; }
  const std::vector<uint32_t>& copies() const { return copies_; }  // [N - opened_rows()] those of later rows

  // ---- files, those of steps that were undone among them
  size_t files() const { return files_.size(); }
  uint32_t add_file(AddedFile what, Gaussians rows);            // the source that its first row is
  void forget_files_from(size_t file) { files_.resize(file); }  // no row is of them
  std::vector<AddedFile> files_with_rows() const;

  // ---- rows come and go at the end
  void append(uint32_t source) { copies_.push_back(source); }
  void append(const std::vector<RowRun>& sources);
  void resize(size_t rows) { copies_.resize(rows - opened_rows_); }

  // ---- values
  void keep_original(uint32_t row, const Gaussians& model);  // before it, or a copy of it, moves for the first time
  void set_sh_degree(int degree);                            // as the model's
  Gaussians as_opened(std::span<const uint32_t> sources, const Gaussians& model) const;  // at the model's SH degree
  int sh_degree_of(std::span<const uint8_t> rows, const Gaussians& model) const;  // [N] of the files of those with 1

 private:
  struct File {
    AddedFile what;
    Gaussians rows;  // at the SH degree of their file
    uint32_t first;  // source
  };
  struct Place {
    const Gaussians* in;
    uint32_t row;
  };
  Place place_of(uint32_t source, const Gaussians& model) const;

  size_t opened_rows_;
  int opened_sh_degree_;
  std::vector<uint32_t> copies_;
  std::vector<File> files_;
  std::vector<uint32_t> originals_;  // [opened_rows_] row of original_rows_ + 1, or 0: neither it nor a copy moved
  Gaussians original_rows_;          // at the model's SH degree
};

}  // namespace splat::edit
