import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inputFieldsOf } from '../../src/apl/language.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { temporaryDirectory } from '../support/temporary.js'

// Events of NDJSON are reduced to the fields that a query uses. The result must be that of whole events, which
// `--source-fields` keeps.

const scratch = temporaryDirectory()
const directory = join(scratch, 'absent')

const LINES = [
  '{"_time":"2026-01-01T10:00:00Z","service":"api","status":500,"ms":1.5,"client":{"ip":"a","n":[1,2]}}',
  '{"_time":"2026-01-01T10:00:01Z","service":"api","status":"500","client.ip":"b"}',
  '{"_time":"2026-02-30T10:00:01Z","service":"a bad time"}',
  '{"_time":"2026-01-01T11:00:00+01:00","service":null,"status":503,"service":"repeated"}',
  '{"serv\\u0069ce":"escaped","status":500}',
  '{"service":"web","status":12345678901234567890,"big":9007199254740993}',
  '{"service":"web","status":500,"x":}',
  '',
  '  { "service" : "web" , "status" : 500 , "deep" : {"a":{"b":{"c":{"d":[{"e":1}]}}}} }  \r',
  '{"service":{"name":"object"},"status":[500]}',
  '["not","an","object"]',
  '{"service":"unpaired","x":"\\ud800"}',
  '{"":1,"service":"empty key"}',
  '{}',
  ...Array.from(
    // More than the first events that are looked at.
    { length: 1_100 },
    (_, i) => `{"service":"s${i % 7}","status":${200 + (i % 400)},"ms":${i / 4},"other":${i}}`,
  ),
  '{"service":"late","status":500,"new":true,"x":"\u00e9"}',
  '{"service":"late","status":500,"new":tru}',
]
const input = join(scratch, 'events.ndjson')
writeFileSync(input, LINES.join('\n'))

async function results(apl: string, ...flags: readonly string[]) {
  const ended = await evqInProcess(['query', '-i', input, apl, ...flags], { directory })
  // The added fields move the columns.
  const messages = ended.stderr.replaceAll(/ at column \d+/g, '').split('\n')
  const unread = messages.filter((line) => !line.includes('examined'))
  return { stdout: ended.stdout, status: ended.status, unread }
}

describe('a query of some fields', () => {
  it.each([
    'summarize count()',
    'summarize count() by service | sort by service asc',
    'where status >= 500 | summarize n = count(), total = sum(ms) by service | sort by service asc',
    'where client.ip == "a" or client.ip == "b" | summarize count() by ip = client.ip | sort by ip asc',
    'summarize count() by type = gettype(service), status_type = gettype(status) | sort by type asc, status_type asc',
    'where isnotnull(big) | summarize max(big)',
    'where deep.a.b.c.d[0].e == 1 | summarize count() by service',
    'where _time < datetime(2026-01-02) | summarize count() by bin(_time, 1h), service | sort by _time asc, service asc',
    'top 5 by ms desc | project service, ms',
    'where new | summarize count() by service',
  ])('has the result of whole events: %s', async (apl) => {
    expect(inputFieldsOf(apl, { now: 0n })).toBeDefined()
    const [few, all] = [await results(apl), await results(apl, '--source-fields')]
    expect(few).toEqual(all)
    expect(few.status).toBe(3)
    expect(few.unread).toContain(
      `5 of 1,115 events could not be read and are missing from the result.`,
    )
  })

  it('finds the members of a field that is an array in other events', async () => {
    const lines = ['{"tags":["x"]}', '{"tags":{"owner":"ada"}}', '{"tags":null}']
    const path = join(scratch, 'tags.ndjson')
    writeFileSync(path, lines.join('\n'))
    const args = ['query', '-i', path, 'project tags, owner = tags.owner']
    const { stdout, stderr } = await evqInProcess(args, { directory })
    expect(stdout, stderr).toBe(
      '{"tags":["x"],"owner":null}\n{"tags":null,"owner":"ada"}\n{"tags":null,"owner":null}\n',
    )
  })

  it('does not have an object as the value of a field whose values have several types', async () => {
    const lines = ['{"a":"x"}', '{"a":true}', '{"a":[1]}'].flatMap((line) => Array(500).fill(line))
    const path = join(scratch, 'late-object.ndjson')
    writeFileSync(path, [...lines, '{"a":{"b":1}}'].join('\n'))
    const { stdout, stderr } = await evqInProcess(
      [
        'query',
        '-i',
        path,
        'where isnotnull(a) | summarize count() by a = tostring(a) | sort by a asc',
      ],
      { directory },
    )
    expect(stdout, stderr).toBe(
      '{"a":"[1]","count_":500}\n{"a":"true","count_":500}\n{"a":"x","count_":500}\n',
    )
  })

  it('suggests fields that it does not use', async () => {
    const { unread, status } = await results('summarize sum(statsu)')
    expect(status).toBe(2)
    expect(unread.join('\n')).toContain('close to `status`')
  })
})

describe('the value in an object of a field that an event names in two ways', () => {
  const inner = ['{"a":{"b":20},"a.b":1}']
  const dotted = ['{"a.b":1,"a":{"b":300}}', '{"a.b":4000,"a":{"b":null}}']
  it.each([
    ['object', [...inner, ...dotted], [20, 300, 4000]],
    ['dotted key', [...dotted, ...inner], [300, 4000, 20]],
  ])('counts when the first event begins with the %s', async (_, lines, values) => {
    const file = join(scratch, 'two-ways.ndjson')
    writeFileSync(file, lines.join('\n'))
    const ask = (apl: string) => evqInProcess(['query', '-i', file, apl], { directory })
    expect((await ask("summarize s = sum(['a.b'])")).stdout).toBe('{"s":4320}\n')
    const rows = values.map((value) => `{"a.b":${value}}\n`).join('')
    expect((await ask("project ['a.b']")).stdout).toBe(rows)
  })
})

it.each(['where true | project-away _sysTime', 'project _sysTime', 'where isnotnull(_sysTime)'])(
  'refuses `_sysTime`, which events of files do not have, before it prints rows: %s',
  async (apl) => {
    const { stdout, unread, status } = await results(apl)
    expect([stdout, status]).toEqual(['', 2])
    expect(unread.join('\n')).toContain('There is no field `_sysTime`')
  },
)

describe('the fields of a query', () => {
  it.each([
    ['summarize count() by service', ['service']],
    ['count', []],
    ['where a == 1 and b.c > 2 | extend d = a + e | summarize max(d)', ['a', 'b.c', 'e']],
    ['where a.b == 1 | summarize count() by a.c.d, e[0].f', ['a.b', 'a.c.d', 'e']],
    ['where a.b == 1 | summarize max(a)', ['a', 'a.b']],
    ['top 3 by a | project b', ['a', 'b']],
    ["where ['x y'] == 1 | count", ['x y']],
    ["where ['it\\'s'] == 1 and ['tab\\t'] == 2 | count", ["it's", 'tab\t']],
    ["where [@'c:\\d'] == 1 | count", ['c:\\d']],
    ['where a == 1', undefined],
    ['top 3 by a', undefined],
    ['search "x" | count', undefined],
    ['project-away a | count', undefined],
    ['extend x = column_ifexists("a", 1) | summarize sum(x)', undefined],
    ['summarize arg_max(a, *)', undefined],
    ["['logs'] | count", undefined],
  ])('%s', (apl, fields) => {
    const found = inputFieldsOf(apl, { now: 0n })
    expect(found && [...found].sort()).toEqual(fields)
  })
})
