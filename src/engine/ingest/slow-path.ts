import { classifyLineInSteps } from '../../wire/event/classify-line.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import type { Leaf } from '../../wire/json/json-line.js'
import { MAX_KEYS } from '../../wire/limits.js'
import { runInTurns, Turn } from '../../wire/steps/steps.js'
import type { RejectedLine, StoredLines } from '../batch.js'
import { savePaths } from '../catalog/catalog.js'
import type { DatasetHandle } from '../catalog/dataset.js'
import { withoutFields } from '../catalog/empty-dataset.js'
import { fieldLeaves } from '../catalog/field-limit.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { evolve } from '../catalog/schema-change.js'
import { createTable } from '../catalog/table.js'
import { newTokenIndexes, withTokenIndexes } from '../catalog/token-indexes.js'
import { EngineError } from '../engine.js'
import {
  type Insertion,
  type InsertionFile,
  insertStatement,
  UNEXPECTED_EVENT_CODE,
  unexpectedLines,
} from './insertion.js'
import { type PickedLine, pickLines } from './picked-lines.js'
import { RowOverrides } from './row-overrides.js'
import { growSchema } from './schema-growth.js'

/** Times, in nanoseconds since 1970, by their format and the row of their line. */
type TimesByForm = ReadonlyMap<TimeForm, ReadonlyMap<number, bigint>>

/** Lines sampled from the first batch of a dataset to choose its columns. */
const SAMPLE_LINES = 1000
/** Unexpected lines read at a time while they change the schema; after that all of them are read at once. */
const FIRST_READ_LINES = 1000
const MAX_PARTIAL_READS = 3
/** A time format is added to the engine's statement when at least this share of the lines use it. */
const FREQUENT_FORM = 0.01
const TIME: FieldPath = ['_time']

/** Stores a file whose events change the schema or are invalid; the dataset must be locked by the caller. */
export class SlowPathBatch {
  private readonly target: DatasetHandle
  private readonly file: InsertionFile
  private readonly terms: EventOptions
  private readonly timeForms: Set<TimeForm>
  private readonly overrides: RowOverrides
  private reads = 0

  constructor(options: {
    target: DatasetHandle
    file: InsertionFile
    terms: EventOptions
    timeForms: Set<TimeForm>
  }) {
    this.target = options.target
    this.file = options.file
    this.terms = options.terms
    this.timeForms = options.timeForms
    this.overrides = new RowOverrides(options.file)
  }

  /** Returns the result for each part of the file. Rejects when the engine fails. */
  async store(): Promise<readonly StoredLines[]> {
    try {
      if (!this.target.current()?.hasFields) await this.addFirstColumns()
      while (!(await this.insert())) {
        const hasChanged = await this.readUnexpected(
          this.reads < MAX_PARTIAL_READS ? FIRST_READ_LINES : this.file.counts.lines,
        )
        // When lines no longer change the schema, the rest are invalid or exceptional: read all of them at once.
        this.reads = hasChanged ? this.reads + 1 : MAX_PARTIAL_READS
      }
      return await this.overrides.outcomes()
    } finally {
      await this.overrides.remove()
    }
  }

  /** True when all events were as expected and only the fast check had failed. */
  get passedFullCheck(): boolean {
    return this.reads === 0 && this.overrides.count === 0
  }

  /** Returns the rejected lines of each part of a file that is stored already. */
  async rejections(): Promise<readonly (readonly RejectedLine[])[]> {
    await this.read(await this.unexpected(this.file.counts.lines))
    return (await this.overrides.outcomes()).map(({ rejected }) => rejected)
  }

  /** Chooses the columns from a sample of the batch, and creates the dataset unless it exists or the batch has no events. */
  private async addFirstColumns(): Promise<void> {
    const { lines } = this.file.counts
    const step = Math.max(1, Math.ceil(lines / SAMPLE_LINES))
    const sample = await this.read(every(step, lines))
    const { statistics, events, times } =
      sample.events > 0 ? sample : await this.read(every(1, lines))
    if (events === 0) return
    this.learn(times, events)
    if (this.target.current() === undefined) await this.createDataset(statistics, events)
    else await growSchema(this.target, statistics, events)
  }

  private async createDataset(statistics: FieldStatistics, events: number): Promise<void> {
    const { engine, name } = this.target
    const { columns, dataset, paths } = evolve(withoutFields(name), statistics, events)
    await savePaths(engine, name, paths)
    const tokenIndexes = newTokenIndexes(dataset, columns)
    const { lines } = this.file.counts
    await engine.change(createTable(name, { columns, tokenIndexes, events: lines, engine }))
    this.target.changed(withTokenIndexes(dataset, tokenIndexes))
  }

  /** Tries to store the remaining events; false when some are unexpected. */
  private async insert(): Promise<boolean> {
    const insertion = this.insertion()
    if (insertion === undefined || this.overrides.rejectsAll) return true
    await this.overrides.write()
    try {
      await this.target.engine.load(insertStatement(insertion))
      return true
    } catch (error) {
      if (error instanceof EngineError && error.code === UNEXPECTED_EVENT_CODE) return false
      throw error
    }
  }

