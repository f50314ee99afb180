// check: memory
#include <cstdlib>

struct Item {
    int value;
};

int main() {
#ifdef FIXED
    Item *item = new Item;
#else
    Item *item = static_cast<Item *>(std::malloc(sizeof(Item)));
#endif
    item->value = 1;
    delete item; // error: free that does not match the allocation, or with a different size
    return 0;
}
