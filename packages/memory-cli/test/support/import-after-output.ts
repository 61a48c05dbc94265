import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeWhole } from '../../src/edge/output-files.js'

// In the folder at argv[2]: a module that Node has seen, output to a pipe, and a module behind a link.
const url = (name: string): string => pathToFileURL(join(process.argv[2] ?? '', name)).href
await import(url('plain.mjs'))
writeWhole(process.stderr, 'said\n')
await import(url('link/module.mjs'))
process.stdout.write('found\n')
