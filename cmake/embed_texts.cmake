# Writes OUTPUT, a source file with std::string_view NAMESPACE::FUNCTION(std::string_view name), declared in HEADER: the
# texts of FILES by their names; run with cmake -P.
cmake_minimum_required(VERSION 3.22)
set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n\n")
string(APPEND text "std::string_view ${FUNCTION}(std::string_view name) {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} source)
  string(APPEND text "  if (name == \"${name}\") return R\"text(${source})text\";\n")
endforeach()
string(APPEND text "  return {};\n}\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUTPUT} "${text}")
