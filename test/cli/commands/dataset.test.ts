import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDataDirectory } from '../../../src/local/open-directory.js'
import { evqInProcess } from '../../support/evq-in-process.js'
import { needs } from '../../support/needs.js'
import { hasTerminal, startOnTerminal } from '../../support/pty.js'
import { temporaryDirectory } from '../../support/temporary.js'

const scratch = temporaryDirectory()
const binary = join(import.meta.dirname, '../../../bin/evq.js')
const EVENTS = [1, 2, 3]
  .map((day) => `{"_time":"2026-01-0${day}T00:00:00Z","day":${day}}\n`)
  .join('')

/** Opens a data directory for the commands of a test, which saves opening it for each of them. */
async function openedFor(name: string): Promise<string> {
  const directory = join(scratch, name)
  const now = () => BigInt(Date.now()) * 1_000_000n
  const owned = await openDataDirectory({ directory, now })
  onTestFinished(() => owned?.close())
  return directory
}

/** A data directory with an event on each of three days in `logs`. */
async function filled(name: string) {
  const directory = await openedFor(name)
  await evqInProcess(['ingest', 'logs', '-q'], { directory, stdin: EVENTS })
  return {
    directory,
    dataset: (...args: readonly string[]) =>
      evqInProcess(['dataset', ...args], { directory, stdin: '' }),
  }
}

describe('evq dataset', () => {
  it('lists, shows, trims and deletes datasets', async () => {
    const { dataset } = await filled('all')
    const listed = await dataset('list')
    expect(listed).toMatchObject({ status: 0, stderr: '1 dataset\n' })
    expect(JSON.parse(listed.stdout)).toEqual({
      name: 'logs',
      events: 3,
      bytes: expect.any(Number),
      fields: 3,
      first: '2026-01-01T00:00:00Z',
      last: '2026-01-03T00:00:00Z',
    })

    const shown = await dataset('show', 'logs', '-o', 'csv')
    expect(shown.stdout).toBe('field,type\n_sysTime,datetime\n_time,datetime\nday,integer\n')
    expect(shown.stderr).toMatch(
      /^logs: 3 events, .* on disk, from 2026-01-01T00:00:00Z to 2026-01-03T00:00:00Z, 3 fields\n$/,
    )

    const trimmed = await dataset('trim', 'logs', '--before', '2026-01-02', '--yes')
    const message = 'logs: 1 event before 2026-01-02T00:00:00Z deleted\n'
    expect(trimmed).toMatchObject({ status: 0, stdout: '', stderr: message })

    for (const args of [['delete'], ['trim', '--before', '2027-01-01']]) {
      const unasked = await dataset(...args, 'logs')
      expect(unasked).toMatchObject({ status: 2, stdout: '' })
      expect(unasked.stderr).toContain('`--yes`')
    }
    expect((await dataset('delete', 'logs', '--yes')).stderr).toBe('logs: deleted, with 2 events\n')
    expect(await dataset('list')).toMatchObject({ status: 0, stdout: '', stderr: '0 datasets\n' })
  })

  it('shows a type for a field whose values have several types, as `getschema` does', async () => {
    const directory = await openedFor('several')
    const stdin =
      '{"_time":"2026-01-01T00:00:00Z","n":1}\n{"_time":"2026-01-01T00:00:00Z","n":"x"}\n'
    await evqInProcess(['ingest', 'logs', '-q'], { directory, stdin })
    const shown = await evqInProcess(['dataset', 'show', 'logs', '-o', 'csv'], { directory })
    expect(shown.stdout).toBe('field,type\n_sysTime,datetime\n_time,datetime\nn,dynamic\n')
  })

  it('suggests the nearest name for an unknown one', async () => {
    const { dataset } = await filled('near')
    const cases = [['show'], ['delete', '--yes'], ['trim', '--before', '1d', '--yes']]
    for (const args of [...cases, ['retain', '30d']]) {
      const [verb = '', ...others] = args
      const { status, stderr } = await dataset(verb, 'lgos', ...others)
      expect(stderr).toContain('There is no dataset `lgos`. Did you mean `logs`?')
      expect(status).toBe(1)
    }
  })

  it.each([
    [['show', 'none'], 1, 'There is no dataset `none`.'],
    [['delete', 'none', '--yes'], 1, 'There is no dataset `none`.'],
    [['trim', 'none', '--before', '1d', '--yes'], 1, 'There is no dataset `none`.'],
    [['delete', 'none'], 1, 'There is no dataset `none`.'],
    [['trim', 'none', '--before', '1d'], 1, 'There is no dataset `none`.'],
    [['trim', 'logs'], 2, '`--before <time>` not specified'],
    [['trim', 'logs', '--before', 'soon'], 2, '`soon` is not a time.'],
  ])('%j ends with %i', async (args, status, words) => {
    const ended = await evqInProcess(['dataset', ...args], { directory: join(scratch, 'none') })
    expect(ended).toMatchObject({ status, stdout: '' })
    expect(ended.stderr).toContain(words)
  })
})

