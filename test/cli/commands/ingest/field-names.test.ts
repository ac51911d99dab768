import { describe, expect, it } from 'vitest'
import { programIn } from '../../../support/program-in.js'
import { temporaryDirectory } from '../../../support/temporary.js'

const { run, query } = programIn(temporaryDirectory())

describe('a field name with U+0000', () => {
  it('is stored, or rejected with the reason and a remedy', async () => {
    const events = [
      '{"a\\u0000b":1,"n":1}',
      '{"end\\u0000":1,"n":2}',
      '{"o":{"\\u0000" : 5},"n":3}',
    ]
    const { status, stderr } = await run(['ingest', 'nul', '-i', 'ndjson'], events.join('\n'))
    expect(status).toBe(3)
    for (const name of ['end\\u0000', '\\u0000']) {
      expect(stderr.replaceAll('\n', ' ')).toContain(
        `the field name \`${name}\` ends with U+0000, which can't be stored; \`sed 's/\\\\u0000//g'\` removes it`,
      )
    }
    expect(await query(`['nul'] | project n, v = ["a\\u0000b"]`)).toEqual([{ n: 1, v: 1 }])
  })
})

describe('a field that has the name of one of the service', () => {
  it.each([
    ['ndjson', '{"_sysTime":"2020-01-01T00:00:00Z","_rowId":"x","n":1}\n{"_rowId":"y","n":2}\n'],
    ['json', '[{"_sysTime":"2020-01-01T00:00:00Z","_rowId":"x","n":1},{"_rowId":"y","n":2}]'],
    ['csv', '_sysTime,_rowId,n\n2020-01-01T00:00:00Z,x,1\n,y,2\n'],
  ])('keeps its value under another name, and a note says so: %s', async (format, stdin) => {
    const { status, stderr } = await run(['ingest', format, '-i', format], stdin)
    expect(status, stderr).toBe(0)
    expect(stderr.replaceAll('\n', ' ')).toContain(
      'standard input: the service sets `_sysTime` and `_rowId` itself, so those of the events are stored as `_user__sysTime` and `_user__rowId`.',
    )
    const rows = await query(`['${format}'] | sort by n asc | project _user__sysTime, _user__rowId`)
    expect(rows).toEqual([
      { _user__sysTime: '2020-01-01T00:00:00Z', _user__rowId: 'x' },
      { _user__sysTime: null, _user__rowId: 'y' },
    ])
  })

  it('is noted when its other name is taken too', async () => {
    const both = '{"_user__sysTime":"mine","_sysTime":"2020-01-01T00:00:00Z"}\n'
    const note =
      'standard input: the events also have `_user__sysTime`, and queries show only one of two values.'
    expect((await run(['ingest', 'both'], both)).stderr.replaceAll('\n', ' ')).toContain(note)
    const one = await run(['ingest', 'one'], '{"_user__sysTime":"mine"}\n')
    expect(one.stderr).not.toContain('also')
    expect(await query("['one'] | project _user__sysTime")).toEqual([{ _user__sysTime: 'mine' }])
  })

  it('is noted once, and not without one', async () => {
    const line = '{"_sysTime":1}\n'
    const { stderr } = await run(['ingest', 'many', '--batch-size', '1'], line.repeat(3))
    expect(stderr.match(/sets `_sysTime` itself/g)).toHaveLength(1)
    expect((await run(['ingest', 'plain'], '{"n":"_sysTime"}\n')).stderr).not.toContain('sets')
  })
})
