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

/**
 * @param {Record<string, (question: object) => unknown>} systems
 * @param warm  questions at the beginning that do not count
 * @returns for each system `{ times, cpu, answers }` in the order of the questions that count: milliseconds, and those that
 *   processors worked for this process, which says more of a machine that others use too
 */
export async function interleave(systems, questions, warm) {
  const names = Object.keys(systems)
  const results = Object.fromEntries(names.map((name) => [name, { times: [], cpu: [], answers: [] }]))
  for (const [n, question] of questions.entries()) {
    for (const name of n % 2 === 0 ? names : [...names].reverse()) {
      const { answer, ms, cpu } = await timed(() => systems[name](question))
      if (n < warm) continue
      results[name].times.push(ms)
      results[name].cpu.push(cpu)
      results[name].answers.push(answer)
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
