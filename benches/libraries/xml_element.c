// library: expat
// sources: expat/lib/xmlparse.c expat/lib/xmlrole.c expat/lib/xmltok.c
// options: -Iexpat/lib -DXML_POOR_ENTROPY -DXML_NS=1 -DXML_DTD=1 -DXML_CONTEXT_BYTES=1024
// verdict: reachable
// Which four bytes are a document with an element "a"?
#include "compact_se.h"
#include "expat.h"
void reach_error(void);

static int starts;

static void start(void *data, const char *name, const char **attributes) {
    (void)data, (void)attributes;
    if (name[0] == 'a')
        starts++;
}

int main(void) {
    char text[4];
    compact_se_make_symbolic(text, sizeof text, "text");
    XML_Parser parser = XML_ParserCreate(0);
    if (!parser)
        return 0;
    XML_SetStartElementHandler(parser, start);
    if (XML_Parse(parser, text, sizeof text, 1) == XML_STATUS_OK && starts == 1)
        reach_error();
    return 0;
}
