import { setImmediate } from 'node:timers/promises'
import { identifier, sql } from '../../sql/sql.js'
import { classifyLineInSteps } from '../../wire/event/classify-line.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import { type FieldPath, pathKey } from '../../wire/json/field-path.js'
import { type Leaf, MAX_KEYS } from '../../wire/json/json-line.js'
import { KIND } from '../../wire/json/kinds.js'
import { runInTurns } from '../../wire/json/steps.js'
import { savePaths } from '../catalog/catalog.js'
import { tableOf } from '../catalog/database.js'
import { Dataset } from '../catalog/dataset.js'
import { fieldLeaves } from '../catalog/field-leaves.js'
import { isMap } from '../catalog/field-limit.js'
import { Survey } from '../catalog/field-statistics.js'
import { grow } from '../catalog/schema-change.js'
import { changeColumns, createTable } from '../catalog/table.js'
import { columnName } from '../catalog/typed-column.js'
import { type Engine, EngineError } from '../engine.js'
import { forgetSurplus } from '../maintenance/deletion.js'
import type { Rejected, Stored } from '../store.js'
import {
  GUARD_CODE,
  type Insertion,
  type InsertionFile,
  insertStatement,
  unexpectedLines,
} from './insertion.js'
import { type PickedLine, pickLines } from './picked-lines.js'
import { Verdicts } from './row-overrides.js'

/** A dataset that may change while a batch is stored: nobody else writes to it meanwhile. */
export interface Growing {
  readonly name: string
  readonly engine: Engine
  current(): Dataset | undefined
  changed(dataset: Dataset): void
}

/** Times in forms that the engine was not told of, by the rows of their lines. */
type OddTimes = ReadonlyMap<TimeForm, ReadonlyMap<number, bigint>>

/** Events that tell how a dataset looks, before its first batch. */
const SAMPLE_LINES = 1000
/** Lines that are read at a time while the dataset may still grow by what they tell; then all the rest. */
const FIRST_LOOK = 1000
const LOOKS = 3
/** So many lines, and characters, are read in some milliseconds before others have their turn. */
const LINES_AT_ONCE = 1000
const TEXT_AT_ONCE = 64 * 1024
/** A form of times that fewer events use is not worth the engine's time. */
const FREQUENT_FORM = 0.01
const TIME: FieldPath = ['_time']

/** Stores a file with events that are not what the dataset expects. */
export class OddBatch {
  private readonly target: Growing
  private readonly file: InsertionFile
  private readonly terms: EventOptions
  private readonly timeForms: Set<TimeForm>
  private readonly verdicts: Verdicts
  private looks = 0

  constructor(options: {
    target: Growing
    file: InsertionFile
    terms: EventOptions
    timeForms: Set<TimeForm>
  }) {
    this.target = options.target
    this.file = options.file
    this.terms = options.terms
    this.timeForms = options.timeForms
    this.verdicts = new Verdicts(options.file)
  }

  /** Answers what became of each part of the file. */
  async store(): Promise<readonly Stored[]> {
    try {
      if (this.target.current() === undefined) await this.begin()
      while (!(await this.insert())) {
        const grown = await this.look(this.looks < LOOKS ? FIRST_LOOK : this.file.facts.lines)
        // Lines that tell nothing new are bad ones, or odd ones: now all of them at once.
        this.looks = grown ? this.looks + 1 : LOOKS
      }
      return await this.verdicts.outcome()
    } finally {
      await this.verdicts.remove()
    }
  }

  /** Nothing in it was odd after all: a quick look could not tell. */
  get wasExpected(): boolean {
    return this.looks === 0 && this.verdicts.count === 0
  }

  /** What was rejected of each part of a file that is stored already. */
  async rejections(): Promise<readonly (readonly Rejected[])[]> {
    await this.read(await this.unexpected(this.file.facts.lines))
    return (await this.verdicts.outcome()).map(({ rejected }) => rejected)
  }

  /** Makes the dataset, from a sample of its first batch; without a single event it is not made. */
  private async begin(): Promise<void> {
    const { lines } = this.file.facts
    const step = Math.max(1, Math.ceil(lines / SAMPLE_LINES))
    const sample = await this.read(every(step, lines))
    const { survey, events, odd } = sample.events > 0 ? sample : await this.read(every(1, lines))
    if (events === 0) return
    this.learn(odd, events)
    const growth = grow(new Dataset(this.target.name, new Map(), new Map()), survey, events)
    await savePaths(this.target.engine, this.target.name, growth.paths)
    await this.target.engine.change(createTable(this.target.name, growth.columns, lines))
    this.target.changed(growth.dataset)
  }

