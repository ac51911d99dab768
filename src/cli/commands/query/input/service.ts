import type { Connection } from '../../../../client/connection.js'
import { ApiError } from '../../../../client/error.js'
import { checkQuery } from '../../../../client/query.js'
import { PLACE_FIELDS } from '../../../../input/mapping/source-fields.js'
import type { FileScan, ScannedGroup } from '../../../../local/file-scan.js'
import type { ScannedFiles, TemporaryService } from '../../../../local/temporary-service.js'
import type { App } from '../../../../service/http.js'
import type { AplRequest } from '../../../../wire/http/query.js'
import { connectInProcess } from '../../../connection/in-process.js'
import { type Context, clock } from '../../../context.js'
import { formatInternalError } from '../../../error/internal-error.js'
import type { ReadingFlags } from '../../../ingest/option/reading-flags.js'
import type { InputPlan } from './plan.js'
import { fieldsIn } from './scan.js'

/** The time of arrival, which events of files do not have. */
const ARRIVED_AT = '_sysTime'

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
): Promise<InputService> {
  const { openTemporaryService } = await import('../../../../local/temporary-service.js')
  const assumed: AssumedFields = new Map()
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
  return new InputService(service, assumed)
}

/** The fields that queries can use although no event has them yet, by dataset. */
type AssumedFields = Map<string, readonly string[]>

/** The events of a scan that queries read, in place of stored events. */
interface Scanned extends Pick<FileScan, 'schema' | 'lines'> {
  readonly events: ScannedFiles
}

export class InputService {
  /** Reads the stored events, unless `show` selected scanned ones. Closing it ends the engine. */
  readonly connection: Connection
  private readonly service: TemporaryService
  private readonly assumed: AssumedFields
  private scanned: Scanned | undefined
  private isScanned = false
  private stored: Awaited<ReturnType<TemporaryService['stored']>> | undefined

  constructor(service: TemporaryService, assumed: AssumedFields) {
    this.service = service
    this.assumed = assumed
    const app: App = async (request) => {
      if (this.isScanned && this.scanned) return await this.scanned.events.app(request)
      this.stored = await service.stored()
      return await this.stored.app(request)
    }
    const connection = connectInProcess({ app, name: 'the input' })
    const close = async () => {
      await connection.close()
      await service.close()
    }
    this.connection = { ...connection, close }
  }

  async show(scan: FileScan, group: ScannedGroup): Promise<void> {
    const { schema, lines } = scan
    if (this.scanned?.schema !== schema) {
      this.scanned = { schema, lines, events: this.service.scanned(scan) }
      // The engine does not know the fields that a scan skips, but queries may name them.
      if (schema.isPartial) this.assume(schema.dataset.name, fieldsIn(lines))
    }
    await this.scanned.events.show(group)
    this.isScanned = true
  }

  /** Lets the connection read the stored events of a dataset again, which is created if it does not exist. */
  async showStored(dataset: string): Promise<void> {
    this.isScanned = false
    await (await this.service.stored()).store.create(dataset)
  }

  /** Deletes the events of a dataset, which is created if it does not exist. */
  async clear(dataset: string): Promise<void> {
    this.isScanned = false
    const { store } = await this.service.stored()
    if (!(await store.create(dataset))) await store.clear(dataset)
  }

  /** Returns the number of stored events of a dataset that precede the one with a cursor. */
  async before(dataset: string, cursor: string, signal: AbortSignal): Promise<number> {
    return await (await this.service.stored()).before(dataset, cursor, signal)
  }

  /** Lets queries use fields of a dataset that no event has yet. Returns false if all of them are known. */
  assume(dataset: string, fields: readonly string[]): boolean {
    const known = this.assumed.get(dataset) ?? []
    const all = [...new Set([...known, ...fields])]
    this.assumed.set(dataset, all)
    return all.length > known.length
  }

  /** Lets queries use all fields that a request names. */
  async assumeFieldsOf(request: AplRequest, dataset: string): Promise<void> {
    while (this.assume(dataset, await unknownFields(this.connection, request))) {
      // One response may not list all unknown fields.
    }
  }

  /** Makes fields that no event has unknown again. */
  forget(dataset: string): void {
    const { schema, lines = [] } = this.scanned ?? {}
    const known = [schema?.dataset.fields, this.stored?.store.schema.fields(dataset)].flat()
    const names = known.flatMap((field) => field?.name ?? [])
    const skipped = schema?.isPartial ? fieldsIn(lines) : []
    this.assumed.set(dataset, [...names.filter((name) => name !== ARRIVED_AT), ...skipped])
  }
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
