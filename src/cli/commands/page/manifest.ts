import type { Progress } from '../../../client/pages/pages.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { openOutputFile } from '../../output/file.js'
import type { Saved } from './checkpoint.js'

/** What an export was, and what became of it. */
export interface Manifest {
  readonly apl: string
  readonly range: Saved['range']
  readonly progress: Progress
  readonly isComplete: boolean
}

/** Writes the account of an export, for whoever has to prove that a file is whole. */
export async function writeManifest(
  path: string,
  { apl, range, progress, isComplete }: Manifest,
): Promise<void> {
  const { rows, matched, repeated, pages } = progress
  const text = JSON.stringify(
    {
      query: apl,
      from: range.start === undefined ? null : formatTimestamp(range.start),
      to: formatTimestamp(range.end),
      rowsWritten: rows,
      rowsMatched: matched ?? null,
      duplicatesDropped: repeated,
      pages,
      complete: isComplete,
    },
    null,
    2,
  )
  const file = await openOutputFile(path, { mode: 0o600 })
  try {
    file.stream.write(`${text}\n`)
    await file.finish()
  } finally {
    await file.discard()
  }
}
