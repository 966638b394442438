#include "app/cli/serve/token.h"

#include <sys/random.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace app {

splat::Result<std::string> make_token() {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<uint8_t, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
    return splat::Error{"the system gives no random numbers, of which the address of a served page is made"};
  std::string token;
  for (const uint8_t byte : bytes) token += kDigits[byte % kDigits.size()];
  return token;
}

bool same_secret(std::string_view given, std::string_view secret) {
  unsigned different = given.size() != secret.size();
  for (size_t i = 0; i < secret.size(); ++i)
    different |= unsigned(uint8_t(i < given.size() ? given[i] : 0) ^ uint8_t(secret[i]));
  return different == 0;
}

}  // namespace app
