// library: http-parser
// sources: http_parser.c
// options: -I.
// verdict: reachable
// Which three characters make a URL with the port 80?
#include "compact_se.h"
#include "http_parser.h"
#include <string.h>
void reach_error(void);

int main(void) {
    char url[12];
    struct http_parser_url parts;
    memcpy(url, "http://a:", 9);
    compact_se_make_symbolic(url + 9, 3, "url");
    http_parser_url_init(&parts);
    if (http_parser_parse_url(url, sizeof url, 0, &parts) == 0 && parts.port == 80)
        reach_error();
    return 0;
}
