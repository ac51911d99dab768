import { describe, expect, it } from 'vitest'
import type { Batch } from '../../../src/input/batch.js'
import { batches } from '../../../src/input/batches.js'
import { BufferPool } from '../../../src/input/buffer-pool.js'
import { detectInput } from '../../../src/input/input.js'
import { inPieces } from '../support.js'
import { read } from './support.js'

const IIS = `#Software: Microsoft Internet Information Services 10.0
#Version: 1.0
#Date: 2026-11-20 10:00:00
#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status time-taken
2026-11-20 10:00:00 10.0.0.1 GET /index.html - 80 - 10.1.1.1 Mozilla/5.0+(X11) 200 15
2026-11-20 10:00:01 10.0.0.1 too few
#Date: 2026-11-21 00:00:00
#Fields: time c-ip cs(Referer)
00:00:01 10.1.1.2 "a ""b"" c"
`

async function events(text: string, options = {}) {
  const found = await read(text, options)
  return { ...found, events: found.events.map((event) => JSON.parse(event)) }
}

describe('a W3C extended log', () => {
  it('has the fields that its last directives name, with the time in UTC', async () => {
    const { events: found, unmatched } = await events(IIS)
    expect(found.slice(0, 2)).toEqual([
      {
        _time: '2026-11-20T10:00:00Z',
        's-ip': '10.0.0.1',
        'cs-method': 'GET',
        'cs-uri-stem': '/index.html',
        's-port': 80,
        'c-ip': '10.1.1.1',
        'cs(User-Agent)': 'Mozilla/5.0+(X11)',
        'sc-status': 200,
        'time-taken': 15,
      },
      { message: '2026-11-20 10:00:01 10.0.0.1 too few' },
    ])
    expect(found[2]).toMatchObject({
      _time: '2026-11-21T00:00:01Z',
      'c-ip': '10.1.1.2',
      'cs(Referer)': 'a "b" c',
    })
    expect(unmatched).toMatchObject([{ events: 1, first: { line: 6 } }])
    expect(await events(IIS.replaceAll('\n', '\r\n'))).toMatchObject({ events: found })
  })

  it('has the level that Wowza writes in x-severity', async () => {
    const text = [
      '#Fields: x-severity\tx-category\tx-comment\tdate\ttime',
      'WARN\tserver\tCertificate expires soon\t2026-11-20\t10:00:02',
    ].join('\n')
    const { events: found } = await events(text)
    expect(found).toMatchObject([
      { _time: '2026-11-20T10:00:02Z', level: 'warn', 'x-comment': 'Certificate expires soon' },
    ])
  })

  it('has several fields in a column where the header has tabs and spaces, as in Joomla', async () => {
    const text = [
      '#Fields: datetime\tpriority clientip\tcategory\tmessage',
      '2026-11-20T10:00:00+00:00\tWARNING 192.0.2.20\tjerror\tUsername and password do not match',
      '2026-11-20T10:00:01+00:00\tINFO 192.0.2.21\tlogin\tno user',
      '2026-11-20T10:00:02+00:00\tINFO\tlogin\tno address',
    ].join('\n')
    const { events: found, unmatched } = await events(text)
    expect(found).toEqual([
      {
        _time: '2026-11-20T10:00:00+00:00',
        priority: 'WARNING',
        level: 'warn',
        clientip: '192.0.2.20',
        category: 'jerror',
        message: 'Username and password do not match',
      },
      {
        _time: '2026-11-20T10:00:01+00:00',
        priority: 'INFO',
        level: 'info',
        clientip: '192.0.2.21',
        category: 'login',
        message: 'no user',
      },
      { level: 'info', message: '2026-11-20T10:00:02+00:00\tINFO\tlogin\tno address' },
    ])
    expect(unmatched).toMatchObject([{ events: 1, first: { line: 4 } }])
  })

  it('has the fields of its last directives after the source of an earlier event was needed', async () => {
    const text = '#Fields: a\n1\n#Fields: b\n2\n#Fields: c\n3\n4\n'
    const bytes = inPieces(Buffer.from(text), 5)
    const input = await detectInput({ name: 'input', bytes, isLive: false })
    const seen: Batch[] = []
    const pool = new BufferPool(1024)
    for await (const item of batches(input, { pool, maxEvents: 1, flushMs: 1000 })) {
      if (item.kind !== 'batch') continue
      seen.push(item)
      if (seen.length < 3) continue
      expect(seen[0]!.source!(0)).toMatchObject({ text: Buffer.from('1'), offset: 11, line: 2 })
    }
    expect(seen.map(({ body }) => body.toString())).toEqual([
      '{"a":1}\n',
      '{"b":2}\n',
      '{"c":3}\n',
      '{"c":4}\n',
    ])
  })

  it.each(['date-time', 'DateTime', 'Timestamp', 'TimeStamp'])(
    'has its time in the field `%s` of the logs of Exchange',
    async (name) => {
      const text = `#Software: Microsoft Exchange Server\n#Fields: ${name},Agent,Reason\n2026-11-20T10:00:00.177Z,Inbound Trust Agent,\nnever,A,\n`
      expect((await events(text)).events).toEqual([
        { _time: '2026-11-20T10:00:00.177Z', Agent: 'Inbound Trust Agent' },
        { [name]: 'never', Agent: 'A' },
      ])
    },
  )

  it('has columns separated by tabs where it is from CloudFront', async () => {
    const text =
      '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip\n2026-11-20\t10:00:00\tFRA2\t182\t192.0.2.10\n'
    expect((await events(text)).events).toEqual([
      {
        _time: '2026-11-20T10:00:00Z',
        'x-edge-location': 'FRA2',
        'sc-bytes': 182,
        'c-ip': '192.0.2.10',
      },
    ])
  })

  it('keeps the date and the clock when another field is the time', async () => {
    const text = '#Fields: date time x\n2026-11-20 10:00:00 1\n'
    expect((await events(text, { findsTime: false })).events).toEqual([
      { date: '2026-11-20', time: '10:00:00', x: 1 },
    ])
  })

  it('is rejected when `w3c` was requested and no directive names the fields', async () => {
    await expect(read('a b\n', { format: 'w3c' })).rejects.toThrow('has no `#Fields` line')
  })
})
