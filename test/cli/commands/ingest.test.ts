import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.js'
import { json, type Reply, scriptedService, stored } from '../../client/scripted-service.js'
import { type FakeIoOptions, fakeIo } from '../../support/fake-io.js'
import { needsLinux } from '../../support/needs.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()

describe('input', () => {
  it('is sent byte for byte from a pipe', async () => {
    const stdin = '{"b":1.0,"a":9007199254740993}\r\n{"é":"\\u00e9"}'
    const { received, exitCode, err, out } = await ingest(['logs'], { stdin })
    expect(received.map(({ body }) => body.toString())).toEqual([stdin])
    expect(exitCode).toBe(0)
    expect(out).toBe('')
    // A slow run has minutes, and no rate when it rounds to 0.
    expect(err).toMatch(/^logs: 2 events stored, \d+ B in [\d. ms]+(?: \([\d,]+\/s\))?\n$/)
  })

  it('is sent file by file, arrays as lines', async () => {
    const files = [
      file('a.ndjson', '{"n":1}\n'),
      file('b.json', '[{"n":2}]'),
      file('c.csv', 'n\n3\n'),
    ]
    const reply = json({ ingested: 1, failed: 0, failures: [] })
    const args = ['logs', ...files, '--concurrency', '1']
    const { received, exitCode } = await ingest(args, {}, reply)
    expect(received.map(({ headers }) => headers['content-type'])).toEqual([
      'application/x-ndjson',
      'application/x-ndjson',
      'text/csv',
    ])
    expect(received.map(({ body }) => body.toString())).toEqual([
      '{"n":1}\n',
      '{"n":2}\n',
      'n\n3\n',
    ])
    expect(exitCode).toBe(0)
  })

  it('may be compressed with gzip, in several members', async () => {
    const parts = [gzipSync('{"n":1}\n{"n"'), gzipSync(':2}\n')]
    const { received, exitCode } = await ingest(['logs', file('a.gz', Buffer.concat(parts))])
    expect(received.map(({ body }) => body.toString())).toEqual(['{"n":1}\n{"n":2}\n'])
    expect(exitCode).toBe(0)
  })

  it('is sent up to the point where a gzip file is truncated', async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `{"n":${n},"x":"${Math.sin(n)}"}\n`)
    const packed = gzipSync(lines.join(''))
    const path = file('cut.gz', packed.subarray(0, packed.length - 1000))
    const { received, exitCode, err } = await ingest(['logs', path])
    const body = received.map((request) => request.body.toString()).join('')
    expect(lines.join('').startsWith(body)).toBe(true)
    expect(body.endsWith('\n')).toBe(true)
    expect(exitCode).toBe(1)
    expect(err).toContain('cut.gz` ends in the middle of its compressed data.')
  })

  it('asks for CSV in place of a spreadsheet', async () => {
    const path = file('Umsatz.xlsx', Buffer.from('504b030414000600', 'hex'))
    const { err, exitCode } = await ingest(['logs', path])
    expect(err).toBe(`evq: \`${path}\` is a spreadsheet. Save it as CSV first.\n`)
    expect(exitCode).toBe(1)
  })

  it('fails with instructions when compressed with an unsupported format', async () => {
    const path = file('a.xz', Buffer.from('fd377a585a000004', 'hex'))
    const { err, exitCode } = await ingest(['logs', path])
    expect(err).toBe(
      `evq: \`${path}\` is compressed with xz, which is not supported. Decompress it first: \`xz -dc ${path} | evq …\`.\n`,
    )
    expect(exitCode).toBe(1)
  })

  it('is refused with `--follow` when encoded in UTF-16', async () => {
    const text = Buffer.from('\ufeff{"n":1}\n', 'utf16le')
    const { err, received } = await ingest(['logs', '--follow', file('wide.json', text)])
    expect(err).toContain('wide.json` is not in UTF-8. `--follow` reads one event per line.')
    expect(received).toEqual([])
  })

  it('may be empty', async () => {
    const { err, exitCode, received } = await ingest(['logs'], { stdin: '' })
    expect(err).toBe('logs: 0 events stored, none were found\n')
    expect(exitCode).toBe(0)
    expect(received).toEqual([])
  })

  it('is sent in batches of the requested size', async () => {
    const stdin = '{"n":1}\n'.repeat(5)
    // One after the other: those in flight at once may arrive in any order.
    const flags = ['--batch-size', '2', '--concurrency', '1']
    const { received } = await ingest(['logs', ...flags], { stdin })
    expect(received.map(({ body }) => body.length / 8)).toEqual([2, 2, 1])
    expect(new Set(received.map(({ headers }) => headers['x-service-batch-id'])).size).toBe(3)
  })

  it('is sent with the name of the field that holds the event time', async () => {
    const { received } = await ingest(['logs', '--timestamp-field', 'at'], { stdin: '{"at":1}\n' })
    expect(received[0]?.url).toBe('/v1/ingest/logs?timestamp-field=at')
  })

  it('is summarized in one line, or not at all with -q', async () => {
    const { err } = await ingest(['logs', '-q'], { stdin: '{"n":1}\n' })
    expect(err).toBe('')
  })
})

