let breakCode

export function initialize(data) {
  breakCode = data
}

/** @throws {Error} the code is not what the rule was written for: it would break nothing, or something else */
export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (!url.endsWith(`/packages/${breakCode.package}/dist/index.js`)) return loaded
  let source = String(loaded.source)
  for (const [pattern, replacement] of breakCode.changes) {
    const found = [...source.matchAll(new RegExp(pattern, 'g'))].length
    if (found !== 1) throw new Error(`The rule breaks what is found ${found} times: ${pattern}`)
    source = source.replace(pattern, replacement)
  }
  return { ...loaded, source }
}
