import type { JsonText } from './json-text.js'

/** What the type of a value other than null is called in a result. */
export function jsonType(value: JsonText): string {
  switch (value[0]) {
    case '"':
      return 'string'
    case '[':
      return 'array'
    case '{':
      return 'object'
    case 't':
    case 'f':
      return 'boolean'
    default:
      return /[.eE]/.test(value) ? 'float' : 'integer'
  }
}
