import { Findings, type FindingsByKind } from './findings.js'

/** The type of a value; a `group` is an object whose members are fields. */
export type ValueType =
  | 'integer'
  | 'float'
  | 'string'
  | 'boolean'
  | 'array'
  | 'object'
  | 'null'
  | 'group'

/** The values found in a field. */
export interface FieldFacts {
  readonly field: string
  /** Number of events with a value in the field. */
  readonly events: number
  /** The types of the values, in order of first occurrence. */
  readonly types: readonly TypeFacts[]
  /** True when values have incompatible types; integers and floats are compatible. */
  readonly hasDrift: boolean
}

interface TypeFacts {
  readonly type: ValueType
  readonly events: number
  /** The location of the first value of the type. */
  readonly first: string
}

/** Limits memory for events whose field names never repeat; the values of further fields are counted together. */
const MAX_FIELDS = 50_000
const OTHERS = '…'

class FieldValues {
  /** The number of events with a value of each type, and the location of the first one, in order of occurrence. */
  readonly types = new Map<ValueType, { events: number; readonly first: string }>()
  private lastEvent = 0

  /** Counts the value of an event, unless the event had one before, as with a repeated key. `at` returns its location. */
  count(type: ValueType, event: number, at: () => string): void {
    if (this.lastEvent === event) return
    this.lastEvent = event
    const known = this.types.get(type)
    if (known === undefined) this.types.set(type, { events: 1, first: at() })
    else known.events += 1
  }
}

/** The fields of events by their names, in order of first occurrence. */
export type Fields = Map<string, FieldValues>

/** Returns the values of the field at a path: `{"a": {"b": 1}}` and `{"a.b": 1}` contain the same field. */
export function fieldAt(fields: Fields, path: readonly string[]): FieldValues {
  const name = path.length === 1 ? path[0]! : path.join('.')
  const known = fields.get(name)
  if (known !== undefined) return known
  if (fields.size >= MAX_FIELDS && name !== OTHERS) return fieldAt(fields, [OTHERS])
  const values = new FieldValues()
  fields.set(name, values)
  return values
}

/** Returns all fields with values, in order of first occurrence. */
export function fieldFacts(fields: Fields): readonly FieldFacts[] {
  return Array.from(fields, ([field, { types }]) => factsOf(field, types)).filter(
    ({ types }) => types.length > 0,
  )
}

function factsOf(field: string, counted: FieldValues['types']): FieldFacts {
  const types = new Map<ValueType, TypeFacts>()
  for (const [type, { events, first }] of counted) {
    // A group of fields counts as an object only when the field also has values of other types.
    const name = type === 'group' ? 'object' : type
    const known = types.get(name)
    types.set(name, {
      type: name,
      events: (known?.events ?? 0) + events,
      first: known?.first ?? first,
    })
  }
  const values = [...types.values()].filter(({ type }) => type !== 'null')
  const isOnlyGroup = counted.has('group') && values.length === 1 && !counted.has('object')
  const kinds = new Set(values.map(({ type }) => (type === 'float' ? 'integer' : type)))
  return {
    field,
    events: values.reduce((sum, { events }) => sum + events, 0),
    types: isOnlyGroup ? [] : [...types.values()],
    hasDrift: kinds.size > 1,
  }
}

/** Hosted services reject longer names; the local one accepts them. */
const MAX_HOSTED_NAME_BYTES = 200

/** Returns the fields whose names are too long for hosted services. */
export function longNames(fields: readonly FieldFacts[]): readonly FindingsByKind[] {
  const findings = new Findings()
  for (const { field, events, types } of fields) {
    const bytes = Buffer.byteLength(field)
    if (bytes <= MAX_HOSTED_NAME_BYTES || types[0] === undefined) continue
    const reason = `the field name \`${field.slice(0, 40)}…\` has ${bytes} bytes`
    findings.add('name-too-long', { at: types[0].first, reason }, events)
  }
  return findings.list()
}
