// Sessions of the real program on a terminal; `session-end.test.ts` has more ways to end them.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evqInProcess } from '../../../support/evq-in-process.js'
import { needs } from '../../../support/needs.js'
import { hasBash, hasTerminal, startOnTerminal } from '../../../support/pty.js'
import { until } from '../../../support/until.js'
import {
  binary,
  directory,
  ENTER,
  environment,
  expectRestored,
  file,
  LEAVE,
  screenOf,
  untilShown,
  view,
} from '../../../support/view-session.js'

type Terminal = ReturnType<typeof view>

/** Opens the log, and waits for its rows. */
async function opened(): Promise<Terminal> {
  const terminal = view()
  await untilShown(terminal, /1 of 200 /)
  return terminal
}

async function quit(terminal: Terminal): Promise<void> {
  terminal.type('q')
  expect((await terminal.ended).status).toBe(0)
}

describe('a session', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('shows a log, and prints the command when it ends', async () => {
    const terminal = view()
    await untilShown(terminal, /1 of 200 /)
    const { lines, isOther } = await screenOf(terminal)
    expect(isOther).toBe(true)
    expect(lines[4]).toMatch(/10:00:00\.000 error .*event 0/)
    terminal.type('&event 19\r')
    await untilShown(terminal, /of 11 /)
    terminal.type('q')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expectRestored(terminal)
    expect((await screenOf(terminal, { columns: 200 })).text).toContain(
      `evq query -i ${file} "where * contains 'event 19'"`,
    )
  })

  it('goes to the row of a number, and shows the number while it is typed', async () => {
    const terminal = await opened()
    terminal.type('12')
    await untilShown(terminal, /\n 12 +G row /)
    terminal.type('3G')
    await untilShown(terminal, /\n 123 of 200 /)
    terminal.type('7\x03')
    await untilShown(terminal, /\n 123 of 200 /)
    terminal.type('10k50%')
    await untilShown(terminal, /\n 101 of 200 /)
    await quit(terminal)
  })

  it('finds a regular expression', async () => {
    const terminal = await opened()
    terminal.type('/\x12event (')
    await untilShown(terminal, /\nregex \/ event \( /)
    terminal.type('\rn')
    await untilShown(terminal, /malformed[\s\S]*\nregex \/ event \( /)
    terminal.type('12|\\d*7)$\rnn')
    // The matches are events 7, 12 and 17.
    await untilShown(terminal, /\n 18 of 200 /)
    await quit(terminal)
  })

  it('returns to a marked row', async () => {
    const terminal = await opened()
    terminal.type('7Gma150G')
    await untilShown(terminal, /\n 150 of 200 /)
    terminal.type("'a")
    await untilShown(terminal, /\n 7 of 200 /)
    terminal.type("''")
    await untilShown(terminal, /\n 150 of 200 /)
    await quit(terminal)
  })

  it('recalls what was searched with the arrows', async () => {
    const terminal = await opened()
    terminal.type('/event 12\r')
    await untilShown(terminal, /\n 13 of 200 /)
    terminal.type('/event 3\r')
    await untilShown(terminal, /\n 31 of 200 /)
    terminal.type('&\x1b[A\x1b[A')
    await untilShown(terminal, /\n& event 12 /)
    terminal.type('\r')
    await untilShown(terminal, /of 11 /)
    await quit(terminal)
  })

  it('removes its temporary files when a signal ends it', async () => {
    const temporary = join(directory, 'temporary')
    mkdirSync(temporary)
    const terminal = view([file], { env: { TMPDIR: temporary } })
    await untilShown(terminal, /1 of 200 /)
    expect(readdirSync(temporary)).not.toEqual([])
    terminal.child.kill('SIGTERM')
    expect((await terminal.ended).signal).toBe('SIGTERM')
    expect(readdirSync(temporary)).toEqual([])
    expectRestored(terminal)
  })

  it('explains that the name of a missing dataset is that of a directory', async () => {
    mkdirSync(join(directory, 'many'), { recursive: true })
    const terminal = view(['many'], { cwd: directory })
    expect((await terminal.ended).status).toBe(2)
    expectRestored(terminal)
    expect(terminal.raw().split(LEAVE).at(-1)?.trim()).toBe(
      "evq: `many` is a directory. Name its files: `evq view 'many/*'`, or add `-r`.",
    )
  })

  it('says that a name is neither that of a file nor that of a dataset', async () => {
    const terminal = view(['app.lgo'], { cwd: directory })
    expect((await terminal.ended).status).toBe(2)
    expectRestored(terminal)
    const shown = terminal.raw().split(LEAVE).at(-1)
    expect(shown).toContain('evq: There is no file or dataset `app.lgo`.')
    expect(shown).not.toContain('evq query')
  })

  it('suggests the dataset with the most similar name', async () => {
    const data = join(directory, 'named')
    await evqInProcess(['ingest', 'weblogs'], { directory: data, stdin: '{}\n' })
    const terminal = view(['weblgos'], { env: { EVQ_DATA_DIR: data } })
    expect((await terminal.ended).status).toBe(2)
    const shown = terminal.raw().split(LEAVE).at(-1)
    expect(shown).toContain('evq: There is no file or dataset `weblgos`. Close to `weblogs`.')
  })

  it('waits for a dataset that is followed', async () => {
    const terminal = view(['later', '-f'])
    await untilShown(terminal, /There is no file or dataset `later`\./)
    terminal.type('q')
    expect((await terminal.ended).status).toBe(0)
  })

  it('ends when the data directory cannot be opened', async () => {
    const terminal = view(['logs'], { env: { EVQ_DATA_DIR: file } })
    expect((await terminal.ended).status).toBe(1)
    expectRestored(terminal)
    expect(terminal.raw().split(LEAVE).at(-1)).toContain(file)
  })

  it('reports at its end what was not read', async () => {
    const binaryFile = join(directory, 'binary.bin')
    writeFileSync(
      binaryFile,
      Uint8Array.from({ length: 5_000 }, (_, index) => index % 7),
    )
    const terminal = view([file, binaryFile], { columns: 200 })
    await untilShown(terminal, /is not text/, { columns: 200 })
    terminal.type('q')
    expect((await terminal.ended).status).toBe(0)
    expect(terminal.raw().split(LEAVE).at(-1)).toMatch(/binary\.bin` is not text/)
  })

  it('saves all rows, although the query changes meanwhile', async () => {
    const saved = join(directory, 'saved.csv')
    const terminal = view()
    await untilShown(terminal, /1 of 200 /)
    terminal.type(`o${saved}\r&event 19\r`)
    await until(() => existsSync(saved), 'the file')
    terminal.type('j')
    await untilShown(terminal, /of 11 /)
    terminal.type('q')
    expect((await terminal.ended).status).toBe(0)
    expect(readFileSync(saved, 'utf8').trimEnd().split('\n')).toHaveLength(201)
  })

  it('writes no sequences to a terminal that can only print lines', async () => {
    const terminal = view([file], { env: { TERM: 'dumb' } })
    expect((await terminal.ended).status).toBe(2)
    expect(terminal.raw()).toContain('evq: The terminal can only print lines: `TERM` is `dumb`.')
    expect(terminal.raw()).not.toContain('\x1b')
  })

  it('ends with Ctrl-C, which is a key', async () => {
    const terminal = view()
    await terminal.until(/event 0/)
    terminal.type('\x03')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expectRestored(terminal)
  })

  it('stops with a signal and goes on', async () => {
    const terminal = view()
    await untilShown(terminal, /1 of 200 /)
    terminal.child.kill('SIGTSTP')
    await until(() => terminal.raw().includes(LEAVE), 'the end of the screen')
    expectRestored(terminal)
    const before = terminal.raw().length
    // It may not have stopped yet.
    await until(() => {
      terminal.child.kill('SIGCONT')
      return terminal.raw().slice(before).includes(ENTER)
    }, 'the screen again')
    terminal.type('j')
    await untilShown(terminal, /2 of 200 /)
    terminal.type('q')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
  })

  it('goes on at once after Ctrl-Z when no shell can continue it', async () => {
    const terminal = view()
    await untilShown(terminal, /1 of 200 /)
    terminal.type('\x1aj')
    await untilShown(terminal, /2 of 200 /)
    terminal.type('q')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
  })

  it(
    'goes on after each `fg`, also in a subshell that stops first',
    needs(hasBash, 'bash'),
    async () => {
      const terminal = startOnTerminal(['bash', '--norc', '--noprofile', '-i'], {
        env: { ...environment, PS1: 'prompt> ' },
      })
      const untilAfter = async (mark: number, text: string) =>
        await until(() => terminal.raw().slice(mark).includes(text), text)
      await terminal.until(/prompt> /)
      terminal.type(`(${process.execPath} ${binary} view ${file}; echo en''ded)\r`)
      await terminal.until(/event 0/)
      for (let round = 0; round < 5; round++) {
        const mark = terminal.raw().length
        terminal.type('\x1a')
        await untilAfter(mark, 'prompt> ')
        terminal.type('fg\r')
        await untilAfter(mark, ENTER)
      }
      await untilShown(terminal, /1 of 200 /)
      terminal.type('q')
      await terminal.until(/ended/)
    },
  )

  it('reads keys again after SIGSTOP and `fg`', needs(hasBash, 'bash'), async () => {
    const terminal = startOnTerminal(['bash', '--norc', '--noprofile', '-i'], {
      env: { ...environment, PS1: 'prompt> ' },
    })
    await terminal.until(/prompt> /)
    terminal.type(`sh -c 'echo pid $$; exec ${process.execPath} ${binary} view ${file}'\r`)
    await terminal.until(/event 0/)
    const [, pid] = /^pid (\d+)/m.exec(terminal.raw()) ?? []
    // The terminal can't be restored before this signal.
    const mark = terminal.raw().length
    process.kill(Number(pid), 'SIGSTOP')
    await until(() => terminal.raw().slice(mark).includes('prompt> '), 'the shell')
    terminal.type('fg\r')
    await until(() => terminal.raw().slice(mark).includes(ENTER), 'the screen')
    terminal.type('3G')
    await untilShown(terminal, /3 of 200 /)
    terminal.type('q')
    await until(() => terminal.raw().slice(mark).includes(LEAVE), 'the end')
    terminal.type('exit\r')
    await terminal.ended
  })

  it('draws for each size of the terminal', async () => {
    const terminal = view([file], { columns: 60, rows: 10 })
    await untilShown(terminal, /1 of 200 /, { columns: 60, rows: 10 })
    const mark = terminal.raw().length
    terminal.resize(120, 30)
    await until(() => terminal.raw().slice(mark).includes('2026-01-31 10:00:20'), 'a larger screen')
    terminal.type('q')
    await terminal.ended
    expectRestored(terminal)
  })

  it('draws for a size that changed while it was stopped', needs(hasBash, 'bash'), async () => {
    const terminal = startOnTerminal(['bash', '--norc', '--noprofile', '-i'], {
      columns: 60,
      rows: 10,
      env: { ...environment, PS1: 'prompt> ' },
    })
    await terminal.until(/prompt> /)
    terminal.type(`${process.execPath} ${binary} view ${file}\r`)
    await terminal.until(/event 0/)
    const mark = terminal.raw().length
    terminal.type('\x1a')
    await until(() => terminal.raw().slice(mark).includes('prompt> '), 'the shell')
    terminal.resize(120, 30)
    terminal.type('fg\r')
    await until(() => terminal.raw().slice(mark).includes('2026-01-31 10:00:20'), 'a larger screen')
    terminal.type('q')
    // The command that shows the rows is printed at the end.
    await until(() => terminal.raw().slice(mark).includes('evq query'), 'the end')
    terminal.type('exit\r')
    await terminal.ended
  })

  it('takes its keys from the terminal when events arrive on standard input', async () => {
    const terminal = view([], { pipes: ['stdin'] })
    const producer = spawn('cat', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    producer.stdout.pipe(terminal.child.stdin!)
    await untilShown(terminal, /1 of 200 /)
    terminal.type('G')
    await untilShown(terminal, /200 of 200 /)
    terminal.type('q')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect((await screenOf(terminal)).text).toContain('… | evq query "where true"')
  })

  it('shows and copies the lines of an event as they were written', async () => {
    const terminal = view([], { pipes: ['stdin'] })
    terminal.child.stdin!.end('{"level" : "info",\t"message":"one \\u00e9"}\n{"message":"two"}\n')
    await untilShown(terminal, /1 of 2 /)
    terminal.type('\rG')
    await untilShown(
      terminal,
      /original +standard input:1\n▌ \{"level" : "info", {4}"message":"one \\u00e9"\}/,
    )
    terminal.type('y')
    await untilShown(terminal, /The original is copied\./)
    terminal.type('qq')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expect((await screenOf(terminal)).text).toContain('"message":"one \\u00e9"}')
  })

  it('shows events of a stream while it is open, and Ctrl-C leaves its producer alone', async () => {
    const terminal = view([], { pipes: ['stdin'] })
    const stdin = terminal.child.stdin!
    stdin.on('error', () => {})
    stdin.write('{"message":"first event"}\n')
    await untilShown(terminal, /first event/)
    stdin.write('{"message":"second event"}\n')
    await untilShown(terminal, /second event/)
    terminal.type('\x03')
    expect(await terminal.ended).toEqual({ status: 0, signal: null })
    expectRestored(terminal)
  })
})

describe('without a terminal', () => {
  it('names the command that prints events', async () => {
    const { evq } = await import('../../../support/evq.js')
    const { status, stderr } = await evq(['view', file], { directory })
    expect(status).toBe(2)
    expect(stderr).toContain('Standard output is not a terminal. `evq query` prints events')
  })
})
