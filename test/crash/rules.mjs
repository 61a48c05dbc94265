// `npm run test:crash:rules`: breaks, one after the other, rules of the durability design. Every time a state must fail;
// a rule where none does is either not needed or not tested. Exits like run.mjs.
import { BROKEN_RULES } from './broken-rules.mjs'
import { explore, requireExplorer } from './explore.mjs'
import { SCENARIOS } from './scenarios.mjs'

/** By model: most rules show among so few states; where none fails, the number of states of the scenario is looked at. */
const FIRST_LOOK = { posix: 50, kill: 80 }
/**
 * By model: enough states for each kind of loss to be among them; kills come first, so slow scenarios need a smaller number.
 * A rule that only kills show may be one moment of hundreds, so those are looked at one and all, but where a scenario says
 * how many (`ruleStates`).
 */
const MAX_STATES = { posix: 400, kill: 2_000 }
/** Width of a column of names. */
const NAME = 42
const budgetSeconds = Number(process.env.CRASH_RULE_SECONDS ?? 120)
const wanted = process.argv.slice(2)

const explorer = requireExplorer()

let missed = 0
console.log(`${'rule broken'.padEnd(NAME)}${'scenario'.padEnd(NAME)}states  failed  seconds`)
for (const [brokenRule, rule] of Object.entries(BROKEN_RULES)) {
  if (wanted.length > 0 && !wanted.some((word) => brokenRule.includes(word))) continue
  const started = performance.now()
  const { noticed, states, failed, output } = lookFor(brokenRule, rule)
  if (!noticed) missed++
  const columns = [
    String(states).padStart(6),
    String(failed).padStart(8),
    ((performance.now() - started) / 1000).toFixed(1).padStart(9),
  ]
  console.log(`${brokenRule.padEnd(NAME)}${rule.scenario.padEnd(NAME)}${columns.join('')}`)
  if (!noticed) console.log(`NOT NOTICED:\n${output}`)
}
console.log(`rules broken and not noticed: ${missed}`)
process.exitCode = missed > 0 ? 1 : 0

/** Looks at few states, and at more if that does not show it. */
function lookFor(brokenRule, { scenario: name, complaint, model = 'posix' }) {
  const scenario = SCENARIOS.find((each) => each.name === name)
  const most = scenario.ruleStates ?? MAX_STATES[model]
  for (const maxStates of [Math.min(scenario.firstLook ?? FIRST_LOOK[model], most), most]) {
    const { passed, failed, output } = explore(explorer, scenario, {
      model,
      budgetSeconds,
      maxStates,
      seed: 1,
      brokenRule,
    })
    const noticed = complaint === undefined ? passed > 0 && failed > 0 : complaint.test(output)
    if (noticed || maxStates === most) return { noticed, states: passed + failed, failed, output }
  }
}
