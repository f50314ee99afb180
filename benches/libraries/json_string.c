// library: cjson
// sources: cJSON.c
// options: -I.
// verdict: unreachable
// A string of two characters is what it was, once it is printed and parsed.
#include "compact_se.h"
#include "cJSON.h"
#include <string.h>
void reach_error(void);

int main(void) {
    char text[3];
    compact_se_make_symbolic(text, 2, "text");
    text[2] = 0;
    char *printed = cJSON_PrintUnformatted(cJSON_CreateString(text));
    if (!printed)
        return 0;
    cJSON *parsed = cJSON_Parse(printed);
    if (!cJSON_IsString(parsed) || strcmp(parsed->valuestring, text) != 0)
        reach_error();
    return 0;
}
