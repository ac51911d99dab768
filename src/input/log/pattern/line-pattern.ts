import { byWord } from '../../../text/by-word.js'
import { ownValue } from '../../../text/own-value.js'
/** A pattern of lines, compiled to a regular expression for latin1 text: one character per byte. */
export interface LinePattern {
  /** The source of a `RegExp` without flags, whose groups are the fields in this order. */
  readonly source: string
  /** The fields; a name occurs several times if several alternatives of the pattern have the field. */
  readonly fields: readonly PatternField[]
}

/** A field of a pattern: its name and the type of its values. */
export interface PatternField {
  readonly name: string
  readonly type: FieldType
}

/** The type of a field's values, as in APL. */
export type FieldType = 'string' | 'long' | 'real' | 'bool' | 'datetime' | 'timespan' | 'dynamic'

/** The types by their names in APL and in grok. */
const FIELD_TYPES = byWord<FieldType>({
  'bool boolean': 'bool',
  'date datetime': 'datetime',
  'double float real': 'real',
  dynamic: 'dynamic',
  'int integer long': 'long',
  'string text': 'string',
  'time timespan': 'timespan',
})

/** The place of an error in a pattern, and a hint. */
interface PatternErrorOptions {
  /** The offset of the first character, from 0. */
  readonly at: number
  /** The offset after the last character; `at + 1` by default. */
  readonly end?: number
  readonly help?: string | undefined
}

/** A pattern cannot be compiled. */
export class PatternError extends Error {
  readonly at: number
  readonly end: number
  readonly help: string | undefined

  constructor(message: string, { at, end, help }: PatternErrorOptions) {
    super(message)
    this.at = at
    this.end = end ?? at + 1
    this.help = help
  }
}

export interface PatternSpan {
  readonly at: number
  readonly end: number
}

/** Calls a function; its errors are reported for the whole part of the pattern. */
export function inSpan<T>(span: PatternSpan, translate: () => T): T {
  try {
    return translate()
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new PatternError(error.message, { ...span, help: error.help })
  }
}

/** Returns the type with a name; throws `PatternError` when there is none. */
export function fieldType(written: string, at: number): FieldType {
  const type = ownValue(FIELD_TYPES, written)
  if (type !== undefined) return type
  throw new PatternError(`There is no type \`${written}\`.`, {
    at,
    end: at + Math.max(1, written.length),
    help: 'types: bool, datetime, dynamic, long, real, string, timespan',
  })
}

/** Returns the field of `name`, `[outer][inner]` or `name:type`; throws `PatternError` when it is malformed. */
export function patternField(written: string, at: number): PatternField {
  const [, path = '', , type = 'string'] = /^((?:\[[^\]]*\])+|[^:]*)(:(.*))?$/s.exec(written) ?? []
  const name = path.startsWith('[') ? path.slice(1, -1).replaceAll('][', '.') : path
  if (!/^[^\s"'`\\<>{}()]+$/.test(name)) {
    const message =
      name === '' ? 'The name of a field is missing.' : `\`${name}\` is not a name of a field.`
    throw new PatternError(message, { at, end: at + Math.max(1, written.length) })
  }
  return { name, type: fieldType(type, at + path.length + (type === '' ? 0 : 1)) }
}
