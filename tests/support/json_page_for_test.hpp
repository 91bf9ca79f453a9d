// JsonPage: docs/json.md as data, to hold answers against.
//
// Its headings of the third level name shapes ("thought") and answers ("weft list"). Below each is
// a table of members: a path (`conversations[].cid`, where ? follows a name that may be missing, []
// an element, and * stands for any name), a form, and what it means. Parts of a path that have no
// row of their own are objects and arrays. An answer that is
// "A [thought](#thought)" has the rows of that shape.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::test {

class JsonPage {
 public:
  // Fails the test if the page cannot be read.
  JsonPage();

  // Reports, as failures of the test, every member of `document` that the answer `name` does not
  // document, every one of another form, and every one that is missing.
  void check(const std::string& name, const json::value& document);

  // The documented members that no document had, as "weft list: `total`". Those marked with † are
  // left out: other tests cause them.
  std::vector<std::string> unseen() const;
  // All headings.
  std::vector<std::string> names() const;

 private:
  struct Node {
    std::vector<std::string> forms{};  // empty: an object or an array, by what is below
    bool is_optional = false, is_rare = false, is_seen = false;
    bool has_row = false;
    std::map<std::string, std::unique_ptr<Node>> members{};
    std::unique_ptr<Node> element{};
  };

  void add_row(Node& shape, const std::string& cells);
  void check(Node& node, const json::value& value, const std::string& where);
  bool has_form(const std::string& form, const json::value& value, const std::string& where);
  static void collect_unseen(const Node& node, const std::string& path,
                             std::vector<std::string>& out);

  std::map<std::string, Node> shapes_;
};

}  // namespace weft::test
