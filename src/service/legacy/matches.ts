import { CURSOR_COLUMNS } from '../../sql/cursor.js'
import type { JsonText } from '../../wire/query.js'
import { formatTimestamp } from '../../wire/timestamp.js'
import { pageCursors } from '../page-cursors.js'
import type { Page } from '../tabular.js'
import { cellsOf } from './rows.js'
import { elements } from './shape.js'

/** The members of a match that stand beside its `data`. */
const BESIDE = ['_time', '_sysTime', '_rowId'] as const

/**
 * The JSON text of `matches`: a row with its times, its identity and, as `data`, its other fields by
 * their flat names. A field that an event does not have is not there.
 */
export function matchesText(page: Page): JsonText {
  const cells = cellsOf(page)
  const beside = {
    ...rowIds(page),
    _time: cells.get('_time') ?? eventTimes(page),
    _sysTime: cells.get('_sysTime'),
  }
  const ends = BESIDE.map((name) => member(name, beside[name] ?? []))
  const fields = [...cells]
    .filter(([name]) => name !== '_time' && name !== '_sysTime')
    .map(([name, values]) => member(name, values))
  const matches: JsonText[] = []
  for (let row = 0; row < page.rows; row += 1) {
    let data = ''
    for (const { key, values } of fields) {
      const value = values[row]
      if (value === undefined || value === 'null') continue
      data += data === '' ? key + value : `,${key}${value}`
    }
    const outer = ends.map(({ key, values }) => key + (values[row] ?? 'null'))
    matches.push(`{${outer.join(',')},"data":{${data}}}`)
  }
  return `[${matches.join(',')}]`
}

/** A name is written once for all rows: a page has many. */
interface Member {
  /** The JSON text of the name, with its colon. */
  readonly key: string
  readonly values: readonly JsonText[]
}

function member(name: string, values: readonly JsonText[]): Member {
  return { key: `${JSON.stringify(name)}:`, values }
}

/** Rows that are events have the cursor as their identity; others have none. */
function rowIds(page: Page): { readonly _rowId?: readonly JsonText[] } {
  const { column } = pageCursors({ ...page, paging: { ...page.paging, hasField: true } })
  return column === undefined ? {} : { _rowId: elements(column) }
}

/** A query that does not show the time of its events still has it beside each. */
function eventTimes({ result }: Page): readonly JsonText[] | undefined {
  const times = result.columns.get(CURSOR_COLUMNS.time)
  if (times === undefined) return undefined
  return elements(times).map((time) => JSON.stringify(formatTimestamp(BigInt(time))))
}
