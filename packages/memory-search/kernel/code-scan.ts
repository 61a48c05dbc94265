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
    let sums0 = i16x8.splat(0) // codes 0 to 7 of the block
    let sums1 = i16x8.splat(0) // 8 to 15
    let sums2 = i16x8.splat(0) // 16 to 23
    let sums3 = i16x8.splat(0) // 24 to 31
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
        i8x16.add(i8x16.swizzle(t0, i8x16.shr_u(c0, 4)), i8x16.swizzle(t1, i8x16.shr_u(c1, 4))),
        i8x16.add(i8x16.swizzle(t2, i8x16.shr_u(c2, 4)), i8x16.swizzle(t3, i8x16.shr_u(c3, 4))),
      )
      sums0 = i16x8.add(sums0, i16x8.extend_low_i8x16_u(low))
      sums1 = i16x8.add(sums1, i16x8.extend_high_i8x16_u(low))
      sums2 = i16x8.add(sums2, i16x8.extend_low_i8x16_u(high))
      sums3 = i16x8.add(sums3, i16x8.extend_high_i8x16_u(high))
      codes += 64
    }
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
