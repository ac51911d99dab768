import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../../../../client/connection.js'
import { ApiError } from '../../../../client/error.js'
import { pages } from '../../../../client/pages/pages.js'
import { queryPage } from '../../../../client/query.js'
import { LAST_TIME } from '../../../../wire/event/event-time.js'
import { RESULT_ROWS } from '../../../../wire/limits.js'
import { parseTimestamp } from '../../../../wire/time/timestamp.js'
import { connect } from '../../../connection/connect.js'
import { closeConnection } from '../../../connection/with-connection.js'
import type { Context } from '../../../context.js'
import { CommandError } from '../../../error/command-error.js'
import type { TimeRange } from '../../../option/time-range.js'
import { ResponsePage } from '../../../output/response-page.js'
import { RowSink } from '../../../output/rows.js'
import { openTarget } from '../../../output/target.js'
import { settings } from '../../../settings/settings.js'
import type { Interrupt } from '../../../terminal/interrupt.js'

/** The events of a dataset in a file. */
export interface DatasetCopy {
  readonly dataset: string
  /** The path of an NDJSON file. */
  readonly path: string
  /** All fields of the dataset, including fields that no event in the file has. */
  readonly fields: readonly string[]
}

interface CopyOptions {
  /** The folder of the files. */
  readonly directory: string
  readonly range: TimeRange
  readonly interrupt: Interrupt
}

/**
 * Copies datasets of the data directory to files, because the engine of this process opens one directory at a time, and
 * another process may serve the data directory. Leaves out names of datasets that do not exist. Throws a `CommandError` for
 * datasets of a remote deployment.
 */
export async function copyDatasets(
  datasets: readonly string[],
  { directory, range, interrupt }: CopyOptions,
  context: Context,
): Promise<readonly DatasetCopy[]> {
  const [first] = datasets
  if (first === undefined) return []
  const configured = await settings(context.flags(), context.io.env)
  if (configured.url !== undefined) throw remoteDataset(first, configured.url)
  // Opening a missing directory would create it.
  if (!existsSync(configured.dataDirectory)) return []
  const connection = connect(configured, context)
  try {
    const copies: DatasetCopy[] = []
    for (const [i, dataset] of datasets.entries()) {
      const path = join(directory, `dataset-${i}.ndjson`)
      const { signal } = interrupt
      const fields = await copy(dataset, { connection, path, range, signal }, context)
      if (fields !== undefined) copies.push({ dataset, path, fields })
    }
    return copies
  } finally {
    await closeConnection(connection, interrupt)
  }
}

/** Writes all events within the range to a file. Returns the fields; undefined when the dataset does not exist. */
async function copy(
  dataset: string,
  options: { connection: Connection; path: string; range: TimeRange; signal: AbortSignal },
  context: Context,
): Promise<readonly string[] | undefined> {
  const { connection, path, range, signal } = options
  const { startTime = '', endTime = '' } = range
  const paging = {
    request: { apl: `['${dataset}'] | project-away _sysTime` },
    by: 'any',
    direction: 'asc',
    pageSize: RESULT_ROWS,
    isAdaptive: true,
    shortPages: true,
    start: parseTimestamp(startTime),
    end: parseTimestamp(endTime) ?? LAST_TIME,
  } as const
  const fields = new Set<string>()
  const target = await openTarget(path, context.io)
  const rows = new RowSink({ format: 'ndjson', target }, context)
  try {
    for await (const { page, ranges } of pages({
      paging,
      ask: (request, signal) => queryPage(connection, request, { signal }),
      read: (body) => ResponsePage.read(body),
      signal,
    })) {
      for (const name of page.names) fields.add(name)
      await rows.write(page, ranges)
    }
    await target.finish()
    return [...fields]
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  } finally {
    await target.close()
  }
}

function remoteDataset(dataset: string, url: string): CommandError {
  return new CommandError(
    `\`['${dataset}']\` is a dataset at \`${url}\`, which can't be combined with local files. Export it with \`evq page "['${dataset}']" -O ${dataset}.ndjson\`, and use \`file('${dataset}.ndjson')\` in its place.`,
  )
}
