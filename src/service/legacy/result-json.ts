import { NO_VALUES } from '../../engine/response.js'
import { CURSOR_COLUMNS } from '../../sql/cursor.js'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import type { QueryStatus } from '../../wire/http/tabular-result.js'
import { exactJsonText } from '../../wire/json/exact-json.js'
import { elements, type JsonText } from '../../wire/json/json-text.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { Cells } from '../query/cells.js'
import { pageCursors } from '../query/page-cursors.js'
import { truncationMessages } from '../query/row-limit.js'
import { fieldsMetaMap, type Page, queryColumns, status } from '../query/tabular.js'

const FIRST_BYTES = 1 << 16

interface LegacyResult {
  /** The page that the status describes. */
  readonly page: Page
  /** The page of the series, which a limit may have truncated, too. */
  readonly secondPage?: Page
  /** Undefined for a response whose rows are events. */
  readonly groups?: LegacyGroups
  readonly request: object
}

/** The groups as JSON: `series` per interval, `totals` for the whole time range. */
export interface LegacyGroups {
  readonly series?: JsonText
  readonly totals?: JsonText
}

export function legacyResultJson(result: LegacyResult): Buffer {
  const { page, groups } = result
  const { series = '[]', totals = '[]' } = groups ?? {}
  const [datasets, fields] = [page.datasets, fieldsMetaMap(page)].map((one) => JSON.stringify(one))
  const out = new ByteWriter(FIRST_BYTES)
  out.addText(`{"status":${JSON.stringify(statusOf(result))},"matches":`)
  if (groups === undefined) addMatches(page, out)
  else out.addText('[]')
  out.addText(`,"buckets":{"series":${series},"totals":${totals}}`)
  out.addText(`,"request":${exactJsonText(result.request)}`)
  out.addText(`,"datasetNames":${datasets},"fieldsMetaMap":${fields}}`)
  return out.written
}

function statusOf({ page, secondPage }: LegacyResult): QueryStatus {
  const own = status(page, pageCursors(page))
  if (!secondPage?.isCut) return own
  return { ...own, messages: [...(own.messages ?? []), ...truncationMessages(secondPage.limit)] }
}

/** The members of a match in addition to `data`. */
const HEAD_MEMBERS = ['_time', '_sysTime', '_rowId'] as const

const COMMA = Buffer.from(',')
const END = Buffer.from('}}')

/**
 * Renders `matches` as JSON: each row with its times, its id and, as `data`, its other fields by their flat names. Fields without a
 * value are omitted.
 */
function addMatches(page: Page, out: ByteWriter): void {
  const columns = new Map(
    queryColumns(page).map(({ field, pieces }) => [field.name, Buffer.concat(pieces)]),
  )
  const heads = {
    _time: columns.get('_time') ?? eventTimes(page),
    _sysTime: columns.get('_sysTime'),
    _rowId: rowIds(page),
  }
  const ends = HEAD_MEMBERS.map((name, i) =>
    member(`${i === 0 ? '{' : ','}"${name}":`, heads[name]),
  )
  const fields = [...columns]
    .filter(([name]) => name !== '_time' && name !== '_sysTime')
    .map(([name, bytes]) => member(`${JSON.stringify(name)}:`, bytes))
  // Twice the size of the values, since names are often as long as values.
  out.reserve([...columns.values()].reduce((sum, { length }) => sum + 2 * length, 0))
  out.addLatin1('[')
  for (let row = 0; row < page.rows; row += 1) {
    if (row > 0) out.addBytes(COMMA)
    for (const { key, cells } of ends) {
      cells.next()
      out.addBytes(key)
      cells.addTo(out)
    }
    addData(fields, out)
  }
  out.addLatin1(']')
}

const DATA = Buffer.from(',"data":{')

function addData(fields: readonly Member[], out: ByteWriter): void {
  out.addBytes(DATA)
  let isFirst = true
  for (const { key, cells } of fields) {
    cells.next()
    if (cells.isNull) continue
    if (!isFirst) out.addBytes(COMMA)
    isFirst = false
    out.addBytes(key)
    cells.addTo(out)
  }
  out.addBytes(END)
}

/** A name that is serialized once for all rows. */
interface Member {
  /** The bytes of the name, with its colon. */
  readonly key: Uint8Array
  readonly cells: Cells
}

function member(key: string, values: Buffer = NO_VALUES): Member {
  return { key: Buffer.from(key), cells: new Cells(values) }
}

/** Returns the ids of the rows: the cursors of events; undefined when the rows are not events. */
function rowIds(page: Page): Buffer | undefined {
  return pageCursors({ ...page, paging: { ...page.paging, hasField: true } }).column
}

/** Returns the times of the events, also when the query does not select `_time`; undefined when the rows are not events. */
function eventTimes({ result }: Page): Buffer | undefined {
  const times = result.columns.get(CURSOR_COLUMNS.time)
  if (times === undefined) return undefined
  const texts = elements(times).map((time) => JSON.stringify(formatTimestamp(BigInt(time))))
  return Buffer.from(`[${texts.join(',')}]`)
}
