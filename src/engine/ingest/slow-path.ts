import { setImmediate } from 'node:timers/promises'
import { identifier, sql } from '../../sql/sql.js'
import { classifyLineInSteps } from '../../wire/event/classify-line.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import { type Leaf, MAX_KEYS } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import { runInTurns } from '../../wire/json/steps.js'
import type { RejectedLine, StoredLines } from '../batch.js'
import { savePaths } from '../catalog/catalog.js'
import { tableOf } from '../catalog/database.js'
import { Dataset } from '../catalog/dataset.js'
import type { DatasetHandle } from '../catalog/dataset-handle.js'
import { fieldLeaves, isMap } from '../catalog/field-limit.js'
import { FieldStatistics } from '../catalog/field-statistics.js'
import { evolve } from '../catalog/schema-change.js'
import { changeColumns, createTable } from '../catalog/table.js'
import { columnName } from '../catalog/typed-column.js'
import { type Engine, EngineError } from '../engine.js'
import { deleteSurplusPaths } from '../maintenance/deletion.js'
import {
  type Insertion,
  type InsertionFile,
  insertStatement,
  UNEXPECTED_EVENT_CODE,
  unexpectedLines,
} from './insertion.js'
import { type PickedLine, pickLines } from './picked-lines.js'
import { RowOverrides } from './row-overrides.js'

/** Times in forms that the engine was not told of, by the rows of their lines. */
type TimesByForm = ReadonlyMap<TimeForm, ReadonlyMap<number, bigint>>

/** Events that tell how a dataset looks, before its first batch. */
const SAMPLE_LINES = 1000
/** Lines that are read at a time while the dataset may still grow by what they tell; then all the rest. */
const FIRST_READ_LINES = 1000
const MAX_PARTIAL_READS = 3
/** So many lines, and characters, are read in some milliseconds before others have their turn. */
const LINES_AT_ONCE = 1000
const CHARACTERS_AT_ONCE = 64 * 1024
/** A form of times that fewer events use is not worth the engine's time. */
const FREQUENT_FORM = 0.01
const TIME: FieldPath = ['_time']

