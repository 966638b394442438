// What painting does to a pixel of a mask, whatever the mask said before: so that it can be shown over one picture of a
// photo and carried out on another.
#pragma once

#include <cstdint>

namespace splat {

enum class MaskChange : uint8_t { kKeep, kFlip, kLeaveOut, kUse };

constexpr bool counts_after(MaskChange change, bool counts) {
  if (change == MaskChange::kKeep || change == MaskChange::kFlip) return counts == (change == MaskChange::kKeep);
  return change == MaskChange::kUse;
}

// This change, and then every pixel the other way round.
constexpr MaskChange flipped(MaskChange change) {
  switch (change) {
    case MaskChange::kKeep:
      return MaskChange::kFlip;
    case MaskChange::kFlip:
      return MaskChange::kKeep;
    case MaskChange::kLeaveOut:
      return MaskChange::kUse;
    case MaskChange::kUse:
      break;
  }
  return MaskChange::kLeaveOut;
}

}  // namespace splat
