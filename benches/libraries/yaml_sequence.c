// library: libyaml
// sources: src/api.c src/reader.c src/scanner.c src/parser.c
// options: -Iinclude -Isrc -DYAML_VERSION_STRING="0.2.5" -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5
// verdict: reachable
// Which two bytes begin a sequence?
#include "compact_se.h"
#include <yaml.h>
void reach_error(void);

int main(void) {
    unsigned char text[2];
    yaml_parser_t parser;
    yaml_event_t event;
    compact_se_make_symbolic(text, sizeof text, "text");
    if (!yaml_parser_initialize(&parser))
        return 0;
    yaml_parser_set_input_string(&parser, text, sizeof text);
    for (int i = 0; i < 6; i++) {
        if (!yaml_parser_parse(&parser, &event))
            return 0;
        if (event.type == YAML_SEQUENCE_START_EVENT)
            reach_error();
        if (event.type == YAML_STREAM_END_EVENT)
            break;
        yaml_event_delete(&event);
    }
    return 0;
}
