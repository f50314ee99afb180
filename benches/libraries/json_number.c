// library: cjson
// sources: cJSON.c
// options: -I.
// verdict: reachable
// Which four characters are an array of one number, 17?
#include "compact_se.h"
#include "cJSON.h"
void reach_error(void);

int main(void) {
    char text[5];
    compact_se_make_symbolic(text, 4, "text");
    text[4] = 0;
    cJSON *value = cJSON_Parse(text);
    if (cJSON_IsArray(value) && cJSON_GetArraySize(value) == 1 &&
        cJSON_GetNumberValue(cJSON_GetArrayItem(value, 0)) == 17)
        reach_error();
    cJSON_Delete(value);
    return 0;
}