describe('evq dataset sample', () => {
  it('prints as many different events as asked for, in the order of their times', async () => {
    const directory = await openedFor('sample')
    const events = Array.from({ length: 50 }, (_, n) =>
      JSON.stringify({ _time: new Date(Date.UTC(1970, 0, 1, 0, n) - 1e9).toISOString(), n }),
    )
    await evqInProcess(['ingest', 'logs', '-q'], { directory, stdin: `${events.join('\n')}\n` })
    const drawn = async (...args: readonly string[]) => {
      const { stdout } = await evqInProcess(['dataset', 'sample', 'logs', ...args], { directory })
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line): number => JSON.parse(line).n)
    }
    const ten = await drawn()
    expect(new Set(ten).size).toBe(10)
    expect(ten).toEqual(ten.toSorted((a, b) => a - b))
    const [one, other] = [await drawn('-n', '25'), await drawn('-n', '25')]
    expect([one.length, other.length]).toEqual([25, 25])
    // Equal by chance once in 10^14 runs.
    expect(one).not.toEqual(other)
    expect(await drawn('-n', '60')).toEqual(Array.from({ length: 50 }, (_, n) => n))
    expect(await drawn('-n', '60', '--until', '1970-01-01')).toHaveLength(50)
    expect(await drawn('--since', '1970-01-01')).toEqual([])
  })
})

describe('evq dataset rename', () => {
  it('takes tokens and checkpoints along, and lists the saved queries that name the dataset', async () => {
    const directory = await openedFor('rename')
    const file = join(scratch, 'rename.ndjson')
    writeFileSync(file, EVENTS)
    const run = (...args: readonly string[]) => evqInProcess(args, { directory, stdin: '' })
    await run('ingest', 'logs', file)
    await run('token', 'create', 'reader', '--query', 'logs', '--query', 'other')
    await run('token', 'create', 'all', '--query', '*')
    const save = ['starred', 'create', '--name']
    await run(...save, 'Days', '--apl', "['logs'] | count")
    await run(...save, 'Logs', '--apl', "['catalogs'] | where day == 1")
    const { id } = JSON.parse((await run('starred', 'list', '--qs', 'Days')).stdout)

    const renamed = await run('dataset', 'rename', 'logs', 'web-logs')
    expect(renamed).toMatchObject({ status: 0, stdout: '' })
    expect(renamed.stderr).toBe(
      `logs: renamed to web-logs, also in 1 token\nThe saved query \`Days\` (${id}) still names \`logs\`; \`evq starred update\` changes it.\n`,
    )
    expect((await run('ingest', 'web-logs', file)).stderr).toContain('none are new')
    expect((await run('query', "['web-logs'] | count")).stdout).toBe('{"Count":3}\n')
    const tokens = (await run('token', 'list')).stdout
    expect(tokens).toContain('"query web-logs, other"')
    expect(tokens).toContain('"query *"')
    appendFileSync(file, '{"day":4}\n')
    expect((await run('ingest', 'web-logs', file)).stderr).toContain('1 event stored')
  })

  it('leaves a checkpoint that was cut off within its first line as it is', async () => {
    const directory = await openedFor('cut')
    const file = join(scratch, 'cut.ndjson')
    const state = join(scratch, 'cut-state')
    writeFileSync(file, EVENTS)
    const env = { XDG_STATE_HOME: state }
    const run = (...args: readonly string[]) => evqInProcess(args, { directory, env, stdin: '' })
    await run('ingest', 'logs', file)
    const checkpoints = join(state, 'evq/checkpoints')
    const journals = () => readdirSync(checkpoints).filter((name) => name.endsWith('.ndjson'))
    const path = join(checkpoints, journals()[0] ?? '')
    const [head = ''] = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, head)
    await run('dataset', 'rename', 'logs', 'web')
    const renamed = readFileSync(join(checkpoints, journals()[0] ?? ''), 'utf8')
    expect(renamed).toBe(JSON.stringify({ ...JSON.parse(head), dataset: 'web' }))
    expect((await run('ingest', 'web', file)).stderr).toContain(
      'is not a checkpoint, or not a complete one',
    )
  })

  it('fails with one sentence for what cannot be renamed', async () => {
    const { dataset } = await filled('refused')
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['none', 'other'], 1, 'There is no dataset `none`.'],
      [['logs', 'no good'], 2, '`no good` is not a valid dataset name.'],
      [['logs', 'logs'], 1, 'The dataset `logs` already exists.'],
      [['logs'], 2, 'Missing required argument `name`'],
    ]
    for (const [args, status, words] of cases) {
      const ended = await dataset('rename', ...args)
      expect(ended).toMatchObject({ status, stdout: '' })
      expect(ended.stderr).toContain(words)
    }
    expect((await dataset('list')).stderr).toBe('1 dataset\n')
  })
})

