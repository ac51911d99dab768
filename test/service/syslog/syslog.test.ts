import { execFile, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { StoreError } from '../../../src/engine/store-error.js'
import { convertMessages } from '../../../src/input/log/syslog/convert-messages.js'
import type { Intake } from '../../../src/service/ingest/store-events.js'
import { listenSyslog, type SyslogListener } from '../../../src/service/syslog/listen-syslog.js'
import type { SyslogLimits } from '../../../src/service/syslog/messages.js'
import { needs, needsLinux } from '../../support/needs.js'
import { until } from '../../support/until.js'
import { type Running, run } from '../running.js'
import { eventsOf, objectsOf } from '../stored.js'

let service: Running
const listeners: SyslogListener[] = []
const sockets: Socket[] = []
const warnings: string[] = []
let datasets = 0

beforeAll(async () => {
  service = await run()
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(listeners.splice(0).map((listener) => listener.close({ graceMs: 2_000 })))
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

interface Listening {
  readonly dataset: string
  readonly listener: SyslogListener
}

interface ListenOptions {
  readonly port?: number
  readonly limits?: Partial<SyslogLimits>
  readonly intake?: Intake
}

async function listening({
  port = 0,
  limits = {},
  intake = service.intake,
}: ListenOptions = {}): Promise<Listening> {
  datasets += 1
  const dataset = `syslog-${datasets}`
  const listener = await listenSyslog({
    ...{ host: '127.0.0.1', port, dataset, intake, convert: convertMessages },
    limits: { batchMs: 20, ...limits },
    warn: (message) => warnings.push(message),
    report: (error) => service.reported.push(error),
  })
  listeners.push(listener)
  return { dataset, listener }
}

async function connected({ port }: SyslogListener): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends all bytes and closes the connection. */
async function sendTcp(listener: SyslogListener, bytes: string | Buffer): Promise<void> {
  const socket = await connected(listener)
  socket.end(bytes)
  socket.resume()
  await once(socket, 'close')
}

async function sendUdp(
  { port }: SyslogListener,
  datagrams: readonly (string | Buffer)[],
): Promise<void> {
  const socket = createSocket('udp4')
  for (const datagram of datagrams) {
    await new Promise<void>((resolve) => socket.send(datagram, port, '127.0.0.1', () => resolve()))
  }
  socket.close()
}

const query = (apl: string) => objectsOf(service, apl)

/** Returns the events of a dataset without `_sysTime` and nulls, once there are as many as expected. */
async function events(dataset: string, count: number) {
  return await until(async () => {
    if (!service.store.schema.datasets.includes(dataset)) return undefined
    const found = await eventsOf(service, dataset)
    return found.length < count ? undefined : found
  }, `${count} events in ${dataset}`)
}

async function total(name: string): Promise<number> {
  const { text } = await service.send({ method: 'GET', path: '/metrics' })
  return Number(new RegExp(`^evq_${name}\\{protocol="syslog"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

// The example of RFC 5424, 6.5, and one of RFC 3164, 5.4.
const RFC_5424 =
  '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"] An application event log entry'
const RFC_3164 = "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8"

const EVENT_5424 = {
  _time: '2003-10-11T22:14:15.003Z',
  priority: 165,
  facility: 'local4',
  severity: 'notice',
  level: 'notice',
  host: 'mymachine.example.com',
  app: 'evntslog',
  msg_id: 'ID47',
  'structured_data.exampleSDID@32473.iut': 3,
  'structured_data.exampleSDID@32473.eventSource': 'Application',
  'structured_data.exampleSDID@32473.eventID': 1011,
  message: 'An application event log entry',
}

describe('syslog messages', () => {
  it('are stored from lines and frames over TCP, and from datagrams', async () => {
    const { dataset, listener } = await listening()
    await sendTcp(
      listener,
      `${RFC_5424}\n${RFC_5424.length} ${RFC_5424}${RFC_5424.length + 1} ${RFC_5424}\n`,
    )
    await sendUdp(listener, [RFC_5424, `${RFC_5424}\n`])
    expect(await events(dataset, 5)).toEqual(Array(5).fill(EVENT_5424))
  })

  it('have the latest year in which their time has come, if they name none', async () => {
    const { dataset, listener } = await listening()
    await sendUdp(listener, [RFC_3164])
    const [event] = await events(dataset, 1)
    expect(event).toEqual({
      // The service's clock is at the start of 2026. As in `evq ingest`, a time without a zone is in UTC.
      _time: '2025-10-11T22:14:15Z',
      priority: 34,
      facility: 'auth',
      severity: 'crit',
      level: 'critical',
      host: 'mymachine',
      app: 'su',
      message: "'su root' failed for lonvick on /dev/pts/8",
    })
  })

  it('are stored whole and counted when they are something else', async () => {
    const before = await total('unparsed_messages_total')
    const { dataset, listener } = await listening()
    await sendUdp(listener, ['GET / HTTP/1.1\r\n', Buffer.from([0, 1, 0xff, 0x22, 0x5c])])
    const found = await events(dataset, 2)
    expect(found.map(({ message }) => message).sort()).toEqual(['\0\x01ÿ"\\', 'GET / HTTP/1.1'])
    expect((await total('unparsed_messages_total')) - before).toBe(2)
  })

  it('whose fields can not be stored are stored as their text', async () => {
    const before = await total('unparsed_messages_total')
    const { dataset, listener } = await listening()
    const odd = [
      '<13>1 2026-01-01T00:00:00Z host app - - [id n\0="1"] NUL \xff',
      `<13>1 2026-01-01T00:00:00Z host app - - [id ${'n'.repeat(1025)}="1"] long`,
    ]
    const bytes = [odd[0], RFC_5424, odd[1]].map((text) => Buffer.from(text!, 'latin1'))
    await sendTcp(
      listener,
      Buffer.concat(bytes.flatMap((one) => [Buffer.from(`${one.length} `), one])),
    )
    const found = await events(dataset, 3)
    const texts = found.filter((event) => event.message !== EVENT_5424.message)
    expect(found.filter((event) => !texts.includes(event))).toEqual([EVENT_5424])
    expect(texts.map(({ message }) => message).sort()).toEqual([...odd].sort())
    expect((await total('unparsed_messages_total')) - before).toBe(2)
  })

  it('are cut at 64 KiB, counted and logged', async () => {
    const before = await total('truncated_messages_total')
    warnings.length = 0
    const { dataset, listener } = await listening()
    const long = `<13>1 - - - - - - ${'x'.repeat(200_000)}`
    await sendTcp(
      listener,
      `${long}\n${long.length} ${long}<13>1 - - - - - - next\n40 <13>1 - - - - - - cut`,
    )
    const found = await events(dataset, 4)
    const lengths = found.map(({ message }) => String(message).length)
    const head = '<13>1 - - - - - - '.length
    expect(lengths.sort((a, b) => a - b)).toEqual([3, 4, 65_536 - head, 65_536 - head])
    expect((await total('truncated_messages_total')) - before).toBe(3)
    expect(warnings[0]).toBe('Syslog: 1 message truncated.')
  })

  it('that are not finished are stored after a time, and the connection goes on', async () => {
    const { dataset, listener } = await listening({ limits: { unfinishedMs: 50 } })
    const socket = await connected(listener)
    socket.write('<13>1 - - - - - - one')
    expect((await events(dataset, 1))[0]).toMatchObject({ message: 'one' })
    socket.write('<13>1 - - - - - - two\n')
    expect((await events(dataset, 2)).length).toBe(2)
    // A frame that does not end would swallow what follows.
    socket.write('90 <13>1 - - - - - - three')
    await once(socket.resume(), 'close')
    expect((await events(dataset, 3)).length).toBe(3)
  })

  it('from a connection that announces an absurd length end it', async () => {
    const { dataset, listener } = await listening()
    warnings.length = 0
    await sendTcp(listener, '<13>1 - - - - - - one\n999999999 <13>1 - - - - - - two')
    expect((await events(dataset, 1))[0]).toMatchObject({ message: 'one' })
    expect(warnings).toEqual(['Syslog: 1 connection closed because of a malformed length.'])
  })

  it('from too many connections are refused, and logged', async () => {
    const { dataset, listener } = await listening({ limits: { connections: 1 } })
    warnings.length = 0
    const first = await connected(listener)
    const second = await connected(listener)
    await once(second.resume(), 'close')
    expect(warnings).toEqual(['Syslog: 1 connection refused because too many are open.'])
    first.write('<13>1 - - - - - - one\n')
    await events(dataset, 1)
  })
})

describe('when events cannot be stored', () => {
  /** An intake that fails until it is repaired. */
  function broken() {
    let isBroken = true
    const attempts: (string | undefined)[] = []
    const { store } = service.intake
    const intake: Intake = {
      ...service.intake,
      store: {
        ...store,
        get spool() {
          return store.spool
        },
        ingest: async (batch) => {
          attempts.push(batch.batchId)
          if (isBroken) throw new StoreError('disk-full', 'The disk is full.')
          return await store.ingest(batch)
        },
      },
    }
    const repair = () => {
      isBroken = false
    }
    return { intake, attempts, repair }
  }

  it('waits with TCP, and drops datagrams when the queue is full', async () => {
    const { intake, attempts, repair } = broken()
    const dropped = await total('dropped_messages_total')
    const limits = { batchBytes: 500_000, queueBytes: 2_000_000 }
    const { dataset, listener } = await listening({ intake, limits })
    warnings.length = 0
    const message = (n: number) =>
      `<13>1 - - - - - - ${String(n).padStart(6, '0')} ${'x'.repeat(1_000)}\n`
    const count = 12_000
    const socket = await connected(listener)
    const sent = Buffer.from(Array.from({ length: count }, (_, n) => message(n)).join(''))
    let isSent = false
    socket.end(sent, () => {
      isSent = true
    })
    await until(() => attempts.length > 1, 'a second attempt')
    let datagrams = 0
    await until(async () => {
      // The first ones may find room in the queue.
      await sendUdp(listener, ['<13>1 - - - - - - datagram'])
      datagrams += 1
      return (await total('dropped_messages_total')) > dropped
    }, 'a datagram is dropped')
    // 12 MB don't fit into the buffers of the kernel.
    expect(isSent).toBe(false)
    expect(warnings[0]).toBe('Syslog: 1 attempt to store messages failed. The disk is full.')
    expect(new Set(attempts).size).toBe(1)
    repair()
    await until(() => isSent, 'the connection to go on')
    await listeners.pop()?.close({ graceMs: 600_000 })
    const rows = await query(
      `['${dataset}'] | where message != 'datagram' | summarize count(), dcount(message), min(message), max(message)`,
    )
    expect(Object.values(rows[0]!)).toEqual([
      count,
      expect.closeTo(count, -3),
      message(0).slice(18, -1),
      message(count - 1).slice(18, -1),
    ])
    const stored = await query(`['${dataset}'] | where message == 'datagram' | count`)
    const lost = (await total('dropped_messages_total')) - dropped
    expect(Object.values(stored[0]!)).toEqual([datagrams - lost])
  })

  it('gives up at the end, counts and logs', async () => {
    const { intake, attempts } = broken()
    const dropped = await total('dropped_messages_total')
    const { listener } = await listening({ intake })
    await sendTcp(listener, '<13>1 - - - - - - one\n<13>1 - - - - - - two\n')
    await until(() => attempts.length > 0, 'an attempt')
    warnings.length = 0
    listeners.pop()
    await listener.close({ graceMs: 10 })
    expect(warnings.join('')).toContain(
      '2 messages lost, because they could not be stored. The disk is full.',
    )
    expect((await total('dropped_messages_total')) - dropped).toBe(2)
  })
})

describe('at the end', () => {
  it('stores all that has been sent over TCP', async () => {
    const { dataset, listener } = await listening({ limits: { batchMs: 3_600_000 } })
    const open = await connected(listener)
    const half = await connected(listener)
    open.write(Array.from({ length: 5_000 }, (_, n) => `<13>1 - - - - - - ${n}\n`).join(''))
    half.write('<13>1 - - - - - - half')
    await sendTcp(listener, '<13>1 - - - - - - closed\n')
    listeners.pop()
    await listener.close({ graceMs: 600_000 })
    const rows = await query(`['${dataset}'] | summarize count(), countif(message == 'half')`)
    expect(Object.values(rows[0]!)).toEqual([5_002, 1])
  })

  it('stores what has been sent over connections that are not accepted yet', async () => {
    const { dataset, listener } = await listening()
    const send = `
      let sent = 0
      const exit = () => ++sent === 20 && process.exit()
      for (let i = 0; i < 20; i++) {
        require('node:net').connect(${listener.port}, '127.0.0.1').end('<13>1 - h a - - - one\\n', exit)
      }`
    // Meanwhile, the kernel alone completes the handshakes.
    const { status } = spawnSync(process.execPath, ['-e', send], { timeout: 60_000 })
    expect(status).toBe(0)
    listeners.pop()
    await listener.close({ graceMs: 600_000 })
    expect(await query(`['${dataset}'] | count`)).toEqual([{ Count: 20 }])
  })
})

describe('a port that is in use for UDP', () => {
  it('leaves no socket open', needsLinux, async () => {
    const taken = createSocket('udp4')
    await once(taken.bind({ address: '127.0.0.1', port: 0 }), 'listening')
    onTestFinished(() => void taken.close())
    const before = openSockets()
    await expect(listening({ port: taken.address().port })).rejects.toThrow('EADDRINUSE')
    await until(() => openSockets() === before, 'the closed sockets')
  })
})

/** Returns the number of sockets that this process has open. */
function openSockets(): number {
  const links = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // Closed in the meantime.
      return []
    }
  })
  return links.filter((link) => link.startsWith('socket:')).length
}

describe('hostile input', () => {
  it('does not end the listener', async () => {
    let seed = 1
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
      return (seed >>> 8) % below
    }
    const signs = [
      '<',
      '>',
      '1',
      '999999999 <',
      '10 <13>',
      '[',
      ']',
      '"',
      '\\',
      '\n',
      ' ',
      '\0',
      '-',
      'é',
      ':',
    ]
    const garbage = () =>
      Buffer.concat(
        Array.from({ length: random(200) }, () =>
          random(2) === 0 ? Buffer.from([random(256)]) : Buffer.from(signs[random(signs.length)]!),
        ),
      )
    const { dataset, listener } = await listening()
    await sendUdp(listener, Array.from({ length: 300 }, garbage))
    await Promise.all(Array.from({ length: 40 }, () => sendTcp(listener, garbage())))
    for (const cut of [1, 7, 40, 120]) {
      const socket = await connected(listener)
      socket.write(RFC_5424.slice(0, cut))
      socket.resetAndDestroy()
    }
    await sendTcp(listener, '<13>1 2026-01-01T00:00:00Z - - - - - alive\n')
    await until(
      async () => (await query(`['${dataset}'] | where message == 'alive'`)).length === 1,
      'the last message',
    )
  })
})

const LOGGER = '/usr/bin/logger'

describe('senders', () => {
  it.each([
    ['RFC 5424 with frames over TCP', ['-T', '--rfc5424', '--octet-count']],
    ['RFC 5424 with lines over TCP', ['-T', '--rfc5424']],
    ['RFC 3164 over UDP', ['-d', '--rfc3164']],
  ])('include logger: %s', needs(existsSync(LOGGER), 'logger (util-linux)'), async (_, flags) => {
    const { dataset, listener } = await listening()
    await promisify(execFile)(LOGGER, [
      ...['-n', '127.0.0.1', '-P', String(listener.port), '-t', 'shop', '-p', 'local3.warning'],
      ...[...flags, 'order 12 is late'],
    ])
    expect((await events(dataset, 1))[0]).toMatchObject({
      facility: 'local3',
      severity: 'warning',
      app: 'shop',
      message: 'order 12 is late',
    })
  })
})
