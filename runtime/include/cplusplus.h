/* What every file in C++ begins with: the templates that the GNU C++ library has in its binary too, as
 * std::string, are instantiated in the program, so that their code is known.
 */
#ifndef COMPACT_SE_CPLUSPLUS_H
#define COMPACT_SE_CPLUSPLUS_H

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#endif

#endif