describe('rejected events', () => {
  const reject = (failures: readonly object[]): Reply =>
    json({ ingested: 1, failed: failures.length, failures })

  it('are reported with file and line', async () => {
    const path = file('app.ndjson', '\n{"n":1}\nbad\n')
    const { err, exitCode } = await ingest(
      ['logs', path],
      {},
      reject([{ error: 'not JSON', index: 1, line: 3 }]),
    )
    expect(err.split('\n')[0]).toBe(`${path}:3: not JSON`)
    expect(err).toContain('1 event stored, 1 rejected')
    expect(exitCode).toBe(3)
  })

  it('are reported with the line in the file when in a later batch', async () => {
    const path = file('later.ndjson', '{"n":1}\n{"n":2}\n\nbad\n')
    const rejected = json({
      ingested: 0,
      failed: 1,
      failures: [{ error: 'not JSON', index: 0, line: 2 }],
    })
    const { err } = await ingest(['logs', path, '--batch-size', '1'], {}, (response, request) =>
      (request.body.includes('bad') ? rejected : stored)(response, request),
    )
    expect(err).toContain(`${path}:4: not JSON`)
  })

  it('are reported with the line in a CSV file, counting the header once', async () => {
    const path = file('rows.csv', 'a,b\n1,"x\ny"\n2,z\n3,4,5\n')
    const { err } = await ingest(['logs', path, '--batch-size', '2'], {}, (response, request) =>
      request.body.includes('3,4,5')
        ? json({
            ingested: 0,
            failed: 1,
            failures: [{ error: 'too many cells', index: 0, line: 2 }],
          })(response, request)
        : json({ ingested: 2, failed: 0, failures: [] })(response, request),
    )
    expect(err).toContain(`${path}:5: too many cells`)
  })

  it('are reported with their position in an array', async () => {
    const path = file('list.json', '[{"n":1},{"n":2},3]')
    const { err } = await ingest(['logs', path, '--batch-size', '2'], {}, (response, request) =>
      request.body.includes('3')
        ? json({ ingested: 0, failed: 1, failures: [{ error: 'no object', index: 0 }] })(
            response,
            request,
          )
        : json({ ingested: 2, failed: 0, failures: [] })(response, request),
    )
    expect(err).toContain(`${path}, event 3: no object`)
  })

  it('are listed up to ten', async () => {
    const failures = Array.from({ length: 42 }, (_, i) => ({ error: 'bad', index: i, line: i + 1 }))
    const { err } = await ingest(
      ['logs'],
      { stdin: '{bad\n'.repeat(43), format: 'ndjson' },
      (response, request) => json({ ingested: 1, failed: 42, failures })(response, request),
    )
    const lines = err.trimEnd().split('\n')
    expect(lines.slice(0, 10).every((line) => line.endsWith(': bad'))).toBe(true)
    expect(lines[10]).toBe('… and 32 more rejected events')
    expect(lines[11]).toMatch(/^logs: 1 event stored, 42 rejected/)
    expect(lines.length).toBe(12)
  })

  it('are reported with control characters escaped', async () => {
    const { err } = await ingest(
      ['logs'],
      { stdin: 'x\n{"n":1}\n', format: 'ndjson' },
      reject([{ error: 'not JSON: \u001b[31m', index: 0, line: 1 }]),
    )
    expect(err).not.toContain('\u001b')
    expect(err).toContain('standard input:1: not JSON: \\u001b[31m')
  })
})

