import { serveOverStdio } from '../../../src/adapters/mcp-stdio.js'
import { fakeTools } from './fake-tools.js'

const { tools } = fakeTools()
const end = await serveOverStdio(tools, { version: '9.9.9', onIgnored: (why) => process.stderr.write(`${why}\n`) })
process.stderr.write(`${end}\n`)
