import type { Ora } from 'ora'
import type { Context } from '../context.js'

/** What moves on a terminal while events go out; nothing elsewhere. */
export interface Progress {
  /** Shows a text, soon: it is asked for only when it is needed. */
  show(text: () => string): void
  /** Lets something else write a line. */
  pause(write: () => void): void
  close(): void
}

const NO_PROGRESS: Progress = { show() {}, pause: (write) => write(), close() {} }

/** A run that is over sooner shows no spinner. */
const START_AFTER_MS = 300
const UPDATE_EVERY_MS = 100

/** Opens the progress for standard error. */
export function openProgress({ io, flags }: Pick<Context, 'io' | 'flags'>): Progress {
  const { stderr, env } = io
  const isMoving = stderr.isTTY === true && 'cursorTo' in stderr && env.TERM !== 'dumb'
  const { quiet, verbose = 0, jsonErrors } = flags()
  if (!isMoving || quiet || verbose > 0 || jsonErrors) return NO_PROGRESS
  return new Spinner(stderr as NodeJS.WriteStream)
}

class Spinner implements Progress {
  private text = () => 'waiting for events'
  private spinner: Ora | undefined
  private isClosed = false
  private readonly start: NodeJS.Timeout
  private update: NodeJS.Timeout | undefined

  constructor(stderr: NodeJS.WriteStream) {
    this.start = setTimeout(() => void this.open(stderr), START_AFTER_MS)
  }

  show(text: () => string): void {
    this.text = text
  }

  pause(write: () => void): void {
    this.spinner?.clear()
    write()
    this.spinner?.render()
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.start)
    clearInterval(this.update)
    this.spinner?.stop()
    this.spinner = undefined
  }

  private async open(stderr: NodeJS.WriteStream): Promise<void> {
    const { default: ora } = await import('ora')
    if (this.isClosed) return
    // Standard input belongs to the events, and Ctrl-C to the command.
    const spinner = ora({ stream: stderr, discardStdin: false, text: this.text() })
    this.spinner = spinner.start()
    this.update = setInterval(() => {
      spinner.text = this.text()
    }, UPDATE_EVERY_MS)
  }
}
