export interface KeyDeclaration {
  /** Preferred: the name of an environment variable. */
  readonly apiKeyEnv?: string | undefined
  readonly apiKey?: string | undefined
}

/** `none`: none is declared, which is a service without keys. `unusable`: declared, but there is none that can be sent. */
export type DeclaredKey =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'unusable'; readonly detail: string }

/** What a header may hold: anything else would make `fetch` fail with the key in its message. */
const SENDABLE = /^[\x21-\x7e]+$/

/** The declared key (CFG-2); a declared variable that is empty is never taken for none. */
export function declaredKey(
  { apiKeyEnv, apiKey }: KeyDeclaration,
  env: (name: string) => string | undefined,
): DeclaredKey {
  if (apiKeyEnv === undefined && apiKey === undefined) return { kind: 'none' }
  const key = (apiKeyEnv === undefined ? apiKey : env(apiKeyEnv))?.trim() ?? ''
  const source = apiKeyEnv === undefined ? 'apiKey' : apiKeyEnv
  if (key === '') return { kind: 'unusable', detail: `${source} is empty` }
  if (!SENDABLE.test(key)) return { kind: 'unusable', detail: `${source} holds characters that no header may` }
  return { kind: 'key', apiKey: key }
}
