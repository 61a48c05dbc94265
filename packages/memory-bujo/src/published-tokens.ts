/**
 * Tokens that the kept detector does not know in the release that runs on Node 20; its later ones know most of them. Each
 * by the form that its issuer publishes for scanners to find, a JSON Web Token by RFC 7519: two parts that are JSON objects.
 * All are bounded: a window of `credentials.ts` must hold the longest.
 */
const FORMS = [
  // Stripe: secret and restricted keys, live or test.
  '[rs]k_(?:live|test)_[A-Za-z0-9]{24,247}',
  // GitLab: personal, deploy, runner, trigger and pipeline tokens, and their like.
  'gl(?:pat|dt|rt|ptt|cbt|oas|soat|ft|imt|agent)-[A-Za-z0-9_-]{20,300}',
  // Hugging Face: user access tokens.
  'hf_[A-Za-z0-9]{34,40}',
  // Google: API keys.
  'AIza[A-Za-z0-9_-]{35}',
  // JSON Web Tokens.
  'eyJ[A-Za-z0-9_-]{10,3000}\\.eyJ[A-Za-z0-9_-]{10,3000}\\.[A-Za-z0-9_-]{20,3000}',
]

const TOKEN = new RegExp(`(?<![A-Za-z0-9_])(?:${FORMS.join('|')})(?![A-Za-z0-9_-])`, 'g')

/** Half-open ranges of UTF-16 units, in order. */
export function findPublishedTokens(text: string): (readonly [start: number, end: number])[] {
  return [...text.matchAll(TOKEN)].map(({ index, 0: token }) => [index, index + token.length] as const)
}
