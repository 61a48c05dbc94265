const PAGE_BYTES = 64 * 1024

/** What is used of the platform; its types come with those of browsers only. */
export interface Platform {
  readonly WebAssembly?: {
    validate(bytes: Uint8Array): boolean
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
    readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
  }
}

/** An instance of a module, and the memory that it works on. */
export interface SimdInstance<Exports> {
  readonly buffer: ArrayBuffer
  readonly exports: Exports
}

/**
 * A compiled module that imports nothing but its memory (`env.memory`), to be instantiated with as many bytes as are needed.
 * Memory never grows: whoever needs more takes another instance and copies. Growing detaches the buffer, and once one is
 * detached V8 asks at every access to any typed array of the thread whether that one is: loops over vectors take half
 * again to twice as long from then on.
 * @returns undefined where the platform has no WebAssembly with SIMD
 */
export function compileSimd<Exports>(
  bytes: Uint8Array,
  { WebAssembly: wasm }: Platform = globalThis as Platform,
): ((memoryBytes: number) => SimdInstance<Exports>) | undefined {
  if (wasm?.validate(bytes) !== true) return undefined
  const module = new wasm.Module(bytes)
  return (memoryBytes) => {
    const memory = new wasm.Memory({ initial: Math.ceil(memoryBytes / PAGE_BYTES) })
    const { exports } = new wasm.Instance(module, { env: { memory } })
    return { buffer: memory.buffer, exports: exports as Exports }
  }
}