describe('a service', () => {
  it('gets the other batches after it rejected one', async () => {
    const { err, exitCode } = await ingest(
      ['logs', '--batch-size', '1'],
      { stdin: '{"n":1}\n{"n":2}\n{"n":3}\n' },
      (response, request) =>
        (request.body.includes('2') ? json({ message: 'index 0: bad' }, 400) : stored)(
          response,
          request,
        ),
    )
    expect(err).toContain('standard input:2: bad\n')
    expect(err).toContain('logs: 2 events stored, 1 rejected')
    expect(exitCode).toBe(3)
  })

  it('rejects a single event with any status', async () => {
    const stdin = '{"n":1}\n'
    const { exitCode } = await ingest(['logs'], { stdin }, json({ message: 'bad' }, 400))
    expect(exitCode).toBe(3)
  })

  it('is asked once when it denies the token', async () => {
    const stdin = '{"n":1}\n'.repeat(10)
    const { exitCode, received, err } = await ingest(
      ['logs', '--batch-size', '1'],
      { stdin },
      json({ code: 403, message: 'The token may not ingest into `logs`.' }, 403),
    )
    expect(received.length).toBe(1)
    expect(exitCode).toBe(4)
    expect(err).toContain('The token may not ingest into `logs`.')
  })

  it('that denies the token ends the run while standard input is still open', async () => {
    const { url } = await scriptedService(json({ code: 403, message: 'No.' }, 403))
    const pipe = new PassThrough()
    pipe.write('{"n":1}\n{"n":2}\n')
    const io = { ...fakeIo({ env: { EVQ_URL: url } }), stdin: pipe }
    expect(await main(['ingest', 'logs', '--flush-every', '10ms'], io)).toBe(4)
    expect(pipe.destroyed).toBe(true)
  })

  it('that fails midway leaves a count of the stored events', async () => {
    const { exitCode, err } = await ingest(
      ['logs', '--batch-size', '1', '--concurrency', '1'],
      { stdin: '{"n":1}\n{"n":2}\n{"n":3}\n' },
      (response, request) =>
        (request.body.includes('1') ? stored : json({ message: 'gone' }, 404))(response, request),
    )
    expect(exitCode).toBe(3)
    expect(err).toContain(
      'Stopped early: gone\n' +
        'Standard input was read up to event 3: the rest is neither stored nor counted.\n',
    )
    expect(err).toMatch(/logs: 1 event stored, \d+ not sent/)
  })

  it('is not believed when it reports fewer events than it was sent', async () => {
    const { exitCode, err } = await ingest(
      ['logs'],
      { stdin: '{"n":1}\n{"n":2}\n' },
      json({ ingested: 1, failed: 0, failures: [] }),
    )
    expect(err).toContain('logs: 1 event stored, 1 not confirmed')
    expect(exitCode).toBe(3)
  })

  it('never has more batches in flight than --concurrency', async () => {
    const pending: (() => void)[] = []
    const release = () => {
      for (const reply of pending.splice(0)) reply()
    }
    let arrived = 0
    let most = 0
    const { received } = await ingest(
      ['logs', '--batch-size', '1', '--concurrency', '3'],
      { stdin: '{"n":1}\n'.repeat(12) },
      (response, request) => {
        pending.push(() => stored(response, request))
        arrived += 1
        most = Math.max(most, pending.length)
        // The first one goes alone. A fourth one would arrive while three have no response.
        if (arrived === 1 || arrived === 12) release()
        else if (pending.length === 3) setTimeout(release, 50)
      },
    )
    expect(received.length).toBe(12)
    expect(most).toBe(3)
  })
})

