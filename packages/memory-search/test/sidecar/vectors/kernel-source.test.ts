import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileKernel, kernels } from '../../../../../scripts/build-kernel.mjs'

test.each(kernels)('$module holds what $source compiles to', async (kernel) => {
  const committed = readFileSync(new URL(`../../../${kernel.module}`, import.meta.url), 'utf8')
  expect(await compileKernel(kernel)).toBe(committed.replaceAll('\r\n', '\n'))
})
