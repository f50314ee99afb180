/* Models of strerror and strsignal: the texts of the GNU C library for Linux on x86, in the C locale.
 *
 * Compiled and linked as string.c is.
 */
typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

enum { INVALID = 22 /* EINVAL */, RANGE = 34 /* ERANGE */ };

static const char *const errors[] = {
    [0] = "Success",
    [1] = "Operation not permitted",
    [2] = "No such file or directory",
    [3] = "No such process",
    [4] = "Interrupted system call",
    [5] = "Input/output error",
    [6] = "No such device or address",
    [7] = "Argument list too long",
    [8] = "Exec format error",
    [9] = "Bad file descriptor",
    [10] = "No child processes",
    [11] = "Resource temporarily unavailable",
    [12] = "Cannot allocate memory",
    [13] = "Permission denied",
    [14] = "Bad address",
    [15] = "Block device required",
    [16] = "Device or resource busy",
    [17] = "File exists",
    [18] = "Invalid cross-device link",
    [19] = "No such device",
    [20] = "Not a directory",
    [21] = "Is a directory",
    [22] = "Invalid argument",
    [23] = "Too many open files in system",
    [24] = "Too many open files",
    [25] = "Inappropriate ioctl for device",
    [26] = "Text file busy",
    [27] = "File too large",
    [28] = "No space left on device",
    [29] = "Illegal seek",
    [30] = "Read-only file system",
    [31] = "Too many links",
    [32] = "Broken pipe",
    [33] = "Numerical argument out of domain",
    [34] = "Numerical result out of range",
    [35] = "Resource deadlock avoided",
    [36] = "File name too long",
    [37] = "No locks available",
    [38] = "Function not implemented",
    [39] = "Directory not empty",
    [40] = "Too many levels of symbolic links",
    [42] = "No message of desired type",
    [43] = "Identifier removed",
    [44] = "Channel number out of range",
    [45] = "Level 2 not synchronized",
    [46] = "Level 3 halted",
    [47] = "Level 3 reset",
    [48] = "Link number out of range",
    [49] = "Protocol driver not attached",
    [50] = "No CSI structure available",
    [51] = "Level 2 halted",
    [52] = "Invalid exchange",
    [53] = "Invalid request descriptor",
    [54] = "Exchange full",
    [55] = "No anode",
    [56] = "Invalid request code",
    [57] = "Invalid slot",
    [59] = "Bad font file format",
    [60] = "Device not a stream",
    [61] = "No data available",
    [62] = "Timer expired",
    [63] = "Out of streams resources",
    [64] = "Machine is not on the network",
    [65] = "Package not installed",
    [66] = "Object is remote",
    [67] = "Link has been severed",
    [68] = "Advertise error",
    [69] = "Srmount error",
    [70] = "Communication error on send",
    [71] = "Protocol error",
    [72] = "Multihop attempted",
    [73] = "RFS specific error",
    [74] = "Bad message",
    [75] = "Value too large for defined data type",
    [76] = "Name not unique on network",
    [77] = "File descriptor in bad state",
    [78] = "Remote address changed",
    [79] = "Can not access a needed shared library",
    [80] = "Accessing a corrupted shared library",
    [81] = ".lib section in a.out corrupted",
    [82] = "Attempting to link in too many shared libraries",
    [83] = "Cannot exec a shared library directly",
    [84] = "Invalid or incomplete multibyte or wide character",
    [85] = "Interrupted system call should be restarted",
    [86] = "Streams pipe error",
    [87] = "Too many users",
    [88] = "Socket operation on non-socket",
    [89] = "Destination address required",
    [90] = "Message too long",
    [91] = "Protocol wrong type for socket",
    [92] = "Protocol not available",
    [93] = "Protocol not supported",
    [94] = "Socket type not supported",
    [95] = "Operation not supported",
    [96] = "Protocol family not supported",
    [97] = "Address family not supported by protocol",
    [98] = "Address already in use",
    [99] = "Cannot assign requested address",
    [100] = "Network is down",
    [101] = "Network is unreachable",
    [102] = "Network dropped connection on reset",
    [103] = "Software caused connection abort",
    [104] = "Connection reset by peer",
    [105] = "No buffer space available",
    [106] = "Transport endpoint is already connected",
    [107] = "Transport endpoint is not connected",
    [108] = "Cannot send after transport endpoint shutdown",
    [109] = "Too many references: cannot splice",
    [110] = "Connection timed out",
    [111] = "Connection refused",
    [112] = "Host is down",
    [113] = "No route to host",
    [114] = "Operation already in progress",
    [115] = "Operation now in progress",
    [116] = "Stale file handle",
    [117] = "Structure needs cleaning",
    [118] = "Not a XENIX named type file",
    [119] = "No XENIX semaphores available",
    [120] = "Is a named type file",
    [121] = "Remote I/O error",
    [122] = "Disk quota exceeded",
    [123] = "No medium found",
    [124] = "Wrong medium type",
    [125] = "Operation canceled",
    [126] = "Required key not available",
    [127] = "Key has expired",
    [128] = "Key has been revoked",
    [129] = "Key was rejected by service",
    [130] = "Owner died",
    [131] = "State not recoverable",
    [132] = "Operation not possible due to RF-kill",
    [133] = "Memory page has hardware error",
};