describe('ingest', () => {
  it('sends nothing for an invalid dataset name', async () => {
    for (const name of ['a b', '-x', '', 'a/b', 'é', 'x'.repeat(129)]) {
      const { exitCode, received } = await ingest(['--', name], { stdin: '{"n":1}\n' })
      expect(exitCode).toBe(2)
      expect(received).toEqual([])
    }
  })

  it('explains how to name an input when there is none', async () => {
    const { exitCode, err } = await ingest(['logs'])
    expect(exitCode).toBe(2)
    expect(err).toBe(
      'evq: No input: name a file, as in `evq ingest logs app.ndjson`, or pipe events in, as in `cat app.ndjson | evq ingest logs`.\n',
    )
  })

  it('explains that a file is no dataset', async () => {
    const path = file('no-dataset.ndjson', '{"n":1}\n')
    for (const [args, command] of [
      [[path], `logs ${path}`],
      [[path, path], `logs ${path} ${path}`],
      [[path, path, '-'], `logs ${path} ${path} …`],
      [[path, '--check'], `--check logs ${path}`],
      [['--dry-run', path], `--dry-run logs ${path}`],
    ] as const) {
      const { exitCode, err, received } = await ingest([...args])
      expect(exitCode).toBe(2)
      expect(err).toBe(
        `evq: No dataset: \`${path}\` is a file, and the first argument is the dataset to store its events in, as in \`evq ingest ${command}\`.\n`,
      )
      expect(received).toEqual([])
    }
  })

  it('explains the order of its arguments', async () => {
    const path = file('first.ndjson', '{"n":1}\n')
    const { exitCode, err, received } = await ingest([path, 'web'])
    expect(exitCode).toBe(2)
    expect(err).toContain(`as in \`evq ingest web ${path}\`.\n`)
    expect(received).toEqual([])
  })

  it('does not take the first file of a pattern that the shell has expanded for a dataset', async () => {
    // Files of the working directory of the tests.
    const { exitCode, err, received } = await ingest(['package.json', 'tsconfig.json'])
    expect(exitCode).toBe(2)
    expect(err).toContain('as in `evq ingest logs package.json tsconfig.json`.')
    expect(received).toEqual([])
    const path = file('events.ndjson', '{"n":1}\n')
    // A file without a suffix may have the name of a dataset.
    expect((await ingest(['LICENSE', path])).received).toHaveLength(1)
  })

  it('explains the syntax of quantities', async () => {
    for (const flags of [
      ['--flush-every', 'soon'],
      ['--batch-bytes', '65MiB'],
      ['--batch-bytes', '4 elephants'],
      ['--batch-size', '0'],
      ['--batch-size', '20001'],
      ['--input-format', 'xml'],
    ]) {
      const { exitCode, err } = await ingest(['logs', ...flags], { stdin: '{}\n' })
      expect(exitCode).toBe(2)
      expect(err).toContain(flags[0])
    }
  })

  it('names the source of an invalid address or token', async () => {
    const stdin = '{}\n'
    const wrong: Record<string, string>[] = [
      { EVQ_URL: 'localhost:4600' },
      { EVQ_URL: 'https://user:pass@host' },
      { EVQ_INGEST_URL: 'ftp://x' },
      { EVQ_TOKEN: 'two words', EVQ_URL: 'http://127.0.0.1:1' },
    ]
    for (const env of wrong) {
      const io = fakeIo({ stdin, env })
      expect(await main(['ingest', 'logs'], io)).toBe(2)
      expect(io.err()).toContain(Object.keys(env)[0])
      expect(io.err()).not.toContain('pass@')
      expect(io.err()).not.toContain('two words')
    }
  })
})

