import type { Batch } from '../../../../input/batch.js'
import { LINE_FORMATS } from '../../../../input/log/format/formats.js'
import { otherFormatOf } from '../../../../input/log/text-layout.js'
import { escapeControls } from '../../../../render/escape-controls.js'
import { cutText } from '../../../../render/fit-text.js'
import { counted, formatInteger } from '../../../../text/integer.js'
import { width as textWidth } from '../../../../text/width.js'
import { parseJson } from '../../../../wire/json/json-object.js'

/** An event next to the lines that it was read from. */
interface Example {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly text: string
  /** The members of the event: values as JSON. */
  readonly fields: Readonly<Record<string, string>>
}

/** The first events of an input whose lines are converted, and how many of its events match the format. */
interface InputExamples {
  readonly examples: Example[]
  events: number
  /** The format of the lines, if they are text in a known format. */
  formatName?: string
  /** The first lines, in latin1. */
  sample: string
  unmatched: number
}

/** The format as which the objects of an input can be read instead, by their format. */
const OTHER_FORMATS: Readonly<Record<string, string>> = {
  ndjson: 'text',
  json: 'text',
  docker: 'ndjson',
  'otlp-json': 'ndjson',
}

const MAX_EXAMPLES = 3
const MAX_TEXT = 4096

/** Collects the first events of each input whose lines are converted. */
export class Examples {
  readonly inputs = new Map<string, InputExamples>()
  /** The formats of inputs whose events are JSON objects. */
  readonly objects = new Map<string, string>()

  /** Adds a batch, which must not have been released. */
  add(batch: Batch): void {
    const { source, events, input, unmatched } = batch
    const format = batch.format ?? objectFormatOf(batch)
    if (format !== undefined && format in OTHER_FORMATS) this.objects.set(input, format)
    if (source === undefined) return
    const known = this.inputs.get(input) ?? { examples: [], sample: '', events: 0, unmatched: 0 }
    this.inputs.set(input, known)
    if (batch.formatName !== undefined) known.formatName = batch.formatName
    if (known.sample === '') known.sample = sampleOf(batch)
    known.unmatched += unmatched?.events ?? 0
    known.events += events
    for (let index = 0; index < events && known.examples.length < MAX_EXAMPLES; index++) {
      const { text, event, line } = source(index)
      if (event === undefined || line === undefined) return
      const fields = fieldsOf(event.toString('utf8'))
      if (fields === undefined) continue
      known.examples.push({ file: input, line, text: text.toString('utf8', 0, MAX_TEXT), fields })
    }
  }
}

/** Returns the format of objects that are sent as they were read; undefined for a table. */
function objectFormatOf({ contentType, sourceType = contentType }: Batch): string | undefined {
  if (sourceType === 'text/csv') return undefined
  return sourceType === 'application/json' ? 'json' : 'ndjson'
}

const MAX_SAMPLED = 100

/** Returns the lines of the first events, in latin1. */
function sampleOf({ source, events }: Batch): string {
  const count = Math.min(events, MAX_SAMPLED)
  const texts = Array.from({ length: count }, (_, index) => source?.(index).text.toString('latin1'))
  return texts.join('\n')
}

/**
 * Returns the members of an event; undefined for a line that is not an object. Numbers are shown as doubles, although the
 * event itself is stored exactly.
 */
function fieldsOf(event: string): Example['fields'] | undefined {
  const value = parseJson(event)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = Object.entries(value)
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}

export function exampleLines(
  [input, { examples, events, unmatched, formatName, sample }]: readonly [string, InputExamples],
  width: number,
): readonly string[] {
  const share = Math.floor(((events - unmatched) / events) * 1000) / 10
  const shown = (text: string) => cutText(escapeControls(text), width)
  const now = BigInt(Date.now()) * 1_000_000n
  return [
    shown(`${input}: ${share} % of ${counted(events, 'event')} match the format`),
    ...(formatName !== undefined && LINE_FORMATS.some(({ name }) => name === formatName)
      ? [choiceText(formatName, otherFormatOf(sample, formatName, { now })), CHOICE].map(shown)
      : []),
    ...examples.flatMap((example) => [
      '',
      shown(`${formatInteger(example.line)} | ${firstLine(example.text)}`),
      ...fieldLines(example.fields).map(shown),
    ]),
  ]
}

/** Returns the lines about the formats of inputs of JSON objects, fitted to a width. */
export function objectLines(
  inputs: readonly (readonly [string, string])[],
  width: number,
): readonly string[] {
  if (inputs.length === 0) return []
  const lines = inputs.map(
    ([input, format]) => `${input}: ${choiceText(format, OTHER_FORMATS[format])}`,
  )
  return [...lines, CHOICE].map((line) => cutText(escapeControls(line), width))
}

const CHOICE = '`-i <format>` chooses a format, `evq ingest --formats` lists all'

/** Describes the format, and the next best format for the lines. */
function choiceText(chosen: string, other: string | undefined): string {
  const next = other === undefined ? '' : `; the next one is \`${other}\``
  return `format \`${chosen}\`${next}`
}

function fieldLines(fields: Example['fields']): readonly string[] {
  const most = Math.max(...Object.keys(fields).map(textWidth))
  return Object.entries(fields).map(
    ([name, value]) => `    ${name}${' '.repeat(most - textWidth(name))}  ${firstLine(value)}`,
  )
}

function firstLine(text: string): string {
  const [first = '', ...rest] = text.split(/\r?\n/)
  return rest.length === 0 ? first : `${first} (+ ${counted(rest.length, 'line')})`
}
