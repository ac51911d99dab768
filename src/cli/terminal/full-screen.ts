import { writeSync } from 'node:fs'
import type { ReadStream, WriteStream } from 'node:tty'
import { difference, repaint } from '../../render/screen/difference.js'
import type { Grid } from '../../render/screen/grid.js'
import { type KeyPress, keyReader } from './keys.js'

// Selects the alternate screen, without wrapping at the right edge, with an invisible cursor, with bracketed paste, and with the
// mouse wheel as arrow keys (1007).
const ENTER = '\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[?1007h\x1b[2J'
const LEAVE = '\x1b[?2026l\x1b[0m\x1b[?1007l\x1b[?2004l\x1b[?25h\x1b[?7h\x1b[?1049l'
/** Terminals that support synchronized output show the text between these sequences at once. */
const BEGIN_FRAME = '\x1b[?2026h'
const END_FRAME = '\x1b[?2026l'

/** The minimum time between two frames. */
const FRAME_MS = 33
/** The time after which an incomplete sequence counts as the Escape key. */
const ESCAPE_MS = 40
/** The time that the system needs at most to stop this process. */
const STOP_MS = 100
/** The size of terminals that do not report their size. */
const DEFAULT_SIZE = { columns: 80, rows: 24 }

/** The size of a terminal in cells. */
export interface ScreenSize {
  readonly columns: number
  readonly rows: number
}

interface FullScreenOptions {
  /** The keyboard. */
  readonly input: ReadStream
  readonly output: WriteStream & { readonly fd: number }
  readonly color: boolean
  /** Draws the screen. Called only when it may have changed, and at most thirty times a second. */
  draw(size: ScreenSize): Grid
  onKeys(keys: readonly KeyPress[]): void
  onResize(size: ScreenSize): void
  /** Called when the terminal is gone. */
  onEnd(): void
}

/**
 * The use of a whole terminal, until `close`. The terminal is restored when the process ends for any reason, except when it is
 * killed.
 */
export class FullScreen {
  private readonly options: FullScreenOptions
  private readonly reader = keyReader()
  private shown: Grid | undefined
  private isOpen = false
  private isBusy = false
  private isWanted = false
  private timer: NodeJS.Timeout | undefined
  private escapeTimer: NodeJS.Timeout | undefined
  private stopTimer: NodeJS.Timeout | undefined
  private lastFrame = Number.NEGATIVE_INFINITY

  constructor(options: FullScreenOptions) {
    this.options = options
    const { input, output, onEnd } = options
    process.on('exit', this.leave).on('uncaughtExceptionMonitor', this.leave)
    process.on('SIGTSTP', this.stopped).on('SIGCONT', this.continued)
    output.on('resize', this.resized)
    input.setEncoding('utf8').on('data', this.heard).on('end', onEnd).on('error', onEnd)
    this.enter()
  }

  get size(): ScreenSize {
    const { columns, rows } = this.options.output
    return { columns: columns || DEFAULT_SIZE.columns, rows: rows || DEFAULT_SIZE.rows }
  }

  /** Draws the screen soon. */
  update(): void {
    this.isWanted = true
    if (this.timer !== undefined || this.isBusy || !this.isOpen) return
    const wait = Math.max(0, this.lastFrame + FRAME_MS - performance.now())
    this.timer = setTimeout(() => this.drawFrame(), wait)
  }

  /** Draws every cell again. */
  refresh(): void {
    this.shown = undefined
    this.update()
  }

  send(sequence: string): void {
    if (this.isOpen) this.options.output.write(sequence)
  }

  /** Restores the terminal and stops the process until it is continued, like Ctrl-Z in other programs. */
  suspend(): void {
    // The shell may take the terminal back as soon as one program has stopped. The modes of a terminal that has another program
    // in the foreground can't be set: the attempt would stop this program once more after `fg`.
    this.leave()
    // Stops all programs of the pipeline, as the shell expects, and this one at once: a listener would be called later, perhaps
    // after `fg`.
    process.off('SIGTSTP', this.stopped)
    process.kill(0, 'SIGTSTP')
    clearTimeout(this.stopTimer)
    this.stopTimer = setTimeout(() => {
      process.on('SIGTSTP', this.stopped)
      // Without a shell that could continue this program, the signal has no effect.
      if (!this.isOpen) this.continued()
    }, STOP_MS)
  }

  /** Restores the terminal at once. A second call has no effect. */
  close(): void {
    const { input, output, onEnd } = this.options
    this.leave()
    clearTimeout(this.stopTimer)
    process.off('exit', this.leave).off('uncaughtExceptionMonitor', this.leave)
    process.off('SIGTSTP', this.stopped).off('SIGCONT', this.continued)
    output.off('resize', this.resized)
    input.off('data', this.heard).off('end', onEnd).pause()
  }

  private drawFrame(): void {
    const { output, color, draw } = this.options
    this.timer = undefined
    if (!this.isWanted || !this.isOpen) return
    this.isWanted = false
    this.lastFrame = performance.now()
    const grid = draw(this.size)
    const isSameSize = this.shown?.width === grid.width && this.shown.height === grid.height
    const text =
      this.shown !== undefined && isSameSize
        ? difference(this.shown, grid, { color })
        : repaint(grid, { color })
    this.shown = grid
    if (text === '' || output.write(BEGIN_FRAME + text + END_FRAME)) return
    // A slow terminal skips frames.
    this.isBusy = true
    output.once('drain', () => {
      this.isBusy = false
      if (this.isWanted) this.update()
    })
  }

  private readonly heard = (chunk: string | Buffer): void => {
    const { onKeys } = this.options
    clearTimeout(this.escapeTimer)
    const keys = this.reader.read(String(chunk))
    if (keys.length > 0) onKeys(keys)
    if (!this.reader.isWaiting()) return
    this.escapeTimer = setTimeout(() => {
      const rest = this.reader.settle()
      if (rest.length > 0) onKeys(rest)
    }, ESCAPE_MS)
  }

  private readonly resized = (): void => {
    this.shown = undefined
    this.options.onResize(this.size)
    this.update()
  }

  private enter(): void {
    this.isOpen = true
    this.options.input.setRawMode(true)
    this.options.output.write(ENTER)
    this.shown = undefined
  }

  // Synchronous, so that it is also done when the process ends at once.
  private readonly leave = (): void => {
    if (!this.isOpen) return
    this.isOpen = false
    clearTimeout(this.timer)
    clearTimeout(this.escapeTimer)
    this.timer = undefined
    try {
      writeSync(this.options.output.fd, LEAVE)
      this.options.input.setRawMode(false)
    } catch {
      // The terminal is gone.
    }
  }

  private readonly stopped = (): void => {
    this.leave()
    process.kill(process.pid, 'SIGSTOP')
  }

  private readonly continued = (): void => {
    // Another program may have used the terminal in the meantime.
    this.isOpen = false
    // Node would keep the raw mode from before a SIGSTOP, which the shell has changed since.
    this.options.input.setRawMode(false)
    this.enter()
    this.resized()
    // Only the program in the foreground is told of a new size. Node asks the terminal for its size on this signal.
    process.kill(process.pid, 'SIGWINCH')
  }
}
