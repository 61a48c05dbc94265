/** Size of a page of WebAssembly memory, by which it grows. */
export const PAGE_BYTES = 64 * 1024

export interface KernelMemory {
  /** Another one after `grow`, which detaches the former. */
  readonly buffer: ArrayBuffer
  /** @param pages  of 64 KiB  @throws {RangeError} there is no more */
  grow(pages: number): number
}

/** What is used of the platform; its types come with those of browsers only. */
export interface Platform {
  readonly WebAssembly?: {
    validate(bytes: Uint8Array): boolean
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: unknown }
  }
}

/**
 * The exports of a module that imports nothing: a new instance, with a memory of its own.
 * @returns undefined where the platform has no WebAssembly with SIMD
 */
export function instantiate<Exports>(
  bytes: Uint8Array,
  { WebAssembly: wasm }: Platform = globalThis as Platform,
): Exports | undefined {
  if (wasm?.validate(bytes) !== true) return undefined
  return new wasm.Instance(new wasm.Module(bytes)).exports as Exports
}
