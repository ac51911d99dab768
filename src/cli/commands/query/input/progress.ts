import type { OpenInput } from '../../../../input/open.js'
import { counted } from '../../../../text/integer.js'
import type { Context } from '../../../context.js'
import { countingBytes, workloadOf } from '../../../ingest/report/workload.js'
import { shortBytes } from '../../../option/quantity.js'
import { openProgress } from '../../../terminal/progress.js'
import type { Unread } from './unread.js'

export type ReadingProgress = Awaited<ReturnType<typeof openReadingProgress>>

/** Opens the progress line on a terminal for all files that a query reads. */
export async function openReadingProgress(
  files: readonly string[],
  unread: Unread,
  context: Context,
) {
  const progress = openProgress(context)
  const { total } = progress.isShown
    ? await workloadOf(files, context.io.stdin)
    : { total: undefined }
  let bytes = 0
  progress.show(() => 'reading')
  return {
    /** Prints messages above the line. */
    context: {
      ...context,
      info: (text: string) => progress.pause(() => context.info(text)),
      warn: (text: string) => progress.pause(() => context.warn(text)),
    },
    /** Shows the start of an input. Returns the input to read in its place, which counts the bytes. */
    count(opened: OpenInput): OpenInput {
      progress.show(() => {
        // Events are counted once they are stored, many at once.
        const events = unread.events === 0 ? '' : `, ${counted(unread.events, 'event')}`
        return `reading ${opened.name}: ${shareText(bytes, total)}${events}`
      })
      const counting = countingBytes(opened.bytes, (length) => {
        bytes += length
      })
      return { ...opened, bytes: counting }
    },
    close: () => progress.close(),
  }
}

/** Formats how much of the inputs was read; `total` is undefined when their size is not known. */
export function shareText(bytes: number, total: number | undefined): string {
  if (!total) return shortBytes(bytes)
  // Files may have grown, and the rows of a Parquet file are longer than the file.
  return `${Math.min(100, Math.floor((100 * bytes) / total))} %`
}
