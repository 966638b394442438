// No reader takes more memory than a stated number of bytes for each byte of its file, whatever the file claims: every
// stored input, every beginning of it, and files that unpack to far more than they weigh.
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <vector>

#include "io/bytes.h"
#include "io/splats/formats.h"
#include "splat/core/check.h"
#include "tests/fuzz/targets.h"
#include "tests/support/counted_memory.h"
#include "tests/support/test_paths.h"

namespace io::fuzz {
namespace {

namespace fs = std::filesystem;

const Target& target_of(std::string_view name) {
  for (const Target& target : targets())
    if (target.name == name) return target;
  splat::check_failed(__FILE__, __LINE__, "target_of", std::string(name));
}

size_t peak_of(const Target& target, std::string_view bytes) {
  return splat::test::peak_of([&] { target.run(bytes); });
}

// The targets that read a splat format, and the memory that reading may take for each byte of the file, whatever the
// file claims. Large where splats can be packed that well; files that programs write take far less.
struct Reader {
  std::string_view target;
  double bytes_per_byte;
};
constexpr std::array<Reader, 7> kReaders{{{"ply", 20},
                                          {"compressed_ply", 20},
                                          {"splat32", 2},
                                          {"ksplat", 8},
                                          {"spz", 5100},
                                          {"sog", 32000},
                                          {"gltf", 6000}}};

constexpr double kFixedBytes = 3 << 20;  // threads, blocks, what is never large

void expect_within(std::string_view name, std::string_view bytes) {
  const auto reader =
      std::find_if(kReaders.begin(), kReaders.end(), [&](const Reader& one) { return one.target == name; });
  ASSERT_NE(reader, kReaders.end()) << name;
  EXPECT_LE(double(peak_of(target_of(name), bytes)), reader->bytes_per_byte * double(bytes.size()) + kFixedBytes)
      << name << ", " << bytes.size() << " bytes";
}

TEST(FuzzMemory, EverySplatFormatThatIsReadHasABound) {
  const auto formats = splat_formats();
  const auto is_read = [](const SplatFormatEntry& entry) { return entry.read != nullptr; };
  EXPECT_EQ(kReaders.size(), size_t(std::count_if(formats.begin(), formats.end(), is_read)));
}

TEST(FuzzMemory, EveryBeginningOfEveryInputStaysWithinItsBound) {
  for (const auto& [name, bytes_per_byte] : kReaders)
    for (const auto& entry : fs::directory_iterator(test_paths::source() / "tests/fuzz/corpus" / name)) {
      const std::string input = *read_file(entry.path());
      for (size_t size = 0; size <= input.size() && !testing::Test::HasFailure(); ++size)
        expect_within(name, std::string_view(input).substr(0, size));
    }
}

// Headers take more memory than the rows behind them.
TEST(FuzzMemory, AHeaderOfManyShortLines) {
  for (const char* line :
       {"comment\n", "element a 0\n", "property char a\n", "comment a long line of many words to keep\n"}) {
    std::string text = "ply\nformat ascii 1.0\nelement vertex 0\n";
    for (int i = 0; text.size() < 900'000; ++i) {
      std::string numbered = line;
      if (const size_t at = numbered.find(" a"); at != std::string::npos && numbered[0] != 'c')
        numbered.insert(at + 2, std::to_string(i));
      text += numbered;
    }
    expect_within("ply", text);
    expect_within("ply", text + "end_header\n");
  }
}

TEST(FuzzMemory, TheCounterCounts) {
  using splat::test::g_bytes, splat::test::g_peak;
  const size_t before = g_bytes;
  g_peak = before;
  { const std::vector<char> block(5'000'000); }
  EXPECT_GE(g_peak - before, 5'000'000u);
  EXPECT_LT(g_bytes - before, 100'000u);
}

std::string gzipped(const std::string& data) {
  z_stream stream{};
  SPLAT_CHECK_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, data.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = uInt(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = uInt(out.size());
  SPLAT_CHECK_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

// The worst that SPZ's own bound lets through: equal splats of the degree whose numbers grow most, packed 1000 to 1.
TEST(FuzzMemory, SpzThatUnpacksToAThousandTimesItsSize) {
  for (const uint8_t degree : {0, 3}) {
    const uint32_t count = 200'000;
    std::string data(16 + count * (size_t(degree) == 0 ? 20 : 65), '\0');
    const uint32_t start[3] = {0x5053474eu, 3, count};
    std::memcpy(data.data(), start, sizeof start);
    data[12] = char(degree);
    data[13] = 12;
    const std::string file = gzipped(data);
    ASSERT_LT(file.size() * 900, data.size());
    expect_within("spz", file);
    expect_within("spz", std::string_view(file).substr(0, file.size() / 2));
  }
}

}  // namespace
}  // namespace io::fuzz
