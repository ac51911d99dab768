import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { scriptedService } from '../../client/scripted-service.js'
import { tabular } from '../../support/canned-service.js'
import { needs } from '../../support/needs.js'
import { hasTerminal, startOnTerminal, type TerminalOptions } from '../../support/pty.js'
import { Screen } from '../../support/screen.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { until } from '../../support/until.js'

const binary = join(import.meta.dirname, '../../../bin/evq.js')
const scratch = temporaryDirectory()
/** Each run has its own checkpoint. */
let runs = 0
const lines = Array.from({ length: 4 }, (_, n) => `{"n":${n}}\n`)
const four = file('four.ndjson', lines.join(''))
const other = file('other.ndjson', lines.join(''))

describe('progress on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it.each([30, 60, 80, 200])('fits in %d columns and leaves only the summary', async (columns) => {
    const { terminal, respond } = await ingest([four], { columns })
    await terminal.until(/logs: 0 events/)
    for (let n = 1; n <= lines.length; n++) {
      await respond()
      await terminal.until(new RegExp(`logs: ${n} event`))
    }
    expect((await terminal.ended).status).toBe(0)
    expect(frames(terminal.raw(), columns).filter(({ hasWrapped }) => hasWrapped)).toEqual([])
    expect(terminal.screen().text().replaceAll('\n', '')).toMatch(
      /^logs: 4 events stored, .*\/s\)$/,
    )
  })

  it('shows the stored share, the rejected events and the file', async () => {
    const { terminal, respond } = await ingest([four, other], { columns: 240 })
    await terminal.until(/0 events stored, 0%/)
    await respond()
    await terminal.until(/1 event stored, 12%/)
    await respond({ ingested: 0, failed: 1 })
    await terminal.until(/1 event stored, 1 rejected, 25%/)
    for (let n = 2; n < 8; n++) {
      await terminal.until(new RegExp(`logs: ${n - 1} events? stored, 1 rejected`))
      await respond()
    }
    await terminal.until(/other\.ndjson \(2 of 2\)/)
    expect((await terminal.ended).status).toBe(3)
  })

  it('shows the share of a compressed file', async () => {
    const packed = file('four.gz', gzipSync(lines.join('')))
    const { terminal, respond } = await ingest([packed])
    for (const share of [0, 25, 50, 75]) {
      await terminal.until(new RegExp(`, ${share}%`))
      await respond()
    }
    expect((await terminal.ended).status).toBe(0)
  })

  it('shows no share of a pipe', async () => {
    const { terminal, respond } = await ingest(['-'], { pipes: ['stdin'] })
    await terminal.until(/logs: waiting for events/)
    terminal.child.stdin?.end('{"n":1}\n')
    await terminal.until(/logs: 0 events stored/)
    await respond()
    await terminal.ended
    expect(terminal.raw()).not.toContain('%')
  })

  it.each([
    ['-q', {}],
    ['--json-errors', {}],
    ['--color=auto', { TERM: 'dumb' }],
  ])('is not there with %s', async (flag, env) => {
    const { terminal, respond, received } = await ingest([four, flag], { env })
    for (let n = 1; n <= lines.length; n++) {
      await until(() => received.length >= n, `request ${n} is received`)
      if (n === 1) await new Promise((resolve) => setTimeout(resolve, 600))
      await respond()
    }
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.raw()).not.toContain('\x1b')
  })

  it('reports after Ctrl-C which batches it waits for', async () => {
    const { terminal, respond } = await ingest([four, '--color=never'])
    await terminal.until(/logs: 0 events stored/)
    terminal.type('\x03')
    await terminal.until(/Waiting for 1 batch in flight; press Ctrl-C again to quit now\./)
    await respond()
    expect((await terminal.ended).signal).toBe('SIGINT')
    expect(terminal.screen().text()).toMatch(/\nlogs: 1 event stored, \d not sent, .*$/)
  })
})

describe('a query on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('shows that it waits, and leaves only the result', async () => {
    const { terminal, responses } = await query()
    await terminal.until(/waiting for the result, \d s/)
    responses[0]!.end(tabular([{ name: 'n', type: 'integer', values: '[7]' }]))
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.screen().text()).toMatch(/^┌───┐\n│ n │\n├───┤\n│ 7 │\n└───┘\n1 row.*$/)
  })

  it('leaves only the message after Ctrl-C', async () => {
    const { terminal } = await query()
    await terminal.until(/waiting for the result/)
    terminal.type('\x03')
    expect((await terminal.ended).signal).toBe('SIGINT')
    expect(terminal.screen().text()).toBe('Query canceled.')
  })

  it('shows that a comparison waits', async () => {
    const { terminal, responses } = await query(['diff', 'logs', '--against', '1d'])
    await terminal.until(/waiting for the result/)
    for (const response of responses) {
      response.end(tabular([{ name: 'n', type: 'integer', values: '[7]' }]))
    }
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.screen().text()).not.toContain('waiting')
  })
})

/** Runs a command with a query on a terminal; the test sends the responses. */
async function query(command = ['query', 'logs']) {
  const responses: ServerResponse[] = []
  const { url } = await scriptedService((response) => {
    responses.push(response)
  })
  const args = [...command, '--since', '1h', '--color=never']
  const terminal = startOnTerminal([process.execPath, binary, ...args], {
    env: { EVQ_URL: url, EVQ_DATA_DIR: join(scratch, 'data'), XDG_STATE_HOME: scratch },
  })
  return { terminal, responses }
}

/** Runs `evq ingest` on a terminal with one event per batch; the test sends each response. */
async function ingest(args: readonly string[], options: TerminalOptions = {}) {
  const waiting: ServerResponse[] = []
  const { url, received } = await scriptedService((response) => {
    waiting.push(response)
  })
  function end(response: ServerResponse, counts = { ingested: 1, failed: 0 }): void {
    const failures = counts.failed > 0 ? [{ timestamp: '', error: 'no', index: 0 }] : []
    response.end(JSON.stringify({ ...counts, failures }))
  }
  const flags = ['--batch-size', '1', '--concurrency', '1']
  const terminal = startOnTerminal(
    [process.execPath, binary, 'ingest', 'logs', ...flags, ...args],
    {
      ...options,
      env: {
        EVQ_URL: url,
        EVQ_DATA_DIR: join(scratch, 'data'),
        XDG_STATE_HOME: join(scratch, `state-${++runs}`),
        ...options.env,
      },
    },
  )
  /** Responds to the next request, after waiting for it. */
  async function respond(counts = { ingested: 1, failed: 0 }): Promise<void> {
    await until(() => waiting.length, 'a request is received')
    end(waiting.shift()!, counts)
  }
  return { terminal, respond, received }
}

/** Returns the screen after each step that drew the line, without the summary. */
function frames(raw: string, columns: number): readonly Screen[] {
  return raw
    .split('\x1b[1G')
    .slice(0, -1)
    .map((_, i, all) => new Screen(all.slice(0, i + 1).join('\x1b[1G'), columns))
}

function file(name: string, content: string | Buffer): string {
  const path = join(scratch, name)
  writeFileSync(path, content)
  return path
}