  /** Tries to store what is left; false while there are events that are not expected. */
  private async insert(): Promise<boolean> {
    const insertion = this.insertion()
    if (insertion === undefined || this.verdicts.leaveNothing) return true
    await this.verdicts.write()
    try {
      await this.target.engine.load(insertStatement(insertion))
      return true
    } catch (error) {
      if (error instanceof EngineError && error.code === GUARD_CODE) return false
      throw error
    }
  }

  /** Reads lines that are not expected; true when the dataset grew by them, or another form of times was found. */
  private async look(limit: number): Promise<boolean> {
    const before = this.verdicts.count
    const { timeFormat } = this.terms
    const told = new Set([...this.timeForms, ...(timeFormat ? [timeFormat.reads] : [])])
    const rows = await this.unexpected(limit)
    const { survey, odd } = await this.read(rows, told)
    // What was found speaks for the lines up to the last one that was read.
    const lines = rows.length < limit ? this.file.facts.lines : (rows.at(-1) ?? 0) + 1
    const learned = this.learn(odd, lines)
    const grown = (await this.grow(survey, lines)) || learned
    if (!grown && this.verdicts.count === before) await this.rejectUnexplained(rows)
    if (!grown && this.verdicts.count === before) {
      // The next try would be the same as this one.
      throw new Error('the engine refuses events and names none that is new')
    }
    return grown
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
    const verdicts = this.verdicts.count > 0 ? { verdicts: this.verdicts.path } : {}
    return { dataset, terms, timeForms, files: [file], exact: true, ...verdicts }
  }

  /**
   * Reads lines one by one and keeps what has to be said of them. `told` are the forms of times that
   * the engine was told of and still did not expect them.
   */
  private async read(
    rows: readonly number[],
    told: ReadonlySet<TimeForm> = new Set(),
  ): Promise<{ survey: Survey; events: number; odd: OddTimes }> {
    const survey = new Survey()
    const odd = new Map<TimeForm, Map<number, bigint>>()
    let events = 0
    let unread = 0
    for (const [i, line] of (await pickLines(this.file.path, rows)).entries()) {
      unread += line.text?.length ?? 0
      if (i % LINES_AT_ONCE === 0 || unread > TEXT_AT_ONCE) {
        await setImmediate()
        unread = 0
      }
      const judged = await runInTurns(classifyLineInSteps(line.text, this.terms))
      if (judged.kind === 'blank') this.verdicts.passOver(line)
      else if (judged.kind === 'rejected') this.verdicts.reject(line, judged.reason)
      else {
        events++
        survey.add(this.fields(judged.leaves))
        if (this.mayHaveTooManyKeys(line)) this.verdicts.pass(line)
        const { time, form } = judged
        if (time === undefined) continue
        if (form === undefined || told.has(form)) this.verdicts.time(line.row, time)
        else odd.set(form, (odd.get(form) ?? new Map()).set(line.row, time))
      }
    }
    return { survey, events, odd }
  }

  /** Forms that many of so many lines use are for the engine; of others each time is said. True when there is a new one. */
  private learn(odd: OddTimes, lines: number): boolean {
    let learned = false
    for (const [form, times] of odd) {
      if (form === this.terms.timeFormat?.reads) continue
      if (times.size >= lines * FREQUENT_FORM) {
        this.timeForms.add(form)
        learned = true
      } else for (const [row, time] of times) this.verdicts.time(row, time)
    }
    return learned
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
      this.verdicts.reject(line, 'not JSON as the engine reads it')
    }
  }

  /** Makes the dataset such that what was found has a place in it; false when it had. */
  private async grow(survey: Survey, events: number): Promise<boolean> {
    const dataset = this.target.current()
    if (dataset === undefined) return false
    const { engine, name } = this.target
    await markLongIntegers(engine, dataset, survey)
    const growth = grow(dataset, survey, events)
    if (growth.paths.length === 0) return false
    await savePaths(engine, name, growth.paths)
    const { columns, retired } = growth
    if (columns.length + retired.length > 0) {
      await engine.change(changeColumns(name, { added: columns, retired }))
    }
    this.target.changed(growth.dataset)
    if (growth.paths.some(isMap)) await forgetSurplus(engine, growth.dataset)
    return true
  }
}

/** An integer column may only become one of doubles when a double holds each of its values exactly. */
async function markLongIntegers(engine: Engine, dataset: Dataset, survey: Survey): Promise<void> {
  for (const { column, known } of dataset.hotPaths()) {
    const finding = survey.findings.get(pathKey(known.path))
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