describe('evq dataset retain', () => {
  it('lets local commands delete older events, at most once an hour', async () => {
    const directory = join(scratch, 'retain')
    const day = 86_400_000
    const aged = (days: number) =>
      `{"_time":"${new Date(Date.now() - days * day).toISOString()}","days":${days}}\n`
    const run = (...args: readonly string[]) => evqInProcess(args, { directory, stdin: '' })
    const ingest = (days: readonly number[]) =>
      evqInProcess(['ingest', 'logs', '-q'], { directory, stdin: days.map(aged).join('') })
    const left = async () => {
      const { stdout } = await run('query', "['logs'] | project days | sort by days asc")
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line): number => JSON.parse(line).days)
    }
    await ingest([0, 10, 20, 40])
    expect((await run('dataset', 'retain', 'logs', '30d')).status).toBe(0)
    expect((await run('dataset', 'show', 'logs')).stderr).toContain(', kept for 30d\n')
    // The first command of this directory had its pass before the setting was made.
    expect(await left()).toEqual([0, 10, 20, 40])
    const anHourAgo = Date.now() / 1000 - 3_700
    utimesSync(join(directory, 'last-retention-pass'), anHourAgo, anHourAgo)
    await run('dataset', 'list')
    expect(await left()).toEqual([0, 10, 20])
    await ingest([50])
    await run('dataset', 'list')
    expect(await left()).toEqual([0, 10, 20, 50])
    await run('dataset', 'retain', 'logs', 'never')
    utimesSync(join(directory, 'last-retention-pass'), anHourAgo, anHourAgo)
    await run('dataset', 'list')
    expect(await left()).toEqual([0, 10, 20, 50])
    expect((await run('dataset', 'show', 'logs')).stderr).not.toContain('kept for')
  })

  it('fails with one sentence for what cannot be set', async () => {
    const { dataset } = await filled('not-retained')
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['none', '30d'], 1, 'There is no dataset `none`.'],
      [['none', 'never'], 1, 'There is no dataset `none`.'],
      [['logs', 'soon'], 2, 'not `soon`'],
      [['logs', '0s'], 2, 'not `0s`'],
      [['logs'], 2, 'Missing required argument `duration`'],
    ]
    for (const [args, status, words] of cases) {
      const ended = await dataset('retain', ...args)
      expect(ended).toMatchObject({ status, stdout: '' })
      expect(ended.stderr).toContain(words)
    }
  })
})

