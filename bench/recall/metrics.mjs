// What a list of answers is worth, and how results are told by category and conversation.

/** Answers looked at. */
export const LIMIT = 10

/** The metrics of the table, in its order. */
export const METRICS = ['ndcg', 'recall1', 'recall5', 'recall10', 'hit5', 'mrr']
const TITLES = { ndcg: 'nDCG@10', recall1: 'R@1', recall5: 'R@5', recall10: 'R@10', hit5: 'Hit@5', mrr: 'MRR@10' }

/**
 * One answer, judged with binary relevance.
 * @param found  ids, best first  @param evidence  ids that answer the question, at least one
 */
export function judge(found, evidence) {
  const wanted = new Set(evidence)
  const gain = (at) => 1 / Math.log2(at + 2)
  const places = found.slice(0, LIMIT).flatMap((id, at) => (wanted.has(id) ? [at] : []))
  const sum = (values) => values.reduce((total, value) => total + value, 0)
  const ideal = sum(Array.from({ length: Math.min(LIMIT, wanted.size) }, (_, at) => gain(at)))
  const recallAt = (k) => places.filter((at) => at < k).length / wanted.size
  return {
    ndcg: sum(places.map(gain)) / ideal,
    recall1: recallAt(1),
    recall5: recallAt(5),
    recall10: recallAt(10),
    hit5: places.some((at) => at < 5) ? 1 : 0,
    mrr: places.length > 0 ? 1 / (places[0] + 1) : 0,
  }
}

export const mean = (rows, metric) => rows.reduce((sum, row) => sum + row[metric], 0) / rows.length

/** Questions that name the wrong person are reported apart: a good answer to them is none. */
export const counted = (rows) => rows.filter(({ category }) => category !== 'adversarial')

const cells = (rows) => METRICS.map((metric) => mean(rows, metric).toFixed(3))
const row = (name, rows) => `| ${[name, String(rows.length), ...cells(rows)].join(' | ')} |`
const groups = (rows, key) => [...new Set(rows.map((one) => one[key]))].sort()

/** A Markdown table of one system: all, by category, by conversation, and with each conversation left out in turn. */
export function tableOf(title, rows) {
  const all = counted(rows)
  return [
    `\n${title}\n`,
    `| questions | n | ${METRICS.map((metric) => TITLES[metric]).join(' | ')} |`,
    `|---|---|${METRICS.map(() => '---').join('|')}|`,
    row('all but adversarial', all),
    ...groups(rows, 'category').map((value) =>
      row(
        value,
        rows.filter(({ category }) => category === value),
      ),
    ),
    ...groups(all, 'conversation').map((value) =>
      row(
        `conversation ${value}`,
        all.filter(({ conversation }) => conversation === value),
      ),
    ),
    // Nothing is fitted to a conversation, so leaving one out only shows how far a figure hangs on it.
    ...groups(all, 'conversation').map((value) =>
      row(
        `without conversation ${value}`,
        all.filter(({ conversation }) => conversation !== value),
      ),
    ),
  ].join('\n')
}

/** A Markdown table of all systems side by side. */
export function summaryOf(systems) {
  return [
    `| system | n | ${METRICS.map((metric) => TITLES[metric]).join(' | ')} |`,
    `|---|---|${METRICS.map(() => '---').join('|')}|`,
    ...systems.map(([name, rows]) => row(name, counted(rows))),
  ].join('\n')
}
