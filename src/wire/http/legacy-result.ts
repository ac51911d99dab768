import { JsonReader, type JsonText } from '../json/json-text.js'
import { MalformedResponseError, parsePartJson } from './response-json.js'
import { decodeStatus, type QueryStatus } from './tabular-result.js'

/** The rows and the status of a legacy response. Values are JSON as received. */
export interface LegacyResult {
  readonly status: QueryStatus
  readonly matches: readonly LegacyMatch[]
  readonly series: readonly LegacyInterval[]
  readonly totals: readonly LegacyGroup[]
  /** Types by field name, as far as the response contains them. */
  readonly types: ReadonlyMap<string, string>
}

/** JSON values by name, in order. */
type JsonMembers = ReadonlyMap<string, JsonText>

/** An event, or a row of a query without groups: its metadata and its fields. */
export interface LegacyMatch {
  readonly metadata: JsonMembers
  readonly data: JsonMembers
}

/** The groups of a time interval. */
export interface LegacyInterval {
  readonly startTime: JsonText
  readonly groups: readonly LegacyGroup[]
}

/** A group: the values its events have in common, and its aggregations. */
export interface LegacyGroup {
  readonly group: JsonMembers
  readonly aggregations: readonly { readonly op: string; readonly value: JsonText }[]
}

/**
 * Decodes a legacy response. Missing lists and `null` become empty lists; unknown members are ignored. Throws
 * `MalformedResponseError`.
 */
export function decodeLegacyResult(text: string): LegacyResult {
  const response = membersOf(text)
  const buckets = membersOf(response.get('buckets') ?? 'null')
  return {
    status: decodeStatus(parsePartJson(response.get('status'))),
    matches: elementsOf(response.get('matches')).map(match),
    series: elementsOf(buckets.get('series')).map(interval),
    totals: elementsOf(buckets.get('totals')).map(group),
    types: typesOf(response.get('fieldsMetaMap')),
  }
}

function match(text: JsonText): LegacyMatch {
  const metadata = new Map(membersOf(text))
  const data = membersOf(metadata.get('data') ?? 'null')
  metadata.delete('data')
  return { metadata, data }
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

/** Returns the members of a JSON object; none for `null`. */
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
