import { resolve } from 'node:path'
import { Command, Option } from 'commander'
import { calibrateMemory, type CalibrationReport, type FloorEffect } from '@mono-agent/memory-bujo'
import { readQueryFile } from '../edge/query-file.js'
import { formatCalibration } from '../output/calibration.js'
import { untilInterrupted } from '../output/interrupted.js'
import { createProgress } from '../output/progress.js'
import { count, facts, table, type Style } from '../output/text.js'
import type { CommandResult, Execute, Session } from '../types.js'

interface CalibrateCommandOptions {
  readonly queries?: string
  readonly reset?: boolean
  readonly write?: boolean
}

const LABEL_ADVICE =
  'warning: without labelled queries memories are compared with each other. They resemble each other more than a question ' +
  'resembles its answer, so these floors are far too strict for questions. Label some with --queries.'

export function calibrateCommand(execute: Execute): Command {
  return new Command('calibrate')
    .description(
      'Measure what scores mean in this store and propose floors for recall. Writes nothing without --write. Journal and bujo.',
    )
    .option('--queries <file>', 'labelled queries, JSON lines of {"query": text, "relevant": [ids]}; recommended')
    .addOption(
      new Option('--reset', 'propose what the model gets by itself: shipped, or by the bundled sentences').conflicts(
        'queries',
      ),
    )
    .option('--write', 'put the proposal into the index manifest; needs the stopped store')
    .action((options: CalibrateCommandOptions) => execute((session) => calibrate(session, options)))
}

function calibrate(
  { access, host, style }: Session,
  { queries: file, reset, write }: CalibrateCommandOptions,
): Promise<CommandResult> {
  const queries = file === undefined ? undefined : readQueryFile(resolve(host.cwd, file))
  const signal = host.interruption()
  const progress = createProgress(host.isErrTerminal)
  return untilInterrupted(signal, 'Stopped. Nothing was written.', async () => {
    try {
      const report = await calibrateMemory({
        ...access,
        signal,
        ...(queries === undefined ? {} : { queries }),
        ...(reset === undefined ? {} : { reset }),
        ...(write === undefined ? {} : { write }),
        onProgress: (done, total) => progress.update(done, total, `${done} of ${count(total, 'query', 'queries')}`),
      })
      progress.stop()
      const diagnostics = report.basis === 'pairs' ? [LABEL_ADVICE] : []
      return { json: report, text: formatReport(report, style), diagnostics }
    } finally {
      progress.stop()
    }
  })
}

const BASES = {
  queries: 'labelled queries; shares of queries',
  pairs: 'pairs of memories; shares of pairs',
  model: 'the model alone',
}

function formatReport(report: CalibrationReport, style: Style): string {
  const { basis, present, proposed, written } = report
  const about = facts([
    ['measured by', BASES[basis]],
    ['present', formatCalibration(present)],
    ['proposed', formatCalibration(proposed)],
  ])
  const end = written
    ? 'Written. Readers and the next start use it.'
    : 'Nothing was written. Stop the agent and add --write to use it.'
  return [about, ...(report.table.length === 0 ? [] : [floorTable(report, style)]), end].join('\n\n')
}

const HEADER = ['floor', 'automatic: covers', 'misleads', 'deliberate: covers', 'misleads', '']

function floorTable({ table: rows, present, proposed }: CalibrationReport, style: Style): string {
  return table(
    HEADER,
    rows.map(({ floor, automatic, deliberate }) => [
      floor.toFixed(2),
      ...effect(automatic),
      ...effect(deliberate),
      marks([
        ['automatic', floor === proposed.automaticFloor],
        ['deliberate', floor === proposed.deliberateFloor],
        ['automatic at present', floor === present.automaticFloor],
        ['deliberate at present', floor === present.deliberateFloor],
      ]),
    ]),
    style,
  )
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
const effect = ({ coverage, falseRecall }: FloorEffect): string[] => [percent(coverage), percent(falseRecall)]

function marks(list: readonly (readonly [label: string, isHere: boolean])[]): string {
  const here = list.filter(([, isHere]) => isHere).map(([label]) => label)
  return here.length === 0 ? '' : `← ${here.join(', ')}`
}
