import { type FieldFacts, fieldFacts, longNames } from '../../../../input/inspect/field-facts.js'
import type { FindingKind, FindingsByKind } from '../../../../input/inspect/findings.js'
import { type InputFacts, Inspection } from '../../../../input/inspect/inspection.js'
import { escapeControls } from '../../../../render/escape-controls.js'
import { cutText } from '../../../../render/fit-text.js'
import { renderTables } from '../../../../render/table.js'
import { writeText } from '../../../../render/write.js'
import { counted, formatInteger } from '../../../../text/integer.js'
import type { Context } from '../../../context.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { namedTimeField, timeFormat } from '../../../ingest/option/event-time.js'
import type { IngestOptions } from '../../../ingest/option/options.js'
import { formatName } from '../../../ingest/read/format-name.js'
import { type BatchLimits, conversionThreads, inputNames } from '../../../ingest/read/inputs.js'
import { InputNotes } from '../../../ingest/report/input-notes.js'
import { isTimeFieldName } from '../../../ingest/report/time-advice.js'
import { shortBytes } from '../../../option/quantity.js'
import type { Interrupt } from '../../../terminal/interrupt.js'
import { type ListColumn, listTable } from '../../../terminal/listing.js'
import type { Progress } from '../../../terminal/progress.js'
import { readFiles } from '../../query/input/read.js'
import { Examples, exampleLines, objectLines } from './examples.js'
import type { RequestRecorder } from './request-recorder.js'

interface CheckOptions {
  readonly options: IngestOptions
  readonly limits: BatchLimits
  readonly context: Context
  readonly interrupt: Interrupt
  readonly progress: Progress
  /** Records the requests for `--dry-run`. */
  readonly recorder: RequestRecorder | undefined
}

/** Runs `evq ingest … --check` or `--dry-run`: inspects the events and sends nothing. */
export async function runCheck(run: CheckOptions): Promise<ExitCode> {
  const { options, context, interrupt, progress } = run
  const { io } = context
  const { report, unreadable, notes } = await read(run)
  progress.close()
  const isTerminal = io.stdout.isTTY === true
  const text = isTerminal ? await checkText(report, io.stdout.columns || 80) : checkRecords(report)
  await writeText(io.stdout, text)
  for (const message of [...notes.unmatchedLines(), ...unreadable]) context.warn(message)
  for (const line of notes.readingLines()) context.info(line)
  const rejected = report.inputs.reduce((sum, input) => sum + input.rejected, 0)
  context.info(`${options.dataset}: ${summary(report)}, nothing was sent`)
  if (interrupt.exitCode() !== undefined) return interrupt.exitCode()!
  if (unreadable.length > 0) return EXIT.failed
  return rejected > 0 ? EXIT.incomplete : EXIT.done
}

async function read(run: CheckOptions) {
  const { options, limits, context, interrupt, progress, recorder } = run
  const timestampField = namedTimeField(options) ?? '_time'
  const inspection = new Inspection({ timestampField, ...timeFormat(options) })
  const inputs: InputFacts[] = []
  const notes = new InputNotes()
  const examples = new Examples()
  let bytes = 0
  const unreadable: string[] = []
  const threads = conversionThreads()
  const items = readFiles(inputNames(options, context), {
    reading: options,
    context,
    limits,
    threads,
    unread: { addInput: (message) => void unreadable.push(message) },
    // The report names the formats.
    tell() {},
    signal: interrupt.signal,
  })
  try {
    for await (const item of items) {
      if (item.kind === 'unsendable') inspection.addUnsendable(item)
      else if (item.kind === 'end') inputs.push(inspection.endInput(item.input))
      else {
        inspection.add(item)
        notes.add(item)
        examples.add(item)
        await recorder?.record(item)
        bytes += item.bytes
        progress.show(() => `${item.input}: ${shortBytes(bytes)} checked`)
        item.release()
      }
    }
  } finally {
    await threads?.close()
  }
  const fields = fieldFacts(inspection.fields)
  const report = {
    inputs,
    fields,
    refusals: inspection.rejections.list(),
    /** Events that would be stored with changed values. */
    alterations: inspection.alterations.list(),
    /** Events that only hosted services would reject. */
    limits: [...inspection.limits.list(), ...longNames(fields)],
    examples: examples.inputs,
    objects: examples.objects,
    requests: recorder?.requests() ?? [],
    /** Events that would be sent, by input. */
    sent: recorder?.inputs ?? (new Map() as RequestRecorder['inputs']),
  }
  return { report, unreadable, notes }
}