describe('an incomplete run', () => {
  const twoOfThree = json({ ingested: 1, failed: 1, failures: [{ index: 1, error: 'not JSON' }] })
  const stdin = '{"n":1}\n{"n"\n'

  it('reports one JSON object with JSON errors', async () => {
    const { exitCode, err } = await ingest(['logs', '--json-errors'], { stdin }, twoOfThree)
    expect(exitCode).toBe(3)
    const { error, notes } = JSON.parse(err)
    expect(error.code).toBe('incomplete')
    expect(error.message).toMatch(/^logs: 1 event stored, 1 rejected, /)
    expect(notes).toEqual(['standard input:2: not JSON'])
  })

  it('reports one JSON object with JSON errors and without a summary', async () => {
    const { exitCode, err } = await ingest(['logs', '-q', '--json-errors'], { stdin }, twoOfThree)
    expect(exitCode).toBe(3)
    expect(JSON.parse(err)).toEqual({
      error: { code: 'incomplete', message: 'The command was completed only in part.' },
      notes: ['standard input:2: not JSON'],
    })
  })

  it('names the unreadable files in the JSON object', async () => {
    const missing = join(scratch, 'missing')
    const args = ['logs', '--json-errors', missing, file('good.ndjson', '{"n":1}\n')]
    const { exitCode, err } = await ingest(args)
    expect(exitCode).toBe(1)
    expect(JSON.parse(err)).toMatchObject({
      error: { code: 'failed' },
      notes: [`\`${missing}\` can't be read: there is no such file.`],
    })
  })

  it('reports no JSON object when everything was stored', async () => {
    const { exitCode, err } = await ingest(['logs', '--json-errors'], { stdin: '{"n":1}\n' })
    expect(exitCode).toBe(0)
    expect(err).toMatch(/^logs: 1 event stored, /)
  })
})

describe('unreadable files', () => {
  it('are reported, and the others are sent', async () => {
    const directory = join(scratch, 'directory')
    mkdirSync(directory)
    const missing = join(scratch, 'missing')
    const good = file('good.ndjson', '{"n":1}\n')
    const { exitCode, err } = await ingest(['logs', missing, directory, good])
    expect(err).toContain(`\`${missing}\` can't be read: there is no such file.\n`)
    expect(err).toContain(`\`${directory}\` is a directory. Name the files in it`)
    expect(err).toContain('logs: 1 event stored')
    expect(exitCode).toBe(1)
  })

  it('are an error of one line when there are no others', async () => {
    const missing = join(scratch, 'missing')
    const { exitCode, err, received } = await ingest(['logs', missing])
    expect(err).toBe(`evq: \`${missing}\` can't be read: there is no such file.\n`)
    expect(exitCode).toBe(1)
    expect(received).toEqual([])
  })

  it.each(['', '--check', '--dry-run', '--no-checkpoint'])(
    'are named when reading fails, with `%s`',
    needsLinux,
    async (flag) => {
      // Opens like any other file; reading address 0 of the process fails with EIO.
      const { exitCode, err } = await ingest(['logs', '/proc/self/mem', flag].filter(Boolean))
      expect(err).toMatch(/^(evq: )?`\/proc\/self\/mem` can't be read: /)
      expect(exitCode).toBe(1)
    },
  )
})

async function ingest(
  args: readonly string[],
  options: FakeIoOptions & { readonly format?: string } = {},
  reply: Reply = stored,
) {
  const { url, received } = await scriptedService(reply)
  const { format, ...io } = options
  const fake = fakeIo({ ...io, env: { EVQ_URL: url, ...io.env } })
  const flags = format === undefined ? [] : ['-i', format]
  const exitCode = await main(['ingest', ...flags, ...args], fake)
  return { exitCode, received, out: fake.out(), err: fake.err() }
}

function file(name: string, content: string | Buffer): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}
