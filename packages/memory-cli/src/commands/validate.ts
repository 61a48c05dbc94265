import { Command } from 'commander'
import { validateMemory, type MemoryError, type ValidationReport } from '@mono-agent/memory-bujo'
import { isMemoryError } from '../errors.js'
import { untilInterrupted } from '../output/interrupted.js'
import { facts, printable, type Style } from '../output/text.js'
import type { CommandResult, Execute, Session } from '../types.js'

export function validateCommand(execute: Execute): Command {
  return new Command('validate')
    .description(
      'Look at all that a start rests on: native modules, index, root, embedding service, calibration, chat model, platform. ' +
        'Leaves nothing behind. Exits with 0 when nothing has to be mended; waiting for a service is no fault.',
    )
    .action(() => execute(validate, { whenMisconfigured: misconfigured }))
}

function validate({ config, access, host, style }: Session): Promise<CommandResult> {
  const signal = host.interruption()
  return untilInterrupted(signal, 'Stopped. Nothing was changed.', async () => {
    try {
      const { writeMode, llm, capture, consolidation } = config
      const report = await validateMemory({ ...access, writeMode, llm, capture, consolidation, signal })
      return resultOf(report, formatReport(report, style))
    } catch (error) {
      if (!isMemoryError(error)) throw error
      return misconfigured(error)
    }
  })
}

function resultOf(report: { readonly ok: boolean }, text: string): CommandResult {
  return { json: report, text, exitCode: report.ok ? 0 : 1 }
}

/** A configuration that cannot be used is a finding like any other, and the first. */
function misconfigured({ code, message }: MemoryError): CommandResult {
  const checks = [{ check: 'configuration', status: 'error', code: String(code), message }]
  const report = { ok: false, sections: [{ section: 'configuration', status: 'error', checks }] }
  return resultOf(report, `configuration  ERROR  ${String(code)}: ${message}\n\n${VERDICTS.false}`)
}

const VERDICTS = {
  true: 'Nothing has to be mended.',
  waiting: 'Nothing has to be mended here; a service has to come back, or its key to be set.',
  false: 'Not ok: mend what is marked ERROR.',
}

function formatReport({ ok, sections }: ValidationReport, style: Style): string {
  const lines = sections.flatMap(({ section, checks }) =>
    checks.map(({ status, code, message }, at) => {
      const words = code === 'ok' ? message : `${code}: ${message}`
      const shown = status === 'ok' ? status : status.toUpperCase()
      return [at === 0 ? section : '', `${shown.padEnd('WAITING'.length)}  ${printable(words)}`] as const
    }),
  )
  const isWaiting = sections.some(({ status }) => status === 'waiting')
  const verdict = ok ? (isWaiting ? VERDICTS.waiting : VERDICTS.true) : VERDICTS.false
  return `${facts(lines)}\n\n${style.strong(verdict)}`
}
