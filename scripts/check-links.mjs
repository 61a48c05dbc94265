// Checks every Markdown page: relative links lead to files, anchors to headings. And every tracked text file: nothing in
// it belongs to the machine it was written on. Exits with 1 if something is wrong.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const workspace = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const faults = []

/** Files under version control or about to be; what is ignored is not looked at. */
function files(...patterns) {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns],
    { cwd: workspace },
  )
  return [...new Set(listed.toString().split('\0'))].filter((file) => file !== '' && existsSync(join(workspace, file)))
}

/** A page without its code, in which a link is no link; lines keep their numbers. */
const withoutCode = (text) =>
  text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '')

/** The anchors that a page's headings get where it is read most: lower case, punctuation gone, spaces to hyphens. */
function anchorsOf(page) {
  const seen = new Map()
  const anchors = new Set()
  const text = readFileSync(page, 'utf8').replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
  for (const [, heading] of text.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

function checkLinks(file) {
  const page = join(workspace, file)
  const text = withoutCode(readFileSync(page, 'utf8'))
  for (const { 1: target, index } of text.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)) {
    if (/^(https?|mailto):/.test(target)) continue
    const [path, anchor] = target.split('#')
    const to = path === '' ? page : resolve(dirname(page), decodeURIComponent(path))
    const at = `${file}:${text.slice(0, index).split('\n').length}`
    if (relative(workspace, to).startsWith('..')) faults.push(`${at} leads out of the repository: ${target}`)
    else if (!existsSync(to)) faults.push(`${at} leads to nothing: ${target}`)
    else if (anchor && statSync(to).isFile() && !anchorsOf(to).has(anchor))
      faults.push(`${at} names no heading: ${target}`)
  }
}

/** Folders that many machines have: a path in them says nothing about this one. */
const COMMON = new Set([
  '/',
  '/root',
  '/tmp',
  '/home',
  '/Users',
  '/app',
  '/src',
  '/srv',
  '/opt',
  '/usr',
  '/var',
  '/mnt',
])

/** What must not stand in a file that others read. */
function foreignWords() {
  const words = [
    {
      what: 'the host of a package registry',
      pattern: /registry[.](npmjs|yarnpkg|npmmirror)|npmjs[.]org|deb[.]debian/,
    },
  ]
  // With no place left there is no pattern: an empty alternative would match everywhere.
  const places = [homedir(), dirname(workspace)].filter((place) => !COMMON.has(place))
  if (places.length === 0) return words
  const escaped = places.map((place) => place.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(?<![\\w.~-])(${escaped.join('|')})/`)
  return [...words, { what: 'a path of this machine', pattern }]
}

function checkWords(file, words) {
  const bytes = readFileSync(join(workspace, file))
  if (bytes.includes(0)) return
  for (const [i, line] of bytes.toString('utf8').split('\n').entries()) {
    for (const { what, pattern } of words) if (pattern.test(line)) faults.push(`${file}:${i + 1} holds ${what}`)
  }
}

const pages = files('*.md')
for (const page of pages) checkLinks(page)
const words = foreignWords()
for (const file of files()) if (file !== 'pnpm-lock.yaml') checkWords(file, words)

for (const fault of faults) console.error(fault)
console.log(`${pages.length} pages checked, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
