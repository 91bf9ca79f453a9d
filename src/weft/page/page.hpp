// Page: weft in a browser. Serves the page's files, and its questions under /api.
//
//   Page page(context);
//   mcp::serve_http(server, {.site = &page, …}, …);
//
// Questions are answered on threads of its own, from one state of the store each.
#pragma once

#include <memory>

#include "weft/net/site.hpp"
#include "weft/page/page_context.hpp"

namespace weft::page {

class Page final : public net::Site {
 public:
  explicit Page(PageContext context);
  ~Page() override;  // waits for the questions under way

  Part part_of(std::string_view path) const override;
  net::Right right_for(std::string_view path) const override;
  net::HttpResponse file(const net::RequestHead& head) const override;
  std::shared_ptr<net::SiteQuestion> ask(const net::RequestHead& head,
                                         std::shared_ptr<net::SiteOutlet> outlet) override;
  void drain() override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::page
