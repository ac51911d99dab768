import { tmpdir } from 'node:os'
import type { Connection } from '../../../../client/connection.js'
import { ApiError } from '../../../../client/error.js'
import { REQUEST_RETRY } from '../../../../client/limits.js'
import type { Batch, InputItem } from '../../../../input/batch.js'
import { fileSizeLimit } from '../../../../text/resource-limits.js'
import { HEADER } from '../../../../wire/http/header.js'
import { CommandError } from '../../../error/command-error.js'
import { parametersOf } from '../../../ingest/option/event-time.js'
import { combineReporters, type Reporter } from '../../../ingest/report/reporter.js'
import { IngestSender } from '../../../ingest/send/sender.js'
import { type InputReaderOptions, readFiles } from './read.js'
import type { Unread } from './unread.js'

/** Larger batches cost less per event. Two of them are in memory: one is stored while the next one is read. */
const LIMITS = { bytes: 16 * 1024 * 1024, maxEvents: 100_000, flushMs: 1_000 }

export interface Loading
  extends Pick<InputReaderOptions, 'reading' | 'context' | 'signal' | 'threads' | 'selectsTime'> {
  readonly unread: Unread
  /** The service that stores the events. */
  readonly connection: Connection
}

/** Stores the events of files in a dataset, in the order of the files. */
export async function loadFiles(
  dataset: string,
  files: readonly string[],
  options: Loading & Pick<InputReaderOptions, 'progress'>,
): Promise<void> {
  await storeItems(dataset, readFiles(files, { ...options, limits: LIMITS }), options)
}

interface Storing extends Omit<Loading, 'context' | 'unread'> {
  readonly unread: Reporter & Pick<Unread, 'unsendable'>
  /** Returns the id of a batch that may be removed later. */
  readonly removableId?: (batch: Batch) => string | undefined
}

/** Stores batches in a dataset one after the other. Throws the error that prevents storing further events. */
export async function storeItems(
  dataset: string,
  items: AsyncIterable<InputItem> | Iterable<InputItem>,
  { connection, reading, unread, signal, removableId }: Storing,
): Promise<void> {
  let batches = 0
  const removable = new Set<string>()
  const sender = new IngestSender({
    connection: withBatchIds(connection, removable),
    dataset,
    parameters: parametersOf(reading),
    // A second batch in flight could be stored before the first one.
    most: { batches: 1, bytes: 0 },
    retry: REQUEST_RETRY,
    interrupt: signal,
    deadline: signal,
    batchId(batch) {
      const id = removableId?.(batch)
      if (id !== undefined) removable.add(id)
      return id ?? `${++batches}`
    },
    reporter: combineReporters([unread]),
  })
  try {
    for await (const item of items) {
      if (item.kind === 'batch') await sender.send(item)
      else if (item.kind === 'unsendable') await unread.unsendable(item)
      if (sender.failure !== undefined) break
    }
  } finally {
    await sender.settled()
  }
  const failure = sender.failure
  if (failure !== undefined && !signal.aborted) throw storageError(failure)
}

/** The status of responses when the disk is full. */
const DISK_FULL = 507

/** Returns the error to report. The service's message about a full disk is about events that can be sent again. */
function storageError(error: Error): Error {
  if (!(error instanceof ApiError) || error.status !== DISK_FULL) return error
  const limit = fileSizeLimit()
  // The service runs in this process, whose limit on files the message names: the disk is not full.
  if (limit !== '' && error.message.includes(limit)) return error
  return new CommandError(
    `The events do not fit on the disk of \`${tmpdir()}\`, of which 64 MiB are left free. Free some space, or set \`TMPDIR\` to a directory on another disk.`,
  )
}

/** Sends only the given batch ids: batches are not sent twice, and looking for their ids costs the service time. */
function withBatchIds(connection: Connection, ids: ReadonlySet<string>): Connection {
  return {
    ...connection,
    async send(request) {
      const { [HEADER.batchId]: id, ...headers } = request.headers ?? {}
      if (id !== undefined && ids.has(id)) return await connection.send(request)
      return await connection.send({ ...request, headers })
    },
  }
}
