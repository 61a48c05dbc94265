// `npm run bench [-- WORD… --write]`: runs every bench/*.mjs (those whose name holds WORD) and fails if a floor is missed.
// A bench prints JSON lines {name, value, unit?, floor, ok}: `value` measured, `floor` what it must keep to; a value that
// begins with "skipped" says why nothing was measured. With --write the table goes to docs/performance.md.
import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const write = process.argv.includes('--write')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const files = readdirSync(here)
  .filter(
    (file) =>
      file.endsWith('.mjs') &&
      !['run.mjs', 'report.mjs', 'root-with-days.mjs', 'synthetic-embeddings.mjs', 'sentence-encoder.mjs'].includes(
        file,
      ),
  )
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
  .sort()

/** The results of one bench; a bench that fails or measures nothing is a failed result. */
function run(file) {
  console.log(`\n=== bench/${file}`)
  const ran = spawnSync(process.execPath, ['--expose-gc', `${here}${file}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  })
  process.stdout.write(ran.stdout)
  const results = ran.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => ({ file, ...JSON.parse(line) }))
  if (ran.status === 0 && results.length > 0) return results
  const why = ran.status === 0 ? 'measured nothing' : `ended with ${ran.status ?? ran.signal}`
  // A bench may end with an error because it missed its floor, which its own lines already say.
  return results.some(({ ok }) => !ok) ? results : [...results, { file, name: why, value: '', floor: '', ok: false }]
}

const shown = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value ?? ''))
const isSkipped = ({ value }) => typeof value === 'string' && value.startsWith('skipped')
const verdict = (result) => (isSkipped(result) ? 'not measured' : result.ok ? 'yes' : '**no**')
const row = ({ file, name, value, unit, floor, ...rest }) =>
  `| ${name} | ${shown(value)}${unit ? ` ${unit}` : ''} | ${shown(floor)} | ${verdict({ value, ...rest })} | \`node bench/${file}\` |`

const results = files.flatMap(run)
const missed = results.filter(({ ok }) => !ok)
const skipped = results.filter(isSkipped)
const table = ['| what | measured | must hold | holds | command |', '|---|---|---|---|---|', ...results.map(row)].join(
  '\n',
)
const held = results.length - missed.length - skipped.length
console.log(`\n${table}\n\n${held} held, ${missed.length} missed, ${skipped.length} not measured`)

if (write) {
  const page = `# Performance

Made by \`npm run bench -- --write\`. Each figure is a ratio within one run, so that it says something on another machine
too; absolute times do not, and are left out where a ratio will do.

Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, Node.js ${process.version}, ${process.platform}.

${table}
`
  writeFileSync(fileURLToPath(new URL('../docs/performance.md', import.meta.url)), page)
  console.log('wrote docs/performance.md')
}
process.exitCode = missed.length > 0 || results.length === 0 ? 1 : 0