describe('a file that was sent to a dataset', () => {
  it('can be sent again only after the dataset was deleted', async () => {
    const directory = await openedFor('again')
    const file = join(scratch, 'again.ndjson')
    writeFileSync(file, EVENTS)
    const send = async (name: string) =>
      (await evqInProcess(['ingest', name, file], { directory })).stderr
    expect(await send('logs')).toContain('3 events stored')
    expect(await send('web')).toContain('3 events stored')
    await evqInProcess(['dataset', 'delete', 'logs', '--yes'], { directory })
    expect(await send('logs')).toContain('3 events stored')
    expect(await send('web')).toContain('none are new')
  })

  it('can be sent again when its checkpoint is invalid after the first line', async () => {
    const directory = join(scratch, 'long')
    const file = join(scratch, 'long.ndjson')
    const state = join(scratch, 'long-state')
    writeFileSync(file, EVENTS)
    const env = { XDG_STATE_HOME: state }
    const send = () => evqInProcess(['ingest', 'logs', file], { directory, env })
    await send()
    const [journal = ''] = readdirSync(join(state, 'evq/checkpoints')).filter((name) =>
      name.endsWith('.ndjson'),
    )
    const path = join(state, 'evq/checkpoints', journal)
    const [head = ''] = readFileSync(path, 'utf8').split('\n')
    // Longer than the longest string: it cannot be read into one.
    writeFileSync(path, `${head}\n`)
    truncateSync(path, 600 * 1024 * 1024)
    const { stderr } = await evqInProcess(['dataset', 'delete', 'logs', '--yes'], {
      directory,
      env,
    })
    expect(stderr).toBe('logs: deleted, with 3 events\n')
    expect(existsSync(path)).toBe(false)
  })
})

/** A command and its question. */
type Question = readonly [readonly string[], RegExp]

describe('evq dataset on a terminal', needs(hasTerminal, 'a pseudo-terminal'), () => {
  it('deletes only after confirmation', async () => {
    const { directory, dataset } = await filled('asked')
    const deletion: Question = [
      ['delete', 'logs'],
      /Delete `logs` with 3 events from the data directory .*\? \[y\/N\] /,
    ]
    const remove = async (keys: string, [args, question] = deletion) => {
      const command = [process.execPath, binary, 'dataset', ...args]
      const terminal = startOnTerminal(command, { columns: 200, env: { EVQ_DATA_DIR: directory } })
      await terminal.until(question)
      terminal.type(keys)
      return { ...(await terminal.ended), text: terminal.raw() }
    }
    const refused = await remove('\r')
    expect(refused.status).toBe(1)
    expect(refused.text).toContain('Nothing was deleted.')
    expect((await remove('\x03')).signal).toBe('SIGINT')
    expect((await remove('\x04')).status).toBe(1)
    expect((await dataset('list')).stdout).toContain('"events":3')
    const older: Question = [
      ['trim', 'logs', '--before', '2026-01-02'],
      /Delete the events of `logs` before 2026-01-02T00:00:00Z from the data directory .*\? \[y\/N\] /,
    ]
    expect((await remove('n\r', older)).status).toBe(1)
    expect((await dataset('list')).stdout).toContain('"events":3')
    expect((await remove('y\r', older)).status).toBe(0)
    expect((await dataset('list')).stdout).toContain('"events":2')
    const aged: Question = [
      ['retain', 'logs', '30d'],
      /Delete the events of `logs` older than 30d from the data directory .*\? The first is from 2026-01-02T.*\. \[y\/N\] /,
    ]
    expect((await remove('n\r', aged)).status).toBe(1)
    expect((await dataset('show', 'logs')).stderr).not.toContain('kept for')
    expect((await remove('y\r', aged)).status).toBe(0)
    expect((await dataset('show', 'logs')).stderr).toContain('kept for 30d')
    expect((await remove('y\r', [['delete', 'logs'], /with 2 events/])).status).toBe(0)
    expect((await dataset('list')).stdout).toBe('')
  })
})
