import { isParquet } from '../../../../input/parquet.js'
import { isRegularFile } from '../../../../text/regular-file.js'

/** The number of files that are opened while one is read: other threads decompress them. */
const MOST_AHEAD = 4

interface OpenedFile<Opened> {
  readonly opening: Promise<Opened>
}

/**
 * Yields the results of opening files, in their order. Regular files are opened ahead: a pipe would wait for its writer, and Parquet
 * needs an engine for each file. `close` closes the files that the caller does not take.
 */
export async function* openedAhead<Opened>(
  files: AsyncIterable<string> | Iterable<string>,
  open: (file: string) => Promise<Opened>,
  close?: (opened: Opened) => Promise<void>,
): AsyncGenerator<OpenedFile<Opened>> {
  const ahead: OpenedFile<Opened>[] = []
  try {
    for await (const file of files) {
      const isAhead = isRegularFile(file) && !isParquet(file)
      while (ahead.length > (isAhead ? MOST_AHEAD : 0)) yield ahead.shift()!
      const opening = open(file)
      // A failure is reported in its turn.
      opening.catch(() => {})
      ahead.push({ opening })
      if (!isAhead) yield ahead.shift()!
    }
    while (ahead.length > 0) yield ahead.shift()!
  } finally {
    for (const { opening } of ahead) await opening.then(close).catch(() => {})
  }
}
