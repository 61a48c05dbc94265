import { createRequire } from 'node:module'
import { GENERATED, built, cell } from './built.mjs'

// zod is a dependency of memory-bujo, not of the workspace.
const { z } = createRequire(new URL('../../packages/memory-bujo/package.json', import.meta.url))('zod')

const jsonSchema = async () => z.toJSONSchema((await built('memory-bujo')).memoryConfigSchema, { io: 'input' })

/** docs/config.schema.json: for editors, of the `memory` block. */
export async function configSchema() {
  return `${JSON.stringify({ title: 'The memory block', ...(await jsonSchema()) }, undefined, 2)}\n`
}

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`
  if (schema.type === 'integer' || schema.type === 'number') {
    const bounds = [schema.minimum, schema.maximum].filter(
      (bound) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER,
    )
    return bounds.length === 2 ? `${schema.type}, ${bounds[0]}–${bounds[1]}` : schema.type
  }
  return schema.type ?? 'any'
}

function rowsOf(schema, path, variables) {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const name = [...path, key].join('.')
    const required = schema.required?.includes(key) && value.default === undefined
    const preset =
      value.default === undefined || value.type === 'object'
        ? required
          ? 'required'
          : ''
        : `\`${JSON.stringify(value.default)}\``
    const row = `| \`${name}\` | ${cell(typeOf(value))} | ${preset} | ${cell(value.description ?? '')} | ${variableOf(name, variables)} |`
    return [row, ...rowsOf(value, [...path, key], variables)]
  })
}

/** Blocks have none; the prefix is told once, above the table. */
function variableOf(key, variables) {
  const found = variables.find(({ path }) => path.join('.') === key)
  return found === undefined ? '' : `\`${found.name.replace(PREFIX, '…')}\``
}

const PREFIX = 'MONO_AGENT_MEMORY_'

/** docs/config.md: every key with type, default and meaning, from the one schema of memory-bujo. */
export async function configPage() {
  const { environmentVariables } = await built('memory-cli')
  return `${GENERATED}

# Configuration

One block configures a store: \`createMemoryStore(config)\` takes it as an object, the command as a JSON file. An unknown
key, or one that the tier does not have, is an error that names the key, the rule and the mend. Editors can check it with
[config.schema.json](config.schema.json). The schema is that of all three tiers: \`lite\` needs nothing, \`journal\` an embeddings
block, \`bujo\` an llm block besides. [chat.md](chat.md) and [capture.md](capture.md) tell what the keys of bujo do.
In this version \`consolidation\` is checked, and changes nothing yet.

The command lets variables of the environment, or of a \`.env\` beside the file, go before the file (environment, then \`.env\`,
then file, then default). Their names begin with \`${PREFIX}\`, which the table writes as \`…\`. A list is written with
commas; an empty variable counts as absent.

| key | type | default | meaning | variable |
|---|---|---|---|---|
${rowsOf(await jsonSchema(), [], environmentVariables()).join('\n')}
`
}
