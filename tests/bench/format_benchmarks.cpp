// How fast splat files are written and read, and in how much memory:
//   format_benchmarks [SPLATS,... [REPEATS [NAME...]]]        for instance 1000000,5000000 3 .ply .spz3
// A Markdown table, a line a format and direction as soon as it is known; the best of the repeats, files in the page
// cache and in TMPDIR. The model is random, of SH degree 3: compressors find less in it than in a trained one. "Plain
// read" is read(2) of the PLY into fresh memory. Memory is what the call needs at its peak besides the model, which a
// reader has to make.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/io.h"
#include "io/splats/formats.h"
#include "splat/core/random.h"

namespace io::test {
namespace {

namespace fs = std::filesystem;
using splat::Gaussians;

struct Candidate {
  std::string name;  // extension, with the version behind it where there are several
  std::string extension;
  int spz_version = 4;
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const SplatFormatEntry& entry : splat_formats()) {
    if (!entry.write || !entry.read) continue;
    const std::string extension(entry.extensions.front());
    if (entry.format != SplatFormat::kSpz) {
      all.push_back({extension, extension});
      continue;
    }
    for (const int version : {3, 4}) all.push_back({extension + std::to_string(version), extension, version});
  }
  return all;
}

Gaussians random_scene(size_t splats) {
  Gaussians model;
  model.sh_degree = 3;
  model.resize(splats);
  splat::random::Sequence values(1, splat::random::kTest);
  const auto fill = [&](std::vector<float>& group, float mean, float deviation) {
    for (float& value : group) value = mean + deviation * values.normal();
  };
  fill(model.means, 0, 3);
  fill(model.log_scales, -4.5f, 1);
  fill(model.quats, 0, 1);
  fill(model.logit_opacities, 0, 2);
  fill(model.sh, 0, 0.1f);
  return model;
}

uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (uint64_t kilobytes = 0; word == key + ":" && status >> kilobytes) return kilobytes * 1024;
  return 0;
}

struct Figures {
  double seconds = 1e30;
  uint64_t peak_bytes = 0;  // beyond what was there before
};

Figures measure(int repeats, const std::function<void()>& body) {
  Figures best;
  for (int i = 0; i < repeats; ++i) {
    ::malloc_trim(0);                               // what is free is not there already
    std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts anew
    const uint64_t before = status_bytes("VmRSS");
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best.seconds = std::min(best.seconds, elapsed.count());
    best.peak_bytes = std::max(best.peak_bytes, status_bytes("VmHWM") - std::min(before, status_bytes("VmHWM")));
  }
  return best;
}

template <class T>
T value_or_exit(splat::Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(1);
}

void plain_read(const fs::path& path) {
  const size_t size = fs::file_size(path);
  const std::unique_ptr<char[]> bytes(new char[size]);
  const int fd = ::open(path.c_str(), O_RDONLY);
  size_t have = 0;
  for (ssize_t got = 1; got > 0 && have < size; have += size_t(got)) got = ::read(fd, bytes.get() + have, size - have);
  ::close(fd);
  if (have != size) std::exit(1);
}

struct Row {
  std::string name, what;
  std::string cells;
  double bytes_per_splat = 0;
};

void add_cells(Row& row, const Figures& figures, size_t splats, uint64_t bytes) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), " %.2f s | %.0f MB/s | %.2f M/s | %.0f MB |", figures.seconds,
                double(bytes) / 1e6 / figures.seconds, double(splats) / 1e6 / figures.seconds,
                double(figures.peak_bytes) / 1e6);
  row.cells += text.data();
  row.bytes_per_splat = double(bytes) / double(splats);
}

void print_row(const Row& row) {
  std::printf("| %s | %.1f | %s |%s\n", row.name.c_str(), row.bytes_per_splat, row.what.c_str(), row.cells.c_str());
  std::fflush(stdout);
}

void print_heading(const std::vector<size_t>& counts) {
  std::printf("| format | bytes a splat | what |");
  for (const size_t count : counts) std::printf(" %.3gM | | | memory |", double(count) / 1e6);
  std::printf("\n|---|---|---|");
  for (size_t i = 0; i < counts.size(); ++i) std::printf("---|---|---|---|");
  std::printf("\n");
  std::fflush(stdout);
}

void run(const Candidate& candidate, const std::vector<size_t>& counts, int repeats, const fs::path& folder) {
  const fs::path path = folder / ("model" + candidate.extension);
  const SplatWriteOptions options{.spz_version = candidate.spz_version};
  Row write{candidate.name, "write", ""}, read{candidate.name, "read", ""}, plain{"plain read of the PLY", "read", ""};
  for (const size_t splats : counts) {
    {
      const Gaussians model = random_scene(splats);
      const Figures written =
          measure(repeats, [&] { (void)value_or_exit(write_splat_file(path, model, {}, options)); });
      add_cells(write, written, splats, fs::file_size(path));
    }
    const uint64_t bytes = fs::file_size(path);
    if (candidate.name == ".ply") add_cells(plain, measure(repeats, [&] { plain_read(path); }), splats, bytes);
    add_cells(read, measure(repeats, [&] { (void)value_or_exit(read_splat_file(path)); }), splats, bytes);
    fs::remove(path);
  }
  print_row(write);
  print_row(read);
  if (candidate.name == ".ply") print_row(plain);
}

std::vector<size_t> counts_of(const char* list) {
  std::vector<size_t> counts;
  for (char* end = const_cast<char*>(list); *end != '\0'; end += *end == ',') {
    const char* begin = end;
    counts.push_back(size_t(std::strtoull(begin, &end, 10)));
    if (end == begin || counts.back() == 0) {
      std::fprintf(stderr, "'%s' is no list of numbers of splats, such as 1000000,5000000\n", list);
      std::exit(2);
    }
  }
  return counts;
}

}  // namespace
}  // namespace io::test

int main(int argc, char** argv) {
  using namespace io::test;
  const std::vector<size_t> counts = counts_of(argc > 1 ? argv[1] : "1000000");
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 3;
  const std::vector<std::string> names(argv + std::min(argc, 3), argv + argc);
  const fs::path folder = fs::temp_directory_path() / ("hipsplat-formats-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  print_heading(counts);
  for (const Candidate& candidate : candidates())
    if (names.empty() || std::find(names.begin(), names.end(), candidate.name) != names.end())
      run(candidate, counts, repeats, folder);
  fs::remove_all(folder);
}
