#include "textflag.h"

// func ssePair(w, x *float32, steps int, sums *[16]float32)
// X0 and X1 are the sums of the first row, X2 and X3 those of the second.
TEXT ·ssePair(SB), NOSPLIT, $0-32
	MOVQ  w+0(FP), SI
	MOVQ  x+8(FP), DI
	MOVQ  steps+16(FP), CX
	MOVQ  sums+24(FP), DX
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3

step:
	MOVUPS (DI), X4
	MOVUPS 16(DI), X5
	MOVUPS (SI), X6
	MOVUPS 16(SI), X7
	MOVUPS 32(SI), X8
	MOVUPS 48(SI), X9
	MULPS  X4, X6
	MULPS  X5, X7
	MULPS  X4, X8
	MULPS  X5, X9
	ADDPS  X6, X0
	ADDPS  X7, X1
	ADDPS  X8, X2
	ADDPS  X9, X3
	ADDQ   $64, SI
	ADDQ   $32, DI
	DECQ   CX
	JNZ    step

	MOVUPS X0, (DX)
	MOVUPS X1, 16(DX)
	MOVUPS X2, 32(DX)
	MOVUPS X3, 48(DX)
	RET
