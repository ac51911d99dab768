import { type EventLines, jsonLines, ndjsonLines } from '../../wire/event/event-lines.js'
import { HEADER } from '../../wire/http/header.js'
import { mediaType, type ServiceRequest, utf8Header } from '../http.js'
import { invalidField, RefusedError } from '../refused-error.js'
import { type BodyLines, csvRows } from './csv-body.js'

/** Returns the reader for the body of an ingest request, by content type and CSV parameters. */
export function bodyLines(request: ServiceRequest): BodyLines {
  const type = mediaType(request)
  const lines = LINES.get(baseName(type))
  if (lines !== undefined) return lines(request)
  const accepted = [...LINES.keys()].map((name) => `\`${name}\``).join(', ')
  throw new RefusedError(
    'unsupported-media-type',
    type === ''
      ? `The request has no content type. Supported types: ${accepted}.`
      : `The content type \`${type}\` is not supported. Supported types: ${accepted}.`,
  )
}

/** Returns the supported type of which another one is a name or, like `application/cloudevents+json`, a special case (RFC 6839). */
function baseName(type: string): string {
  if (type.startsWith('application/') && type.endsWith('+json')) return 'application/json'
  return NDJSON_NAMES.has(type) ? 'application/x-ndjson' : type
}

const LINES: ReadonlyMap<string, (request: ServiceRequest) => BodyLines> = new Map([
  [
    'application/json',
    ({ keepsBody }: ServiceRequest) => (keepsBody ? copied(jsonLines()) : jsonLines()),
  ],
  ['application/x-ndjson', ndjsonLines],
  ['text/csv', csv],
])

/** Other names of NDJSON. Not `text/plain`, whose lines are usually not JSON and would be rejected one by one. */
const NDJSON_NAMES = new Set([
  'application/ndjson',
  'application/nd-json',
  'application/jsonl',
  'application/x-jsonl',
  'application/jsonlines',
  'application/x-jsonlines',
])

/** Returns a reader that copies the body first: `jsonLines` changes the buffers, because it turns elements into lines in place. */
function copied(lines: EventLines): EventLines {
  return { ...lines, push: (bytes) => lines.push(Buffer.from(bytes)) }
}

function csv(request: ServiceRequest): BodyLines {
  const fields = csvFields(request)
  return csvRows({ delimiter: csvDelimiter(request), fields })
}

function csvDelimiter(request: ServiceRequest): string {
  const delimiter = request.query.get('csv-delimiter') || ','
  if ([...delimiter].length === 1 && !/["\r\n]/.test(delimiter)) return delimiter
  throw invalidField(
    `\`csv-delimiter\` is ${JSON.stringify(delimiter)}; it must be a single character, but not a quote or line break.`,
  )
}

function csvFields(request: ServiceRequest): readonly string[] | undefined {
  const header = request.headers[HEADER.csvFields]
  if (!header) return undefined
  return utf8Header(header)
    .split(',')
    .map((name) => name.trim())
}
