import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createProgram } from '../src/program.js'
import { commandReference } from '../src/reference.js'
import { VERSION } from '../src/version.js'

const program = createProgram(() => Promise.resolve())

test.each(program.commands.map((command) => ({ name: command.name(), command })))(
  'the page describes $name',
  ({ name, command }) => {
    const page = commandReference()
    expect(page).toContain(`### ${name}\n\n${command.description()}`)
    for (const option of command.options) expect(page).toContain(`\`${option.flags}\``)
  },
)

test('the version is that of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  expect(VERSION).toBe(manifest.version)
})