  /** Reads unexpected lines; true when they changed the schema or the set of time formats. */
  private async readUnexpected(limit: number): Promise<boolean> {
    const before = this.overrides.count
    const { timeFormat } = this.terms
    const knownForms = new Set([...this.timeForms, ...(timeFormat ? [timeFormat.reads] : [])])
    const rows = await this.unexpected(limit)
    const { statistics, times } = await this.read(rows, knownForms)
    // The statistics cover the lines up to the last one that was read.
    const lines = rows.length < limit ? this.file.counts.lines : (rows.at(-1) ?? 0) + 1
    const hasNewForm = this.learn(times, lines)
    const hasChanged = (await growSchema(this.target, statistics, lines)) || hasNewForm
    if (!hasChanged && this.overrides.count === before) await this.rejectUnexplained(rows)
    if (!hasChanged && this.overrides.count === before) {
      // The next attempt would be identical.
      throw new Error('the engine rejects events without naming a new one')
    }
    return hasChanged
  }

  private async unexpected(limit: number): Promise<readonly number[]> {
    const insertion = this.insertion()
    if (insertion === undefined) return []
    const result = await this.target.engine.inspect(unexpectedLines(insertion, limit))
    return JSON.parse(result.columns.get('row') ?? '[]')
  }

  private insertion(): Insertion | undefined {
    const dataset = this.target.current()
    if (dataset === undefined) return undefined
    const { file, terms, timeForms } = this
    const overrides = this.overrides.count > 0 ? { overrides: this.overrides.path } : {}
    return { dataset, terms, timeForms, files: [file], isFullCheck: true, ...overrides }
  }

  /**
   * Reads lines in JavaScript and records their overrides. Times in `knownForms`, which the engine knows and still could
   * not read, are overridden.
   */
  private async read(
    rows: readonly number[],
    knownForms: ReadonlySet<TimeForm> = new Set(),
  ): Promise<{ statistics: FieldStatistics; events: number; times: TimesByForm }> {
    const statistics = new FieldStatistics()
    const times = new Map<TimeForm, Map<number, bigint>>()
    let events = 0
    const turn = new Turn()
    for (const line of await pickLines(this.file.path, rows)) {
      if (turn.isOver) await turn.next()
      const event = await runInTurns(classifyLineInSteps(line.text, this.terms), turn)
      if (event.kind === 'blank') this.overrides.skip(line)
      else if (event.kind === 'rejected') this.overrides.reject(line, event.reason)
      else {
        events++
        statistics.add(this.fields(event.leaves))
        if (this.mayHaveTooManyKeys(line)) this.overrides.accept(line)
        const { time, form, hasEngineTime } = event
        if (time === undefined || hasEngineTime) continue
        if (form === undefined || knownForms.has(form)) this.overrides.setTime(line.row, time)
        else times.set(form, (times.get(form) ?? new Map()).set(line.row, time))
      }
    }
    return { statistics, events, times }
  }

  /** Time formats used by at least 1 % of the lines are taught to the engine; rarer ones are overridden row by row. True when one was taught. */
  private learn(timesByForm: TimesByForm, lines: number): boolean {
    let hasNewForm = false
    for (const [form, times] of timesByForm) {
      if (form === this.terms.timeFormat?.reads) continue
      if (times.size >= lines * FREQUENT_FORM) {
        this.timeForms.add(form)
        hasNewForm = true
      } else for (const [row, time] of times) this.overrides.setTime(row, time)
    }
    return hasNewForm
  }

  private fields(leaves: readonly Leaf[]): readonly Leaf[] {
    const dataset = this.target.current()
    const isTimed = this.terms.timestampField === '_time' && !dataset?.knows(TIME)
    // When `_time` is the timestamp, it is not a field unless another batch has made it one.
    const own = isTimed ? leaves.filter(({ path }) => pathKey(path) !== pathKey(TIME)) : leaves
    return dataset === undefined ? own : fieldLeaves(dataset, own)
  }

  /** True for all lines that the engine may suspect of having too many keys, and some others. */
  private mayHaveTooManyKeys({ text = '' }: PickedLine): boolean {
    return text.length + (this.terms.labels?.length ?? 0) > MAX_KEYS
  }

  /**
   * Overrides the times of lines that are unexpected for no other reason: the engine may turn integers into doubles when
   * the same field has a fraction in another line. Lines that are still unexpected are rejected.
   */
  private async rejectUnexplained(rows: readonly number[]): Promise<void> {
    const turn = new Turn()
    for (const line of await pickLines(this.file.path, rows)) {
      const event = await runInTurns(classifyLineInSteps(line.text, this.terms), turn)
      const time = event.kind === 'event' ? event.time : undefined
      if (time === undefined || this.overrides.hasTime(line)) {
        this.overrides.reject(line, unreadReason(line))
      } else this.overrides.setTime(line.row, time)
    }
  }
}

/** A field name that ends with U+0000: the engine can't read an event with one. */
const NUL_NAME = /"((?:[^"\\]|\\.){0,1024}\\u0000)"\s*:/

/** Returns the reason why the engine can't read an event that is valid JSON. */
function unreadReason({ text = '' }: PickedLine): string {
  const name = NUL_NAME.exec(text)?.[1]
  return name === undefined
    ? 'not JSON as the engine reads it'
    : `the field name \`${name.slice(-40)}\` ends with U+0000, which can't be stored; \`sed 's/\\\\u0000//g'\` removes it`
}

function every(step: number, count: number): readonly number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
}