/** Stores a file with events that are not what the dataset expects. */
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

  /** Answers what became of each part of the file. */
  async store(): Promise<readonly StoredLines[]> {
    try {
      if (this.target.current() === undefined) await this.createDataset()
      while (!(await this.insert())) {
        const hasChanged = await this.readUnexpected(
          this.reads < MAX_PARTIAL_READS ? FIRST_READ_LINES : this.file.counts.lines,
        )
        // Lines that tell nothing new are bad ones, or odd ones: now all of them at once.
        this.reads = hasChanged ? this.reads + 1 : MAX_PARTIAL_READS
      }
      return await this.overrides.outcomes()
    } finally {
      await this.overrides.remove()
    }
  }

  /** Nothing in it was odd after all: a quick look could not tell. */
  get passedFullCheck(): boolean {
    return this.reads === 0 && this.overrides.count === 0
  }

  /** What was rejected of each part of a file that is stored already. */
  async rejections(): Promise<readonly (readonly RejectedLine[])[]> {
    await this.read(await this.unexpected(this.file.counts.lines))
    return (await this.overrides.outcomes()).map(({ rejected }) => rejected)
  }

  /** Makes the dataset, from a sample of its first batch; without a single event it is not made. */
  private async createDataset(): Promise<void> {
    const { lines } = this.file.counts
    const step = Math.max(1, Math.ceil(lines / SAMPLE_LINES))
    const sample = await this.read(every(step, lines))
    const { statistics, events, times } =
      sample.events > 0 ? sample : await this.read(every(1, lines))
    if (events === 0) return
    this.learn(times, events)
    const change = evolve(new Dataset(this.target.name, new Map(), new Map()), statistics, events)
    await savePaths(this.target.engine, this.target.name, change.paths)
    await this.target.engine.change(createTable(this.target.name, change.columns, lines))
    this.target.changed(change.dataset)
  }

  /** Tries to store what is left; false while there are events that are not expected. */
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

  /** Reads lines that are not expected; true when the dataset grew by them, or another form of times was found. */
  private async readUnexpected(limit: number): Promise<boolean> {
    const before = this.overrides.count
    const { timeFormat } = this.terms
    const knownForms = new Set([...this.timeForms, ...(timeFormat ? [timeFormat.reads] : [])])
    const rows = await this.unexpected(limit)
    const { statistics, times } = await this.read(rows, knownForms)
    // What was found speaks for the lines up to the last one that was read.
    const lines = rows.length < limit ? this.file.counts.lines : (rows.at(-1) ?? 0) + 1
    const hasNewForm = this.learn(times, lines)
    const hasChanged = (await this.evolveSchema(statistics, lines)) || hasNewForm
    if (!hasChanged && this.overrides.count === before) await this.rejectUnexplained(rows)
    if (!hasChanged && this.overrides.count === before) {
      // The next try would be the same as this one.
      throw new Error('the engine refuses events and names none that is new')
    }
    return hasChanged
  }

  private async unexpected(limit: number): Promise<readonly number[]> {
    const insertion = this.insertion()
    if (insertion === undefined) return []
    const answer = await this.target.engine.inspect(unexpectedLines(insertion, limit))
    return JSON.parse(answer.columns.get('row') ?? '[]')
  }

  private insertion(): Insertion | undefined {
    const dataset = this.target.current()
    if (dataset === undefined) return undefined
    const { file, terms, timeForms } = this
    const overrides = this.overrides.count > 0 ? { overrides: this.overrides.path } : {}
    return { dataset, terms, timeForms, files: [file], isFullCheck: true, ...overrides }
  }

  /**
   * Reads lines one by one and keeps what has to be said of them. `told` are the forms of times that
   * the engine was told of and still did not expect them.
   */
  private async read(
    rows: readonly number[],
    knownForms: ReadonlySet<TimeForm> = new Set(),
  ): Promise<{ statistics: FieldStatistics; events: number; times: TimesByForm }> {
    const statistics = new FieldStatistics()
    const times = new Map<TimeForm, Map<number, bigint>>()
    let events = 0
    let unread = 0
    for (const [i, line] of (await pickLines(this.file.path, rows)).entries()) {
      unread += line.text?.length ?? 0
      if (i % LINES_AT_ONCE === 0 || unread > CHARACTERS_AT_ONCE) {
        await setImmediate()
        unread = 0
      }
      const event = await runInTurns(classifyLineInSteps(line.text, this.terms))
      if (event.kind === 'blank') this.overrides.skip(line)
      else if (event.kind === 'rejected') this.overrides.reject(line, event.reason)
      else {
        events++
        statistics.add(this.fields(event.leaves))
        if (this.mayHaveTooManyKeys(line)) this.overrides.accept(line)
        const { time, form } = event
        if (time === undefined) continue
        if (form === undefined || knownForms.has(form)) this.overrides.setTime(line.row, time)
        else times.set(form, (times.get(form) ?? new Map()).set(line.row, time))
      }
    }
    return { statistics, events, times }
  }

  /** Forms that many of so many lines use are for the engine; of others each time is said. True when there is a new one. */
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
    // As the time, `_time` is no field of its own, unless another batch has made it one.
    const own = isTimed ? leaves.filter(({ path }) => pathKey(path) !== pathKey(TIME)) : leaves
    return dataset === undefined ? own : fieldLeaves(dataset, own)
  }

  /** True for the lines that the engine may suspect of too many keys, and some others. */
  private mayHaveTooManyKeys({ text = '' }: PickedLine): boolean {
    return text.length + (this.terms.labels?.length ?? 0) > MAX_KEYS
  }

  private async rejectUnexplained(rows: readonly number[]): Promise<void> {
    for (const line of await pickLines(this.file.path, rows)) {
      this.overrides.reject(line, 'not JSON as the engine reads it')
    }
  }

  /** Makes the dataset such that what was found has a place in it; false when it had. */
  private async evolveSchema(statistics: FieldStatistics, events: number): Promise<boolean> {
    const dataset = this.target.current()
    if (dataset === undefined) return false
    const { engine, name } = this.target
    await markLongIntegers(engine, dataset, statistics)
    const change = evolve(dataset, statistics, events)
    if (change.paths.length === 0) return false
    await savePaths(engine, name, change.paths)
    const { columns, retired } = change
    if (columns.length + retired.length > 0) {
      await engine.change(changeColumns(name, { added: columns, retired }))
    }
    this.target.changed(change.dataset)
    if (change.paths.some(isMap)) await deleteSurplusPaths(engine, change.dataset)
    return true
  }
}

/** An integer column may only become one of doubles when a double holds each of its values exactly. */
async function markLongIntegers(
  engine: Engine,
  dataset: Dataset,
  statistics: FieldStatistics,
): Promise<void> {
  for (const { column, known } of dataset.typedPaths()) {
    const finding = statistics.paths.get(pathKey(known.path))
    if (column.type !== 'int' || finding === undefined || (finding.kinds & KIND.real) === 0)
      continue
    const answer = await engine.ask(sql`
      SELECT count() AS n FROM ${tableOf(dataset.name)}
      WHERE ${identifier(columnName(column))} NOT BETWEEN -9007199254740992 AND 9007199254740992`)
    if (answer.columns.get('n') !== '[0]') finding.kinds |= KIND.long
  }
}

function every(step: number, count: number): readonly number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step)
}
