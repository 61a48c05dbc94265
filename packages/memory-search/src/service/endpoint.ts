/** The address of a service without a slash at its end; undefined if it is no plain http or https address. */
export function plainEndpoint(endpoint: string): string | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '')
  return isPlain ? `${url.origin}${url.pathname.replace(/\/+$/, '')}` : undefined
}

/** True of OpenAI itself, which answers nobody without a key. */
export const isOpenAiItself = (endpoint: string): boolean => new URL(endpoint).hostname.endsWith('.openai.com')
