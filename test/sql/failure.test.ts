import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine, EngineError } from '../../src/engine/engine.js'
import { queryFailure } from '../../src/sql/failure.js'
import { raw } from '../../src/sql/sql.js'
import { openTestEngine } from '../support/engine.js'

let engine: Engine

beforeAll(async () => {
  engine = await openTestEngine()
})

afterAll(() => engine.close())

// Engine errors that compiled SQL can cause, and their APL messages.
it.each([
  ["SELECT accurateCast(toInt128('9223372036854775808'), 'Int64')", 'integer-overflow'],
  ['SELECT length(range(materialize(600000000)))', 'too-large'],
  ["SELECT length(repeat('x', materialize(toUInt64(20000000000))))", 'too-large'],
  ["SELECT match('a', materialize('('))", 'bad-regex'],
  ["SELECT replaceRegexpAll('a', materialize('('), '')", 'bad-regex'],
  ["SELECT regexpExtract(materialize('abc'), '(a)', 5)", 'no-such-group'],
  ["SELECT replaceRegexpAll(materialize('abc'), '(a)', '\\\\5')", 'no-such-group'],
  ["SELECT extractAllGroupsVertical(materialize('abc'), 'a')", 'no-such-group'],
  ["SELECT toTimeZone(now(), 'Nowhere/X')", 'bad-argument'],
  ["SELECT leftPad(materialize('a'), -1)", 'bad-argument'],
])('the error of %s is reported as %s', async (statement, code) => {
  const failed = await failureOf(statement)
  expect(failed?.code).toBe(code)
})

it.each([
  ["SELECT match('a', materialize('a++'))", 'bad repetition operator: ++'],
  [String.raw`SELECT match('a', materialize('a\\h'))`, String.raw`invalid escape sequence: \h`],
  ["SELECT extract(materialize('a'), 'x, error: [z-a]')", 'invalid character class range: z-a'],
  ["SELECT replaceRegexpAll(materialize('a'), '(?>a)', '')", 'invalid perl operator: (?>'],
])('the error of %s has the reason of RE2', async (statement, reason) => {
  const failed = await failureOf(statement)
  expect(failed?.message).toBe(
    `A regular expression in the query is not valid RE2 syntax: ${reason}.`,
  )
})

it('says how often a part of a regular expression can be repeated', async () => {
  const failed = await failureOf("SELECT match('a', materialize('((a{0,40}){0,40})'))")
  expect(failed?.message).toMatch(
    /: invalid repetition size: \{0,40\}\. A part can be repeated up to 1,000 times, and nested/,
  )
})

function failureOf(statement: string): Promise<ReturnType<typeof queryFailure>> {
  return engine.read(raw(statement), { timeoutMs: 60_000, memoryBytes: 1_000_000_000 }).then(
    () => undefined,
    (error: EngineError) => queryFailure(error),
  )
}
