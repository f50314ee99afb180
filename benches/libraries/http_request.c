// library: http-parser
// sources: http_parser.c
// options: -I.
// verdict: reachable
// Which six bytes before "HTTP/1.1" make a request of the method GET?
#include "compact_se.h"
#include "http_parser.h"
#include <string.h>
void reach_error(void);

static int complete(http_parser *parser) {
    if (parser->method == HTTP_GET && parser->http_minor == 1)
        reach_error();
    return 0;
}

int main(void) {
    char head[18];
    http_parser parser;
    http_parser_settings settings;
    compact_se_make_symbolic(head, 6, "head");
    memcpy(head + 6, "HTTP/1.1\r\n\r\n", 12);
    http_parser_init(&parser, HTTP_REQUEST);
    http_parser_settings_init(&settings);
    settings.on_message_complete = complete;
    http_parser_execute(&parser, &settings, head, sizeof head);
    return 0;
}
