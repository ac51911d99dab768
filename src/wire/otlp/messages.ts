/** The type of a value in OTLP's JSON encoding, which is the JSON encoding of protobuf except for ids, which are hexadecimal. */
export type JsonType =
  | { readonly kind: 'string' | 'bool' | 'int64' | 'uint32' | 'fixed32' | 'fixed64' | 'double' }
  | { readonly kind: 'base64' | 'hex' }
  /** An integer, or one of these names, which stands for its index. */
  | { readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly kind: 'message'; readonly fields: () => MessageFields }

interface JsonField {
  /** The number and the wire type. */
  readonly tag: number
  readonly type: JsonType
  readonly isRepeated?: true
}

export type MessageFields = readonly (JsonField & { readonly name: Buffer })[]

/** Returns the field with the name in `source`; undefined when the message has no such field. */
export function fieldNamed(
  fields: MessageFields,
  source: Buffer,
  from: number,
  to: number,
): MessageFields[number] | undefined {
  for (const field of fields) {
    const { name } = field
    if (name.length !== to - from) continue
    let at = 0
    while (at < name.length && name[at] === source[from + at]) at += 1
    if (at === name.length) return field
  }
  return undefined
}

const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (kind) => `SPAN_KIND_${kind}`,
)
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'].map((code) => `STATUS_CODE_${code}`)
const SEVERITIES = [
  'SEVERITY_NUMBER_UNSPECIFIED',
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((level) =>
    ['', '2', '3', '4'].map((step) => `SEVERITY_NUMBER_${level}${step}`),
  ),
]

const WIRE_TYPES: Readonly<Record<JsonType['kind'], number>> = {
  ...{ bool: 0, int64: 0, uint32: 0, enum: 0 },
  ...{ fixed64: 1, double: 1, fixed32: 5 },
  ...{ string: 2, base64: 2, hex: 2, message: 2 },
}

function field(number: number, type: JsonType): JsonField {
  return { tag: number * 8 + WIRE_TYPES[type.kind], type }
}

function repeated(number: number, fields: () => MessageFields): JsonField {
  return { ...field(number, { kind: 'message', fields }), isRepeated: true }
}

const message = (number: number, fields: () => MessageFields) =>
  field(number, { kind: 'message', fields })
const string = (number: number) => field(number, { kind: 'string' })
const hex = (number: number) => field(number, { kind: 'hex' })
const uint32 = (number: number) => field(number, { kind: 'uint32' })
const fixed32 = (number: number) => field(number, { kind: 'fixed32' })
const fixed64 = (number: number) => field(number, { kind: 'fixed64' })

/**
 * Each field also has its name in protobuf, such as `log_records`: libraries of protobuf can write these names, and receivers ignore
 * unknown members, so the records would be lost.
 */
function fields(entries: Readonly<Record<string, JsonField>>): MessageFields {
  const named = Object.entries(entries)
  const original = named
    .map(([name, field]) => [snakeCase(name), field] as const)
    .filter(([name]) => entries[name] === undefined)
  return [...named, ...original].map(([name, field]) => ({ ...field, name: Buffer.from(name) }))
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const ANY_VALUE = fields({
  stringValue: string(1),
  boolValue: field(2, { kind: 'bool' }),
  intValue: field(3, { kind: 'int64' }),
  doubleValue: field(4, { kind: 'double' }),
  arrayValue: message(5, () => ARRAY_VALUE),
  kvlistValue: message(6, () => KEY_VALUE_LIST),
  bytesValue: field(7, { kind: 'base64' }),
})
const ARRAY_VALUE = fields({ values: repeated(1, () => ANY_VALUE) })
const KEY_VALUE = fields({ key: string(1), value: message(2, () => ANY_VALUE) })
const KEY_VALUE_LIST = fields({ values: repeated(1, () => KEY_VALUE) })

const attributes = (number: number) => repeated(number, () => KEY_VALUE)

export const RESOURCE = fields({ attributes: attributes(1), droppedAttributesCount: uint32(2) })
export const SCOPE = fields({
  name: string(1),
  version: string(2),
  attributes: attributes(3),
  droppedAttributesCount: uint32(4),
})

function ofScope(name: string, records: () => MessageFields): MessageFields {
  const scope = message(1, () => SCOPE)
  return fields({ scope, [name]: repeated(2, records), schemaUrl: string(3) })
}

function ofResource(name: string, scopes: () => MessageFields): MessageFields {
  const resource = message(1, () => RESOURCE)
  return fields({ resource, [name]: repeated(2, scopes), schemaUrl: string(3) })
}

export const LOG_RECORD = fields({
  timeUnixNano: fixed64(1),
  severityNumber: field(2, { kind: 'enum', names: SEVERITIES }),
  severityText: string(3),
  body: message(5, () => ANY_VALUE),
  attributes: attributes(6),
  droppedAttributesCount: uint32(7),
  flags: fixed32(8),
  traceId: hex(9),
  spanId: hex(10),
  observedTimeUnixNano: fixed64(11),
  eventName: string(12),
})
export const SCOPE_LOGS = ofScope('logRecords', () => LOG_RECORD)
export const RESOURCE_LOGS = ofResource('scopeLogs', () => SCOPE_LOGS)

export const SPAN_EVENT = fields({
  timeUnixNano: fixed64(1),
  name: string(2),
  attributes: attributes(3),
  droppedAttributesCount: uint32(4),
})
export const SPAN_LINK = fields({
  traceId: hex(1),
  spanId: hex(2),
  traceState: string(3),
  attributes: attributes(4),
  droppedAttributesCount: uint32(5),
  flags: fixed32(6),
})
export const STATUS = fields({
  message: string(2),
  code: field(3, { kind: 'enum', names: STATUS_CODES }),
})
export const SPAN = fields({
  traceId: hex(1),
  spanId: hex(2),
  traceState: string(3),
  parentSpanId: hex(4),
  name: string(5),
  kind: field(6, { kind: 'enum', names: SPAN_KINDS }),
  startTimeUnixNano: fixed64(7),
  endTimeUnixNano: fixed64(8),
  attributes: attributes(9),
  droppedAttributesCount: uint32(10),
  events: repeated(11, () => SPAN_EVENT),
  droppedEventsCount: uint32(12),
  links: repeated(13, () => SPAN_LINK),
  droppedLinksCount: uint32(14),
  status: message(15, () => STATUS),
  flags: fixed32(16),
})
const SCOPE_SPANS = ofScope('spans', () => SPAN)
const RESOURCE_SPANS = ofResource('scopeSpans', () => SCOPE_SPANS)

export const REQUESTS = {
  logs: fields({ resourceLogs: repeated(1, () => RESOURCE_LOGS) }),
  traces: fields({ resourceSpans: repeated(1, () => RESOURCE_SPANS) }),
} as const
