import { type Fields, type FieldValues, TYPE, VALUE_TYPES, type ValueType } from './field-values.js'
import { Findings, type FindingsByKind } from './findings.js'

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

const NUMBERS: readonly ValueType[] = ['integer', 'float']

/** Returns all fields with values, in order of first occurrence. */
export function fieldFacts(fields: Fields): readonly FieldFacts[] {
  return Array.from(fields, factsOf).filter(({ types }) => types.length > 0)
}

function factsOf([field, { counts, firsts }]: readonly [string, FieldValues]): FieldFacts {
  const types = new Map<ValueType, TypeFacts>()
  for (const { type, at } of firsts) {
    // A group of fields counts as an object only when the field also has values of other types.
    const name = type === TYPE.group ? 'object' : VALUE_TYPES[type]!
    const known = types.get(name)
    const events = (known?.events ?? 0) + counts[type]!
    types.set(name, { type: name, events, first: known?.first ?? at })
  }
  const isOnlyGroup =
    firsts.every(({ type }) => type === TYPE.group || type === TYPE.null) && counts[TYPE.group]! > 0
  const values = [...types.values()].filter(({ type }) => type !== 'null')
  const kinds = new Set(values.map(({ type }) => (NUMBERS.includes(type) ? 'number' : type)))
  return {
    field,
    events: values.reduce((sum, { events }) => sum + events, 0),
    types: isOnlyGroup ? [] : [...types.values()],
    hasDrift: !isOnlyGroup && kinds.size > 1,
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
