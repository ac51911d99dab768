import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EXIT } from '../../src/cli/exit-code.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { RUNS } from '../support/runs.js'
import { temporaryDirectory } from '../support/temporary.js'

// A query of events that are scanned where they allow it has the result of the same events when they are stored, as
// those of queries with another input are.

const scratch = temporaryDirectory()
const directory = join(scratch, 'absent')
const empty = join(scratch, 'empty.ndjson')
writeFileSync(empty, '')

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1', '-7', '2', '40') },
  { weight: 4, arbitrary: fc.constantFrom('"x"', '"y z"', '"\\n\\u00e9"', '""') },
  fc.constantFrom('null', '1.5', 'true', 'false', '[1,"x"]', '[]', '{}', '{"b":2}', '{"b":[null]}'),
  fc.constantFrom('123456789012345678', '1e3', '-0', '0.1', '1e400', '"\\ud800"'),
)
const time = fc.constantFrom(
  ...['"2026-01-01T00:00:00Z"', '"2026-03-31 10:00:00.5+02:00"', '1767225600', '"soon"'],
)
/** Most events have the usual values, so that scans go on. */
const usual = fc
  .tuple(fc.integer({ min: 0, max: 9 }), fc.constantFrom('x', 'y'), fc.boolean())
  .map(([n, s, isOn]) => [`"a":${n}`, `"s":"${s}"`, `"o":{"b":${n / 2},"on":${isOn}}`])
const member = fc.oneof(
  fc.tuple(fc.constantFrom('a', 's', 'o', 'o.b', 'tags', 'rare', '\\u0061', 'a b'), value),
  fc.tuple(fc.constant('_time'), time),
)
const odd = fc
  .array(member, { maxLength: 3 })
  .map((members) => members.map(([key, json]) => `"${key}":${json}`))
const tags = fc.constantFrom(['"tags":["x",1]'], ['"tags":[]'], ['"rare":"y"'], ['"rare":null'], [])
const ordinary = fc.tuple(usual, tags).map((members) => `{${members.flat().join(',')}}`)
const strange = fc.oneof(
  odd.map((members) => `{${members.join(', ')}}`),
  fc.tuple(usual, odd).map((all) => ` {${all.flat().join(' ,')} }\r`),
  fc.constantFrom('', '   ', '{"a":1', 'text', '[3]', '{"a":1}x'),
)
const lines = fc.oneof(
  fc.array(ordinary, { maxLength: 40 }),
  fc.array(fc.oneof({ weight: 9, arbitrary: ordinary }, strange), { maxLength: 20 }),
)

const QUERIES = [
  'where s == "x"',
  'where a > 3 | project a, s',
  'where isnotnull(tags) | extend n = array_length(tags) | project tags, n',
  'project o.b, rare, a',
  'take 3',
  'where s has "x" | take 2 | project-away a',
  'mv-expand tags | project tags, s',
  'parse s with first " " rest | project first, rest, a',
  'extend t = gettype(a) | project t, a',
  'search "x" | project s, tags',
  'summarize count() by tostring(a) | sort by a asc',
  'summarize n = count(), max(o.b), dcount(s)',
  'top 3 by a | project a',
  'sort by a asc, s asc',
  'distinct s | sort by s asc',
  'getschema',
  'count',
  'reduce by s | project pattern, count_',
  'where missing == 1',
  'project o',
  'summarize make_set(rare), make_list(o)',
]

const STRICT = ['--strict-input', '--input-format', 'ndjson']

const WAYS: Readonly<Record<string, string>> = {
  file: '.ndjson',
  compressed: '.ndjson.gz',
  pipe: '',
}

it('any query of any events', async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      lines,
      // Later events are not looked at before the scan.
      fc.option(fc.array(fc.oneof(ordinary, strange), { minLength: 1, maxLength: 3 })),
      fc.constantFrom(...QUERIES),
      fc.constantFrom(...Object.entries(WAYS)),
      async (first, later, apl, [way, suffix]) => {
        const copies = later === null || first.length === 0 ? 1 : Math.ceil(1_500 / first.length)
        const events = [...Array.from({ length: copies }, () => first).flat(), ...(later ?? [])]
        const text = events.join('\n')
        const file = join(scratch, `${runs++}${suffix}`)
        writeFileSync(file, way === 'compressed' ? gzipSync(text) : text)
        const run = async (input: string, before = '') => {
          // Rows that are not printed while the input is read have a lower limit.
          const flags = [...STRICT, '-o', 'ndjson', '-n', '50000']
          const all = ['query', `${before}${apl}`, '-i', input, ...flags]
          const { stdout, stderr, status } = await evqInProcess(all, {
            directory,
            stdin: input === '-' ? text : '',
          })
          // The rows of a pipe are printed before it is known that no event has a field.
          const rows = way === 'pipe' && status === EXIT.usage ? '' : withoutArrival(stdout)
          return { rows, said: withoutName(stderr, file), status }
        }
        const input = way === 'pipe' ? '-' : file
        const stored = await run(file, `let unused = file('${empty}');\n`)
        expect(await run(input), text).toEqual(stored)
      },
    ),
    { numRuns: RUNS },
  )
})

/** Events without a time have that of their arrival. */
function withoutArrival(rows: string): string {
  return rows.replace(/"_time":"(?!2026-01-01|2026-03-31)[^"]*"/g, '"_time":now')
}

/** A limit ends the query at the end of a batch, and batches differ: later events may have a field. */
function withoutName(messages: string, file: string): string {
  return messages
    .replace(/ in [\d.]+ m?s/, '')
    .replaceAll(file, 'input')
    .replace(/standard input/gi, 'input')
    .replace(/[\d,]+ events? examined/, 'events examined')
    .replace(/^[12] \|/gm, '|')
    .replace(/^No event that was read has the field .*\n/gm, '')
}
