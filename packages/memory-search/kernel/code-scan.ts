/**
 * The scan of src/sidecar/vectors, in AssemblyScript. For every code, 32 at once: the sum of its entries of the lookup tables,
 * by position, and from it an estimate; all in single precision, in an order that src/sidecar/vectors/plain-scan.ts repeats.
 * Places are byte offsets, multiples of 16; `positions` is a multiple of four. See code-layout.ts for where the bits lie.
 */

/** The estimates of four codes from their sums. */
function write(
  sums: v128,
  scale: v128,
  base: v128,
  constant: v128,
  gains: usize,
  offsets: usize,
  estimates: usize,
): void {
  const bits = f32x4.add(f32x4.mul(f32x4.convert_i32x4_u(sums), scale), base)
  const gained = f32x4.mul(bits, v128.load(gains))
  v128.store(estimates, f32x4.add(f32x4.add(gained, v128.load(offsets)), constant))
}

export function scan(
  codes: usize,
  blocks: i32,
  positions: i32,
  tables: usize,
  scale: f32,
  base: f32,
  constant: f32,
  gains: usize,
  offsets: usize,
  estimates: usize,
): void {
  const nibble = i8x16.splat(0x0f)
  const a = f32x4.splat(scale)
  const b = f32x4.splat(base)
  const c = f32x4.splat(constant)
  const tablesEnd = tables + ((<usize>positions) << 4)
  for (; blocks > 0; blocks--) {
    // Of two neighbours, the sum of the first and 256 times that of the second, modulo 2^16; and that of the second alone, which
    // is taken off in the end: widening all bytes to 16 bits would take longer. No sum reaches 2^16 (query-tables.ts).
    let both0 = i16x8.splat(0) // codes 0 to 15 of the block
    let odd0 = i16x8.splat(0)
    let both1 = i16x8.splat(0) // 16 to 31
    let odd1 = i16x8.splat(0)
    for (let table = tables; table < tablesEnd; table += 64) {
      const c0 = v128.load(codes)
      const c1 = v128.load(codes, 16)
      const c2 = v128.load(codes, 32)
      const c3 = v128.load(codes, 48)
      const t0 = v128.load(table)
      const t1 = v128.load(table, 16)
      const t2 = v128.load(table, 32)
      const t3 = v128.load(table, 48)
      // Four entries of at most 63 fit into a byte.
      const low = i8x16.add(
        i8x16.add(i8x16.swizzle(t0, v128.and(c0, nibble)), i8x16.swizzle(t1, v128.and(c1, nibble))),
        i8x16.add(i8x16.swizzle(t2, v128.and(c2, nibble)), i8x16.swizzle(t3, v128.and(c3, nibble))),
      )
      const high = i8x16.add(
        i8x16.add(
          i8x16.swizzle(t0, v128.and(i16x8.shr_u(c0, 4), nibble)),
          i8x16.swizzle(t1, v128.and(i16x8.shr_u(c1, 4), nibble)),
        ),
        i8x16.add(
          i8x16.swizzle(t2, v128.and(i16x8.shr_u(c2, 4), nibble)),
          i8x16.swizzle(t3, v128.and(i16x8.shr_u(c3, 4), nibble)),
        ),
      )
      both0 = i16x8.add(both0, low)
      odd0 = i16x8.add(odd0, i16x8.shr_u(low, 8))
      both1 = i16x8.add(both1, high)
      odd1 = i16x8.add(odd1, i16x8.shr_u(high, 8))
      codes += 64
    }
    const even0 = i16x8.sub(both0, i16x8.shl(odd0, 8))
    const even1 = i16x8.sub(both1, i16x8.shl(odd1, 8))
    const sums0 = i16x8.shuffle(even0, odd0, 0, 8, 1, 9, 2, 10, 3, 11) // codes 0 to 7
    const sums1 = i16x8.shuffle(even0, odd0, 4, 12, 5, 13, 6, 14, 7, 15)
    const sums2 = i16x8.shuffle(even1, odd1, 0, 8, 1, 9, 2, 10, 3, 11)
    const sums3 = i16x8.shuffle(even1, odd1, 4, 12, 5, 13, 6, 14, 7, 15)
    write(i32x4.extend_low_i16x8_u(sums0), a, b, c, gains, offsets, estimates)
    write(i32x4.extend_high_i16x8_u(sums0), a, b, c, gains + 16, offsets + 16, estimates + 16)
    write(i32x4.extend_low_i16x8_u(sums1), a, b, c, gains + 32, offsets + 32, estimates + 32)
    write(i32x4.extend_high_i16x8_u(sums1), a, b, c, gains + 48, offsets + 48, estimates + 48)
    write(i32x4.extend_low_i16x8_u(sums2), a, b, c, gains + 64, offsets + 64, estimates + 64)
    write(i32x4.extend_high_i16x8_u(sums2), a, b, c, gains + 80, offsets + 80, estimates + 80)
    write(i32x4.extend_low_i16x8_u(sums3), a, b, c, gains + 96, offsets + 96, estimates + 96)
    write(i32x4.extend_high_i16x8_u(sums3), a, b, c, gains + 112, offsets + 112, estimates + 112)
    gains += 128
    offsets += 128
    estimates += 128
  }
}
