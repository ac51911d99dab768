import { appendFile } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { UnsendableEvent } from '../../../input/batch.js'
import { LINE_FEED } from '../../../text/bytes.js'
import { writeError } from '../../output/file.js'
import { fileDescriptor } from '../../output/file-descriptor.js'
import type { Reporter } from '../report/reporter.js'
import type { BatchOutcome } from '../send/outcome.js'
import { encodeReject, type Reject, rejectsOf, unsendableReject } from './reject.js'

/** The number of characters per write. */
const WRITE_LENGTH = 256 * 1024

/** A file that is appended to. */
type AppendTarget = Pick<FileHandle, 'close'> & { appendFile(text: string): Promise<void> }

/** Writes the rejects file: one line of JSON for each event that was not stored. */
export class RejectsFile implements Reporter {
  private readonly path: string
  private readonly file: AppendTarget
  /** Writes are serialized, since batches end in any order. */
  private writing: Promise<void> = Promise.resolve()

  private constructor(path: string, file: AppendTarget) {
    this.path = path
    this.file = file
  }

  /** Opens the file for appending, so that rejects of earlier runs are kept. Throws a `CommandError` when it can't be opened. */
  static async open(path: string): Promise<RejectsFile> {
    try {
      const descriptor = fileDescriptor(path)
      if (descriptor !== undefined) return new RejectsFile(path, descriptorTarget(descriptor))
      const isTorn = await endsWithPartialLine(path)
      const file = await open(path, 'a', 0o600)
      if (isTorn) await file.appendFile('\n')
      return new RejectsFile(path, file)
    } catch (error) {
      throw writeError(`\`${path}\``, error)
    }
  }

  settled(outcome: BatchOutcome): Promise<void> {
    const { rejected, unsent, unconfirmed } = outcome
    if (rejected.length + unsent.length + unconfirmed.length === 0) return Promise.resolve()
    return this.write(rejectsOf(outcome))
  }

  unsendable(event: UnsendableEvent): Promise<void> {
    return this.write([unsendableReject(event)])
  }

  async close(): Promise<void> {
    await this.writing.catch(() => {})
    await this.file.close()
  }

  private write(rejects: Iterable<Reject>): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll(rejects))
    return this.writing
  }

  private async writeAll(rejects: Iterable<Reject>): Promise<void> {
    try {
      let piece = ''
      for (const reject of rejects) {
        piece += encodeReject(reject)
        if (piece.length < WRITE_LENGTH) continue
        await this.file.appendFile(piece)
        piece = ''
      }
      await this.file.appendFile(piece)
    } catch (error) {
      throw writeError(`\`${this.path}\``, error)
    }
  }
}

/** True when the last line of a file is incomplete, after a full disk or a kill. */
async function endsWithPartialLine(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || found.size === 0) return false
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, found.size - 1)
    return buffer[0] !== LINE_FEED
  } finally {
    await file.close()
  }
}

/** Returns a target for a file descriptor that the shell opened, which stays open. */
function descriptorTarget(descriptor: number): AppendTarget {
  const append = promisify(appendFile)
  return { appendFile: (text) => append(descriptor, text), close: async () => {} }
}
