import { appendFile } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { UnsendableEvent } from '../../../../input/batch.js'
import { writeError } from '../../../output/file.js'
import { fileDescriptor } from '../../../output/file-descriptor.js'
import type { Reporter } from '../report/reporter.js'
import type { BatchOutcome } from '../send/outcome.js'
import { encodeReject, type Reject, rejectsOf, unsendableReject } from './reject.js'

/** So much is gathered before it is written. */
const WRITE_LENGTH = 256 * 1024

const NEWLINE = 0x0a

/** What is written at its end. */
type AppendTarget = Pick<FileHandle, 'close'> & { appendFile(text: string): Promise<void> }

/** The account of the events that were not stored: each as it was, a line of JSON. */
export class RejectsFile implements Reporter {
  private readonly path: string
  private readonly file: AppendTarget
  /** Batches end in any order, and are written one after the other. */
  private writing: Promise<void> = Promise.resolve()

  private constructor(path: string, file: AppendTarget) {
    this.path = path
    this.file = file
  }

  /** Adds to what an earlier run has left there: those events are not stored either. */
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

/** Whether the last line of a file has no end: a full disk or a kill can cut a record off. */
async function endsWithPartialLine(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || found.size === 0) return false
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, found.size - 1)
    return buffer[0] !== NEWLINE
  } finally {
    await file.close()
  }
}

/** A file that the shell has opened, and goes on with. */
function descriptorTarget(descriptor: number): AppendTarget {
  const append = promisify(appendFile)
  return { appendFile: (text) => append(descriptor, text), close: async () => {} }
}
