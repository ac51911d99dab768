import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { SYSLOG_LIMITS } from '../../../src/service/syslog/messages.js'
import { receiveTcp } from '../../../src/service/syslog/tcp.js'
import { until } from '../../support/until.js'

describe('a TCP port for syslog', () => {
  it('takes one message after the other, also after a line that got no end in time', async () => {
    const begun: string[] = []
    const taken: string[] = []
    let release = () => {}
    const room = new Promise<void>((resolve) => {
      release = resolve
    })
    const receiver = await receiveTcp({
      ...{ host: '127.0.0.1', port: 0, limits: { ...SYSLOG_LIMITS, unfinishedMs: 20 } },
      async take({ bytes }) {
        begun.push(String(bytes))
        await room
        taken.push(String(bytes))
      },
      note() {},
    })
    const socket = connect((receiver.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('first')
    await until(() => begun.length === 1, 'the line is taken')
    socket.end('second\n')
    socket.resume()
    await once(socket, 'end').catch(() => {})
    let isClosed = false
    const closed = receiver.close({ graceMs: 10_000 }).then(() => {
      isClosed = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect([begun, isClosed]).toEqual([['first'], false])
    release()
    await closed
    expect(taken).toEqual(['first', 'second'])
  })

  it('takes messages in turns with other work', async () => {
    let turns = 0
    const before: number[] = []
    const receiver = await receiveTcp({
      ...{ host: '127.0.0.1', port: 0, limits: SYSLOG_LIMITS },
      take() {
        before.push(turns)
        // Takes longer than a turn lasts.
        const end = performance.now() + 10
        while (performance.now() < end);
        return undefined
      },
      note() {},
    })
    const socket = connect((receiver.server.address() as AddressInfo).port, '127.0.0.1')
    socket.resume().end('1\n2\n3\n')
    const work = (): void => {
      turns += 1
      if (before.length < 3) setImmediate(work)
    }
    setImmediate(work)
    await until(() => before.length === 3, 'all messages are taken')
    const [first, second, third] = before
    expect(second).toBeGreaterThan(first!)
    expect(third).toBeGreaterThan(second!)
    await receiver.close({ graceMs: 10_000 })
  })

  it('stays open when a connection cannot be accepted', async () => {
    const { server, close } = await receiveTcp({
      ...{ host: '127.0.0.1', port: 0, limits: SYSLOG_LIMITS },
      take: async () => {},
      note() {},
    })
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
    expect(server.listening).toBe(true)
    await close({ graceMs: 0 })
  })
})
