# hipsplat_embed_texts(<target> <header> <namespace> <function> FILE...): the texts of files of this tree as constants,
# by std::string_view NAMESPACE::FUNCTION(std::string_view name), which the header declares. Where the target is made.
function(hipsplat_embed_texts target header namespace function)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${function}s.cpp)
  set(files ${ARGN})
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/)
  add_custom_command(
    OUTPUT ${source} COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DOUTPUT=${source} -DHEADER=${header}
                             -DNAMESPACE=${namespace} -DFUNCTION=${function} -P
                             ${CMAKE_SOURCE_DIR}/cmake/embed_texts.cmake
    DEPENDS ${files} ${CMAKE_SOURCE_DIR}/cmake/embed_texts.cmake
    COMMENT "Embedding texts for ${header}" VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
