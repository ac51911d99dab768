import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { terminalText } from '../../render/terminal-text.js'
import { writeText } from '../../render/write.js'
import { isOfClosedPipe } from '../../text/system-error.js'
import type { Io, Pager } from '../context.js'

/** The exit codes of a shell that can't run a program. */
const NOT_RUN: readonly number[] = [126, 127]

/** The default pager. Its options keep the text on the screen, pass colors, and end it at once when the text fits. */
const DEFAULT_PAGER = 'less -FRX'

interface PagedOptions {
  readonly io: Io
  /** Returns the text. Called again when the pager can't be run. */
  readonly pieces: () => Promise<Iterable<string>>
  /** When aborted, the pager is not started. */
  readonly signal?: AbortSignal | undefined
}

/** Writes a text to standard output, through a pager when it is longer than the screen and a pager is available. */
export async function writePaged({ io, pieces, signal }: PagedOptions): Promise<void> {
  const { stdout, openPager } = io
  const command = await pagerCommand(io.env)
  const text = await pieces()
  if (command === undefined || openPager === undefined || stdout.rows === undefined) {
    return await writeText(stdout, text)
  }
  const iterator = text[Symbol.iterator]()
  const first = firstScreen(iterator, stdout.rows)
  if (!first.isFull) return await writeText(stdout, first.pieces)
  if (signal?.aborted) return
  const pager = await openPager(command)
  await writeToPager(pager, rest(first.pieces, iterator))
  if (NOT_RUN.includes(await pager.ended)) await writeText(stdout, await pieces())
}

/** Returns the configured pager, or the default pager if it is installed; undefined when there is no pager. */
async function pagerCommand(env: Io['env']): Promise<string | undefined> {
  if (env.TERM === 'dumb') return undefined
  const command = env.PAGER?.trim()
  if (command !== undefined) return command === '' || command === 'cat' ? undefined : command
  for (const directory of (env.PATH ?? '').split(delimiter)) {
    try {
      await access(join(directory, 'less'), constants.X_OK)
      return DEFAULT_PAGER
    } catch {
      // The next directory may have it.
    }
  }
  return undefined
}

/** Takes pieces until they fill the screen, whose last line is for the prompt. */
function firstScreen(
  iterator: Iterator<string>,
  rows: number,
): { readonly pieces: readonly string[]; readonly isFull: boolean } {
  const pieces: string[] = []
  let lines = 0
  for (;;) {
    const { value, done } = iterator.next()
    if (done) return { pieces, isFull: false }
    pieces.push(value)
    lines += value.split('\n').length - 1
    if (lines >= rows) return { pieces, isFull: true }
  }
}

function* rest(first: readonly string[], iterator: Iterator<string>): Iterable<string> {
  yield* first
  for (let next = iterator.next(); !next.done; next = iterator.next()) yield next.value
}

/** Writes to the pager, with text that is safe for a terminal. A pager that the user closes early is not a failure. */
async function writeToPager({ input }: Pager, pieces: Iterable<string>): Promise<void> {
  input.on('error', () => {})
  try {
    await writeText(input, safe(pieces))
  } catch (error) {
    if (!isOfClosedPipe(error)) throw error
  }
  input.end()
}

function* safe(pieces: Iterable<string>): Iterable<string> {
  for (const piece of pieces) yield terminalText(piece)
}
