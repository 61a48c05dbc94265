// `npm run test:crash [-- WORD…]`: explores the crash states of every scenario (of those whose name holds WORD) within a
// budget of CRASH_BUDGET_SECONDS. Exits with 1 if a state fails, with 3 if there is no explorer to do it with.
import { exploreWithin, requireExplorer } from './explore.mjs'
import { MODELS, SCENARIOS } from './scenarios.mjs'

const budgetSeconds = Number(process.env.CRASH_BUDGET_SECONDS ?? 900)
const seed = Number(process.env.CRASH_SEED ?? 1)
const wanted = process.argv.slice(2)

const explorer = requireExplorer()

const scenarios = SCENARIOS.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
const begun = performance.now()
/** Of what is not looked at yet. Making roots and recording takes time besides: the later ones have what is left. */
let shares = scenarios.reduce((sum, { weight }) => sum + weight, 0) * MODELS.length
const total = { passed: 0, failed: 0 }

console.log(`${'scenario'.padEnd(32)}model    states  failed  all looked at  seconds`)
for (const scenario of scenarios) {
  for (const model of MODELS) {
    const started = performance.now()
    const leftSeconds = Math.max(budgetSeconds - (started - begun) / 1000, 1)
    const result = exploreWithin((leftSeconds * scenario.weight) / shares, explorer, scenario, { model, seed })
    shares -= scenario.weight
    total.passed += result.passed
    total.failed += result.failed
    const columns = [
      String(result.passed + result.failed).padStart(7),
      String(result.failed).padStart(8),
      (result.complete ? 'yes' : 'no').padStart(15),
      ((performance.now() - started) / 1000).toFixed(1).padStart(9),
    ]
    console.log(`${scenario.name.padEnd(32)}${model.padEnd(8)}${columns.join('')}`)
    if (result.failed > 0) console.log(result.output)
  }
}
console.log(`crash states explored: ${total.passed + total.failed}, failed: ${total.failed}`)
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
