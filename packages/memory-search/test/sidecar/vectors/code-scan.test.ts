import { afterEach, expect, test, vi } from 'vitest'
import { simdScan } from '../../../src/sidecar/vectors/code-scan.js'
import { CodeStore } from '../../../src/sidecar/vectors/code-store.js'
import type { Platform } from '../../../src/wasm/simd-module.js'
import { normalVectors } from './vectors.js'
import { finished } from '../support/finished.js'

const { WebAssembly: wasm } = globalThis as unknown as Required<Platform>
const withoutSimd = { ...wasm, validate: () => false }

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['no WebAssembly', {}],
  ['no SIMD', { WebAssembly: withoutSimd }],
])('%s: no kernel', (_, platform) => {
  expect(simdScan(platform)).toBeUndefined()
})

test('memory is as large as was asked for, in whole pages', () => {
  const create = simdScan()
  expect([1, 65_536, 65_537].map((bytes) => create?.(bytes).buffer.byteLength)).toEqual([65_536, 65_536, 131_072])
})

test('where there is no SIMD a store does the same in JavaScript, unless SIMD was asked for', () => {
  const [vector, mean, query] = normalVectors(3, 40, 1) as [Float32Array, Float32Array, Float32Array]
  const estimates = () => {
    const store = CodeStore.create({ dimension: 40, mean })
    store.set(1, vector)
    return [store.estimates(query), finished(store.compacting(Uint32Array.of(1))).estimates(query)]
  }
  const expected = estimates()
  vi.stubGlobal('WebAssembly', withoutSimd)
  expect(estimates()).toEqual(expected)
  expect(() => CodeStore.create({ dimension: 40, mean, kernel: 'simd' })).toThrow(/no WebAssembly with SIMD/)
})
