import { once } from 'node:events'
import { createWriteStream, fsync } from 'node:fs'
import { rename, stat, truncate } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { Io } from '../../io.js'
import { finishStream, openOutputFile, writeError } from '../../output/file.js'

/** What an export is written to. */
export interface Target {
  /** Takes a piece when the one before has left. */
  write(piece: Uint8Array | string): Promise<void>
  /** Resolves when every piece has left; where a crash must not undo it, when it is on the disk. */
  flush(): Promise<void>
  /** Puts the whole in its place. */
  finish(): Promise<void>
  /** Ends it unfinished, or after `finish` does nothing. */
  close(): Promise<void>
  /** How many bytes there are. */
  readonly bytes: number
}

/** Standard output, or a file that is written whole or not at all. */
export async function openTarget(path: string | undefined, io: Io): Promise<Target> {
  if (path === undefined || path === '-') {
    const pieces = new PieceWriter(io.stdout)
    return pieces.target({ finish: async () => {}, close: async () => {} })
  }
  const file = await openOutputFile(path)
  return new PieceWriter(file.stream).target({ finish: file.finish, close: file.discard })
}

/** Where a file that can be gone on with is until it is whole. */
export function partialPath(path: string): string {
  return `${path}.part`
}

/** How many bytes a file has; undefined where there is none. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size
}

/** A file that is gone on with after so many bytes, and takes its place when it is whole. */
export async function openPart(path: string, bytes: number): Promise<Target> {
  const part = partialPath(path)
  try {
    if (bytes > 0) await truncate(part, bytes)
    const stream = createWriteStream(part, { flags: bytes > 0 ? 'r+' : 'w', start: bytes })
    const [descriptor] = (await once(stream, 'open')) as [number]
    // Whoever writes is told of a failure by the write itself.
    stream.on('error', () => {})
    return new PieceWriter(stream, bytes).target({
      sync: () => promisify(fsync)(descriptor),
      finish: async () => {
        await finishStream(stream)
        await rename(part, path)
      },
      close: async () => void stream.destroy(),
    })
  } catch (error) {
    throw writeError(`\`${part}\``, error)
  }
}

/** Pieces on their way into a stream: one leaves while the next is made. */
class PieceWriter {
  private readonly out: Writable
  private bytes: number
  private leaving: Promise<void> = Promise.resolve()

  constructor(out: Writable, bytes = 0) {
    this.out = out
    this.bytes = bytes
  }

  target(ends: Pick<Target, 'finish' | 'close'> & { readonly sync?: () => Promise<void> }): Target {
    const sizeNow = () => this.bytes
    return {
      write: (piece) => this.write(piece),
      flush: async () => {
        await this.leaving
        await ends.sync?.()
      },
      finish: async () => {
        await this.leaving
        await ends.finish()
      },
      close: ends.close,
      get bytes() {
        return sizeNow()
      },
    }
  }

  private async write(piece: Uint8Array | string): Promise<void> {
    await this.leaving
    this.bytes += Buffer.byteLength(piece)
    this.leaving = new Promise((resolve, reject) => {
      this.out.write(piece, (error) => (error ? reject(error) : resolve()))
    })
    // It is met at the next piece, or at the end.
    this.leaving.catch(() => {})
  }
}
