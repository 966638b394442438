// The readers' ground floor: whole files, bounds-checked bytes, streams, lines and numbers.
#include "io/bytes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "io/text.h"
#include "tests/io/error_sentence.h"
#include "tests/support/temp_folder.h"

namespace io::test {
namespace {

using splat::test::TempFolder;

std::string counting_bytes(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = char(i * 2654435761u >> 24);
  return bytes;
}

TEST(ReadFile, WholeFilesOfAnySize) {
  const TempFolder folder;
  for (const size_t size : {size_t(0), size_t(1), size_t(65536), size_t(3000001)}) {
    const std::string bytes = counting_bytes(size);
    EXPECT_EQ(*read_file(folder.write("f", bytes)), bytes);
  }
  EXPECT_FALSE(read_file("/proc/self/status")->empty());  // a file that says its size is 0
  expect_sentence(read_file(folder.path() / "none"), {"none"});
  expect_sentence(read_file(folder.path()), {"folder"});
#ifndef _WIN32
  expect_sentence(read_file("/dev/zero"), {"/dev/zero", "device"});  // never ends
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_sentence(read_file(pipe), {"pipe", "is a pipe"});  // nobody may ever write into it
  expect_sentence(ByteStream::open(pipe), {"pipe", "is a pipe"});
#endif
}

TEST(ByteReader, StopsAtTheEnd) {
  const std::string bytes("\x05\0\0\0\0\0\0\0abc\0de", 14);
  ByteReader reader(bytes, "f.bin");
  EXPECT_EQ(*reader.read_count(1, "things"), 5u);
  EXPECT_EQ(*reader.read_c_string("a name"), "abc");
  expect_sentence(reader.read_c_string("a name"), {"'f.bin', byte 12", "inside a name"});
  expect_sentence(reader.read<uint32_t>("a number"), {"byte 12", "inside a number"});
  expect_sentence(reader.skip(3, "a thing"), {"byte 12"});
  EXPECT_EQ(*reader.read<uint16_t>("a number"), 0x6564);
  EXPECT_EQ(reader.remaining(), 0u);
  ByteReader lying(bytes, "f.bin");
  expect_sentence(lying.read_count(2, "things"), {"f.bin", "claims 5 things", "6 bytes"});
}

TEST(ByteStream, FileAndMemoryAreTheSame) {
  const TempFolder folder;
  const std::string bytes = counting_bytes(5000000);
  const auto path = folder.write("f", bytes);
  auto file = ByteStream::open(path);
  ASSERT_TRUE(file.ok());
  ByteStream memory(bytes, "memory");
  for (ByteStream* stream : {&*file, &memory}) {
    EXPECT_EQ(stream->size(), bytes.size());
    size_t position = 0;
    for (size_t step = 1; position < bytes.size(); step = step * 7 % 2000003) {
      const auto ahead = stream->peek(step);
      ASSERT_TRUE(ahead.ok());
      ASSERT_EQ(*ahead, std::string_view(bytes).substr(position, step));
      stream->advance(ahead->size());
      position += ahead->size();
      ASSERT_EQ(stream->position(), position);
      if (step % 3 == 0 && stream->remaining() > 100) {
        ASSERT_TRUE(stream->skip(100).ok());
        position += 100;
      }
    }
    EXPECT_TRUE(stream->peek(10)->empty());
    expect_sentence(stream->skip(1), {stream->name(), "byte 5000000"});
  }
  expect_sentence(ByteStream::open(folder.path() / "none"), {"none"});
  ByteStream moved(std::move(*ByteStream::open(path)));
  EXPECT_EQ(*moved.peek(10), bytes.substr(0, 10));
}

TEST(ByteStream, AFileThatShrinksIsAnError) {
  const TempFolder folder;
  const auto path = folder.write("f", counting_bytes(3000000));
  auto stream = ByteStream::open(path);
  ASSERT_TRUE(stream.ok());
  ASSERT_TRUE(stream->skip(1000).ok());
  std::filesystem::resize_file(path, 2000000);
  expect_sentence(stream->skip(2500000), {"f'", "shorter"});
}

TEST(Text, NumbersAreStrict) {
  double value = 0;
  for (const char* bad : {"", " 1", "1 ", "1,5", "0x10", "1e", "abc", "+-1", "--1", "."})
    EXPECT_FALSE(parse_number(bad, value)) << bad;
  EXPECT_TRUE(parse_number("-1.5e3", value));
  EXPECT_EQ(value, -1500);
  EXPECT_TRUE(parse_number("+2", value));
  EXPECT_EQ(value, 2);
  EXPECT_TRUE(parse_number("1e999", value));
  EXPECT_TRUE(std::isinf(value));
  EXPECT_TRUE(parse_number("1e-999", value));
  EXPECT_EQ(value, 0);
  for (const char* none : {"-nan(ind)", "-1.#IND", "1.#QNAN00", "nan"}) {
    value = 0;
    EXPECT_TRUE(parse_number(none, value)) << none;
    EXPECT_TRUE(std::isnan(value)) << none;
  }
  EXPECT_TRUE(std::isnan(value));
  uint8_t byte = 0;
  EXPECT_TRUE(parse_number("255", byte));
  EXPECT_FALSE(parse_number("256", byte));
  EXPECT_FALSE(parse_number("-1", byte));
  EXPECT_FALSE(parse_number("1.0", byte));
}

TEST(Text, LinesAndFields) {
  LineReader lines("one two\r\n\nlast", "f.txt");
  ASSERT_TRUE(lines.next());
  Fields fields(lines.line());
  EXPECT_EQ(fields.next(), "one");
  EXPECT_EQ(fields.rest(), "two");
  EXPECT_EQ(fields.next(), "two");
  EXPECT_EQ(fields.next(), "");
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "");
  EXPECT_FALSE(lines.ended_open());
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line(), "last");
  EXPECT_TRUE(lines.ended_open());
  EXPECT_EQ(lines.error("bad").message, "'f.txt', line 3: bad");
  EXPECT_FALSE(lines.next());
  EXPECT_EQ(in_quotes("a\nb\x7f"), "'a?b?'");
  EXPECT_EQ(in_quotes(std::string(200, 'x')).size(), 125u);
}

TEST(FirstNames, OfALongListAreFew) {
  EXPECT_EQ(first_names({"a", "b"}), "a, b");
  EXPECT_EQ(first_names(std::vector<std::string>(250, "x")), "x, x, x, x, x, x, x, x, x, x and 240 more");
}

}  // namespace
}  // namespace io::test
