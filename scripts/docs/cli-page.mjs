import { GENERATED, built } from './built.mjs'

/** docs/cli.md, from the definitions that also parse the command line and print its help. */
export async function cliPage() {
  const { commandReference } = await built('memory-cli')
  return `${GENERATED}\n\n${commandReference()}`
}
