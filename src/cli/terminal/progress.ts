import type { Ora } from 'ora'
import { escapeControls } from '../../render/escape-controls.js'
import { cutText } from '../../render/fit-text.js'
import type { Context } from '../context.js'
import { colorOf } from './color.js'

/** The progress line of a terminal; does nothing without a terminal. */
export interface Progress {
  /** True when the line is shown. */
  readonly isShown: boolean
  /** Sets the function that returns the line for a width. It is called only when the line is drawn. */
  show(line: (width: number) => string): void
  /** Clears the line while `write` prints something. */
  pause(write: () => void): void
  close(): void
}

const NO_PROGRESS: Progress = {
  isShown: false,
  show() {},
  pause: (write) => write(),
  close() {},
}

/** The time after which the spinner is shown. */
const START_AFTER_MS = 300
const UPDATE_EVERY_MS = 100

/** The spinner, a space, and a free column: some terminals wrap a full row. */
const RESERVED_WIDTH = 3

/** Opens the progress line on standard error. */
export function openProgress({ io, flags }: Pick<Context, 'io' | 'flags'>): Progress {
  const { stderr, env } = io
  const isMoving = stderr.isTTY === true && 'cursorTo' in stderr && env.TERM !== 'dumb'
  // On a terminal that reports a width of 0, `ora` would clear lines endlessly.
  const hasWidth = stderr.columns !== 0
  const { quiet, verbose = 0, jsonErrors } = flags()
  if (!isMoving || !hasWidth || quiet || verbose > 0 || jsonErrors) return NO_PROGRESS
  return new Spinner(
    (stderr.unfiltered ?? stderr) as NodeJS.WriteStream,
    colorOf(stderr, flags(), env) !== 'none',
  )
}

class Spinner implements Progress {
  readonly isShown = true
  private line: (width: number) => string = () => 'waiting for events'
  private spinner: Ora | undefined
  private isClosed = false
  private readonly stderr: NodeJS.WriteStream
  private readonly isColored: boolean
  private readonly start: NodeJS.Timeout
  private update: NodeJS.Timeout | undefined

  constructor(stderr: NodeJS.WriteStream, isColored: boolean) {
    this.stderr = stderr
    this.isColored = isColored
    this.start = setTimeout(() => void this.open(), START_AFTER_MS)
  }

  show(line: (width: number) => string): void {
    this.line = line
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

  /** Returns the line for the current width, which may change at any time. */
  private text(): string {
    const width = Math.max(1, (this.stderr.columns || 80) - RESERVED_WIDTH)
    return cutText(escapeControls(this.line(width)), width)
  }

  private async open(): Promise<void> {
    const { default: ora } = await import('ora')
    if (this.isClosed) return
    // `ora` must not read standard input, which may contain events, and must leave Ctrl-C to the command.
    const spinner = ora({
      stream: this.stderr,
      discardStdin: false,
      text: this.text(),
      color: this.isColored && 'cyan',
    })
    this.spinner = spinner.start()
    this.update = setInterval(() => {
      spinner.text = this.text()
    }, UPDATE_EVERY_MS)
  }
}
