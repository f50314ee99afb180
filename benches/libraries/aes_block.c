// library: mbedtls
// sources: library/aes.c library/platform_util.c
// options: -Iinclude -DMBEDTLS_CONFIG_FILE=<stddef.h> -DMBEDTLS_AES_C
// verdict: reachable
// Which first byte, followed by zeros, does AES with the key 0 turn into a block that begins so?
#include "compact_se.h"
#include "mbedtls/aes.h"
void reach_error(void);

int main(void) {
    unsigned char key[16] = {0}, text[16] = {0}, block[16];
    mbedtls_aes_context context;
    compact_se_make_symbolic(text, 1, "text");
    mbedtls_aes_init(&context);
    mbedtls_aes_setkey_enc(&context, key, 128);
    mbedtls_aes_crypt_ecb(&context, MBEDTLS_AES_ENCRYPT, text, block);
    if (block[0] == 0x66 && block[1] == 0xe9)
        reach_error();
    return 0;
}
