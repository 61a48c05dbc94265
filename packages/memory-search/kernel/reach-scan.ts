/**
 * The walk of src/sidecar/select-top.ts, in AssemblyScript: of the values of so many slots, a multiple of 16, those that are
 * above `least`, not below `floor`, and not masked. Their numbers are written to `found`, as u16, rising. Places are byte
 * offsets, multiples of 16. See src/sidecar/reach.ts.
 */

/** Lanes of 32 bits, all or none set, as a bit each. */
function bitsOf(lanes0: v128, lanes1: v128, lanes2: v128, lanes3: v128): v128 {
  return i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(lanes0, lanes1), i16x8.narrow_i32x4_s(lanes2, lanes3))
}

/** @returns where the next number goes */
function write(reached: v128, mask: usize, slot: i32, found: usize): usize {
  let bits = i8x16.bitmask(v128.and(reached, i8x16.ne(v128.load(mask), i8x16.splat(0))))
  while (bits != 0) {
    store<u16>(found, slot + ctz(bits))
    found += 2
    bits &= bits - 1
  }
  return found
}

/** @returns how many there are */
export function singles(values: usize, slots: i32, least: f32, floor: f32, mask: usize, found: usize): i32 {
  const a = f32x4.splat(least)
  const b = f32x4.splat(floor)
  let next = found
  for (let slot = 0; slot < slots; slot += 16) {
    const v0 = v128.load(values)
    const v1 = v128.load(values, 16)
    const v2 = v128.load(values, 32)
    const v3 = v128.load(values, 48)
    const reached = bitsOf(
      v128.and(f32x4.gt(v0, a), f32x4.ge(v0, b)),
      v128.and(f32x4.gt(v1, a), f32x4.ge(v1, b)),
      v128.and(f32x4.gt(v2, a), f32x4.ge(v2, b)),
      v128.and(f32x4.gt(v3, a), f32x4.ge(v3, b)),
    )
    if (v128.any_true(reached)) next = write(reached, mask, slot, next)
    values += 64
    mask += 16
  }
  return (<i32>(next - found)) >> 1
}

/** Four lanes of 32 bits of four doubles. */
function reachedBy(values: usize, least: v128, floor: v128): v128 {
  const v0 = v128.load(values)
  const v1 = v128.load(values, 16)
  return i8x16.shuffle(
    v128.and(f64x2.gt(v0, least), f64x2.ge(v0, floor)),
    v128.and(f64x2.gt(v1, least), f64x2.ge(v1, floor)),
    0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27,
  ) // prettier-ignore
}

/** @returns how many there are */
export function doubles(values: usize, slots: i32, least: f64, floor: f64, mask: usize, found: usize): i32 {
  const a = f64x2.splat(least)
  const b = f64x2.splat(floor)
  let next = found
  for (let slot = 0; slot < slots; slot += 16) {
    const reached = bitsOf(
      reachedBy(values, a, b),
      reachedBy(values + 32, a, b),
      reachedBy(values + 64, a, b),
      reachedBy(values + 96, a, b),
    )
    if (v128.any_true(reached)) next = write(reached, mask, slot, next)
    values += 128
    mask += 16
  }
  return (<i32>(next - found)) >> 1
}
