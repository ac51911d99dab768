/** The types of values by number; `group` is an object whose members are fields. */
export const TYPE = {
  integer: 0,
  float: 1,
  string: 2,
  boolean: 3,
  array: 4,
  object: 5,
  null: 6,
  group: 7,
} as const

/** The type of a value. */
export type ValueType = keyof typeof TYPE

/** The types in the order of their numbers. */
export const VALUE_TYPES = Object.keys(TYPE) as readonly ValueType[]

/** Limits memory for events whose field names never repeat; the values of further fields are counted together. */
const MAX_FIELDS = 50_000

/** The values of a field. */
export class FieldValues {
  /** Number of events by the type of the value. */
  readonly counts = new Array<number>(VALUE_TYPES.length).fill(0)
  /** The location of the first value of each type, in order of occurrence. */
  readonly firsts: { readonly type: number; readonly at: string }[] = []
  private lastEvent = 0

  /** Counts the value of an event, unless the event had one before, as with a repeated key. `at` returns its location. */
  count(type: number, event: number, at: () => string): void {
    if (this.lastEvent === event) return
    this.lastEvent = event
    const before = this.counts[type]!
    this.counts[type] = before + 1
    if (before === 0) this.firsts.push({ type, at: at() })
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

const OTHERS = '…'
