import { addTo } from '../../text/lists.js'
import { elements, JsonReader, type JsonText } from '../../wire/json/json-text.js'
import { formatTimestamp, parseTimestamp } from '../../wire/time/timestamp.js'
import type { CellsByName, Groups } from '../query/groups.js'

/** The roles of the columns of an aggregated result. */
export interface Roles {
  readonly keys: readonly string[]
  readonly aggregations: readonly AggregationRole[]
}

/** A column with the values of an aggregation, and its rendering. */
export interface AggregationRole {
  readonly column: string
  readonly label: string
  readonly shape?: (value: JsonText) => JsonText
}

/** The JSON of `totals`; the `id` of a group is its index. */
export function totalsText({ cells, names }: Groups, roles: Roles): JsonText {
  const textOf = groupWriter(cells, roles)
  const texts = names.map((_, row) => textOf({ id: row, row }))
  return `[${texts.join(',')}]`
}

/** The time column of a series and the length of its intervals, in nanoseconds. */
interface Intervals {
  readonly column: string
  readonly size: bigint
  readonly isNewestFirst: boolean
}

/** The JSON of `series`: for each interval, its groups that are among the totals, in the order of the totals. */
export function seriesText(
  { cells, names }: Groups,
  options: { readonly totals: Groups; readonly roles: Roles; readonly intervals: Intervals },
): JsonText {
  const { totals, roles, intervals } = options
  const ids = new Map(totals.names.map((name, id) => [name, id]))
  const rowsByTime = new Map<JsonText, GroupRow[]>()
  for (const [row, name] of names.entries()) {
    const id = ids.get(name)
    const time = cells.get(intervals.column)?.[row]
    if (id === undefined || time === undefined || time === 'null') continue
    addTo(rowsByTime, time, { id, row })
  }
  const textOf = groupWriter(cells, roles)
  const texts = inTime([...rowsByTime], intervals).map(([start, rows]) => {
    const groups = rows.sort((a, b) => a.id - b.id).map(textOf)
    const end = start + intervals.size
    return `{"startTime":"${formatTimestamp(start)}","endTime":"${formatTimestamp(end)}","groups":[${groups.join(',')}]}`
  })
  return `[${texts.join(',')}]`
}

function inTime<Rows>(
  found: readonly (readonly [JsonText, Rows])[],
  { isNewestFirst }: Intervals,
): readonly (readonly [bigint, Rows])[] {
  const timed = found.map(([time, rows]) => [instant(time), rows] as const)
  const sorted = timed.sort(([a], [b]) => (a < b ? -1 : 1))
  return isNewestFirst ? sorted.reverse() : sorted
}

function instant(time: JsonText): bigint {
  const found = parseTimestamp(JSON.parse(time) as string)
  if (found === undefined) throw new Error(`the engine gave ${time} as the time of an interval`)
  return found
}

/** A group, by its index among the totals, and its row. */
interface GroupRow {
  readonly id: number
  readonly row: number
}

/** Returns a function that renders a group. The names are serialized only once, since there may be many groups. */
function groupWriter(cells: CellsByName, roles: Roles): (group: GroupRow) => JsonText {
  const valuesOf = (name: string) => cells.get(name) ?? []
  const keys = roles.keys.map((key, i) => ({
    before: `${i === 0 ? '' : ','}${JSON.stringify(key)}:`,
    values: valuesOf(key),
  }))
  const aggregations = roles.aggregations.map(({ column, label, shape }, i) => ({
    before: `${i === 0 ? '' : ','}{"op":${JSON.stringify(label)},"value":`,
    values: valuesOf(column),
    shape: shape ?? ((value: JsonText) => value),
  }))
  return ({ id, row }) => {
    let text = `{"id":${id},"group":{`
    for (const { before, values } of keys) text += before + (values[row] ?? 'null')
    text += '},"aggregations":['
    for (const { before, values, shape } of aggregations) {
      text += `${before}${shape(values[row] ?? 'null')}}`
    }
    return `${text}]}`
  }
}

// Numbers stay text, so that no digit is lost.

function jsonObject(members: readonly (readonly [string, JsonText])[]): JsonText {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
}

/** Renders `[7,9]` of the percentiles 50 and 99 as `{"50":7,"99":9}`; an empty object when there are no values. */
export function byPercentile(values: JsonText, ranks: readonly number[]): JsonText {
  if (values === 'null') return values
  const found = elements(values)
  return jsonObject(ranks.map((rank, i) => [String(rank), found[i] ?? 'null']))
}

/** Removes null members from an object: the event does not have these fields. */
export function withoutNulls(object: JsonText): JsonText {
  if (object === 'null') return object
  const members: [string, JsonText][] = []
  const reader = new JsonReader(object)
  for (const name of reader.members()) members.push([name, reader.raw()])
  return jsonObject(members.filter(([, value]) => value !== 'null'))
}
