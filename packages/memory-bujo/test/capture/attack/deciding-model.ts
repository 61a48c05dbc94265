import type { ChatModel, ChatRequest } from '../../../src/chat/chat-model.js'
import { extraction, type Answer } from '../../support/bujo.js'
import { readSections } from './read-sections.js'

export interface DecidingModel extends ChatModel {
  readonly requests: readonly ChatRequest[]
  /** What the next extraction says. */
  next: Answer
}

/**
 * Answers extractions as told, and decides all the rest by what it is shown: everything of a user's is a preference, every
 * memory takes the place of the first one offered. Nobody could be more eager to write.
 */
export function decidingModel(): DecidingModel {
  const requests: ChatRequest[] = []
  const model: DecidingModel = {
    id: 'test:deciding',
    requests,
    next: extraction(),
    complete(request) {
      requests.push(request)
      return Promise.resolve({ text: JSON.stringify(answerTo(request, model.next)) })
    },
  }
  return model
}

function answerTo({ stage, user }: ChatRequest, next: Answer): unknown {
  if (stage === 'extract') return next
  const shown = new Map(readSections(user)).get(stage === 'review' ? 'lines' : 'new-memories') as readonly Shown[]
  return { decisions: stage === 'review' ? shown.map(reviewed) : reconciled(shown) }
}

interface Shown {
  readonly index: number
  readonly source: string
  readonly text: string
  readonly offered: readonly { readonly alias: string }[]
}

const reviewed = ({ index, source }: Shown) => ({ index, action: source === 'user' ? 'preference' : 'keep' })

function reconciled(shown: readonly Shown[]) {
  const taken = new Set<string>()
  return shown.map(({ index, text, offered }) => {
    const target = offered.find(({ alias }) => !taken.has(alias))?.alias
    if (target === undefined) return { index, action: 'ADD' }
    taken.add(target)
    return { index, action: 'SUPERSEDE', target, text }
  })
}
