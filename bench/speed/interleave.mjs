// Several systems are asked the same questions in one run, by turns, so that what the machine does meanwhile hits all.

import { inMs } from '../report.mjs'

/** How long an answer took. @returns `{ answer, ms, cpu }`: `cpu` are milliseconds that processors worked for this process */
export async function timed(ask) {
  const usage = process.cpuUsage()
  const from = performance.now()
  const answer = await ask()
  const ms = performance.now() - from
  const { user, system } = process.cpuUsage(usage)
  return { answer, ms, cpu: (user + system) / 1000 }
}

const resultsOf = (names) => Object.fromEntries(names.map((name) => [name, { times: [], cpu: [], answers: [] }]))

function keep(result, { answer, ms, cpu }) {
  result.times.push(ms)
  result.cpu.push(cpu)
  result.answers.push(answer)
}

/**
 * Systems take turns, in one order and in the other.
 * @param {Record<string, (question: object) => unknown>} systems
 * @param warm  questions at the beginning that do not count
 * @returns for each system `{ times, cpu, answers }` in the order of the questions that count: milliseconds, and those that
 *   processors worked for this process, which says more of a machine that others use too
 */
export async function interleave(systems, questions, warm) {
  const names = Object.keys(systems)
  const results = resultsOf(names)
  for (const [n, question] of questions.entries()) {
    for (const name of n % 2 === 0 ? names : [...names].reverse()) {
      const found = await timed(() => systems[name](question))
      if (n >= warm) keep(results[name], found)
    }
  }
  return results
}

/**
 * Each system is asked a question right after another one was, which leaves nothing of it in the caches of the processor.
 * @param {[string, (question: object) => unknown]} before  that other one, with its name
 * @returns as `interleave`, that other one included
 */
export async function eachAfter([former, askFormer], systems, questions, warm) {
  const results = resultsOf([former, ...Object.keys(systems)])
  for (const [n, question] of questions.entries()) {
    for (const [name, ask] of Object.entries(systems)) {
      const before = await timed(() => askFormer(question))
      const found = await timed(() => ask(question))
      if (n < warm) continue
      keep(results[former], before)
      keep(results[name], found)
    }
  }
  return results
}

export const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
export const p50 = (values) => quantile(values, 0.5)
export const p95 = (values) => quantile(values, 0.95)

/** How long something took, as a line of results tells it. @param of  times of `interleave` */
export const both = ({ times, cpu }) => `${inMs(p50(times))} (p95 ${inMs(p95(times))}, ${inMs(p50(cpu))} of processors)`
