// `node test/model-server/serve.mjs --port 11434`: the test model server for people, until interrupted.
import { parseArgs } from 'node:util'
import { loadModelServer } from './load.mjs'

const USAGE = `node test/model-server/serve.mjs [--port N] [--service all|ollama|lm-studio|openai] [--model NAME[=MODEL]]… [--api-key KEY]

  --port      loopback port; any free one by default
  --service   whose paths are answered; all of them by default
  --model     universal-sentence-encoder or hash-<dimension>, if wished under another name: nomic-embed-text=hash-768
  --api-key   asks for this bearer token

Chat answers need a script, so that only tests have them: here every chat request is refused.`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    service: { type: 'string', default: 'all' },
    model: { type: 'string', multiple: true },
    'api-key': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
const port = Number(values.port)
if (
  !Number.isInteger(port) ||
  port < 0 ||
  port > 65_535 ||
  !['all', 'ollama', 'lm-studio', 'openai'].includes(values.service)
) {
  console.error(USAGE)
  process.exit(2)
}

const { startModelServer } = await loadModelServer()
const server = await startModelServer({
  port,
  service: values.service,
  ...(values.model && {
    models: values.model.map((model) => ({ name: model.split('=')[0], serves: model.split('=').at(-1) })),
  }),
  ...(values['api-key'] && { apiKey: values['api-key'] }),
})
console.log(`Listening on ${server.url}`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void server.close())
