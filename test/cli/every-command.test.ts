// Each command on a narrow terminal, on a wide one without colors, and in a pipe.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMAND_NAMES, createProgram } from '../../src/cli/program.js'
import { width } from '../../src/text/width.js'
import { type Ended, evq, start } from '../support/evq.js'
import { evqInProcess } from '../support/evq-in-process.js'
import { silentContext } from '../support/fake-io.js'
import { needs } from '../support/needs.js'
import { hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const directory = join(scratch, 'data')
const binary = join(import.meta.dirname, '../../bin/evq.js')
const file = join(scratch, 'events.ndjson')

const EVENTS = Array.from({ length: 20 }, (_, n) => ({
  _time: `2026-01-01T00:00:${String(n).padStart(2, '0')}.123456789Z`,
  level: ['info', 'warn', 'error'][n % 3],
  message:
    n % 2 === 0 ? '注文を受け付けました 👩‍👩‍👧' : 'the order was taken \u001b[31mred\u001b[0m',
  host: 'web-1.eu-central.example.com',
  n,
}))

/** The kind of output: data as a table or records, a text that is passed on unchanged, or nothing. */
type Shows = 'rows' | 'text' | 'nothing'

interface Use {
  readonly command: string
  readonly args: readonly string[]
  readonly shows: Shows
  /** Ended by Ctrl-C after this output. */
  readonly until?: RegExp
  /** True for a command that uses the whole terminal, in which Ctrl-C is a key and attributes are not colors. */
  readonly isFullScreen?: boolean
}

const ALL = ['--since', '2026-01-01']

/** Each command once, in an order in which each has data to work on; `id` is that of the saved query. */
function uses(id: string): readonly Use[] {
  const use = (command: string, args: readonly string[], shows: Shows): Use => {
    return { command, args, shows }
  }
  return [
    use('ingest', ['two', file, '--no-checkpoint'], 'nothing'),
    use('query', ["['logs']", '-n', '3', ...ALL], 'rows'),
    use('page', ["['logs']", '--page-size', '7'], 'rows'),
    use('diff', ["['logs'] | summarize count() by level", ...ALL, '--against', '1d'], 'rows'),
    { command: 'tail', args: ['logs', '-n', '2'], shows: 'rows', until: /"?n"?[=:].*19/ },
    { command: 'view', args: ['logs'], shows: 'nothing', until: /20 of 20/, isFullScreen: true },
    {
      ...{
        command: 'serve',
        args: ['--listen', '127.0.0.1:0', '--data-dir', join(scratch, 'own')],
      },
      ...{ shows: 'nothing', until: /127\.0\.0\.1:\d+/ },
    },
    use('dataset list', [], 'rows'),
    use('dataset show', ['logs'], 'rows'),
    use('dataset sample', ['logs', '-n', '3'], 'rows'),
    use('dataset rename', ['two', 'three'], 'nothing'),
    use('dataset retain', ['three', '30d', '--yes'], 'nothing'),
    use('dataset trim', ['three', '--before', '2026-01-01T00:00:05Z', '--yes'], 'nothing'),
    use('dataset accept-loss', ['three', '--yes'], 'nothing'),
    use('dataset delete', ['three', '--yes'], 'nothing'),
    use('starred list', [], 'rows'),
    use('starred get', [id], 'text'),
    use('starred update', [id, '--name', `name ${Math.random()}`], 'text'),
    use('starred run', [id, ...ALL], 'rows'),
    use('token create', ['ci', '--query', 'logs'], 'text'),
    use('token list', [], 'rows'),
    use('token revoke', ['ci'], 'nothing'),
    use('profile add', ['prod', '--url', 'https://api.example.com'], 'nothing'),
    use('profile list', [], 'rows'),
    use('profile use', ['local'], 'nothing'),
    use('profile remove', ['prod'], 'nothing'),
    use('format add', ['app', '--parse', '"{" members "}"'], 'nothing'),
    use('format list', [], 'rows'),
    use('format show', ['app'], 'rows'),
    use('format test', ['app', file], 'text'),
    use('format remove', ['app'], 'nothing'),
    { command: 'lsp', args: ['-v'], shows: 'nothing', until: /Serving an editor/ },
    use('completion', ['zsh'], 'text'),
    use('help', ['summarize'], 'text'),
    use('starred create', ['--name', 'another', '--apl', "['logs'] | count"], 'text'),
    use('starred delete', [id], 'text'),
  ]
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a color is one
const COLOR = /\u001b\[[\d;]*m/

// Sequences that move the cursor have numbers, too.
// biome-ignore lint/suspicious/noControlCharactersInRegex: a color is one
const FOREGROUND = /\u001b\[(?:\d+;)*[39]\d(?:;\d+)*m/

const env = {
  PAGER: '',
  EVQ_DATA_DIR: directory,
  XDG_CONFIG_HOME: join(scratch, 'config'),
  XDG_STATE_HOME: join(scratch, 'state'),
}

let service: ReturnType<typeof start> | undefined

beforeAll(async () => {
  mkdirSync(directory)
  writeFileSync(file, EVENTS.map((event) => `${JSON.stringify(event)}\n`).join(''))
  // With a running service no command has to start the engine.
  service = start(['serve', '--listen', '127.0.0.1:0'], { directory, env })
  await service.err.until(/127\.0\.0\.1:\d+/)
  await evq(['ingest', 'logs', file, '-q'], { directory, env })
})

afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
})

async function saved(): Promise<string> {
  const args = [
    'starred',
    'create',
    '--name',
    '注文',
    '--apl',
    "['logs'] | project _time, message, n",
  ]
  const { stdout } = await evq(args, { directory, env })
  return (JSON.parse(stdout) as { id: string }).id
}

/** The lines of each table that has borders. */
function frames(lines: readonly string[]): readonly (readonly string[])[] {
  const tables: string[][] = []
  for (const line of lines) {
    if (line.startsWith('┌')) tables.push([])
    if (/^[┌├│└]/.test(line)) tables.at(-1)!.push(line)
  }
  return tables
}

it('covers every command', async () => {
  const program = await createProgram(COMMAND_NAMES, silentContext())
  const names = program.commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.map((child) => `${command.name()} ${child.name()}`),
  )
  expect(
    uses('')
      .map(({ command }) => command)
      .sort(),
  ).toEqual(names.sort())
})

describe('every command on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it.each<{ readonly columns: number; readonly look: Record<string, string> }>([
    { columns: 60, look: {} },
    { columns: 200, look: { NO_COLOR: '1' } },
  ])('of $columns columns', async ({ columns, look }) => {
    for (const { command, args, shows, until, isFullScreen } of uses(await saved())) {
      const words = [...command.split(' '), ...args]
      // Messages are not limited to the width.
      const terminal = startOnTerminal([process.execPath, binary, ...words], {
        ...{ columns, env: { ...env, ...look } },
        ...(shows === 'rows' && { pipes: ['stderr'] }),
      })
      let output = ''
      terminal.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      if (until !== undefined) {
        await terminal.until(until)
        terminal.type('\x03')
      }
      const end = until === undefined || isFullScreen ? [0, null] : [null, 'SIGINT']
      const { status, signal } = await terminal.ended
      expect([command, status, signal, output]).toEqual([command, ...end, output])
      const color = isFullScreen ? FOREGROUND : COLOR
      if (look.NO_COLOR !== undefined) expect(terminal.raw()).not.toMatch(color)
      if (shows !== 'rows') continue
      const screen = terminal.screen()
      expect([command, screen.hasWrapped && command !== 'tail']).toEqual([command, false])
      for (const frame of frames(screen.lines)) {
        expect([command, new Set(frame.map(width)).size]).toEqual([command, 1])
      }
      // The contents of events must not change the colors of the screen.
      expect(terminal.raw()).not.toContain('\u001b[31mred')
    }
  })
})

/** Runs a command that only Ctrl-C ends. */
async function interrupted(
  words: readonly string[],
  { shows, until }: { readonly shows: Shows; readonly until: RegExp },
): Promise<Ended> {
  const running = start(words, { directory, env })
  await (shows === 'rows' ? running.out : running.err).until(until)
  running.child.kill('SIGINT')
  return await running.ended
}

it('every command in a pipe', async () => {
  for (const { command, args, shows, until, isFullScreen } of uses(await saved())) {
    if (isFullScreen) continue
    const words = [...command.split(' '), ...args]
    const end = until === undefined ? [0, null] : [null, 'SIGINT']
    const { status, signal, stdout, stderr } =
      until === undefined
        ? await evqInProcess(words, { directory, env })
        : await interrupted(words, { shows, until })
    expect([command, status, signal, stderr]).toEqual([command, ...end, stderr])
    if (shows === 'nothing') expect([command, stdout]).toEqual([command, ''])
    if (shows === 'rows') {
      expect(stdout).toMatch(/\n$/)
      const rows = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
      for (const row of rows) expect(row).toBeTypeOf('object')
    }
    // Progress is shown on terminals only.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the ones that steer
    expect([command, stderr.match(/[\u001b\r]/)]).toEqual([command, null])
  }
})
