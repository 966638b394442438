#include "library/errors.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "splat/core/check.h"
#include "splat/core/device_error.h"
#include "splat/core/lender.h"

namespace library {
namespace {

constexpr size_t kLongestSentence = 2048;
thread_local char last_sentence[kLongestSentence] = "";

hs_status fail(hs_status status, std::string_view sentence) noexcept {
  size_t length = std::min(sentence.size(), kLongestSentence - 1);
  while (length < sentence.size() && length > 0 && (sentence[length] & 0xc0) == 0x80) --length;  // no half characters
  std::memcpy(last_sentence, sentence.data(), length);
  last_sentence[length] = 0;
  return status;
}

hs_status fail_internally(std::string_view before, std::string_view what) noexcept try {
  return fail(HS_ERROR_INTERNAL, std::string(before) + std::string(what));
} catch (...) {
  return fail(HS_ERROR_INTERNAL, what);
}

// Once, when the library is loaded.
const bool kChecksThrow = [] {
  splat::set_check_handler([](const std::string& failure) { throw InternalError{failure}; });
  return true;
}();

}  // namespace

hs_status status_of_current_exception() noexcept try { throw; } catch (const Failure& failure) {
  return fail(failure.status, failure.sentence);
} catch (const InternalError& error) {
  return fail_internally("internal error, a bug of hipsplat: ", error.failure);
} catch (const splat::DeviceError& error) {
  return fail(error.bytes_wanted > 0 ? HS_ERROR_MEMORY : HS_ERROR_DEVICE, error.what());
} catch (const splat::NothingLent& error) {
  return fail(HS_ERROR_MEMORY, error.what());
} catch (const std::bad_alloc&) {
  return fail(HS_ERROR_MEMORY, "there is not enough memory");
} catch (const std::length_error&) {
  return fail(HS_ERROR_MEMORY, "there is not enough memory");
} catch (const std::exception& error) {
  return fail_internally("internal error, a bug of hipsplat: ", error.what());
} catch (...) {
  return fail(HS_ERROR_INTERNAL, "internal error, a bug of hipsplat: an exception of no known kind");
}

}  // namespace library

extern "C" {

const char* hs_version(void) { return HIPSPLAT_VERSION; }

const char* hs_error(void) { return library::last_sentence; }
}
