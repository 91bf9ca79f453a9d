// Shapes: the JSON Schemas of answers that several routes share.
//
// The `title` of a shape names the type that page/tools/types.mjs makes of it: two shapes of one
// title must be equal.
#pragma once

#include <string>
#include <string_view>

namespace weft::page {

// The members that say what an answer left out, and how far tables are filled.
extern const std::string_view kNotesShape;
// The member of a conversation that was forked or resumed from another one.
extern const std::string_view kForkShape;

// {"type": "object", …} from the text of its properties and of its required names.
std::string object_shape(std::string_view title, const std::string& properties,
                         std::string_view required);
std::string array_of(const std::string& items);

// A thought, with the further properties of an answer that holds more than it.
std::string thought_shape(std::string_view title = "Thought", const std::string& more = {},
                          std::string_view more_required = {});
// A conversation, as in a list, also with more.
std::string conversation_shape(std::string_view title = "Conversation",
                               const std::string& more = {}, std::string_view more_required = {});
// The answers of query::stats and query::activity.
std::string stats_shape();
std::string days_shape();
// The answer of `why` and `effects`.
std::string trace_shape();

}  // namespace weft::page
