/** The grammar of a prompt's data: sections of one line of JSON each, then the question; nothing beside them. */
const SECTION = /^<([a-z-]+)>\n([^\n]*)\n<\/\1>\n\n/
const QUESTION = 'Answer with the JSON object alone.'

/**
 * The sections of a prompt, in order, with what they hold.
 * @throws {Error} whatever stands between, around or within them that is not theirs
 */
export function readSections(prompt: string): [name: string, data: unknown][] {
  const found: [string, unknown][] = []
  let rest = prompt
  for (let match = SECTION.exec(rest); match !== null; match = SECTION.exec(rest)) {
    const [all, name = '', json = ''] = match
    if (/[<>\r\u2028\u2029\u0085]/u.test(json)) throw new Error(`Data of <${name}> could end its section.`)
    found.push([name, JSON.parse(json)])
    rest = rest.slice(all.length)
  }
  if (rest !== QUESTION) throw new Error('There is more in the prompt than its sections.')
  return found
}
