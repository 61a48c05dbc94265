import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll } from 'vitest'

interface Bundler {
  build(options: Record<string, unknown>): Promise<unknown>
}
interface Resolution {
  onResolve(options: { filter: RegExp }, resolve: () => { path: string; external: boolean }): void
}

const requireHere = createRequire(import.meta.url)
const workspace = fileURLToPath(new URL('../../', import.meta.url))
const directories: string[] = []
const children: ChildProcess[] = []

afterAll(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** tsup's bundler: the workspace needs no other one. */
function bundler(): Bundler {
  return createRequire(requireHere.resolve('tsup'))('esbuild') as Bundler
}

/** Native modules cannot be bundled; the program finds them where the package has them that uses them. */
const nativeModules = {
  name: 'native-modules',
  setup({ onResolve }: Resolution) {
    const requireThere = createRequire(join(workspace, 'packages/memory-search/package.json'))
    for (const name of ['better-sqlite3', 'sqlite-vec']) {
      const path = pathToFileURL(requireThere.resolve(name)).href
      onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path, external: true }))
    }
  },
}

/**
 * Bundles a TypeScript program with the sources it imports, so that a child process can run it without a build.
 * @param entry  URL of the program
 * @returns path of an ES module, removed after the tests of the importing file
 */
export async function buildChildProgram(entry: URL): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'memory-child-'))
  directories.push(directory)
  const outfile = join(directory, 'program.mjs')
  // A thread that the program starts from text asks for a native module by its name, from where the program is.
  symlinkSync(join(workspace, 'packages/memory-search/node_modules'), join(directory, 'node_modules'))
  await bundler().build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // A library's UMD build requires its parts where no bundler sees it.
    mainFields: ['module', 'main'],
    tsconfig: join(workspace, 'tsconfig.json'),
    plugins: [nativeModules],
    // Libraries in CommonJS may call `require` for Node's own modules.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'silent',
  })
  return outfile
}

export interface ChildProgram {
  readonly process: ChildProcess
  /** The next line of its output; rejects if it ends before. */
  line(): Promise<string>
  /** Writes a line to its input. */
  say(line: string): void
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>
  /** Resolves with its exit code, null after a signal. */
  ended(): Promise<number | null>
}

/** Starts a program made by `buildChildProgram`. Killed after the tests of the importing file at the latest. */
export function startChild(
  program: string,
  args: readonly string[] = [],
  { nodeArgs = [] as readonly string[], env = {} } = {},
): ChildProgram {
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  children.push(child)
  const end = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    process: child,
    async line() {
      const next = await lines.next()
      if (next.done === true) throw new Error(`The program ended (exit ${String(await end)}) before it said anything.`)
      return next.value
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    async kill() {
      child.kill('SIGKILL')
      await end
    },
    ended: () => end,
  }
}
