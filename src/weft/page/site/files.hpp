// Files: what the page consists of, embedded in the program, and the responses that carry it.
#pragma once

#include <span>
#include <string_view>

#include "weft/net/http_request.hpp"
#include "weft/net/http_response.hpp"

namespace weft::page {

// A file of the page. Its bytes are part of the program.
struct File {
  std::string_view path;  // "/assets/main.3f2a91c0.js"; the page itself is "/"
  std::string_view type;  // its media type
  std::string_view hash;  // of `bytes`, in hex
  std::string_view bytes;
  std::string_view gzip{}, brotli{};  // compressed; empty where that is no shorter
};

// Written by the build (cmake/weft_page.cmake).
std::span<const File> all_files();
// Names what the program was built with: the hash of all files.
std::string_view build_of_page();

// Pages that are not served, but written into files that people hand on: one that shows a proof
// (query/proof/proof.hpp), one that reads a conversation (cli/hand/html_export.hpp). Each has a
// mark where its document goes. Empty in a build without the page.
std::string_view proof_page();
std::string_view reader_page();

// Whether a path is one of a file, or of a screen: all screens are the same file, the page, which
// then reads the path itself. Under /assets/ only what exists is a file.
bool is_file(std::string_view path);

// To a GET or HEAD of a path that is_file().
net::HttpResponse respond_with_file(const net::RequestHead& head);

}  // namespace weft::page
