// Parts of a data set that cannot be used (photos, cameras, points, masks, depth maps): each is left out, and one
// sentence for each kind of part says how many they are and which. The set is refused only when nothing is left.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace io {

class LeftOut {
 public:
  // `kind`: "photo". `why`: a whole sentence, with the file and the place.
  void add(const std::string& kind, const std::string& name, const std::string& why);

  size_t count(const std::string& kind) const;
  // The reason of the first that was added; there is one.
  const std::string& first_reason(const std::string& kind) const;
  // "2 photos cannot be used and are left out: 'a.jpg', 'b.jpg' (the first: WHY)", by kind.
  void report(std::vector<std::string>& warnings) const;

 private:
  struct Parts {
    size_t count = 0;
    std::vector<std::string> names;  // as many as are ever shown: points run into millions
    std::string first_reason;
  };
  std::map<std::string, Parts> parts_;
};

}  // namespace io
