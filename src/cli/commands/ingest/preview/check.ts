import { type FieldFacts, fieldFacts, longNames } from '../../../../input/inspect/field-facts.js'
import type { FindingsByKind } from '../../../../input/inspect/findings.js'
import { type InputFacts, Inspection } from '../../../../input/inspect/inspection.js'
import { escapeControls } from '../../../../render/escape-controls.js'
import { renderTables } from '../../../../render/table.js'
import { writeText } from '../../../../render/write.js'
import { formatInteger } from '../../../../text/integer.js'
import type { Table } from '../../../../wire/http/tabular-result.js'
import { EXIT, type ExitCode } from '../../../exit-code.js'
import { counted, shortBytes } from '../../../option/quantity.js'
import type { Progress } from '../../../terminal/progress.js'
import { namedTimeField, timeFormat } from '../option/event-time.js'
import { formatName } from '../read/format-name.js'
import { InputNotes } from '../report/input-notes.js'
import { isTimeFieldName } from '../report/time-advice.js'
import { Examples, exampleLines, type InputExamples } from './examples.js'
import { type PreviewOptions, previewInputs } from './preview-inputs.js'

interface CheckOptions extends PreviewOptions {
  readonly progress: Progress
}

/** Runs `evq ingest … --check`: inspects the events and sends nothing. */
export async function runCheck(run: CheckOptions): Promise<ExitCode> {
  const { options, context, interrupt, progress } = run
  const { io } = context
  const { report, unreadable, notes } = await read(run)
  progress.close()
  const isTerminal = io.stdout.isTTY === true
  const text = isTerminal ? await checkText(report, io.stdout.columns ?? 80) : checkRecords(report)
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
  const { options, progress } = run
  const timestampField = namedTimeField(options) ?? '_time'
  const inspection = new Inspection({ timestampField, ...timeFormat(options) })
  const inputs: InputFacts[] = []
  const notes = new InputNotes()
  const examples = new Examples()
  let bytes = 0
  const unreadable = await previewInputs(run, {
    batch(batch) {
      inspection.add(batch)
      notes.add(batch)
      examples.add(batch)
      bytes += batch.bytes
      progress.show(() => `${batch.input}: ${shortBytes(bytes)} checked`)
    },
    unsendable: (event) => inspection.addUnsendable(event),
    end: ({ input }) => inputs.push(inspection.endInput(input)),
  })
  const fields = fieldFacts(inspection.tree)
  const report: CheckReport = {
    inputs,
    fields,
    refusals: inspection.rejections.list(),
    alterations: inspection.alterations.list(),
    limits: [...inspection.limits.list(), ...longNames(fields)],
    examples: examples.inputs,
  }
  return { report, unreadable, notes }
}

function summary({ inputs }: CheckReport): string {
  const events = inputs.reduce((sum, input) => sum + input.events, 0)
  const rejected = inputs.reduce((sum, input) => sum + input.rejected, 0)
  if (events === 0) return 'no events found'
  const count = rejected === 0 ? 'none' : formatInteger(rejected)
  return `${counted(events, 'event')}, ${count} would be rejected`
}

/** The findings of `--check`. */
export interface CheckReport {
  readonly inputs: readonly InputFacts[]
  readonly fields: readonly FieldFacts[]
  /** Events that would be rejected. */
  readonly refusals: readonly FindingsByKind[]
  /** Events that would be stored with changed values. */
  readonly alterations: readonly FindingsByKind[]
  /** Events that only hosted services would reject. */
  readonly limits: readonly FindingsByKind[]
  /** The first events of logs, by input. */
  readonly examples: ReadonlyMap<string, InputExamples>
}

/** Yields the findings as NDJSON: a record for each file, field and kind of problem. */
export function* checkRecords({
  inputs,
  fields,
  refusals,
  alterations,
  limits,
  examples,
}: CheckReport): Iterable<string> {
  for (const input of inputs) {
    const log = examples.get(input.input)
    const matching = log === undefined ? {} : { matching: log.events - log.unmatched }
    yield line({ kind: 'file', ...fileRecord(input), ...matching })
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
const HEADINGS: Readonly<Record<string, string>> = {
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

/** The first events of this many inputs are shown. */
const MAX_INPUTS = 5

/** Returns the findings as text: lines and a table that fit the width. */
export async function checkText(report: CheckReport, width: number): Promise<Iterable<string>> {
  const { inputs, fields, refusals, alterations, limits, examples } = report
  const drifted = fields.filter(({ hasDrift }) => hasDrift)
  const sections = [
    inputs.map(inputLine),
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

async function fieldTable(fields: readonly FieldFacts[], width: number): Promise<string> {
  const rows = fields.map(({ field, events, types }) => [
    JSON.stringify(field),
    String(events),
    JSON.stringify(
      types.map(({ type, events }) => typeCell(type, events, types.length)).join(', '),
    ),
  ])
  const table = tableOf(['field', 'events', 'types'], rows)
  const options = { header: true, color: 'none' as const, width }
  return [...(await renderTables([table], options))].join('').trimEnd()
}

function typeCell(type: string, events: number, count: number): string {
  return count === 1 ? type : `${type} ${formatInteger(events)}`
}

function tableOf(names: readonly string[], rows: readonly (readonly string[])[]): Table {
  return {
    name: '0',
    sources: [],
    order: [],
    groups: [],
    fields: names.map((name) => ({ name, type: 'string' })),
    columns: names.map((_, column) => rows.map((row) => row[column]!)),
  }
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
    `  ${HEADINGS[kind] ?? kind}: ${counted(events, 'event')}`,
    ...first.map(({ at, reason }) => escapeControls(`    ${at}: ${reason}`)),
    ...(rest > 0 ? [`    … and ${formatInteger(rest)} more`] : []),
  ]
}
