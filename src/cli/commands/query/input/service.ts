import type { Connection } from '../../../../client/connection.js'
import { ApiError } from '../../../../client/error.js'
import { checkQuery } from '../../../../client/query.js'
import { PLACE_FIELDS } from '../../../../input/mapping/source-fields.js'
import type { FileScan, ScannedGroup } from '../../../../local/file-scan.js'
import type { ScannedFiles } from '../../../../local/temporary-service.js'
import type { AplRequest } from '../../../../wire/http/query.js'
import { connectInProcess } from '../../../connection/in-process.js'
import { type Context, clock } from '../../../context.js'
import { formatInternalError } from '../../../error/internal-error.js'
import type { ReadingFlags } from '../../../ingest/option/reading-flags.js'
import type { InputPlan } from './plan.js'
import { fieldsIn } from './scan.js'

/** The time of arrival, which events of files do not have. */
const ARRIVED_AT = '_sysTime'

export type InputService = Awaited<ReturnType<typeof openInputService>>

interface InputServiceOptions {
  readonly plan: Pick<InputPlan, 'main' | 'files'>
  readonly reading: Pick<ReadingFlags, 'sourceFields'>
  /** An empty directory, except for the files of a scan. */
  readonly directory: string
}

/** Opens a service in this process that holds the events of one query. */
export async function openInputService(
  { plan: { main, files }, reading, directory }: InputServiceOptions,
  context: Context,
) {
  const { openTemporaryService } = await import('../../../../local/temporary-service.js')
  const assumed = new Map<string, readonly string[]>()
  const withStack = context.flags().debug === true
  const service = await openTemporaryService({
    directory,
    now: clock(context.io),
    inputs: {
      main: main?.dataset,
      file: (pattern) => files.get(pattern)?.dataset,
      unsearched: reading.sourceFields ? PLACE_FIELDS : [],
    },
    assumed: (dataset) => assumed.get(dataset) ?? [],
    report: (error, traceId) => context.debug(formatInternalError(error, { traceId, withStack })),
  })
  let scanned: (Pick<FileScan, 'schema' | 'lines'> & { readonly events: ScannedFiles }) | undefined
  let isScanned = false
  let stored:
    | { fields(dataset: string): readonly { readonly name: string }[] | undefined }
    | undefined
  const connection = connectInProcess({
    app: async (request) => {
      if (isScanned && scanned) return await scanned.events.app(request)
      const { app, store } = await service.stored()
      stored = store.schema
      return await app(request)
    },
    name: 'the input',
  })
  const add = (dataset: string, fields: readonly string[]): boolean => {
    const known = assumed.get(dataset) ?? []
    const all = [...new Set([...known, ...fields])]
    assumed.set(dataset, all)
    return all.length > known.length
  }
  return {
    /** Reads the stored events, unless `show` selected scanned ones. Closing it ends the engine. */
    connection: {
      ...connection,
      async close() {
        await connection.close()
        await service.close()
      },
    },
    async show(scan: FileScan, group: ScannedGroup): Promise<void> {
      const { schema, lines } = scan
      if (scanned?.schema !== schema) {
        scanned = { schema, lines, events: service.scanned(scan) }
        // The engine does not know the fields that a scan skips, but queries may name them.
        if (schema.isPartial) add(schema.dataset.name, fieldsIn(lines))
      }
      await scanned.events.show(group)
      isScanned = true
    },
    /** Lets the connection read the stored events again. */
    showStored(): void {
      isScanned = false
    },
    /** Deletes the events of a dataset, which is created if it does not exist. */
    async clear(dataset: string): Promise<void> {
      isScanned = false
      const { store } = await service.stored()
      if (store.schema.fields(dataset) === undefined) await createDataset(connection, dataset)
      await store.clear(dataset)
    },
    /** Returns the number of stored events of a dataset that precede the one with a cursor. */
    async before(dataset: string, cursor: string, signal: AbortSignal): Promise<number> {
      return await (await service.stored()).before(dataset, cursor, signal)
    },
    /** Lets queries use fields of a dataset that no event has yet. */
    assume: add,
    /** Lets queries use all fields that a request names. */
    async assumeFieldsOf(request: AplRequest, dataset: string): Promise<void> {
      while (add(dataset, await unknownFields(connection, request))) {
        // One response may not list all unknown fields.
      }
    },
    /** Makes fields that no event has unknown again. */
    forget(dataset: string): void {
      const { schema, lines = [] } = scanned ?? {}
      const known = [schema?.dataset.fields, stored?.fields(dataset)].flat()
      const names = known.flatMap((field) => field?.name ?? [])
      const skipped = schema?.isPartial ? fieldsIn(lines) : []
      assumed.set(dataset, [...names.filter((name) => name !== ARRIVED_AT), ...skipped])
    },
  }
}

/** Creates a dataset by storing an empty event. */
async function createDataset(connection: Connection, dataset: string): Promise<void> {
  await connection.send({
    method: 'POST',
    path: `/v1/ingest/${dataset}`,
    headers: { 'content-type': 'application/x-ndjson' },
    body: '{}\n',
    purpose: 'ingest',
  })
}

/** Returns the names of fields that a query uses and that do not exist. */
async function unknownFields(
  connection: Connection,
  request: AplRequest,
): Promise<readonly string[]> {
  try {
    await checkQuery(connection, request, { signal: new AbortController().signal })
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { unknownField } = await import('../../../../apl/language.js')
    const names = (error.problems ?? []).flatMap((one) => unknownField(request.apl, one) ?? [])
    return names.filter((name) => name !== ARRIVED_AT)
  }
}
