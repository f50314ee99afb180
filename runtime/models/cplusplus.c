/* Models of what programs in C++ call that is no template: the operators that allocate and free
 * memory, guards of local statics, calls of pure virtual functions, the end by std::terminate.
 *
 * Compiled and linked as klee.c is. Names are those of the Itanium C++ ABI, in which a size is `m` on
 * 64-bit machines and `j` on 32-bit ones.
 */
typedef __SIZE_TYPE__ size_t;

void *__compact_se_new(size_t alignment, size_t bytes);
void *__compact_se_new_array(size_t alignment, size_t bytes);
void __compact_se_delete(void *block, size_t bytes);
void __compact_se_delete_array(void *block, size_t bytes);
__attribute__((noreturn)) void __compact_se_unsupported(const char *what);
__attribute__((noreturn)) void abort(void);

/* __STDCPP_DEFAULT_NEW_ALIGNMENT__, and a size that is not told. */
#define DEFAULT_ALIGNMENT 16
#define UNTOLD ((size_t)-1)

/* new (n), new[] (a), each with an alignment, with std::nothrow, and with both. As malloc, none fails. */
#if __SIZEOF_SIZE_T__ == 8
void *_Znwm(size_t bytes) { return __compact_se_new(DEFAULT_ALIGNMENT, bytes); }
void *_Znam(size_t bytes) { return __compact_se_new_array(DEFAULT_ALIGNMENT, bytes); }
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment) { return __compact_se_new(alignment, bytes); }
void *_ZnamSt11align_val_t(size_t bytes, size_t alignment) { return __compact_se_new_array(alignment, bytes); }
void *_ZnwmRKSt9nothrow_t(size_t bytes, const void *tag) { return __compact_se_new(DEFAULT_ALIGNMENT, bytes); }
void *_ZnamRKSt9nothrow_t(size_t bytes, const void *tag) { return __compact_se_new_array(DEFAULT_ALIGNMENT, bytes); }
void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment, const void *tag) { return __compact_se_new(alignment, bytes); }
void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment, const void *tag) { return __compact_se_new_array(alignment, bytes); }
void _ZdlPvm(void *block, size_t bytes) { __compact_se_delete(block, bytes); }
void _ZdaPvm(void *block, size_t bytes) { __compact_se_delete_array(block, bytes); }
void _ZdlPvmSt11align_val_t(void *block, size_t bytes, size_t alignment) { __compact_se_delete(block, bytes); }
void _ZdaPvmSt11align_val_t(void *block, size_t bytes, size_t alignment) { __compact_se_delete_array(block, bytes); }
#else
void *_Znwj(size_t bytes) { return __compact_se_new(DEFAULT_ALIGNMENT, bytes); }
void *_Znaj(size_t bytes) { return __compact_se_new_array(DEFAULT_ALIGNMENT, bytes); }
void *_ZnwjSt11align_val_t(size_t bytes, size_t alignment) { return __compact_se_new(alignment, bytes); }
void *_ZnajSt11align_val_t(size_t bytes, size_t alignment) { return __compact_se_new_array(alignment, bytes); }
void *_ZnwjRKSt9nothrow_t(size_t bytes, const void *tag) { return __compact_se_new(DEFAULT_ALIGNMENT, bytes); }
void *_ZnajRKSt9nothrow_t(size_t bytes, const void *tag) { return __compact_se_new_array(DEFAULT_ALIGNMENT, bytes); }
void *_ZnwjSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment, const void *tag) { return __compact_se_new(alignment, bytes); }
void *_ZnajSt11align_val_tRKSt9nothrow_t(size_t bytes, size_t alignment, const void *tag) { return __compact_se_new_array(alignment, bytes); }
void _ZdlPvj(void *block, size_t bytes) { __compact_se_delete(block, bytes); }
void _ZdaPvj(void *block, size_t bytes) { __compact_se_delete_array(block, bytes); }
void _ZdlPvjSt11align_val_t(void *block, size_t bytes, size_t alignment) { __compact_se_delete(block, bytes); }
void _ZdaPvjSt11align_val_t(void *block, size_t bytes, size_t alignment) { __compact_se_delete_array(block, bytes); }
#endif

void _ZdlPv(void *block) { __compact_se_delete(block, UNTOLD); }
void _ZdaPv(void *block) { __compact_se_delete_array(block, UNTOLD); }
void _ZdlPvSt11align_val_t(void *block, size_t alignment) { __compact_se_delete(block, UNTOLD); }
void _ZdaPvSt11align_val_t(void *block, size_t alignment) { __compact_se_delete_array(block, UNTOLD); }
void _ZdlPvRKSt9nothrow_t(void *block, const void *tag) { __compact_se_delete(block, UNTOLD); }
void _ZdaPvRKSt9nothrow_t(void *block, const void *tag) { __compact_se_delete_array(block, UNTOLD); }
void _ZdlPvSt11align_val_tRKSt9nothrow_t(void *block, size_t alignment, const void *tag) { __compact_se_delete(block, UNTOLD); }
void _ZdaPvSt11align_val_tRKSt9nothrow_t(void *block, size_t alignment, const void *tag) { __compact_se_delete_array(block, UNTOLD); }

