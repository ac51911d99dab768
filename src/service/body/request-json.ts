import { parseJson } from '../../wire/json/json-object.js'
import { JsonReader, type JsonText } from '../../wire/json/json-text.js'
import { invalidRequest, type RefusedError } from '../refused-error.js'

/** The maximum length of a short value, in characters: parsing a long value could exhaust the memory. */
const MAX_SHORT = 64 * 1024

/** The maximum length of a string, in characters: a string is parsed as a whole. */
const MAX_STRING = 16 * 1024 * 1024

/** Reads the JSON of a request value by value. Errors are `RefusedError`s whose messages begin with a description of the body. */
export class RequestJson extends JsonReader {
  private readonly failure: string

  /** `failure` is the beginning of all error messages, such as `The body is not a push request of Loki`. */
  constructor(text: string, failure: string) {
    super(text)
    this.failure = failure
  }

  string(what: string): string {
    const raw = this.raw()
    if (raw.length > MAX_STRING) throw this.error(`${what} has more than 16 MiB`)
    const value = this.parsed(raw)
    if (typeof value === 'string') return value
    throw this.error(`${what} must be a string`)
  }

  /** Returns the text of a value that is expected to be short. Throws a `RefusedError` when it is too long. */
  short(what: string): JsonText {
    const value = this.rawWithin(MAX_SHORT)
    if (value === undefined) throw this.error(`${what} is too long`)
    return value
  }

  /** Parses the text of a value, which has to be short. */
  parsed(json: JsonText): unknown {
    const value = parseJson(json)
    if (value === undefined) throw this.error(`\`${json.slice(0, 40)}\` is not JSON`)
    return value
  }

  override error(what: string): RefusedError {
    return invalidRequest(`${this.failure}: ${what}.`)
  }

  protected override key(): string {
    return this.parsed(this.short('a name')) as string
  }
}
