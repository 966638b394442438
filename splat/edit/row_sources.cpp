#include "splat/edit/row_sources.h"

#include <algorithm>
#include <utility>

#include "splat/edit/rows.h"
#include "splat/model/gaussian_rows.h"

namespace splat::edit {

RowSources::RowSources(const Gaussians& opened)
    : opened_rows_(opened.size()), opened_sh_degree_(opened.sh_degree), originals_(opened_rows_) {
  original_rows_.sh_degree = opened.sh_degree;
}

uint32_t RowSources::add_file(AddedFile what, Gaussians rows) {
  const size_t first = files_.empty() ? opened_rows_ : files_.back().first + files_.back().rows.size();
  files_.push_back({std::move(what), std::move(rows), uint32_t(first)});
  return uint32_t(first);
}

std::vector<AddedFile> RowSources::files_with_rows() const {
  std::vector<AddedFile> out;
  for (const File& file : files_) {
    // The copies of a step that was undone: none of its rows exists.
    if (std::find(copies_.begin(), copies_.end(), file.first) == copies_.end()) break;
    out.push_back(file.what);
  }
  return out;
}

void RowSources::append(const std::vector<RowRun>& sources) {
  for (const RowRun& run : sources)
    for (uint32_t source = run.begin; source < run.end; ++source) copies_.push_back(source);
}

void RowSources::keep_original(uint32_t row, const Gaussians& model) {
  const uint32_t from = of(row);
  if (from >= opened_rows_ || originals_[from] != 0) return;
  append_rows(gather_rows(model, std::span(&row, 1)), original_rows_);
  originals_[from] = uint32_t(original_rows_.size());
}

void RowSources::set_sh_degree(int degree) {
  raise_sh_degree(original_rows_, degree);
  reduce_sh_degree(original_rows_, degree);
}

RowSources::Place RowSources::place_of(uint32_t source, const Gaussians& model) const {
  if (source < opened_rows_)
    return originals_[source] == 0 ? Place{&model, source} : Place{&original_rows_, originals_[source] - 1};
  const auto file = std::find_if(files_.rbegin(), files_.rend(), [&](const File& f) { return f.first <= source; });
  return {&file->rows, source - file->first};
}

Gaussians RowSources::as_opened(std::span<const uint32_t> sources, const Gaussians& model) const {
  Gaussians out;
  out.sh_degree = model.sh_degree;
  reserve_rows(out, sources.size());
  for (size_t begin = 0; begin < sources.size();) {
    const Gaussians* const file = place_of(sources[begin], model).in;
    std::vector<uint32_t> rows;
    for (; begin < sources.size(); ++begin) {
      const Place at = place_of(sources[begin], model);
      if (at.in != file) break;
      rows.push_back(at.row);
    }
    Gaussians part = gather_rows(*file, rows);
    raise_sh_degree(part, out.sh_degree);
    append_rows(part, out);
  }
  return out;
}

int RowSources::sh_degree_of(std::span<const uint8_t> rows, const Gaussians& model) const {
  if (std::find(rows.begin(), rows.end(), uint8_t(1)) == rows.end()) return opened_sh_degree_;
  int degree = 0;
  for (uint32_t row = 0; row < rows.size() && degree < model.sh_degree; ++row) {
    if (!rows[row]) continue;
    const uint32_t from = of(row);
    degree = std::max(degree, from < opened_rows_ ? opened_sh_degree_ : place_of(from, model).in->sh_degree);
  }
  return degree;
}

}  // namespace splat::edit
