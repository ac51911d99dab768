import { JsonReader, type JsonText } from '../json/json-text.js'
import { decodeStatus } from './decode-result.js'
import { MalformedResponseError } from './malformed-response.js'
import type { QueryStatus } from './query.js'
import { parsePartJson } from './response-json.js'

/** A legacy answer, as far as its rows and its status go. Values are the JSON texts that stood on the wire. */
export interface LegacyResult {
  readonly status: QueryStatus
  readonly matches: readonly LegacyMatch[]
  readonly series: readonly LegacyInterval[]
  readonly totals: readonly LegacyGroup[]
  /** The types of fields by their names, as far as the answer tells them. */
  readonly types: ReadonlyMap<string, string>
}

/** Names and the JSON texts of their values, in order. */
type JsonMembers = ReadonlyMap<string, JsonText>

/** An event, or another row of a query that groups nothing: what stands beside its fields, and these. */
export interface LegacyMatch {
  readonly metadata: JsonMembers
  readonly data: JsonMembers
}

/** The groups within a stretch of time. */
export interface LegacyInterval {
  readonly startTime: JsonText
  readonly groups: readonly LegacyGroup[]
}

/** A group: the values that its events share, and what was computed over them. */
export interface LegacyGroup {
  readonly group: JsonMembers
  readonly aggregations: readonly { readonly op: string; readonly value: JsonText }[]
}

/** Reads a legacy answer. A list that is left out or `null` is empty; what else a deployment adds is passed over. */
export function decodeLegacyResult(text: string): LegacyResult {
  const answer = membersOf(text)
  const buckets = membersOf(answer.get('buckets') ?? 'null')
  return {
    status: decodeStatus(parsePartJson(answer.get('status'))),
    matches: elementsOf(answer.get('matches')).map(match),
    series: elementsOf(buckets.get('series')).map(interval),
    totals: elementsOf(buckets.get('totals')).map(group),
    types: typesOf(answer.get('fieldsMetaMap')),
  }
}

function match(text: JsonText): LegacyMatch {
  const beside = new Map(membersOf(text))
  const data = membersOf(beside.get('data') ?? 'null')
  beside.delete('data')
  return { metadata: beside, data }
}

function interval(text: JsonText): LegacyInterval {
  const members = membersOf(text)
  return {
    startTime: members.get('startTime') ?? 'null',
    groups: elementsOf(members.get('groups')).map(group),
  }
}

function group(text: JsonText): LegacyGroup {
  const members = membersOf(text)
  return {
    group: membersOf(members.get('group') ?? 'null'),
    aggregations: elementsOf(members.get('aggregations')).map((one) => {
      const aggregation = membersOf(one)
      const op = parsePartJson(aggregation.get('op'))
      if (typeof op !== 'string') throw new MalformedResponseError('an aggregation has no `op`')
      return { op, value: aggregation.get('value') ?? 'null' }
    }),
  }
}

function typesOf(text: JsonText | undefined): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  for (const fields of membersOf(text ?? 'null').values()) {
    for (const field of elementsOf(fields)) {
      const members = membersOf(field)
      const [name, type] = [parsePartJson(members.get('name')), parsePartJson(members.get('type'))]
      if (typeof name === 'string' && typeof type === 'string') types.set(name, type)
    }
  }
  return types
}

/** The members of a JSON object; none of `null`. */
export function membersOf(text: JsonText): JsonMembers {
  const members = new Map<string, JsonText>()
  const reader = new JsonReader(text)
  if (!reader.takeNull()) reader.object((name) => members.set(name, reader.raw()))
  reader.end()
  return members
}

function elementsOf(text: JsonText = 'null'): readonly JsonText[] {
  const elements: JsonText[] = []
  const reader = new JsonReader(text)
  if (!reader.takeNull()) reader.array(() => elements.push(reader.raw()))
  return elements
}
