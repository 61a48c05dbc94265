import { Presets, SingleBar } from 'cli-progress'

/** Progress of one long command; `stop` before anything else is printed. */
export interface Progress {
  update(done: number, total: number | undefined, note: string): void
  stop(): void
}

const SILENT: Progress = { update: () => undefined, stop: () => undefined }

/** A bar on standard error where that is a terminal; nothing otherwise (OPS-16). */
export function createProgress(isErrTerminal: boolean): Progress {
  if (!isErrTerminal) return SILENT
  const bar = new SingleBar(
    {
      format: '{bar} {percentage} %  {note}',
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
      fps: 10,
    },
    Presets.rect,
  )
  let isStarted = false
  return {
    update(done, total, note) {
      // Without a known total the bar stays at its beginning and the note tells.
      if (!isStarted) bar.start(total ?? 1, 0, { note })
      isStarted = true
      if (total !== undefined) bar.setTotal(Math.max(total, 1))
      bar.update(total === undefined ? 0 : Math.min(done, total), { note })
    },
    stop() {
      if (isStarted) bar.stop()
    },
  }
}
