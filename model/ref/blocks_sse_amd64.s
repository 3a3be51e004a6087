#include "textflag.h"

// The plain sums of a block in the vectors that every amd64 has: four rows a register
// and two columns a lane, 16 bits each. X0 to X3 are the sums.

DATA sse_nibble<>+0(SB)/8, $0x000f000f000f000f
DATA sse_nibble<>+8(SB)/8, $0x000f000f000f000f
GLOBL sse_nibble<>(SB), RODATA|NOPTR, $16
DATA sse_byte<>+0(SB)/8, $0x00ff00ff00ff00ff
DATA sse_byte<>+8(SB)/8, $0x00ff00ff00ff00ff
GLOBL sse_byte<>(SB), RODATA|NOPTR, $16

#define SPREAD(at, x) \
	MOVL at(SI), AX \
	MOVQ AX, x \
	PSHUFD $0, x, x

#define ADD(w, x, sum) \
	PMADDWL x, w \
	PADDL w, sum

#define NIBBLES(at, sum) \
	MOVOU at(DI), X8 \
	MOVO X8, X9 \
	MOVO X8, X10 \
	MOVO X8, X11 \
	PSRLW $4, X9 \
	PSRLW $8, X10 \
	PSRLW $12, X11 \
	PAND X12, X8 \
	PAND X12, X9 \
	PAND X12, X10 \
	ADD(X8, X4, sum) \
	ADD(X9, X6, sum) \
	ADD(X10, X5, sum) \
	ADD(X11, X7, sum)

// func sseNibbles(s *[16]int32, w *byte, x *uint32)
TEXT ·sseNibbles(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DX
	MOVQ w+8(FP), DI
	MOVQ x+16(FP), SI
	MOVOU sse_nibble<>(SB), X12
	PXOR X0, X0
	PXOR X1, X1
	PXOR X2, X2
	PXOR X3, X3
	MOVQ $4, CX

word:
	SPREAD(0, X4)
	SPREAD(4, X5)
	SPREAD(8, X6)
	SPREAD(12, X7)
	NIBBLES(0, X0)
	NIBBLES(16, X1)
	NIBBLES(32, X2)
	NIBBLES(48, X3)
	ADDQ $64, DI
	ADDQ $16, SI
	DECQ CX
	JNZ word
	MOVOU X0, 0(DX)
	MOVOU X1, 16(DX)
	MOVOU X2, 32(DX)
	MOVOU X3, 48(DX)
	RET

#define BYTES(at, sum) \
	MOVOU at(DI), X8 \
	MOVO X8, X9 \
	PSRLW $8, X9 \
	PAND X12, X8 \
	ADD(X8, X4, sum) \
	ADD(X9, X5, sum)

// func sseBytes(s *[16]int32, w *byte, x *uint32)
TEXT ·sseBytes(SB), NOSPLIT, $0-24
	MOVQ s+0(FP), DX
	MOVQ w+8(FP), DI
	MOVQ x+16(FP), SI
	MOVOU sse_byte<>(SB), X12
	PXOR X0, X0
	PXOR X1, X1
	PXOR X2, X2
	PXOR X3, X3
	MOVQ $8, CX

word:
	SPREAD(0, X4)
	SPREAD(4, X5)
	BYTES(0, X0)
	BYTES(16, X1)
	BYTES(32, X2)
	BYTES(48, X3)
	ADDQ $64, DI
	ADDQ $8, SI
	DECQ CX
	JNZ word
	MOVOU X0, 0(DX)
	MOVOU X1, 16(DX)
	MOVOU X2, 32(DX)
	MOVOU X3, 48(DX)
	RET

// func sseFinish(y *[16]float32, s *[16]int32, d, m *[16]float32, e, f float32, offset int32)
TEXT ·sseFinish(SB), NOSPLIT, $0-44
	MOVQ y+0(FP), AX
	MOVQ s+8(FP), BX
	MOVQ d+16(FP), CX
	MOVQ m+24(FP), DX
	MOVSS e+32(FP), X8
	SHUFPS $0, X8, X8
	MOVSS f+36(FP), X9
	SHUFPS $0, X9, X9
	MOVL offset+40(FP), R8
	MOVQ R8, X3
	PSHUFD $0, X3, X3
	MOVQ $4, SI

rows:
	MOVOU (BX), X4
	PSUBL X3, X4
	CVTPL2PS X4, X4
	MULPS X8, X4
	MOVUPS (CX), X5
	MULPS X5, X4
	MOVUPS (DX), X6
	MULPS X9, X6
	MOVUPS (AX), X7
	ADDPS X6, X7
	ADDPS X4, X7
	MOVUPS X7, (AX)
	ADDQ $16, AX
	ADDQ $16, BX
	ADDQ $16, CX
	ADDQ $16, DX
	DECQ SI
	JNZ rows
	RET
