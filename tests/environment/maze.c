// A maze, walked by the letters of standard input; one of the walls is none.
//
// --sym-stdin 28
#include <stdio.h>
#include <unistd.h>

extern void reach_error(void);

enum { HEIGHT = 7, WIDTH = 11, STEPS = 28 };

static char maze[HEIGHT][WIDTH + 1] = {
    "+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |", "| +-- | | |", "|     |   |", "+-----+---+",
};

int main(void) {
    int x = 1, y = 1;
    char program[STEPS];
    ssize_t steps = read(0, program, STEPS);
    maze[y][x] = 'X';
    for (int i = 0; i < steps; i++) {
        int old_x = x, old_y = y;
        switch (program[i]) {
        case 'w':
            y--;
            break;
        case 's':
            y++;
            break;
        case 'a':
            x--;
            break;
        case 'd':
            x++;
            break;
        default:
            puts("wrong command");
            return 1;
        }
        if (maze[y][x] == '#')
            reach_error();
        if (maze[y][x] != ' ' && !(y == 2 && maze[y][x] == '|' && x > 0 && x < WIDTH - 1)) {
            x = old_x;
            y = old_y;
        }
        if (old_x == x && old_y == y)
            return 1;
        maze[y][x] = 'X';
    }
    return 0;
}