function summary({ inputs, sent }: CheckReport): string {
  const events = inputs.reduce((sum, input) => sum + input.events, 0)
  const rejected = inputs.reduce((sum, input) => sum + input.rejected, 0)
  if (events === 0) return 'no events found'
  const count = rejected === 0 ? 'none' : formatInteger(rejected)
  const batches = [...sent.values()].reduce((sum, input) => sum + input.batches, 0)
  const inBatches = sent.size === 0 ? '' : ` in ${counted(batches, 'batch')}`
  return `${counted(events, 'event')}${inBatches}, ${count} would be rejected`
}

/** The findings of `--check`, and the requests of `--dry-run`. */
type CheckReport = Awaited<ReturnType<typeof read>>['report']

/** Yields the findings as NDJSON: a record for each request, file, field and kind of problem. */
function* checkRecords(report: CheckReport): Iterable<string> {
  const { inputs, fields, refusals, alterations, limits, examples, requests, sent } = report
  for (const request of requests) yield line({ kind: 'request', ...request })
  for (const input of inputs) {
    const log = examples.get(input.input)
    const matching = log && log.events - log.unmatched
    yield line({ kind: 'file', ...fileRecord(input), matching, ...sent.get(input.input) })
  }
  for (const { examples: first } of examples.values()) {
    for (const example of first) yield line({ kind: 'example', ...example })
  }
  for (const { field, events, types, hasDrift } of fields) {
    yield line({ kind: 'field', field, events, drift: hasDrift, types })
  }
  for (const found of refusals) yield line({ kind: 'refused', ...findingsRecord(found) })
  for (const found of alterations) yield line({ kind: 'altered', ...findingsRecord(found) })
  for (const found of limits) yield line({ kind: 'hosted-limit', ...findingsRecord(found) })
}

function fileRecord(facts: InputFacts) {
  const { input, events, rejected, bytes, times, withoutTime, timestampField } = facts
  return {
    file: input,
    format: formatName(facts),
    events,
    refused: rejected,
    bytes,
    firstTime: times?.first ?? null,
    lastTime: times?.last ?? null,
    withoutTime,
    timestampField,
  }
}

function findingsRecord({ kind, events, first }: FindingsByKind) {
  return { problem: kind, events, first }
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`
}

/** The heading of each kind of problem. */
const HEADINGS: Readonly<Record<FindingKind, string>> = {
  'not-json': 'not JSON',
  'not-an-object': 'not an object',
  'empty-field-name': 'a field without a name',
  'number-too-large': 'a number that does not fit in 64 bits',
  'half-a-character': 'an unpaired surrogate',
  'field-name-too-long': 'a field name that is too long',
  'nested-too-deep': 'nested too deeply',
  'too-many-keys': 'more keys than an event may have',
  'not-a-time': 'an invalid event time',
  'not-utf-8': 'not UTF-8',
  'not-a-row': 'not a CSV row',
  'csv-header': "a header that can't be used",
  'repeated-key': 'a duplicate key',
  rounded: 'a number that a 64-bit float does not represent exactly',
  unsendable: 'impossible to send',
  'value-too-long': 'a value of more than 1 MB',
  'name-too-long': 'a field name of more than 200 bytes',
}

/** The first events or the formats of this many inputs are shown. */
const MAX_INPUTS = 5

/** Returns the findings as text: lines and a table that fit the width. */
async function checkText(report: CheckReport, width: number): Promise<Iterable<string>> {
  const { inputs, fields, refusals, alterations, limits, examples, objects, requests, sent } =
    report
  const drifted = fields.filter(({ hasDrift }) => hasDrift)
  const sections = [
    ...requests.map(requestLines),
    inputs.flatMap((facts) => inputLines(facts, sent.get(facts.input), width)),
    objectLines([...objects].slice(0, MAX_INPUTS), width),
    timeLines(report),
    ...[...examples].slice(0, MAX_INPUTS).map((input) => exampleLines(input, width)),
    fields.length === 0 ? [] : [await fieldTable(fields, width)],
    drifted.length === 0 ? [] : ['Fields whose type changes:', ...drifted.map(driftLine)],
    findingLines('Would be rejected:', refusals),
    findingLines('Would be stored with changed values:', alterations),
    findingLines('Accepted here, but not by hosted services:', limits),
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines, index) => `${index === 0 ? '' : '\n'}${lines.join('\n')}\n`)
}

function requestLines({ method, url, dataDirectory, headers }: CheckReport['requests'][number]) {
  const place = dataDirectory === undefined ? '' : ` in the data directory \`${dataDirectory}\``
  const fields = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
  return [`${method} ${url}${place}`, ...fields].map((text) => escapeControls(text))
}

