// std::format for compilers that lack it (g++ before 13): only "{}" and only what
// an ostream can print, which is all that mlx-c asks for. Included by force.
#pragma once
#include <version>
#ifndef __cpp_lib_format
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

namespace std {
template <class... Args>
string format(string_view text, const Args&... args) {
  ostringstream out;
  auto next = [&](const auto& arg) {
    size_t at = text.find("{}");
    out << text.substr(0, at);
    if (at == string_view::npos) {
      text = {};
      return;
    }
    out << arg;
    text.remove_prefix(at + 2);
  };
  (next(args), ...);
  out << text;
  return out.str();
}
} // namespace std
#endif
