/** Bytes behind the codes of a record: scale and error (float32), product (int32), four unused. */
export const RECORD_TAIL = 16
/** A record has a multiple of this many codes. */
export const CODE_STEP = 16

/**
 * WebAssembly with SIMD: `scan(query, record, end, length, stride)` writes the product of the query (int16 values) with the
 * codes (int8) of each record from `record` up to `end` behind its codes. Ten times as fast as the loop in JavaScript, and
 * short enough to be kept as it is.
 */
// prettier-ignore
const KERNEL = Uint8Array.of(
  0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00,                   // wasm, version 1
  0x01, 9, 1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0,             // type: (i32 i32 i32 i32 i32)
  0x03, 2, 1, 0,                                                    // one function of it
  0x05, 6, 1, 0x01, 1, 0x80, 0x80, 0x04,                            // memory: 1 page, up to 65,536
  0x07, 17, 2, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0,         // export "memory"
  4, 0x73, 0x63, 0x61, 0x6e, 0, 0,                                  // export "scan"
  0x0a, 0x9a, 1, 1, 0x97, 1,                                        // code of the function
  2, 3, 0x7f, 1, 0x7b,                                              // code, value, last: i32; sum: v128
  0x03, 0x40,                                                       // loop over records
  0x20, 1, 0x20, 2, 0x49, 0x04, 0x40,                               //   if record < end
  0x20, 1, 0x21, 5,                                                 //     code = record
  0x20, 0, 0x21, 6,                                                 //     value = query
  0x20, 1, 0x20, 3, 0x6a, 0x21, 7,                                  //     last = record + length
  0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x21, 8, // sum = 0
  0x03, 0x40,                                                       //     loop over codes, sixteen at a time
  0x20, 8,                                                          //       sum
  0x20, 5, 0xfd, 0x01, 0, 0,                                        //       eight codes as int16
  0x20, 6, 0xfd, 0x00, 0, 0,                                        //       eight values
  0xfd, 0xba, 0x01, 0xfd, 0xae, 0x01,                               //       i32x4.dot_i16x8_s, i32x4.add
  0x20, 5, 0xfd, 0x01, 0, 8,                                        //       the next eight
  0x20, 6, 0xfd, 0x00, 0, 16,
  0xfd, 0xba, 0x01, 0xfd, 0xae, 0x01,
  0x21, 8,                                                          //       sum = …
  0x20, 6, 0x41, 32, 0x6a, 0x21, 6,                                 //       value += 32
  0x20, 5, 0x41, 16, 0x6a, 0x22, 5,                                 //       code += 16
  0x20, 7, 0x49, 0x0d, 0, 0x0b,                                     //       again if code < last
  0x20, 5,                                                          //     store behind the codes
  0x20, 8, 0xfd, 0x1b, 0, 0x20, 8, 0xfd, 0x1b, 1, 0x6a,             //     the sum of the four lanes
  0x20, 8, 0xfd, 0x1b, 2, 0x6a, 0x20, 8, 0xfd, 0x1b, 3, 0x6a,
  0x36, 2, 8,                                                       //     at offset 8
  0x20, 1, 0x20, 4, 0x6a, 0x21, 1,                                  //     record += stride
  0x0c, 1, 0x0b, 0x0b, 0x0b,                                        //     next record
)

export interface KernelMemory {
  /** Another one after `grow`. */
  readonly buffer: ArrayBuffer
  /** @param pages  of 64 KiB  @throws {RangeError} there is no more */
  grow(pages: number): number
}

export interface ScanKernel {
  readonly memory: KernelMemory
  readonly scan: (query: number, record: number, end: number, length: number, stride: number) => void
}

/** What is used of the platform; its types come with those of browsers only. */
interface Platform {
  readonly WebAssembly?: {
    validate(bytes: Uint8Array): boolean
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: unknown }
  }
}

/** A kernel with a memory of its own; undefined where the platform has no WebAssembly with SIMD. */
export function createScanKernel({ WebAssembly: wasm }: Platform = globalThis as Platform): ScanKernel | undefined {
  if (wasm?.validate(KERNEL) !== true) return undefined
  return new wasm.Instance(new wasm.Module(KERNEL)).exports as ScanKernel
}