/** Returns a line about an input, and its first event, cut to the width, if it would be sent. */
function inputLines(
  facts: InputFacts,
  sent: ReturnType<CheckReport['sent']['get']>,
  width: number,
): readonly string[] {
  if (sent === undefined) return [inputLine(facts)]
  const { batches, sentBytes, firstEvent } = sent
  const compressed = sentBytes < facts.bytes ? ` (${shortBytes(sentBytes)} compressed)` : ''
  // Cut first, because an event may be as long as a batch.
  const event = cutText(escapeControls(firstEvent.slice(0, width)), width - 3)
  return [`${inputLine(facts)}, ${counted(batches, 'batch')}${compressed}`, `  ${event}`]
}

function inputLine(facts: InputFacts): string {
  const { input, contentType, events, rejected, bytes, times } = facts
  const parts = [
    counted(events, 'event'),
    ...(rejected > 0 ? [`${formatInteger(rejected)} would be rejected`] : []),
    shortBytes(bytes),
    ...(contentType === undefined ? [] : [formatName(facts)]),
    ...(times === undefined ? [] : [`${times.first} to ${times.last}`]),
  ]
  return `${escapeControls(input)}: ${parts.join(', ')}`
}

/** Returns a line about events without a time. */
function timeLines({ inputs, fields }: CheckReport): readonly string[] {
  const untimed = inputs.filter(({ withoutTime }) => withoutTime > 0)
  const without = untimed.reduce((sum, { withoutTime }) => sum + withoutTime, 0)
  if (without === 0) return []
  const names = [...new Set(untimed.map(({ timestampField }) => timestampField))]
  const field = names.map((name) => `\`${escapeControls(name)}\``).join(' or ')
  const hasAny = inputs.some(({ times }) => times !== undefined)
  const other = hasAny ? undefined : fields.find(({ field }) => isTimeFieldName(field))
  const hint =
    other === undefined
      ? ''
      : ` To use \`${escapeControls(other.field)}\`: \`--timestamp-field ${escapeControls(other.field)}\`.`
  return [`${counted(without, 'event')} without ${field}: the time of arrival is used.${hint}`]
}

async function fieldTable(rows: readonly FieldFacts[], width: number): Promise<string> {
  const columns: readonly ListColumn<FieldFacts>[] = [
    { name: 'field', of: ({ field }) => field },
    { name: 'events', of: ({ events }) => events },
    {
      name: 'types',
      of: ({ types }) =>
        types.length === 1
          ? types[0]!.type
          : types.map(({ type, events }) => `${type} ${formatInteger(events)}`).join(', '),
    },
  ]
  const table = listTable({ rows, columns })
  const options = { header: true, color: 'none' as const, width }
  return [...(await renderTables([table], options))].join('').trimEnd()
}

function driftLine({ field, types }: FieldFacts): string {
  const shown = types
    .filter(({ type }) => type !== 'null')
    .map(({ type, first }, index) => `${type} (${index === 0 ? 'from' : 'first at'} ${first})`)
  return escapeControls(`  ${field}: ${shown.join(', ')}`)
}

function findingLines(heading: string, found: readonly FindingsByKind[]): readonly string[] {
  if (found.length === 0) return []
  return [heading, ...found.flatMap(kindLines)]
}

function kindLines({ kind, events, first }: FindingsByKind): readonly string[] {
  const rest = events - first.length
  return [
    `  ${HEADINGS[kind]}: ${counted(events, 'event')}`,
    ...first.map(({ at, reason }) => escapeControls(`    ${at}: ${reason}`)),
    ...(rest > 0 ? [`    … and ${formatInteger(rest)} more`] : []),
  ]
}
