import type { HitProvenance, MemoryHit, RecallOutcome } from '@mono-agent/memory-bujo'
import { formatMemories, indentOf } from './memories.js'
import { printable, printableLines, type Style } from './text.js'

/** A whole answer: what has to be said of it, the hits, then what is known of whom it names and what the owner prefers. */
export function formatOutcome({ note, hits, sections }: RecallOutcome, style: Style): string {
  return [
    ...(note === undefined ? [] : [printable(note)]),
    hits.length === 0 ? 'No memory matches.' : hits.map((hit) => formatHit(hit, style)).join('\n'),
    ...sections.map(({ text }) => printableLines(text)), // each begins with its own heading
  ].join('\n\n')
}

function formatHit(hit: MemoryHit, style: Style): string {
  const { speaker, file } = hit.source ?? {}
  const listed = { ...hit, ...(speaker === undefined ? {} : { speaker }), ...(file === undefined ? {} : { file }) }
  const lead = hit.score.toFixed(3)
  const indent = ' '.repeat(indentOf(`${lead}  `))
  const explained = explanationOf(hit).map((line) => `\n${indent}${style.dim(printable(line))}`)
  return formatMemories([listed], style, [lead]) + explained.join('')
}

/** Parts that a score is made of in the main; of others none says nothing. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(['semantic', 'lexical'])

/** The parts of the score, and where the hit comes from (REC-10); nothing of either where it was not asked for. */
function explanationOf({ explanation, provenance }: MemoryHit): string[] {
  return [
    ...(explanation === undefined
      ? []
      : [
          Object.entries(explanation)
            .filter(([part, score]) => ALWAYS_TOLD.has(part) || score !== 0)
            .map(([part, score]) => `${part} ${Number(score).toFixed(3)}`)
            .join(' + '),
        ]),
    ...(provenance === undefined ? [] : originOf(provenance)),
  ]
}

function originOf({ turn, conversationId, file, chain }: HitProvenance): string[] {
  const origin = [
    turn === undefined ? 'no turn' : `turn ${turn}…`,
    conversationId === undefined ? 'conversation unknown' : `conversation ${conversationId}`,
    ...(file === undefined ? [] : [file]),
  ]
  return [origin.join(' · '), ...(chain === undefined ? [] : [`chain ${chain.map(linkOf).join(' → ')}`])]
}

const linkOf = ({ id, supersededAt }: NonNullable<HitProvenance['chain']>[number]): string =>
  supersededAt === undefined ? id : `${id} (superseded ${supersededAt})`
