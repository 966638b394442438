"""embed_fonts.py OUTPUT ICONS_H FONT...: writes fonts as C++ that is compiled into the program. The icons that ICONS_H
lists, at the code points given there, out of Material Design Icons; and the letters of each FONT that the interface is
likely to show, without features and hints; of names the copyright and licence. Digits take the shapes that are all of
one width (the font's feature `tnum`), so that numbers that change do not dance. Needs fontTools and fonticon_mdi7
(cmake/Font.cmake)."""
import io
import logging
import os
import re
import sys

import fonticon_mdi7
from fontTools import subset, ttLib

# Latin with what Vietnamese needs, Greek, Cyrillic, punctuation, currencies, arrows, mathematics, marks.
RANGES = [(0x20, 0x24F), (0x2B0, 0x2FF), (0x370, 0x3FF), (0x400, 0x52F), (0x1E00, 0x1EFF), (0x2000, 0x20CF),
          (0x2100, 0x22FF), (0x2300, 0x23FF), (0x25A0, 0x27BF)]


def tabular_digits(font):
    gsub = font["GSUB"].table
    wanted = [lookup for record in gsub.FeatureList.FeatureRecord if record.FeatureTag == "tnum"
              for lookup in record.Feature.LookupListIndex]
    shapes = {}
    for index in wanted:
        for table in gsub.LookupList.Lookup[index].SubTable:
            shapes.update(getattr(getattr(table, "ExtSubTable", table), "mapping", {}))
    usual = dict(font.getBestCmap())
    for table in font["cmap"].tables:
        table.cmap.update({ord(digit): shapes[usual[ord(digit)]] for digit in "0123456789"})


def cut(font, letters):
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 13, 14], notdef_outline=True, desubroutinize=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=letters)
    cutter.subset(font)
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


def text_font(path):
    font = ttLib.TTFont(path, recalcTimestamp=False)
    tabular_digits(font)
    return cut(font, [letter for low, high in RANGES for letter in range(low, high + 1)])


def icon_font(header):
    with open(header, encoding="utf-8") as file:
        icons = {int(code, 16): name for code, name in re.findall(r'"\\u(e0[0-9a-f]{2})"; +// (\S+)', file.read())}
    path = os.path.join(os.path.dirname(fonticon_mdi7.__file__), "fonts", "materialdesignicons-webfont.ttf")
    font = ttLib.TTFont(path, recalcTimestamp=False)
    missing = sorted(set(icons.values()) - set(font.getGlyphOrder()))
    if not icons or missing:
        sys.exit(f"{path} has no icon named {', '.join(missing)} ({header})")
    for table in font["cmap"].tables:
        table.cmap = dict(icons) if table.isUnicode() else {}
    return cut(font, icons)


def main():
    logging.disable(logging.WARNING)
    output, header, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    fonts = {"kIcons": icon_font(header), **{"kFont%d" % i: text_font(path) for i, path in enumerate(paths)}}
    with open(output, "w") as file:
        file.write('#include "viewer/widgets/shipped_fonts.h"\n\n#include "viewer/widgets/icons.h"\n\n'
                   "namespace viewer {\nnamespace {\n\n")
        for name, data in fonts.items():
            file.write("constexpr unsigned char %s[] = {\n" % name)
            for start in range(0, len(data), 32):
                file.write(",".join(map(str, data[start:start + 32])) + ",\n")
            file.write("};\n\n")
        file.write("}  // namespace\n\nstd::vector<std::span<const unsigned char>> shipped_fonts() {\n  return {%s};\n}\n\n"
                   "std::span<const unsigned char> icon_font() { return kIcons; }\n\n}  // namespace viewer\n" %
                   ", ".join(name for name in fonts if name != "kIcons"))


if __name__ == "__main__":
    main()
