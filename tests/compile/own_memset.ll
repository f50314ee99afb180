; // run: --target reach_error => 1
; In bitcode that was compiled elsewhere, LLVM's intrinsic stands for a call of the program's function.
target triple = "x86_64-pc-linux-gnu"

define ptr @memset(ptr %to, i32 %byte, i64 %bytes) {
  %long = icmp ugt i64 %bytes, 4
  br i1 %long, label %error, label %end
error:
  call void @reach_error()
  br label %end
end:
  ret ptr %to
}

define i32 @main() {
  %line = alloca [16 x i8]
  call void @llvm.memset.p0.i64(ptr %line, i8 0, i64 16, i1 false)
  ret i32 0
}

declare void @reach_error()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
