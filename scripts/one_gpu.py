"""Blanks, in an MLX for CUDA, the kernels of all GPUs but one and the names of symbols.

    one_gpu.py libmlx.so 90

Nothing moves, and nothing that a GPU of that compute capability runs is touched: the
file is as long as before, but packs to a fifth.
"""

import struct
import sys

FATBIN, CUBIN = 0xBA55ED50, 2  # of CUDA's containers of kernels


def sections(data):
    """Offset and size of each section of a 64-bit ELF, by name."""
    at, size, count, names = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, at + i * size) for i in range(count)]
    strings = headers[names][4]
    return {bytes(data[strings + h[0] : data.index(0, strings + h[0])]).decode(): (h[4], h[5]) for h in headers}


def blank_kernels(data, begin, size, keep):
    kept, at = 0, begin
    while at < begin + size - 16:
        magic, _, header, length = struct.unpack_from("<IHHQ", data, at)
        if magic != FATBIN:
            at += 8
            continue
        entry, end = at + header, at + header + length
        while entry < end:
            kind, _, head, payload = struct.unpack_from("<HHIQ", data, entry)
            if kind == CUBIN and struct.unpack_from("<I", data, entry + 28)[0] == keep:
                kept += 1
            else:
                data[entry + head : entry + head + payload] = bytes(payload)
            entry += head + payload
        at = end
    return kept


def main(path, keep):
    data = bytearray(open(path, "rb").read())
    found = sections(data)
    if not blank_kernels(data, *found[".nv_fatbin"], keep):
        sys.exit(f"{path} has no kernels of compute capability {keep}")
    for name in {".symtab", ".strtab"} & found.keys():
        begin, size = found[name]
        data[begin : begin + size] = bytes(size)
    open(path, "wb").write(data)


main(sys.argv[1], int(sys.argv[2]))
