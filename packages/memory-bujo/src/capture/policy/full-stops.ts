/** With which sentences end in the scripts of the world; an ellipsis is three full stops after NFKC. */
export const FULL_STOPS = ['.', '!', '?', '...', '。', '।', '॥', '؟', '۔', '։', '።', '။', '។', '།'] as const

const AT_END = /[\p{Sentence_Terminal}…།]+$/u

/** A sentence that is taken over loses its full stop, or gets one. */
export const withoutFullStop = (text: string): string => text.replace(AT_END, '')
