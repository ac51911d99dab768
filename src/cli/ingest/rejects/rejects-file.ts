import { appendFile } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { textChunks } from '../../../render/write.js'
import { LINE_FEED } from '../../../text/bytes.js'
import { fileDescriptor, openedUntilSignal, withWriteErrors } from '../../output/file.js'
import type { Reporter } from '../report/reporter.js'
import { encodeReject, type Reject, rejectsOf, unsendableReject } from './reject.js'

type AppendTarget = Pick<FileHandle, 'close'> & { appendFile(text: string): Promise<void> }

/**
 * Opens the rejects file, one line of JSON for each event that was not stored, for appending: rejects of earlier runs are kept.
 * Throws a `CommandError` when it can't be opened.
 */
export async function openRejectsFile(path: string): Promise<Reporter> {
  const file = await withWriteErrors(path, () => openForAppending(path))
  /** Writes are serialized, since batches end in any order. */
  let writing: Promise<void> = Promise.resolve()

  async function writeAll(rejects: Iterable<Reject>): Promise<void> {
    for (const piece of textChunks(encodedRejects(rejects))) await file.appendFile(piece)
  }

  function write(rejects: Iterable<Reject>): Promise<void> {
    writing = writing.then(() => withWriteErrors(path, () => writeAll(rejects)))
    return writing
  }

  return {
    async settled(outcome) {
      const { rejected, unsent, unconfirmed } = outcome
      if (rejected.length + unsent.length + unconfirmed.length > 0) await write(rejectsOf(outcome))
    },
    unsendable: (event) => write([unsendableReject(event)]),
    async close() {
      await writing.catch(() => {})
      await file.close()
    },
  }
}

function* encodedRejects(rejects: Iterable<Reject>): Iterable<string> {
  for (const reject of rejects) yield encodeReject(reject)
}

async function openForAppending(path: string): Promise<AppendTarget> {
  const descriptor = fileDescriptor(path)
  if (descriptor !== undefined) return descriptorTarget(descriptor)
  const isTorn = await endsWithPartialLine(path)
  const file = await openedUntilSignal(path, open(path, 'a', 0o600))
  if (isTorn) await file.appendFile('\n')
  return file
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
