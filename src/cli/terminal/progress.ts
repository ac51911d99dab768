import type { Ora } from 'ora'
import { escapeControls } from '../../render/escape-controls.js'
import { cutText } from '../../render/fit-text.js'
import type { Context } from '../context.js'
import { colorOf } from './color.js'

/** The progress line of a terminal; does nothing without a terminal. */
export interface Progress {
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
  const output = (stderr.unfiltered ?? stderr) as NodeJS.WriteStream
  return openSpinner(output, colorOf(stderr, flags(), env) !== 'none')
}

/** Opens the progress line of a command that waits for a response. */
export function openWaiting(context: Pick<Context, 'io' | 'flags'>): Progress {
  const progress = openProgress(context)
  const began = performance.now()
  progress.show(() => `waiting for the result, ${Math.floor((performance.now() - began) / 1000)} s`)
  return progress
}

function openSpinner(stderr: NodeJS.WriteStream, isColored: boolean): Progress {
  let line: (width: number) => string = () => 'waiting for events'
  let spinner: Ora | undefined
  let isClosed = false
  let update: NodeJS.Timeout | undefined
  const start = setTimeout(() => void open(), START_AFTER_MS)

  /** Returns the line for the current width, which may change at any time. */
  function text(): string {
    const width = Math.max(1, (stderr.columns || 80) - RESERVED_WIDTH)
    return cutText(escapeControls(line(width)), width)
  }

  async function open(): Promise<void> {
    const { default: ora } = await import('ora')
    if (isClosed) return
    // `ora` must not read standard input, which may contain events, and must leave Ctrl-C to the command.
    const color = isColored && 'cyan'
    const opened = ora({ stream: stderr, discardStdin: false, text: text(), color })
    spinner = opened.start()
    update = setInterval(() => {
      opened.text = text()
    }, UPDATE_EVERY_MS)
  }

  return {
    isShown: true,
    show(next) {
      line = next
    },
    pause(write) {
      spinner?.clear()
      write()
      spinner?.render()
    },
    close() {
      isClosed = true
      clearTimeout(start)
      clearInterval(update)
      spinner?.stop()
      spinner = undefined
    },
  }
}
