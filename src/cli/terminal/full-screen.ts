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

/** The use of a whole terminal, until `close`. */
export interface FullScreen {
  readonly size: ScreenSize
  /** Draws the screen soon. */
  update(): void
  /** Draws every cell again. */
  refresh(): void
  send(sequence: string): void
  /** Restores the terminal and stops the process until it is continued, like Ctrl-Z in other programs. */
  suspend(): void
  /** Restores the terminal at once. A second call has no effect. */
  close(): void
}

/** Takes over a terminal. The terminal is restored when the process ends for any reason, except when it is killed. */
export function openFullScreen(options: FullScreenOptions): FullScreen {
  const { input, output, color, draw, onKeys, onResize, onEnd } = options
  const reader = keyReader()
  let shown: Grid | undefined
  let isOpen = false
  let isBusy = false
  let isWanted = false
  let timer: NodeJS.Timeout | undefined
  let escapeTimer: NodeJS.Timeout | undefined
  let stopTimer: NodeJS.Timeout | undefined
  let lastFrame = Number.NEGATIVE_INFINITY

  const size = (): ScreenSize => ({
    columns: output.columns || DEFAULT_SIZE.columns,
    rows: output.rows || DEFAULT_SIZE.rows,
  })

  function update(): void {
    isWanted = true
    if (timer !== undefined || isBusy || !isOpen) return
    const wait = Math.max(0, lastFrame + FRAME_MS - performance.now())
    timer = setTimeout(drawFrame, wait)
  }

  function drawFrame(): void {
    timer = undefined
    if (!isWanted || !isOpen) return
    isWanted = false
    lastFrame = performance.now()
    const grid = draw(size())
    const isSameSize = shown?.width === grid.width && shown.height === grid.height
    const text =
      shown !== undefined && isSameSize
        ? difference(shown, grid, { color })
        : repaint(grid, { color })
    shown = grid
    if (text === '') return
    if (output.write(BEGIN_FRAME + text + END_FRAME)) return
    // A slow terminal skips frames.
    isBusy = true
    output.once('drain', () => {
      isBusy = false
      if (isWanted) update()
    })
  }

  function heard(chunk: string | Buffer): void {
    clearTimeout(escapeTimer)
    const keys = reader.read(String(chunk))
    if (keys.length > 0) onKeys(keys)
    if (reader.isWaiting()) {
      escapeTimer = setTimeout(() => {
        const rest = reader.settle()
        if (rest.length > 0) onKeys(rest)
      }, ESCAPE_MS)
    }
  }

  function resized(): void {
    shown = undefined
    onResize(size())
    update()
  }

  function enter(): void {
    if (isOpen) return
    isOpen = true
    input.setRawMode(true)
    output.write(ENTER)
    shown = undefined
  }

  // Synchronous, so that it is also done when the process ends at once.
  function leave(): void {
    if (!isOpen) return
    isOpen = false
    clearTimeout(timer)
    clearTimeout(escapeTimer)
    timer = undefined
    try {
      writeSync(output.fd, LEAVE)
      input.setRawMode(false)
    } catch {
      // The terminal is gone.
    }
  }

  function stopped(): void {
    leave()
    process.kill(process.pid, 'SIGSTOP')
  }

  function continued(): void {
    // Another program may have used the terminal in the meantime.
    isOpen = false
    enter()
    resized()
  }

  const listeners: readonly (readonly [string, () => void])[] = [
    ['exit', leave],
    ['uncaughtExceptionMonitor', leave],
    ['SIGTSTP', stopped],
    ['SIGCONT', continued],
  ]
  for (const [name, listener] of listeners) process.on(name, listener)
  output.on('resize', resized)
  input.setEncoding('utf8')
  input.on('data', heard)
  input.on('end', onEnd)
  input.on('error', onEnd)
  enter()

  return {
    get size() {
      return size()
    },
    update,
    refresh() {
      shown = undefined
      update()
    },
    send(sequence) {
      if (isOpen) output.write(sequence)
    },
    suspend() {
      // The shell may take the terminal back as soon as one program has stopped. The modes of a terminal that has another program
      // in the foreground can't be set: the attempt would stop this program once more after `fg`.
      leave()
      // Stops all programs of the pipeline, as the shell expects, and this one at once: a listener would be called later, perhaps
      // after `fg`.
      process.off('SIGTSTP', stopped)
      process.kill(0, 'SIGTSTP')
      clearTimeout(stopTimer)
      stopTimer = setTimeout(() => {
        process.on('SIGTSTP', stopped)
        // Without a shell that could continue this program, the signal has no effect.
        if (!isOpen) continued()
      }, STOP_MS)
    },
    close() {
      leave()
      clearTimeout(stopTimer)
      for (const [name, listener] of listeners) process.off(name, listener)
      output.off('resize', resized)
      input.off('data', heard)
      input.off('end', onEnd)
      input.pause()
    },
  }
}
