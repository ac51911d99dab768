import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch } from '../../../src/input/batch.js'
import { SpareBuffers } from '../../../src/input/buffer-pool.js'
import { sourcesOf } from '../../../src/input/locate.js'
import { readerOf, timeRewriter } from '../../../src/input/mapping/date-and-time.js'
import { editedText, inTurn, type Rewriter } from '../../../src/input/mapping/edit.js'
import { levelRewriter } from '../../../src/input/mapping/level-rewriter.js'
import { LEVEL_SOURCES, type LevelSource } from '../../../src/input/mapping/level-source.js'
import { rewriteBatch } from '../../../src/input/mapping/rewrite.js'
import { RUNS } from '../../support/runs.js'

const sourceNamed = (name: string): LevelSource =>
  LEVEL_SOURCES.find((source) => source.name === name)!
const levelsOf = (name: string) => () => levelRewriter(sourceNamed(name))

const NOW = 1_800_000_000_000_000_000n
/** The fields that form a time in the layout of `20.11.2026 10:00:00`. */
const timesOf = (fields: readonly string[]): Rewriter =>
  timeRewriter(fields, readerOf('start:day.month.year', { now: NOW })!)

/** Rewrites lines as a batch, which has the lines as they were, too, although their memory is used again. */
function rewritten(text: string, newRewriter: () => Rewriter): string {
  const body = Buffer.from(text, 'latin1')
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  const batch: Batch = {
    kind: 'batch',
    input: 'app.ndjson',
    contentType: 'application/x-ndjson',
    body,
    events: lines,
    bytes: body.length,
    start: { line: 1, event: 0, offset: 0 },
    lines,
    headLines: 0,
    release: () => void body.fill(0),
  }
  const written = sourcesOf({ ...batch, body: Buffer.from(body) })
  const changed = rewriteBatch(batch, newRewriter(), new SpareBuffers())
  for (let i = 0; i < lines; i++) expect(changed.source?.(i)).toMatchObject({ ...written(i) })
  return changed.body.toString('latin1')
}

/** Rewrites each line by the edits of an editor that knows no other line. */
function oneByOne(text: string, newRewriter: () => Rewriter): string {
  return text
    .split('\n')
    .map((line) => {
      const bytes = Buffer.from(line, 'latin1')
      const edits = newRewriter()(bytes)({ from: 0, to: bytes.length }, 0)
      return line.trim() === '' ? line : editedText(line, edits)
    })
    .join('\n')
}

describe('lines that are rewritten together', () => {
  it('have the same levels and times as lines that are rewritten one by one', () => {
    const sign = fc.constantFrom(...'{}[]",:\\ \t\r\n', 'level', 'é', '\0', '1')
    const value = fc.oneof(
      fc.constantFrom(
        '"INFO"',
        '"info"',
        '"Warning"',
        '"ERR"',
        '30',
        '50',
        '"40"',
        '7',
        'null',
        'true',
      ),
      fc.constantFrom(
        '""',
        '"l\\u0065vel"',
        '"a\\"level\\""',
        '[{"level":"x"}]',
        '{"level":["}"]}',
        '-1.5e3',
      ),
      fc.constantFrom('"20.11.2026 10:00:00"', '"20.11.2026"', '"10:00:05.5"', '"1.2.2026 9:05"'),
      fc.array(sign, { maxLength: 4 }).map((signs) => JSON.stringify(signs.join(''))),
    )
    const space = fc.constantFrom('', '', '', ' ', ' \t')
    const member = (key: fc.Arbitrary<string>, json: fc.Arbitrary<string>) =>
      fc
        .tuple(key, json, space)
        .map(
          ([name, text, blank]) =>
            `${blank}${JSON.stringify(name)}${blank}:${blank}${text}${blank}`,
        )
    const other = fc.constantFrom(
      ...['level', 'severity_text', 'levelname', '@t', 'context', 'a'],
      ...['time', 'date', 'event.time', '_time'],
    )
    const object = ([key = '', ...path]: readonly string[]): fc.Arbitrary<string> => {
      const inner = path.length === 0 ? value : fc.oneof(object(path), object(path), value)
      const members = fc.oneof(member(fc.constant(key), inner), member(other, value))
      return fc.array(members, { maxLength: 5 }).map((all) => `{${all.join()}}`)
    }
    const line = (path: readonly string[]) =>
      fc.oneof(
        { weight: 9, arbitrary: object(path) },
        fc.constantFrom('', ' ', '{}', '[]', '{"level":"INFO"', ' {"level":"INFO"}', '{"a":1}\r'),
        fc.array(sign, { maxLength: 9 }).map((signs) => signs.join('')),
      )
    const fields = fc.constantFrom(undefined, ['time'], ['date', 'time'], ['event.time'])
    const source = fc.option(fc.constantFrom(...LEVEL_SOURCES), { nil: undefined })
    fc.assert(
      fc.property(
        source.chain((levels) =>
          fc.tuple(fc.constant(levels), fc.array(line(levels?.path ?? ['a']), { maxLength: 30 })),
        ),
        fields,
        fc.constantFrom('', '\n'),
        ([levels, lines], times, end) => {
          const text = lines.join('\n') + end
          const newRewriter = () =>
            inTurn([levels && levelRewriter(levels), times && timesOf(times)]) ?? (() => () => [])
          expect(rewritten(text, newRewriter)).toBe(oneByOne(text, newRewriter))
        },
      ),
      { numRuns: 20 * RUNS },
    )
  })

  it('keep the first `severity_text`, whatever other fields have such a name', () => {
    const text = '{"level":50,"full_text":"a"}\n{"level":50,"severity_text":"a"}\n'
    expect(rewritten(text, levelsOf('bunyan'))).toBe(
      '{"level":"error","severity_text":"50","full_text":"a"}\n{"level":50,"severity_text":"a"}\n',
    )
  })

  it('may be many, of which the editor rewrites every other one', () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `{"@t":"x","@l":${i % 2 ? '"Error"' : i}}\n`,
    )
    const expected = lines.map((line) => line.replace(/^\{(.*"Error")/, '{"level":"error",$1'))
    expect(rewritten(lines.join(''), levelsOf('clef'))).toBe(expected.join(''))
  })

  it('may be longer than what is rewritten at once', () => {
    const long = (size: number) => `{"message":"${'x'.repeat(size)}","level":"WARN"}\n`
    const text = [10, 300_000, 100_000, 200_000, 10].map(long).join('')
    const expected = text.replaceAll('"WARN"', '"warn"')
    expect(rewritten(text, levelsOf('level'))).toBe(expected)
  })

  it('have the time of two fields, and a level', () => {
    const newRewriter = () => inTurn([levelsOf('level')(), timesOf(['date', 'time'])])!
    const text =
      '{"date":"20.11.2026","level":"WARN","time":"10:00:05,5"}\n{"date":"20.11.2026","level":"WARN"}\n'
    expect(rewritten(text, newRewriter)).toBe(
      '{"_time":"2026-11-20T10:00:05.5Z","date":"20.11.2026","level":"warn","time":"10:00:05,5"}\n{"date":"20.11.2026","level":"warn"}\n',
    )
  })

  it('may have more levels than are known at once', () => {
    const words = ['INFO', 'WARN', ...Array.from({ length: 300 }, (_, i) => `custom ${i}`), 'ERROR']
    const text = words.map((word) => `{"level":"${word}"}\n`).join('')
    const expected = text.replace(/"(INFO|WARN|ERROR)"/g, (word) => word.toLowerCase())
    expect(rewritten(text, levelsOf('level'))).toBe(expected)
  })
})
