import { open, stat } from 'node:fs/promises'
import { writeText } from '../../../render/write.js'
import { LINE_FEED } from '../../../text/bytes.js'
import {
  fileDescriptor,
  finishStream,
  openAppendStream,
  withWriteErrors,
} from '../../output/file.js'
import type { Reporter } from '../report/reporter.js'
import { encodeReject, type Reject, rejectsOf, unsendableReject } from './reject.js'

/**
 * Opens the rejects file, one line of JSON for each event that was not stored, for appending: rejects of earlier runs are kept.
 * Throws a `CommandError` when it can't be opened.
 */
export async function openRejectsFile(path: string): Promise<Reporter> {
  const isTorn = await withWriteErrors(path, () => endsWithPartialLine(path))
  const stream = await openAppendStream(path, { mode: 0o600 })
  const append = (lines: Iterable<string>) => withWriteErrors(path, () => writeText(stream, lines))
  if (isTorn) await append(['\n'])
  /** Writes are serialized, since batches end in any order. */
  let writing: Promise<void> = Promise.resolve()

  function write(rejects: Iterable<Reject>): Promise<void> {
    writing = writing.then(() => append(encodedRejects(rejects)))
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
      if (!stream.errored) await finishStream(stream)
    },
  }
}

function* encodedRejects(rejects: Iterable<Reject>): Iterable<string> {
  for (const reject of rejects) yield encodeReject(reject)
}

/** True when the last line of a file is incomplete, after a full disk or a kill. */
async function endsWithPartialLine(path: string): Promise<boolean> {
  if (fileDescriptor(path) !== undefined) return false
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
