import { once } from 'node:events'
import { constants, fsync } from 'node:fs'
import { rename, rm, stat, truncate } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { RowColumns } from '../../local/parquet.js'
import { writeChunk } from '../../render/write.js'
import { linkTarget } from '../../text/replace-file.js'
import type { Io, Output } from '../context.js'
import { fileStream, finishStream, keepMode, openOutputFile, withWriteErrors } from './file.js'
import { isOutputFile } from './flags.js'

export interface Target {
  readonly out: Output
  /** Writes a piece. Resolves when the previous piece was written. */
  write(piece: Uint8Array | string): Promise<void>
  /** Returns a copy of a piece for `write`. The second call after it may overwrite the copy. */
  copy(piece: Uint8Array): Uint8Array
  /** Resolves when every piece was written; for a resumable file, when it is on disk. */
  flush(): Promise<void>
  /** Writes rows of a binary format. */
  addRows?(rows: RowColumns): Promise<void>
  /** Completes the output and moves a file into place. */
  finish(signal?: AbortSignal): Promise<void>
  /** Discards unfinished output; does nothing after `finish`. */
  close(): Promise<void>
  /** The number of bytes written. */
  readonly bytes: number
}

/** Opens standard output, or a file that appears only when it is complete. */
export async function openTarget(path: string | undefined, io: Io): Promise<Target> {
  if (!isOutputFile(path)) {
    const { stdout } = io
    // A reader inside the process may keep the pieces, so each piece is copied to a new buffer, which takes up to a sixth longer.
    const copy = stdout.fd === undefined ? Buffer.from : alternatingCopy()
    return targetOf(stdout, { finish: async () => {}, close: async () => {}, copy })
  }
  const file = await openOutputFile(path)
  const { stream, finish, discard } = file
  return targetOf(stream, { finish, close: discard, copy: alternatingCopy() })
}

/** Returns the path of a resumable file until it is complete, next to the target of a link. */
export function partialPath(path: string): string {
  return `${linkTarget(path)}.part`
}

/** Returns the size of a file in bytes; `undefined` when it does not exist. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

/** Opens a resumable file and truncates it to `bytes`; it is moved into place when complete. */
export function openPart(path: string, bytes: number): Promise<Target> {
  const part = partialPath(path)
  return withWriteErrors(part, async () => {
    if (bytes > 0) await truncate(part, bytes)
    const stream = fileStream(part, { flags: bytes > 0 ? 'r+' : 'w', start: bytes })
    const [descriptor] = (await once(stream, 'open')) as [number]
    // A run that resumes opens it for writing again.
    await keepMode(part, path, constants.S_IWUSR)
    // Errors are reported by the write itself.
    stream.on('error', () => {})
    let isFinished = false
    const target = targetOf(
      stream,
      {
        copy: alternatingCopy(),
        sync: () => promisify(fsync)(descriptor),
        finish: async () => {
          await finishStream(stream)
          await keepMode(part, path)
          await rename(part, linkTarget(path))
          isFinished = true
        },
        close: async () => {
          stream.destroy()
          // An export without rows, such as one of a refused query, has nothing to resume.
          if (!isFinished && target.bytes === 0) await rm(part, { force: true })
        },
      },
      bytes,
    )
    return target
  })
}

interface TargetEnds extends Pick<Target, 'copy' | 'finish' | 'close'> {
  /** Resolves when the file is on disk. */
  readonly sync?: () => Promise<void>
}

/** Returns a target that writes to a stream: one piece is written while the next is rendered. */
function targetOf(out: Writable, { copy, sync, finish, close }: TargetEnds, written = 0): Target {
  let bytes = written
  let leaving: Promise<void> = Promise.resolve()
  return {
    out,
    copy,
    close,
    async write(piece) {
      await leaving
      bytes += Buffer.byteLength(piece)
      leaving = writeChunk(out, piece)
      // A failure is thrown at the next piece, or at the end.
      leaving.catch(() => {})
    },
    async flush() {
      await leaving
      await sync?.()
    },
    async finish() {
      await leaving
      await finish()
    },
    get bytes() {
      return bytes
    },
  }
}

const MEBIBYTE = 1024 * 1024

/** Returns a function that copies into two buffers in turn: one is filled while the other is written. */
function alternatingCopy(): Target['copy'] {
  let [next, other] = [Buffer.alloc(0), Buffer.alloc(0)]
  return (piece) => {
    if (next.length < piece.length) {
      next = Buffer.allocUnsafeSlow(Math.ceil(piece.length / MEBIBYTE) * MEBIBYTE)
    }
    const filled = next
    filled.set(piece)
    next = other
    other = filled
    return filled.subarray(0, piece.length)
  }
}
