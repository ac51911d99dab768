import { JsonReader, type JsonText } from '../../wire/json/json-text.js'
import { RefusedError } from '../refused-error.js'

/** Parsing longer values could take all memory. */
const MAX_SHORT = 64 * 1024

/** The most characters of a string, which is parsed at once. */
const MAX_STRING = 16 * 1024 * 1024

/** Reads the JSON of a request by its structure; its errors are for the caller, and begin with a description of the body. */
export class RequestJson extends JsonReader {
  private readonly failure: string

  /** `failure` says that the text is not what it should be, such as `The body is not a push request of Loki`. */
  constructor(text: string, failure: string) {
    super(text)
    this.failure = failure
  }

  /** Reads a string. */
  string(what: string): string {
    const raw = this.raw()
    if (raw.length > MAX_STRING) throw this.error(`${what} has more than 16 MiB`)
    const value = this.parsed(raw)
    if (typeof value === 'string') return value
    throw this.error(`${what} must be a string`)
  }

  /** Returns a value that has no reason to be long. */
  short(what: string): JsonText {
    const value = this.rawWithin(MAX_SHORT)
    if (value === undefined) throw this.error(`${what} is too long`)
    return value
  }

  /** Parses a value, which has to be short. */
  parsed(json: JsonText): unknown {
    try {
      return JSON.parse(json)
    } catch {
      throw this.error(`\`${json.slice(0, 40)}\` is not JSON`)
    }
  }

  override error(what: string): RefusedError {
    return new RefusedError('invalid-request', `${this.failure}: ${what}.`)
  }

  protected override key(): string {
    return this.parsed(this.short('a name')) as string
  }
}
