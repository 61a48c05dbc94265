/**
 * The scan of src/near, in AssemblyScript: writes the product of the query (int16 values) with the codes (int8) of each record
 * from `record` up to `end` behind its codes, as int32. A record takes `stride` bytes, the first `length` of them codes; the
 * tail behind them holds two numbers before the product. `length` is a multiple of 16. See src/near/scan-kernel.ts.
 */
export function scan(query: usize, record: usize, end: usize, length: usize, stride: usize): void {
  for (; record < end; record += stride) {
    const last = record + length
    let sum = i32x4.splat(0)
    let value = query
    let code = record
    for (; code < last; code += 16) {
      const low = i32x4.dot_i16x8_s(v128.load_ext<i8>(code), v128.load(value))
      const high = i32x4.dot_i16x8_s(v128.load_ext<i8>(code, 8), v128.load(value, 16))
      sum = i32x4.add(i32x4.add(sum, low), high)
      value += 32
    }
    const total = i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3) // prettier-ignore
    store<i32>(last, total, 8)
  }
}
