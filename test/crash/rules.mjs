// `npm run test:crash:rules`: breaks, one after the other, rules of the durability design. Every time a state must fail;
// a rule where none does is either not needed or not tested. Exits like run.mjs.
import { BROKEN_RULES } from './broken-rules.mjs'
import { explore, requireExplorer } from './explore.mjs'
import { SCENARIOS } from './scenarios.mjs'

/** Enough states for each kind of loss to be among them; kills come first, so slow scenarios need a smaller number. */
const MAX_STATES = 400
const budgetSeconds = Number(process.env.CRASH_RULE_SECONDS ?? 60)
const wanted = process.argv.slice(2)

const explorer = requireExplorer()

let missed = 0
console.log(`${'rule broken'.padEnd(36)}${'scenario'.padEnd(28)}states  failed`)
for (const [brokenRule, { scenario: name, complaint }] of Object.entries(BROKEN_RULES)) {
  if (wanted.length > 0 && !wanted.some((word) => brokenRule.includes(word))) continue
  const scenario = SCENARIOS.find((each) => each.name === name)
  const options = { model: 'posix', budgetSeconds, maxStates: scenario.ruleStates ?? MAX_STATES, seed: 1, brokenRule }
  const { passed, failed, output } = explore(explorer, scenario, options)
  const noticed = complaint === undefined ? passed > 0 && failed > 0 : complaint.test(output)
  if (!noticed) missed++
  console.log(
    `${brokenRule.padEnd(36)}${name.padEnd(28)}${String(passed + failed).padStart(6)}${String(failed).padStart(8)}`,
  )
  if (!noticed) console.log(`NOT NOTICED:\n${output}`)
}
console.log(`rules broken and not noticed: ${missed}`)
process.exitCode = missed > 0 ? 1 : 0
