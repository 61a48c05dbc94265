const LONE_SURROGATE = /\p{Cs}/u
const LONE_SURROGATES = /\p{Cs}/gu

/** True if every surrogate of `text` has its other half, so that UTF-8 can hold it. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}

/** `text` with every lone surrogate as U+FFFD, as encoding it to UTF-8 makes it. */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, '\uFFFD')
}