/* Of a static within a function: the first byte says that it is initialised, the second that it is
 * being so. C++ does not define what happens where that needs the static itself. */
int __cxa_guard_acquire(char *guard) {
    if (guard[0] != 0)
        return 0;
    if (guard[1] != 0)
        __compact_se_unsupported("a static local variable whose initialisation depends on itself");
    guard[1] = 1;
    return 1;
}
void __cxa_guard_release(char *guard) {
    guard[0] = 1;
    guard[1] = 0;
}
void __cxa_guard_abort(char *guard) { guard[1] = 0; }

/* std::terminate, and what ends the program by it: nobody has set another handler, since
 * std::set_terminate is refused. */
_Noreturn void _ZSt9terminatev(void) { abort(); }
_Noreturn void __cxa_pure_virtual(void) { abort(); }
_Noreturn void __cxa_deleted_virtual(void) { abort(); }
/* std::__glibcxx_assert_fail: checks of the library that -D_GLIBCXX_ASSERTIONS asks for. */
_Noreturn void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function, const char *condition) { abort(); }

/* std::ios_base::Init: the standard streams are there, which are refused where they are used. */
void _ZNSt8ios_base4InitC1Ev(void *self) {}
void _ZNSt8ios_base4InitD1Ev(void *self) {}

/* std::__detail::_List_node_base, of std::list: nodes of rings. */
struct node { struct node *next, *before; };

void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct node *self, struct node *position) {
    self->next = position;
    self->before = position->before;
    position->before->next = self;
    position->before = self;
}
void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct node *self) {
    self->before->next = self->next;
    self->next->before = self->before;
}
/* Moves the nodes from `first` to the one before `last` in front of this one. */
void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct node *self, struct node *first, struct node *last) {
    struct node *end = last->before;
    if (self == last || first == last)
        return;
    first->before->next = last;
    last->before = first->before;
    first->before = self->before;
    end->next = self;
    self->before->next = first;
    self->before = end;
}

/* The trees of std::map and std::set. The library's are balanced, which nobody sees but by time; here
 * they are not, so that every node but the header is black: the header, which is red, has the root,
 * the first and the last node. */
enum colour { RED, BLACK };
struct tree { enum colour colour; struct tree *parent, *left, *right; };

static struct tree *leftmost(struct tree *node) {
    while (node->left != 0)
        node = node->left;
    return node;
}
static struct tree *rightmost(struct tree *node) {
    while (node->right != 0)
        node = node->right;
    return node;
}
static struct tree *next(struct tree *node) {
    struct tree *above;
    if (node->right != 0)
        return leftmost(node->right);
    for (above = node->parent; node == above->right; above = above->parent)
        node = above;
    /* Not so where the root, the last node, led to the header. */
    return node->right == above ? node : above;
}
static struct tree *previous(struct tree *node) {
    struct tree *above;
    if (node->colour == RED)
        return node->right;
    if (node->left != 0)
        return rightmost(node->left);
    for (above = node->parent; node == above->left; above = above->parent)
        node = above;
    return above;
}

struct tree *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct tree *node) { return next(node); }
struct tree *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct tree *node) { return next(node); }
struct tree *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct tree *node) { return previous(node); }
struct tree *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct tree *node) { return previous(node); }

void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool left, struct tree *node, struct tree *parent, struct tree *header) {
    node->parent = parent;
    node->left = node->right = 0;
    node->colour = BLACK;
    if (left) {
        parent->left = node;
        if (parent == header)
            header->parent = header->right = node;
        else if (parent == header->left)
            header->left = node;
    } else {
        parent->right = node;
        if (parent == header->right)
            header->right = node;
    }
}

/* The node that is to be deleted is the one that was asked for. */
struct tree *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct tree *node, struct tree *header) {
    struct tree *successor;
    if (header->left == node)
        header->left = node->right == 0 ? node->parent : leftmost(node->right);
    if (header->right == node)
        header->right = node->left == 0 ? node->parent : rightmost(node->left);
    if (node->left == 0) {
        successor = node->right;
    } else if (node->right == 0) {
        successor = node->left;
    } else {
        successor = leftmost(node->right);
        if (successor != node->right) {
            successor->parent->left = successor->right;
            if (successor->right != 0)
                successor->right->parent = successor->parent;
            successor->right = node->right;
            node->right->parent = successor;
        }
        successor->left = node->left;
        node->left->parent = successor;
    }
    if (successor != 0)
        successor->parent = node->parent;
    if (header->parent == node)
        header->parent = successor;
    else if (node->parent->left == node)
        node->parent->left = successor;
    else
        node->parent->right = successor;
    return node;
}
