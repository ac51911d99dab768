import { type FileHandle, open } from 'node:fs/promises'
import type { Unsendable } from '../../input/batch.js'
import { CommandError } from '../command-error.js'
import { systemWords } from '../system-words.js'
import type { Account, Outcome } from './account.js'
import { encodeReject, type Reject, rejectsOf, unsendableReject } from './reject.js'

/** So much is gathered before it is written. */
const PIECE_LENGTH = 256 * 1024

/** The account of the events that were not stored: each as it was, a line of JSON. */
export class RejectsFile implements Account {
  private readonly path: string
  private readonly file: FileHandle
  /** Batches end in any order, and are written one after the other. */
  private writing: Promise<void> = Promise.resolve()

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.file = file
  }

  /** Adds to what an earlier run has left there: those events are not stored either. */
  static async open(path: string): Promise<RejectsFile> {
    try {
      return new RejectsFile(path, await open(path, 'a'))
    } catch (error) {
      throw unwritable(path, error)
    }
  }

  settled(outcome: Outcome): Promise<void> {
    const { rejected, unsent, unconfirmed } = outcome
    if (rejected.length + unsent.length + unconfirmed.length === 0) return Promise.resolve()
    return this.write(rejectsOf(outcome))
  }

  unsendable(event: Unsendable): Promise<void> {
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
        if (piece.length < PIECE_LENGTH) continue
        await this.file.appendFile(piece)
        piece = ''
      }
      await this.file.appendFile(piece)
    } catch (error) {
      throw unwritable(this.path, error)
    }
  }
}

function unwritable(path: string, error: unknown): unknown {
  const words = systemWords(error)
  return words === undefined ? error : new CommandError(`\`${path}\` can't be written: ${words}.`)
}
