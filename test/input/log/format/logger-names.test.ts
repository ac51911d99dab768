import { describe, expect, it } from 'vitest'
import { eventsOf } from '../sample-events.js'

/** Returns the fields but the time and the level of the events of lines that begin with a time and `begin`. */
async function fieldsOf(begin: string, ...messages: readonly string[]) {
  const lines = messages.map((text, at) => `2026-11-20 10:00:0${at} ${begin}${text}\n`)
  const events = await eventsOf(Buffer.from(lines.join('')))
  return events.map(({ fields: { _time, level, severity_text, ...others } }) => others)
}

describe('the name of a component in front of messages', () => {
  it('is a field if few names in brackets recur', async () => {
    const messages = [
      '[rrc] cell found',
      '[nas] registered',
      '[rrc] released',
      '[nas] lost',
    ] as const
    expect(await fieldsOf('[INFO] ', ...messages)).toEqual([
      { logger: 'rrc', message: 'cell found' },
      { logger: 'nas', message: 'registered' },
      { logger: 'rrc', message: 'released' },
      { logger: 'nas', message: 'lost' },
    ])
  })

  it('may be the same in all messages if it is no word', async () => {
    const messages = [
      'a1@home|sent it',
      'a1@home|asked for work',
      'a1@home|got no work',
      'a1@home|sent it',
    ]
    expect((await fieldsOf('', ...messages))[2]).toEqual({
      logger: 'a1@home',
      message: 'got no work',
    })
  })

  it('may be missing in some messages', async () => {
    const messages = ['[api] up', '[api] slow', 'shutting down', '[db] open', '[api] down'] as const
    expect(await fieldsOf('', ...messages)).toEqual([
      { logger: 'api', message: 'up' },
      { logger: 'api', message: 'slow' },
      { message: 'shutting down' },
      { logger: 'db', message: 'open' },
      { logger: 'api', message: 'down' },
    ])
  })

  it('may be in front of a sign', async () => {
    const names = ['app.web', 'app.web', 'app', 'app']
    const expected = names.map((logger) => ({ logger, message: 'all is well' }))
    for (const separator of [': ', ' - ', ' | ', ' :: ']) {
      const messages = names.map((name) => `${name}${separator}all is well`)
      expect(await fieldsOf('INFO  ', ...messages)).toEqual(expected)
    }
  })

  it.each([
    'db INFO ',
    'db INFO: ',
    'db     INFO   ',
    '[db] INFO ',
    '(db) INFO ',
    '<db> INFO: ',
    'db - INFO - ',
    'db: INFO ',
  ])('may be in front of the level, as in %j', async (begin) => {
    const messages = ['up now', 'on port 80', 'is slow', 'off'].map((text, at) =>
      at === 1 ? begin.replace('db', 'web').replace('INFO', 'WARN') + text : begin + text,
    )
    const log = messages.map((text, at) => `2026-11-20 10:00:0${at} ${text}\n`).join('')
    const events = (await eventsOf(Buffer.from(log))).map(({ fields }) => fields)
    expect(events).toMatchObject([
      { logger: 'db', level: 'info', message: 'up now' },
      { logger: 'web', level: 'warn', message: 'on port 80' },
      { logger: 'db', level: 'info', message: 'is slow' },
      { logger: 'db', level: 'info', message: 'off' },
    ])
  })

  it('is a thread in front of the level if it is named like one', async () => {
    const messages = ['[pool-1] INFO up', '[main] WARN on', '[pool-1] INFO off', '[main] INFO end']
    expect((await fieldsOf('', ...messages))[0]).toEqual({ thread: 'pool-1', message: 'up' })
  })

  it('may have a second name, a process or a thread next to it', async () => {
    const messages = [
      '[CORE][Init] started',
      '[CORE][Net] open',
      '[CORE][Net] on',
      '[CORE][Net] off',
    ]
    expect((await fieldsOf('INFO ', ...messages))[1]).toEqual({
      logger: 'CORE',
      component: 'Net',
      message: 'open',
    })
    const processes = ['hue.0 (12) up', 'hue.0 (12) on', 'mail.1 (34) sent', 'hue.0 (12) off']
    expect((await fieldsOf('info: ', ...processes))[2]).toEqual({
      logger: 'mail.1',
      pid: 34,
      message: 'sent',
    })
    const threads = [
      'main node: up now',
      'main node: is on',
      'io-worker net: is up',
      'main net: off',
    ]
    expect((await fieldsOf('INFO ', ...threads))[2]).toEqual({
      thread: 'io-worker',
      logger: 'net',
      message: 'is up',
    })
    const pools = [
      '[main] up',
      '[pool-1] on',
      '[pool-2] on',
      '[main] off',
      '[pool-1] off',
      '[main] end',
    ]
    expect((await fieldsOf('INFO ', ...pools))[1]).toEqual({ thread: 'pool-1', message: 'on' })
  })

  it.each([
    ['sentences', ['Connected to: db', 'Connected to: web', 'Sent to: db', 'Sent to: web']],
    [
      'words with a capital',
      ['Request: get it', 'Reply: is ok', 'Request: put it', 'Reply: is ok'],
    ],
    [
      'levels',
      ['Error: it is late', 'Warning: it is hot', 'Error: it is cold', 'Warning: it is on'],
    ],
    ['errors', ['KeyError: no a', 'TypeError: no b', 'KeyError: no c', 'TypeError: no d']],
    ['outcomes', ['[OK] first test', '[FAIL] second test', '[OK] third test', '[OK] fourth test']],
    ['ids', ['[req-17] a b', '[req-18] b c', '[req-19] c d', '[req-20] d e']],
    ['hexadecimal ids', ['[a1b2c3] up', '[a1b2c3] on', '[a1b2c3] off', '[a1b2c3] down']],
    ['values of keys', ['size: 12', 'count: 3', 'size: 15', 'count: 4']],
    [
      'lists of pairs',
      ['user: a, role: x', 'user: b, role: y', 'role: x, user: c', 'role: z, user: d'],
    ],
    ['addresses', ['http://a: is up', 'http://a: is on', 'http://b: is up', 'http://b: is on']],
    ['source files', ['[a/main.rs] up', '[a/main.rs] on', '[a/lib.rs] up', '[a/lib.rs] on']],
    ['steps', ['[Step 1/2] compile', '[Step 1/2] link', '[Step 2/2] pack', '[Step 2/2] send']],
    ['few messages', ['[api] up', '[api] on', '[api] off']],
    [
      'one word of all messages',
      ['reading: file a', 'reading: file b', 'reading: file c', 'reading: file d'],
    ],
  ])('is not taken from %s', async (_, messages) => {
    const fields = await fieldsOf('INFO ', ...messages)
    expect(fields.map(({ message }) => message)).toEqual(messages)
  })

  it('does not hide a level that is found with the text in front of it', async () => {
    const messages = [
      '[Disk Error] lost',
      '[Disk Info] back',
      '[Net Error] lost',
      '[Disk Error] on',
    ]
    const log = messages.map((text, at) => `2026-11-20 10:00:0${at} ${text}\n`).join('')
    const levels = (await eventsOf(Buffer.from(log))).map(({ fields }) => fields.level)
    expect(levels).toEqual(['error', 'info', 'error', 'error'])
  })
})
