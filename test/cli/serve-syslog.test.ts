import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { evq, start } from '../support/evq.js'
import { fakeIo } from '../support/fake-io.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
let directories = 0

function dataDirectory(): string {
  directories += 1
  return join(scratch, `data-${directories}`)
}

const serving = (flags: readonly string[], directory: string) =>
  start(['serve', '--listen', '127.0.0.1:0', ...flags], { directory })

describe('evq serve --syslog', () => {
  it('prints and writes its ports, and stores what it has received before it ends', async () => {
    const directory = dataDirectory()
    const portFile = join(scratch, 'ports')
    const service = serving(
      [
        ...['--syslog', '127.0.0.1:0', '--syslog', '[::1]:0', '--syslog-dataset', 'logs'],
        ...['--port-file', portFile],
      ],
      directory,
    )
    const [, first = ''] = await service.err.until(
      /Receiving syslog on 127\.0\.0\.1:(\d+) over TCP and UDP, stored in `logs`\.\n/,
    )
    const [, second = ''] = await service.err.until(/Receiving syslog on \[::1\]:(\d+) over/)
    const [, http] = /on http:\/\/127\.0\.0\.1:(\d+)\./.exec(service.err.text()) ?? []
    expect(readFileSync(portFile, 'utf8')).toBe(`${http}\n${first}\n${second}\n`)
    for (const [host, port] of [
      ['127.0.0.1', first],
      ['::1', second],
    ] as const) {
      const socket = connect(Number(port), host)
      await once(socket, 'connect')
      // The last message has no end, and the connection stays open.
      socket.write(
        '<13>1 2026-01-01T00:00:00Z h app - - - one\n<13>1 2026-01-01T00:00:00Z h app - - - two',
      )
      await new Promise<void>((resolve) => socket.write('', () => resolve()))
      socket.on('error', () => {})
    }
    service.child.kill('SIGTERM')
    expect((await service.ended).status).toBe(0)
    const { stdout } = await evq(
      [
        'query',
        "['logs'] | summarize n=count() by app, message | sort by message asc",
        '-o',
        'ndjson',
        '--since',
        '2025-01-01',
      ],
      { directory },
    )
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { app: 'app', message: 'one', n: 2 },
      { app: 'app', message: 'two', n: 2 },
    ])
  })

  it('takes times without a zone to be in the one of a flag', async () => {
    const directory = dataDirectory()
    const flags = ['--syslog', '127.0.0.1:0', '--syslog-dataset', 'logs']
    const service = serving([...flags, '--syslog-timezone', '+05:30'], directory)
    const [, port] = await service.err.until(/Receiving syslog on 127\.0\.0\.1:(\d+) over/)
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.end('<13>Jan  2 03:04:05 h app: without\n<13>1 2026-01-02T03:04:05Z h app - - - with\n')
    await once(socket.resume(), 'close')
    service.child.kill('SIGTERM')
    expect((await service.ended).status).toBe(0)
    const apl = "['logs'] | sort by message desc | project message, clock = tostring(_time)"
    const { stdout } = await evq(['query', apl, '-o', 'csv', '--since', '2000-01-01'], {
      directory,
    })
    expect(stdout).toMatch(
      /^message,clock\nwithout,\d{4}-01-01T21:34:05Z\nwith,2026-01-02T03:04:05Z\n$/,
    )
  })

  it('warns when other machines can send messages', async () => {
    const service = serving(['--syslog', '0.0.0.0:0', '--default-dataset', 'logs'], dataDirectory())
    await service.err.until(
      /Syslog has no tokens: everyone who can reach `0\.0\.0\.0:\d+` can store events in `logs`\./,
    )
    await service.kill()
  })

  it('reports an address that is in use', async () => {
    const occupied = createServer()
    await new Promise<void>((resolve) => occupied.listen(0, '127.0.0.1', resolve))
    const address = occupied.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const flags = ['--syslog', `127.0.0.1:${port}`, '--syslog-dataset', 'logs']
    const ended = await serving(flags, dataDirectory()).ended
    occupied.close()
    expect(ended).toMatchObject({
      status: 1,
      stderr: `evq: \`127.0.0.1:${port}\` is in use by another program. \`--syslog 127.0.0.1:0\` picks a free port.\n`,
    })
  })

  it.each([
    [
      ['--syslog', '5514'],
      '`--syslog` takes a host and a port such as `127.0.0.1:5514`, not `5514`.',
    ],
    [['--syslog', ':5514'], '`--syslog` needs `--syslog-dataset`, the dataset of its messages.'],
    [['--syslog-dataset', 'logs'], '`--syslog-dataset` needs `--syslog`.'],
    [['--syslog-timezone', '+02:00'], '`--syslog-timezone` needs `--syslog`.'],
    [
      ['--syslog', ':0', '--syslog-timezone', 'Europe/Berlim'],
      'Unknown time zone `Europe/Berlim`. Did you mean `Europe/Berlin`?',
    ],
    [
      ['--syslog', ':0', '--syslog-dataset', 'a b'],
      expect.stringMatching(/^`--syslog-dataset`: `a b` is not a valid dataset name/),
    ],
    [
      ['--syslog', ':0', '--syslog-dataset', 'logs', '--listen', 'none'],
      '`--syslog` does not work with `--listen none`.',
    ],
    [
      ['--syslog', ':0', '--syslog-dataset', 'logs', '--idle', '5s'],
      '`--syslog` does not work with `--idle`.',
    ],
  ])('rejects %j', async (flags, message) => {
    const io = fakeIo()
    expect(await main(['serve', ...flags], io)).toBe(2)
    expect(io.err().replace(/^evq: (.*)\n$/s, '$1')).toEqual(message)
  })
})
