import { GENERATED, built, cell } from './built.mjs'

const table = (head, rows) => (rows.length === 0 ? '' : `\n| ${head} | meaning |\n|---|---|\n${rows.join('\n')}\n`)

function section({ usage, summary, description, arguments: parameters = [], options = [] }) {
  const rows = (entries) => entries.map(({ name, description: text }) => `| \`${cell(name)}\` | ${cell(text)} |`)
  return `## ${usage}\n\n${description ?? summary}\n${table('argument', rows(parameters))}${table('option', rows(options))}`
}

/** docs/cli.md, from the definitions that also make the command's own help. */
export async function cliPage() {
  const { describeCommands } = await built('memory-cli')
  return `${GENERATED}

# The command

${describeCommands().map(section).join('\n')}`
}
