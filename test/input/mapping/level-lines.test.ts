import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Batch } from '../../../src/input/batch.js'
import { SpareBuffers } from '../../../src/input/buffer-pool.js'
import { sourcesOf } from '../../../src/input/locate.js'
import { editedText } from '../../../src/input/mapping/edit.js'
import { levelRewriter } from '../../../src/input/mapping/level-rewriter.js'
import { LEVEL_SOURCES, type LevelSource } from '../../../src/input/mapping/level-source.js'
import { rewriteBatch } from '../../../src/input/mapping/rewrite.js'
import { RUNS } from '../../support/runs.js'

const sourceNamed = (name: string): LevelSource =>
  LEVEL_SOURCES.find((source) => source.name === name)!

/** Rewrites lines as a batch, which has the lines as they were, too, although their memory is used again. */
function rewritten(text: string, source: LevelSource): string {
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
  const changed = rewriteBatch(batch, levelRewriter(source), new SpareBuffers())
  for (let i = 0; i < lines; i++) expect(changed.source?.(i)).toMatchObject({ ...written(i) })
  return changed.body.toString('latin1')
}

/** Rewrites each line by the edits of an editor that knows no other line. */
function oneByOne(text: string, source: LevelSource): string {
  return text
    .split('\n')
    .map((line) => {
      const bytes = Buffer.from(line, 'latin1')
      const edits = levelRewriter(source)(bytes)({ from: 0, to: bytes.length }, 0)
      return line.trim() === '' ? line : editedText(line, edits)
    })
    .join('\n')
}

describe('lines that are rewritten together', () => {
  it('have the same levels as lines that are rewritten one by one', () => {
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
    const other = fc.constantFrom('level', 'severity_text', 'levelname', '@t', 'context', 'a')
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
    fc.assert(
      fc.property(
        fc
          .constantFrom(...LEVEL_SOURCES)
          .chain((source) =>
            fc.tuple(fc.constant(source), fc.array(line(source.path), { maxLength: 30 })),
          ),
        fc.constantFrom('', '\n'),
        ([source, lines], end) => {
          const text = lines.join('\n') + end
          expect(rewritten(text, source)).toBe(oneByOne(text, source))
        },
      ),
      { numRuns: 20 * RUNS },
    )
  })

  it('keep the first `severity_text`, whatever other fields have such a name', () => {
    const text = '{"level":50,"full_text":"a"}\n{"level":50,"severity_text":"a"}\n'
    expect(rewritten(text, sourceNamed('bunyan'))).toBe(
      '{"level":"error","severity_text":"50","full_text":"a"}\n{"level":50,"severity_text":"a"}\n',
    )
  })

  it('may be many, of which the editor rewrites every other one', () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `{"@t":"x","@l":${i % 2 ? '"Error"' : i}}\n`,
    )
    const expected = lines.map((line) => line.replace(/^\{(.*"Error")/, '{"level":"error",$1'))
    expect(rewritten(lines.join(''), sourceNamed('clef'))).toBe(expected.join(''))
  })

  it('may be longer than what is rewritten at once', () => {
    const long = (size: number) => `{"message":"${'x'.repeat(size)}","level":"WARN"}\n`
    const text = [10, 300_000, 100_000, 200_000, 10].map(long).join('')
    const expected = text.replaceAll('"WARN"', '"warn"')
    expect(rewritten(text, sourceNamed('level'))).toBe(expected)
  })

  it('may have more levels than are known at once', () => {
    const words = ['INFO', 'WARN', ...Array.from({ length: 300 }, (_, i) => `custom ${i}`), 'ERROR']
    const text = words.map((word) => `{"level":"${word}"}\n`).join('')
    const expected = text.replace(/"(INFO|WARN|ERROR)"/g, (word) => word.toLowerCase())
    expect(rewritten(text, sourceNamed('level'))).toBe(expected)
  })
})
