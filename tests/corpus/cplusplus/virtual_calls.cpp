// verdict: reachable
// inputs: 5
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

class Shape {
  public:
    virtual int area() const = 0;
    virtual ~Shape() {}
};

class Square : public Shape {
    int side;

  public:
    explicit Square(int side) : side(side) {}
    int area() const override { return side * side; }
};

class Rectangle : public Shape {
    int width, height;

  public:
    Rectangle(int width, int height) : width(width), height(height) {}
    int area() const override { return width * height; }
};

int main() {
    int n = __VERIFIER_nondet_int();
    Shape *shape = n > 3 ? static_cast<Shape *>(new Square(n)) : new Rectangle(n, 3);
    if (shape->area() == 25)
        reach_error();
    delete shape;
    return 0;
}
