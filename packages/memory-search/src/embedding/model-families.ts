/** What is put before a text, exactly as the model was trained with it; empty for none (SEA-2). */
export interface Instructions {
  readonly document: string
  readonly query: string
}

export interface ModelFamily {
  readonly name: string
  /** Of the bare name: lower case, no registry or owner before it, the tag still there. */
  readonly pattern: RegExp
  readonly instructions: Instructions
  /** Tokens that the model, as services run it, looks at. */
  readonly contextTokens: number
  /** Trained on English mostly or alone: other languages are found much worse (CFG-2). */
  readonly isEnglishCentred: boolean
  /** Trained so that a beginning of the vector is a vector too: the dimension may be asked for. */
  readonly hasSelectableDimension: boolean
}

const NONE: Instructions = { document: '', query: '' }
const query = (text: string): Instructions => ({ document: '', query: text })

const SENTENCE_FOR_PASSAGES = query('Represent this sentence for searching relevant passages: ')
const WEB_SEARCH = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:'
const E5: Instructions = { document: 'passage: ', query: 'query: ' }

type Traits = Partial<Pick<ModelFamily, 'isEnglishCentred' | 'hasSelectableDimension'>>

function family(
  name: string,
  pattern: RegExp,
  instructions: Instructions,
  contextTokens: number,
  traits: Traits = {},
): ModelFamily {
  return {
    name,
    pattern,
    instructions,
    contextTokens,
    isEnglishCentred: false,
    hasSelectableDimension: false,
    ...traits,
  }
}
const ENGLISH: Traits = { isEnglishCentred: true }
const SELECTABLE: Traits = { hasSelectableDimension: true }

/**
 * The families by the prefixes of their model cards; the first pattern that fits counts, so the particular stand before
 * the general. Contexts are those of the common builds (Ollama's nomic-embed-text looks at 2,048 tokens, not at 8,192).
 */
export const MODEL_FAMILIES: readonly ModelFamily[] = [
  family('nomic-v2', /nomic-embed-text-v2/, { document: 'search_document: ', query: 'search_query: ' }, 512),
  family('nomic', /nomic-embed-text/, { document: 'search_document: ', query: 'search_query: ' }, 2_048, ENGLISH),
  family('e5-mistral', /e5-mistral/, query(`${WEB_SEARCH} `), 4_096, ENGLISH),
  family('e5-instruct', /multilingual-e5-.*instruct/, query(`${WEB_SEARCH} `), 512),
  family('multilingual-e5', /multilingual-e5/, E5, 512),
  family('e5', /(^|[-_.])e5([-_.:]|$)/, E5, 512, ENGLISH),
  family('bge-m3', /bge-m3/, NONE, 8_192),
  family('bge-zh', /bge-.*-zh/, query('为这个句子生成表示以用于检索相关文章：'), 512),
  family('bge', /bge-(micro|small|base|large)/, SENTENCE_FOR_PASSAGES, 512, ENGLISH),
  family('mxbai-de', /mxbai-embed-de/, E5, 512),
  family('mxbai', /mxbai-embed/, SENTENCE_FOR_PASSAGES, 512, { ...ENGLISH, ...SELECTABLE }),
  family('uae', /uae-large/, SENTENCE_FOR_PASSAGES, 512, ENGLISH),
  family('arctic-2', /(snowflake-)?arctic-embed(2|-.*v2)/, query('query: '), 8_192, SELECTABLE),
  family('arctic', /(snowflake-)?arctic-embed/, SENTENCE_FOR_PASSAGES, 512, ENGLISH),
  family('qwen3', /qwen3-embedding/, query(WEB_SEARCH), 32_768, SELECTABLE),
  family('gte-qwen', /gte-qwen/, query(`${WEB_SEARCH} `), 32_768),
  family(
    'embeddinggemma',
    /embeddinggemma|embedding-gemma/,
    { document: 'title: none | text: ', query: 'task: search result | query: ' },
    2_048,
    SELECTABLE,
  ),
  family('gte-multilingual', /gte-multilingual/, NONE, 8_192),
  family('gte', /(^|[-_])gte-/, NONE, 512, ENGLISH),
  family('jina-english', /jina-embeddings-v2-(small|base)-en/, NONE, 8_192, ENGLISH),
  family('jina', /jina-embeddings/, NONE, 8_192),
  family('openai-3', /^text-embedding-3-/, NONE, 8_191, SELECTABLE),
  family('openai-ada', /^text-embedding-ada-/, NONE, 8_191),
  family('minilm-multilingual', /paraphrase-multilingual/, NONE, 512),
  family('minilm', /minilm/, NONE, 256, ENGLISH),
  family('granite-multilingual', /granite-embedding.*(107m|278m|multilingual)/, NONE, 512),
  family('granite', /granite-embedding/, NONE, 512, ENGLISH),
]

/** The family of a model by its name (`hf.co/owner/name:tag` and the like); undefined if the table does not know it. */
export function familyOf(model: string): ModelFamily | undefined {
  const bare = model.toLowerCase().slice(model.lastIndexOf('/') + 1)
  return MODEL_FAMILIES.find(({ pattern }) => pattern.test(bare))
}

/** Multilingual models by service, the smallest first, for whoever runs an English-centred one (CFG-2). */
export const MULTILINGUAL_MODELS = {
  ollama: ['embeddinggemma', 'nomic-embed-text-v2-moe', 'qwen3-embedding:0.6b', 'bge-m3', 'snowflake-arctic-embed2'],
  'lm-studio': ['text-embedding-embeddinggemma-300m', 'text-embedding-qwen3-embedding-0.6b', 'text-embedding-bge-m3'],
  openai: ['text-embedding-3-small', 'text-embedding-3-large'],
} as const

/** True if the model is known to be trained on English mostly; an unknown model is not accused. */
export function isEnglishCentred(model: string): boolean {
  return familyOf(model)?.isEnglishCentred ?? false
}
