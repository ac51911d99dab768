import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask, rowsOf, type World } from '../support/ask.js'
import { layOut } from '../support/dataset.js'
import { openTestEngine } from '../support/engine.js'

// parse, redact and sample, compared with JavaScript.

const TEXT = fc.string({ unit: fc.constantFrom(...'ab-1;="\\é🦆\n ['), maxLength: 14 })
const texts: readonly string[] = fc.sample(TEXT, { numRuns: 2_000, seed: 7 })

let world: World

beforeAll(async () => {
  const engine = await openTestEngine()
  const events = texts.map((text, i) => JSON.stringify({ _time: '2026-01-01T00:00:00Z', i, text }))
  const dataset = await layOut(engine, { table: 'texts', events, hot: true })
  world = { engine, datasets: new Map([['texts', dataset]]), now: 0n }
})

afterAll(() => world.engine.close())

/** The values of one column in the order of the strings. */
async function values(steps: string, column: string): Promise<readonly unknown[]> {
  const apl = `texts | ${steps} | sort by i asc | project ${column}`
  const { rows } = await ask(world, apl, { limit: 10_000n })
  return rows.map(([cell]) => JSON.parse(cell!))
}

it.each([
  ["a '-' b", 'a', /^(.*?)-(.*)$/s, 1],
  ["a '-' b", 'b', /^(.*?)-(.*)$/s, 2],
  ["* 'a' b '[' *", 'b', /^.*?a(.*?)\[.*$/s, 1],
  ["'a' b", 'b', /^a(.*)$/s, 1],
  ["a 'b'", 'a', /^(.*?)b$/s, 1],
  ["* '\\n' b", 'b', /^.*?\n(.*)$/s, 1],
] as const)('parses with %s', async (pattern, column, regex, group) => {
  const expected = texts.map((text) => regex.exec(text)?.[group] ?? null)
  expect(await values(`parse text with ${pattern}`, column)).toEqual(expected)
})

it('parse reads numbers up to the end of their digits', async () => {
  const expected = texts.map((text) => {
    const found = /^.*?-([-+]?\d+).*$/s.exec(text)?.[1]
    return found === undefined ? null : Number(found)
  })
  expect(await values("parse text with * '-' n:int *", 'n')).toEqual(expected)
})

it.each(['a', 'A', 'B-', 'k', 's', 'i', 'aB', 'É', '-É', ''])(
  'startswith and endswith find %j, without regard to case',
  async (part) => {
    const lower = (text: string) => text.replace(/[A-ZÉ]/g, (letter) => letter.toLowerCase())
    const [starts, ends] = [
      texts.map((text) => lower(text).startsWith(lower(part))),
      texts.map((text) => lower(text).endsWith(lower(part))),
    ]
    expect(await values(`extend x = text startswith '${part}'`, 'x')).toEqual(starts)
    expect(await values(`extend x = text endswith '${part}'`, 'x')).toEqual(ends)
    const found = (flags: readonly boolean[]) => [`${flags.filter((flag) => flag).length}`]
    const counted = (name: string) => rowsOf(world, `texts | where text ${name} '${part}' | count`)
    expect(await counted('startswith')).toEqual(found(starts))
    expect(await counted('endswith')).toEqual(found(ends))
  },
)

it.each(['has', 'has_cs', 'hasprefix', 'hassuffix'])(
  '%s finds the empty string in every string',
  async (operator) => {
    expect(texts).toContain('')
    const all = texts.map(() => true)
    expect(await values(`extend x = text ${operator} ''`, 'x')).toEqual(all)
    expect(await values(`extend x = text ${operator} substring(text, 0, 0)`, 'x')).toEqual(all)
  },
)

it('startswith and endswith distinguish letters of ASCII from others', async () => {
  const others = ['\u212a', '\u017f', '\u0130'].flatMap((other, i) => {
    const letter = 'ksi'[i]!
    return [`'${other}' startswith '${letter}'`, `'${other}' endswith '${letter}'`]
  })
  const [row] = (await ask(world, `texts | take 1 | project ${others.join(', ')}`)).rows
  expect(row).toEqual(others.map(() => 'false'))
})

it('parse accepts regexes with capture groups', async () => {
  const expected = texts.map((text) => /^(?:(a|b)+)(.*?)(?:(-)|;)(.*)$/s.exec(text)?.[2] ?? null)
  const pattern = '@"(a|b)+" x @"(-)|;" y'
  expect(await values(`parse kind=regex text with ${pattern}`, 'x')).toEqual(expected)
})

it('parse-where keeps the rows that match', async () => {
  const kept = texts.filter((text) => /^(.*?)-(.*)$/s.test(text)).length
  expect(await rowsOf(world, "texts | parse-where text with a '-' b | count")).toEqual([`${kept}`])
})

it('parse-kv uses the first pair of a key', async () => {
  const expected = texts.map((text) => {
    const pairs = text.split(';').map((pair) => [pair.indexOf('='), pair] as const)
    const found = pairs.find(([at, pair]) => at >= 0 && trimmed(pair.slice(0, at)) === 'a')
    return found === undefined ? null : found[1].slice(found[0] + 1)
  })
  const settings = '(pair_delimiter=";", kv_delimiter="=")'
  expect(await values(`parse-kv text as (a) with ${settings}`, 'a')).toEqual(expected)
})

/** Trimmed. */
function trimmed(text: string): string {
  return text.replace(/^ +| +$/g, '')
}

it.each([
  ['a+', /a+/gu],
  ['[ab]*', /[ab]*/gu],
  ['^a|b$', /^a|b$/gu],
  ['.', /./gu],
  ['(a)|(b-)', /(a)|(b-)/gu],
  ['(?i)É', /é/giu],
] as const)('hides %s', async (pattern, regex) => {
  const expected = texts.map((text) =>
    text.replace(regex, (found) => '#'.repeat([...found].length)),
  )
  expect(await values(`redact replaceToken='#' @'${pattern}' on text`, 'text')).toEqual(expected)
  const whole = texts.map((text) => text.replace(regex, (found) => (found === '' ? '' : '<x>')))
  expect(await values(`redact replaceToken='<x>' @'${pattern}' on text`, 'text')).toEqual(whole)
})

it('redact hides only capture groups', async () => {
  const expected = texts.map((text) =>
    text.replace(/a(b*)-([^;]+)|=(.)/gu, (all, b, rest, sign) =>
      sign === undefined ? `a${cover(b)}-${cover(rest)}` : `${all.slice(0, 1)}${cover(sign)}`,
    ),
  )
  const regex = "@'a(b*)-([^;]+)|=(.)'"
  expect(await values(`redact redactGroups=true ${regex} on text`, 'text')).toEqual(expected)
})

function cover(text: string): string {
  return '*'.repeat([...text].length)
}

it('sample returns about as many rows as requested, and different ones each time', async () => {
  const [half] = await rowsOf(world, 'texts | sample 0.5 | count')
  expect(Math.abs(Number(half) - 1_000)).toBeLessThan(200)
  const [quarter] = await rowsOf(world, 'texts | sample 0.5 | sample 0.5 | count')
  expect(Math.abs(Number(quarter) - 500)).toBeLessThan(200)
})
