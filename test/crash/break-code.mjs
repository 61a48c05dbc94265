// Loaded before a workload (`--import`) whose broken rule lies in the code: changes the built packages as they are loaded.
import { register } from 'node:module'
import { BROKEN_RULES } from './broken-rules.mjs'

const { breakCode } = BROKEN_RULES[process.env.CRASH_BROKEN_RULE]
if (breakCode !== undefined) register('./break-code-hooks.mjs', import.meta.url, { data: breakCode })
