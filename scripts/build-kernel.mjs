// Compiles the WebAssembly kernels of memory-search (packages/memory-search/kernel, AssemblyScript) into the modules that hold
// their bytes. Those are committed: who installs the library needs no compiler, and a test compiles anew and compares.
// Run by the build of memory-search, and by hand: node scripts/build-kernel.mjs
import asc from 'assemblyscript/asc'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const workspace = new URL('../packages/memory-search/', import.meta.url)

/** Of each: its source, the module that holds its bytes, and the name they have there. */
export const kernels = [
  { source: 'kernel/code-scan.ts', module: 'src/sidecar/vectors/code-scan-bytes.ts', constant: 'CODE_SCAN' },
  { source: 'kernel/word-scan.ts', module: 'src/sidecar/words/word-scan-bytes.ts', constant: 'WORD_SCAN' },
  { source: 'kernel/reach-scan.ts', module: 'src/sidecar/reach-scan-bytes.ts', constant: 'REACH_SCAN' },
  { source: 'kernel/near-scan.ts', module: 'src/near/near-scan-bytes.ts', constant: 'NEAR_SCAN' },
]

/** SIMD, no runtime, nothing imported but the memory. */
const FLAGS = ['-O3', '--converge', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--use', 'abort=', '--importMemory'] // prettier-ignore

const LINE = 112

/** The TypeScript module with the bytes that the source of this kernel compiles to. */
export async function compileKernel({ source, constant }) {
  let bytes
  const { error, stderr } = await asc.main([source, '--outFile', 'kernel.wasm', ...FLAGS], {
    readFile: (name) => (name === source ? readFileSync(new URL(source, workspace), 'utf8') : null),
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') bytes = contents
    },
    listFiles: () => [],
  })
  if (error !== null || bytes === undefined) throw new Error(`${source} does not compile:\n${stderr.toString()}`, { cause: error }) // prettier-ignore
  const base64 = Buffer.from(bytes).toString('base64')
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')).map((line) => `    '${line}',`)
  return `// Made by scripts/build-kernel.mjs from ${source}: do not edit.

/** ${bytes.length} bytes of WebAssembly. */
export const ${constant}: Uint8Array = Buffer.from(
  [
${lines.join('\n')}
  ].join(''),
  'base64',
)
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const kernel of kernels) {
    const path = new URL(kernel.module, workspace)
    const module = await compileKernel(kernel)
    // Left alone where it is as it was, so that a build changes nothing that is under version control.
    if (readCommitted(path) !== module) writeFileSync(path, module)
  }
}

function readCommitted(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
