import { compileWasm, growMemory } from '../../wire/bytes/wasm-module.js'
import { findMember, type Member, whole } from '../../wire/json/json-bytes.js'
import type { LevelSource } from './level-source.js'

/** Levels that events have in a member. */
export interface LevelRule {
  /** The keys that lead to the member, one in the other, in latin1. */
  readonly path: readonly string[]
  /** True when the level is replaced; otherwise a normalized one is inserted. */
  readonly isOwn: boolean
  /** The level of events without the member that have another one. */
  readonly absent: LevelSource['absent']
  /** Levels as they are written, and the JSON that is written for them; undefined for a level that is not changed. */
  readonly known: ReadonlyMap<string, string | undefined>
}

interface RewrittenLines {
  /** Valid until the next call. */
  readonly bytes: Buffer
  readonly end: number
  /** For each line, the number of the value of `valuesOf` that was changed, from 1, or 0. */
  readonly marks: Buffer
  /** True when the next line is for the editor of events. */
  readonly isStopped: boolean
}

interface Global {
  readonly value: number
}

/** The functions of `assembly/`, where they are described. */
interface LinesCode {
  readonly memory: WebAssembly.Memory
  begin(
    path: number,
    pathLength: number,
    isOwn: boolean,
    hasDefault: boolean,
    values: number,
    count: number,
  ): void
  setOutput(start: number, bytes: number, marks: number): void
  rewrite(start: number, end: number): number
  readonly stop: Global
  readonly outputEnd: Global
  readonly lines: Global
}

/** The values of `stop`, as in `assembly/index.ts`. */
const INCOMPLETE = 0
const OTHER = 2

const VALUE_BYTES = 20
const UNCHANGED = 0xffff_ffff
/** Longer levels are left to the editor. */
const MOST_TEXT = 128
const MOST_VALUES = 100
const PATH_ADDRESS = 4096
const PATH_BYTES = 64
const PATH_TEXT = 1024
const VALUES_ADDRESS = PATH_ADDRESS + PATH_BYTES
const TEXTS_ADDRESS = VALUES_ADDRESS + MOST_VALUES * VALUE_BYTES
const OUTPUT_ADDRESS = TEXTS_ADDRESS + 2 * MOST_VALUES * MOST_TEXT + PATH_TEXT
const OUTPUT_BYTES = 1 << 19
const WINDOW_BYTES = 1 << 18
/** Bytes after some memory that may be read, too. */
const SPARE_BYTES = 64
const INPUT_ADDRESS = OUTPUT_ADDRESS + OUTPUT_BYTES + SPARE_BYTES
const MARKS_ADDRESS = INPUT_ADDRESS + WINDOW_BYTES + SPARE_BYTES

/** Rewrites lines of NDJSON by a rule. */
export class LevelLines {
  private readonly code: LinesCode
  private readonly memory: Buffer
  private rule: LevelRule | undefined
  private bytes: Buffer = Buffer.alloc(0)
  /** The part of the bytes that is in the memory. */
  private windowStart = 0
  private windowEnd = 0
  /** The number of values of the rule that were written to the memory. */
  private values = 0

  constructor() {
    const { exports } = new WebAssembly.Instance(compileWasm('level-lines.wasm'), {})
    this.code = exports as unknown as LinesCode
    growMemory(this.code.memory, MARKS_ADDRESS + WINDOW_BYTES)
    this.memory = Buffer.from(this.code.memory.buffer)
    this.code.setOutput(OUTPUT_ADDRESS, OUTPUT_BYTES, MARKS_ADDRESS)
  }

  begin(rule: LevelRule, bytes: Buffer): this {
    if (rule !== this.rule) this.setRule(rule)
    this.bytes = bytes
    this.windowStart = this.windowEnd = 0
    return this
  }

  /** Rewrites complete lines from a position on. */
  rewrite(start: number): RewrittenLines {
    const { rule } = this
    if (rule !== undefined && rule.known.size !== this.values) this.setRule(rule)
    if (start >= this.windowEnd) this.moveWindow(start)
    const { code, memory, windowStart, windowEnd } = this
    const offset = INPUT_ADDRESS - windowStart
    const end = code.rewrite(start + offset, windowEnd + offset) - offset
    const isCut = code.stop.value === INCOMPLETE && windowEnd < this.bytes.length
    // A line that is longer than a window is left to the editor.
    const isLong = isCut && end === windowStart
    if (isCut && !isLong) this.moveWindow(end)
    const isLast = code.stop.value === INCOMPLETE && !isCut
    return {
      bytes: memory.subarray(OUTPUT_ADDRESS, code.outputEnd.value),
      end,
      marks: memory.subarray(MARKS_ADDRESS, MARKS_ADDRESS + code.lines.value),
      // The last line may lack its line feed.
      isStopped: code.stop.value === OTHER || isLong || isLast,
    }
  }

  private moveWindow(start: number): void {
    this.windowStart = start
    this.windowEnd = Math.min(start + WINDOW_BYTES, this.bytes.length)
    this.bytes.copy(this.memory, INPUT_ADDRESS, start, this.windowEnd)
  }

  private setRule(rule: LevelRule): void {
    const { path, isOwn, absent } = rule
    let at = TEXTS_ADDRESS
    const put = (text: string): readonly [address: number, length: number] => {
      const from = at
      at += this.memory.write(text, from, 'latin1')
      return [from, at - from]
    }
    const values = valuesOf(rule).map(({ written, output, hasText }) => {
      const changed = output === undefined ? [0, UNCHANGED] : put(output)
      return [...put(written), ...changed, hasText ? 1 : 0]
    })
    this.writeNumbers(VALUES_ADDRESS, values.flat())
    const keys = [...path, 'level', 'severity_text', absent?.with ?? '']
    this.writeNumbers(PATH_ADDRESS, keys.flatMap(put))
    this.rule = rule
    this.values = rule.known.size
    const hasDefault = absent !== undefined
    this.code.begin(PATH_ADDRESS, path.length, isOwn, hasDefault, VALUES_ADDRESS, values.length)
  }

  private writeNumbers(address: number, numbers: readonly number[]): void {
    for (const [i, number] of numbers.entries()) this.memory.writeUInt32LE(number, address + i * 4)
  }
}

/** A level as it is written, and what is written for it: in its place, or in front of the first member. */
interface LevelValue {
  readonly written: string
  /** Undefined for a level that is not changed. */
  readonly output: string | undefined
  /** True when the output has a second member. */
  readonly hasText: boolean
}

/** Returns the values that are known, after the one of events without a level. Further ones are added at the end. */
function valuesOf({ known, isOwn, absent }: LevelRule): readonly LevelValue[] {
  const first = absent === undefined ? [] : [['', `"${absent.level}"`] as const]
  return [...first, ...known].slice(0, MOST_VALUES).flatMap(([written, text]) => {
    const output = isOwn || text === undefined ? text : `"level":${text},`
    const isLong = Math.max(written.length, output?.length ?? 0) > MOST_TEXT
    return isLong ? [] : [{ written, output, hasText: text?.includes(',') === true }]
  })
}

/** The place of a change in a rewritten line, and the text that was there. */
interface Change extends Member {
  readonly text: string
}

/** Returns the change of a line that has a mark. */
export function changeOf(rule: LevelRule, line: Buffer, mark: number): Change {
  const { written, output = '' } = valuesOf(rule)[mark - 1]!
  if (!rule.isOwn) return { from: 1, to: 1 + output.length, text: '' }
  const { from } = findMember(line, 'level', whole(line))!
  return { from, to: from + output.length, text: written }
}