static const char *const signals[] = {
    [1] = "Hangup",
    [2] = "Interrupt",
    [3] = "Quit",
    [4] = "Illegal instruction",
    [5] = "Trace/breakpoint trap",
    [6] = "Aborted",
    [7] = "Bus error",
    [8] = "Floating point exception",
    [9] = "Killed",
    [10] = "User defined signal 1",
    [11] = "Segmentation fault",
    [12] = "User defined signal 2",
    [13] = "Broken pipe",
    [14] = "Alarm clock",
    [15] = "Terminated",
    [16] = "Stack fault",
    [17] = "Child exited",
    [18] = "Continued",
    [19] = "Stopped (signal)",
    [20] = "Stopped",
    [21] = "Stopped (tty input)",
    [22] = "Stopped (tty output)",
    [23] = "Urgent I/O condition",
    [24] = "CPU time limit exceeded",
    [25] = "File size limit exceeded",
    [26] = "Virtual timer expired",
    [27] = "Profiling timer expired",
    [28] = "Window changed",
    [29] = "I/O possible",
    [30] = "Power failure",
    [31] = "Bad system call",
};

/* The text in front, and the number. */
static void describe(char *to, const char *front, int number) {
    char digits[10];
    size_t length = 0, n = 0;
    unsigned rest = number < 0 ? -(unsigned)number : (unsigned)number;
    for (; front[length] != '\0'; length++)
        to[length] = front[length];
    if (number < 0)
        to[length++] = '-';
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    while (n > 0)
        to[length++] = digits[--n];
    to[length] = '\0';
}

/* The text of an error; `unknown` has room for that of a number without meaning. */
static const char *text_of(int number, char *unknown) {
    if (number >= 0 && (size_t)number < sizeof errors / sizeof *errors && errors[number] != NULL)
        return errors[number];
    describe(unknown, "Unknown error ", number);
    return unknown;
}

char *strerror(int number) {
    static char unknown[32];
    return (char *)text_of(number, unknown);
}

/* The GNU function, which may have no use for the buffer. */
char *strerror_r(int number, char *buffer, size_t room) {
    char unknown[32];
    const char *text = text_of(number, unknown);
    size_t i;
    if (text != unknown)
        return (char *)text;
    for (i = 0; i + 1 < room && text[i] != '\0'; i++)
        buffer[i] = text[i];
    if (room > 0)
        buffer[i] = '\0';
    return buffer;
}

/* The function of POSIX. */
int __xpg_strerror_r(int number, char *buffer, size_t room) {
    char unknown[32];
    const char *text = text_of(number, unknown);
    size_t i;
    for (i = 0; i + 1 < room && text[i] != '\0'; i++)
        buffer[i] = text[i];
    if (room > 0)
        buffer[i] = '\0';
    return text == unknown ? INVALID : text[i] != '\0' ? RANGE : 0;
}

char *strsignal(int number) {
    static char unknown[32];
    if (number > 0 && (size_t)number < sizeof signals / sizeof *signals && signals[number] != NULL)
        return (char *)signals[number];
    if (number >= 34 && number <= 64)
        describe(unknown, "Real-time signal ", number - 34);
    else
        describe(unknown, "Unknown signal ", number);
    return unknown;
}
