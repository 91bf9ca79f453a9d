// GET /api/thoughts/CID/bytes: the bytes of an attachment.
#include "weft/base/try.hpp"
#include "weft/crypto/base64.hpp"
#include "weft/page/route.hpp"
#include "weft/page/site/image_type.hpp"
#include "weft/query/questions.hpp"

namespace weft::page {
namespace {

// An image by its first bytes, whatever it says that it is; anything else is a file to save, which
// no browser opens by itself.
Result<net::HttpResponse> bytes(const Asking& asking) {
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  WEFT_TRY_VALUE(const auto thought, query::get(asking.library, cid, query::Layers::open));
  const json::object* content = find_object(thought, "content");
  const auto data = content == nullptr ? std::nullopt : find_string(*content, "data");
  if (!data) return fail(ErrorCode::not_found, cid.str() + " has no bytes that can be read here");
  auto decoded = crypto::parse_base64(*data);
  if (!decoded) return fail(ErrorCode::not_found, cid.str() + ": its data is not base64");
  net::HttpResponse response{.body = *std::move(decoded)};
  response.type = image_type(response.body);
  if (response.type.empty()) {
    response.type = "application/octet-stream";
    response.fields.emplace_back("Content-Disposition", "attachment");
  }
  return response;
}

}  // namespace

const Route& bytes_route() {
  static const Route route = {
      .path = "/api/thoughts/{cid}/bytes",
      .respond = bytes,
  };
  return route;
}

}  // namespace weft::page
