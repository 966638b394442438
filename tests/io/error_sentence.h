// What every error sentence about a file must be: one line that names the file and, where asked, a place and a cause.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "splat/core/result.h"

namespace io::test {

template <class T>
void expect_sentence(const splat::Result<T>& result, const std::vector<std::string>& parts) {
  ASSERT_FALSE(result.ok()) << "expected an error that mentions: " << testing::PrintToString(parts);
  const std::string& message = result.error().message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' in: " << message;
}

}  // namespace io::test
