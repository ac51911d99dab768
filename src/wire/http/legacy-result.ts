import { isJsonObject } from '../json/json-object.js'
import { JsonReader, type JsonText } from '../json/json-text.js'
import { object as schemaOfObject } from '../shape/json-schema.js'
import {
  anyObject,
  decodeResponse,
  listOf,
  object,
  type ResponseShape,
  required,
  text,
  time,
} from '../shape/response.js'
import { named, type ValueOf } from '../shape/shape.js'
import { MalformedResponseError } from './response-json.js'
import { FIELDS_META_MAP, QUERY_STATUS, type QueryStatus } from './tabular-result.js'

/** JSON values by name, in order. */
type JsonMembers = ReadonlyMap<string, JsonText>

/** An event, or a row of a query without groups: its metadata and its fields. */
export interface LegacyMatch {
  readonly metadata: JsonMembers
  readonly data: JsonMembers
}

const MATCH: ResponseShape<LegacyMatch> = {
  schema: schemaOfObject({
    _time: time().schema,
    _sysTime: time().schema,
    _rowId: text('The position of a row. Cursors sort like their rows.').schema,
    data: { type: 'object' },
  }),
  accepts: () => true,
  decode: (_, match) => match as LegacyMatch,
  read(reader) {
    const metadata = new Map<string, JsonText>()
    let data: JsonMembers = new Map()
    for (const name of reader.members()) {
      if (name === 'data') data = readMembers(reader)
      else metadata.set(name, reader.raw())
    }
    return { metadata, data }
  },
}

/** An object whose values are kept as JSON; empty when absent or null. */
const MEMBERS: ResponseShape<JsonMembers> = {
  schema: { type: 'object' },
  accepts: () => true,
  decode: (_, members) => (members as JsonMembers | undefined) ?? new Map(),
  read: readMembers,
}

/** A value that is kept as JSON; `null` when absent. */
function raw(schema: ResponseShape<unknown>['schema'] = {}): ResponseShape<JsonText> {
  return {
    schema,
    accepts: () => true,
    decode: (_, value) => (value as JsonText | undefined) ?? 'null',
    read: (reader) => reader.raw(),
  }
}

/** A group: the values that its events have in common, and its aggregations. */
export const LEGACY_GROUP = object({
  id: raw({ type: ['integer', 'string'] }),
  group: MEMBERS,
  aggregations: listOf(object({ op: required(text()), value: raw() })),
})
export type LegacyGroup = ValueOf<typeof LEGACY_GROUP>

const GROUPS = listOf(named('LegacyGroup', LEGACY_GROUP))

const INTERVAL = object({
  startTime: raw(time().schema),
  endTime: raw(time().schema),
  groups: GROUPS,
})

export type LegacyInterval = ValueOf<typeof INTERVAL>

const RESULT = object({
  status: named('Status', QUERY_STATUS),
  matches: listOf(MATCH),
  buckets: object({ series: listOf(INTERVAL), totals: GROUPS }),
  request: anyObject(),
  datasetNames: listOf(text()),
  fieldsMetaMap: FIELDS_META_MAP,
})

export const LEGACY_RESULT: typeof RESULT = {
  ...RESULT,
  decode(name, value) {
    const has = (member: string) => isJsonObject(value) && Object.hasOwn(value, member)
    if (has('matches') || has('buckets')) return RESULT.decode(name, value)
    throw new MalformedResponseError('it has neither `matches` nor `buckets`')
  },
}

/** The rows and the status of a legacy response. Values are JSON as received. */
export interface LegacyResult {
  readonly status: QueryStatus
  readonly matches: readonly LegacyMatch[]
  readonly series: readonly LegacyInterval[]
  readonly totals: readonly LegacyGroup[]
  /** The types of fields by name, for the fields whose types are in the response. */
  readonly types: ReadonlyMap<string, string>
}

/** Decodes a legacy response. Throws `MalformedResponseError`. */
export function decodeLegacyResult(text: string): LegacyResult {
  const { status, matches, buckets, fieldsMetaMap } = decodeResponse(text, LEGACY_RESULT)
  const types = Object.values(fieldsMetaMap)
    .flat()
    .map(({ name, type }) => [name, type] as const)
  return { status, matches, ...buckets, types: new Map(types) }
}

/** Returns the members of a JSON object; an empty map for `null`. Throws `MalformedResponseError`. */
export function membersOf(text: JsonText): JsonMembers {
  const reader = new JsonReader(text)
  const members = readMembers(reader)
  reader.end()
  return members
}

function readMembers(reader: JsonReader): JsonMembers {
  const members = new Map<string, JsonText>()
  if (reader.takeNull()) return members
  for (const name of reader.members()) members.set(name, reader.raw())
  return members
}
