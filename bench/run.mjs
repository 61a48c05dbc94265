// `npm run bench [-- WORD… --write]`: runs every bench/*.mjs (those whose name holds WORD) and fails if a floor is missed.
// A bench prints JSON lines {name, value, unit?, floor, ok}: `value` measured, `floor` what it must keep to; a value that
// begins with "skipped" says why nothing was measured, and a `floor` that is "told" asks nothing of it. With --write the
// table goes to docs/performance.md.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { MISSED } from './report.mjs'

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
  const isWhole = ran.status === 0 || ran.status === MISSED
  if (isWhole && results.length > 0) return results
  const why = isWhole ? 'measured nothing' : `ended with ${ran.status ?? ran.signal}`
  return [...results, { file, name: why, value: '', floor: '', ok: false }]
}

const shown = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(4))) : String(value ?? ''))
const isSkipped = ({ value }) => typeof value === 'string' && value.startsWith('skipped')
const isTold = ({ floor }) => floor === 'told'
const verdict = (result) => {
  if (isSkipped(result)) return 'not measured'
  if (isTold(result)) return '–'
  return result.ok ? 'yes' : '**no**'
}
const row = (result) => {
  const { file, name, value, unit, floor } = result
  const must = isTold(result) ? '–' : shown(floor)
  return `| ${name} | ${shown(value)}${unit ? ` ${unit}` : ''} | ${must} | ${verdict(result)} | \`node bench/${file}\` |`
}

const results = files.flatMap(run)
const missed = results.filter(({ ok }) => !ok)
const skipped = results.filter(isSkipped)
const table = ['| what | measured | must hold | holds | command |', '|---|---|---|---|---|', ...results.map(row)].join(
  '\n',
)
const told = results.filter((result) => isTold(result) && !isSkipped(result))
const held = results.length - missed.length - skipped.length - told.length
console.log(
  `\n${table}\n\n${held} held, ${missed.length} missed, ${skipped.length} not measured, ${told.length} only told`,
)

/** What the figures rest on and what they leave open, for whoever reads the page. */
const DOUBTS = `## What these figures do not say

- The machine was not this run's alone: its load at the end was ${loadavg()[0].toFixed(1)}. Whoever is compared is asked by turns,
  so that load hits all; still it moves ratios, those of a millisecond's work most.
- Who is fast is asked more: the store five questions for each of the naive one, and twenty for each of a library, which
  answers in a process of its own. What comes right after a naive query, whose scan of all vectors leaves nothing of the store
  in the caches of the processor, takes longer: that is told beside it.
- The store was asked the same questions before any counts, until its code was compiled: a host that runs is measured. A
  library is asked 5 to 20 that count, after one to three that do not. Asked for longer, those written in JavaScript
  would become faster too.
- A recall is measured that looks for the ten hits it returns. \`recall()\` and \`begin()\` of a store look for fifty, which
  several answers of a turn are made from, and show the ten best: that takes about twice as long, and is told beside it.
- Bounds of time and room are of 768 dimensions. The real model has 512: of it the shares are bound, and the rest is told.
- Other platforms are not measured. sqlite-vec comes without SIMD for Linux and Windows, and with it for macOS: there the
  naive store is faster, so expect smaller ratios, perhaps a third.
- \`bench/speed\`: *naive* is vec0, FTS5 with \`order by rank limit 50\`, reciprocal rank fusion and ten rows. Its vectors of
  768 dimensions are drawn, in clusters and not centred, as those of embedding models are, but they are of no model. Those
  of a real model are of at most 2,000 sentences; the others are mixed of them and lie close to one.
- On disk *naive* is weighed twice. As it is asked it finds memories by number, and knows neither where they stand nor what
  their words and lines hash to. The bound is for one with the same table of memories as the index, and all indexes of that.
- Its sentences are composed: how many memories hold a word grows in proportion to the store. That is hard for FTS5, which
  pays for each of them; with many unrelated topics its share would be smaller. What the scan of vectors gains does not
  depend on it. In the same way real text, at most a data set's, is halved and joined anew beyond its size.
- A million memories are measured by hand, with few questions; mem0 is asked few too, for it takes ten seconds at 100,000.
- That recall follows what any process adds, changes and removes is tested, not timed: nobody writes while it is measured.
`

if (write) {
  const page = `# Performance

Made by \`npm run bench -- --write\`. Each figure is a ratio within one run, so that it says something on another machine
too; absolute times do not, and are left out where a ratio will do.

Machine: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} on ${arch()}, Node.js ${process.version}.

${table}

${readFileSync(`${here}by-hand.md`, 'utf8')}
${DOUBTS}`
  writeFileSync(fileURLToPath(new URL('../docs/performance.md', import.meta.url)), page)
  console.log('wrote docs/performance.md')
}
process.exitCode = missed.length > 0 || results.length === 0 ? 1 : 0
