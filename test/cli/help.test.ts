import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { longOptions } from '../../src/cli/error/habits.js'
import { TOPICS } from '../../src/cli/help/topics.js'
import { COMMAND_NAMES, createProgram } from '../../src/cli/program.js'
import { main } from '../../src/main.js'
import { brokenOutput, fakeIo, silentContext } from '../support/fake-io.js'

async function help(...args: string[]): Promise<string> {
  const io = fakeIo()
  expect(await main(args, io)).toBe(0)
  expect(io.err()).toBe('')
  return io.out()
}

/** The words of each command, including those with subcommands. */
const program = await createProgram(COMMAND_NAMES, silentContext())
const COMMANDS = wordsOf(program)

function wordsOf(command: Command): readonly string[][] {
  return command.commands.flatMap((child) => [
    [child.name()],
    ...wordsOf(child).map((words) => [child.name(), ...words]),
  ])
}

describe('help', () => {
  it('lists every command and shows commands that work', async () => {
    const text = await help('--help')
    for (const command of COMMAND_NAMES) expect(text).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    expect(text).toContain('cat app.ndjson | evq ingest logs')
  })

  it('is printed without a command, and by evq help with a list of topics', async () => {
    const text = await help('--help')
    expect(await help()).toBe(text)
    expect(await help('-h')).toBe(text)
    expect(await help('help', 'query')).toBe(await help('query', '--help'))
    const withTopics = await help('help')
    expect(withTopics.startsWith(`${text}\nTopics:\n`)).toBe(true)
    for (const { name } of TOPICS) expect(withTopics).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  it.each(COMMANDS)('has examples: %s %s', async (...words) => {
    const names = words.filter((word) => word !== undefined).join(' ')
    const text = await help(...names.split(' '), '--help')
    expect(text).toMatch(new RegExp(`^Usage: evq ${names}`))
    expect(text).toMatch(new RegExp(`Examples:\n(?:.*\n)*.*evq ${names}`))
  })

  it('names no source that a command rejects', async () => {
    expect(await help('query', '--help-all')).toContain('Input options (to read files')
    expect(await help('view', '--help-all')).not.toContain('file(…)')
  })

  it('lists the commands for saved queries in the order of their use', async () => {
    const listed = [...(await help('starred', '--help')).matchAll(/^ {2}([a-z]+) \[options\]/gm)]
    const order = ['create', 'list', 'run', 'get', 'update', 'delete']
    expect(listed.map(([, name]) => name)).toEqual(order)
  })

  it('has a summary line for each command', async () => {
    const [, , list] = (await help('--help')).split('\n\n')
    expect(list?.split('\n')).toHaveLength(1 + COMMAND_NAMES.length)
  })

  it.each([[], ...COMMANDS])('fits in 80 columns: %j', async (...words) => {
    for (const line of (await help(...words, '--help')).split('\n')) {
      expect(line.length, line).toBeLessThanOrEqual(80)
    }
  })

  it.each([[], ...COMMANDS])('is wrapped on narrow terminals: %j', async (...words) => {
    for (const columns of [40, 60]) {
      const io = fakeIo({ isTerminal: true, columns })
      expect(await main([...words, '--help'], io)).toBe(0)
      const [usage = '', ...others] = io.out().split('\n')
      // Headings and commands to copy are not wrapped, nor is the last line.
      const lines = others.filter((line) => !/^ {2}.*evq |:$|^`evq .*\.$/.test(line))
      expect(usage).toMatch(/^Usage: evq/)
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(columns)
    }
  })

  // The help of `view` has its keys, too.
  const short = COMMANDS.filter(([name]) => name !== 'view')
  it.each(short)('fits in 60 lines of 80 columns: %s %s', async (...words) => {
    expect((await help(...words, '--help')).trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  })

  it.each(['query', 'ingest', 'page', 'diff', 'view', 'starred run'])(
    'has all options of %s behind --help-all',
    async (name) => {
      const words = name.split(' ')
      const { options } = words.reduce<Command>(
        (outer, word) => outer.commands.find((command) => command.name() === word)!,
        program,
      )
      const flags = options.flatMap(({ hidden, long }) => (hidden ? [] : (long ?? [])))
      const [short, full] = [await help(...words, '--help'), await help(...words, '--help-all')]
      const listed = (text: string) =>
        flags.filter((flag) => new RegExp(`^  .*${flag}(?![\\w-])`, 'm').test(text))
      expect(listed(full)).toEqual(flags)
      const rare = flags.filter((flag) => !listed(short).includes(flag))
      expect(rare.length).toBeGreaterThan(5)
      expect(short).toContain(`\`evq ${name} --help-all\` lists ${rare.length} more options.`)
      expect(full).not.toContain('--help-all')
    },
  )

  it.each(COMMANDS)('describes the options of %s %s by options that it takes', (...words) => {
    const names = words.filter((word) => word !== undefined)
    const inner = (outer: Command, name: string) =>
      outer.commands.find((command) => command.name() === name)!
    const command = names.reduce(inner, program)
    for (const { flags, description } of command.options) {
      const mentioned = description.replace(/`evq [^`]*`/g, '').match(/--[a-z][a-z-]*/g) ?? []
      expect(longOptions(command), flags).toEqual(expect.arrayContaining(mentioned))
    }
  })

  it('is the same with --help-all for a command without rare options', async () => {
    expect(await help('tail', '--help-all')).toBe(await help('tail', '--help'))
  })

  it('may be cut off by a closed pipe', async () => {
    const io = { ...fakeIo(), stdout: brokenOutput('EPIPE') }
    expect(await main(['--help'], io)).toBe(0)
    expect(io.err()).toBe('')
  })

  it('does not hide a failure of the command when it is closed', async () => {
    const stdout = brokenOutput('EPIPE')
    const io = { ...fakeIo(), stdout }
    const exitCode = main(['query', '--no-such-flag', 'x'], io)
    stdout.write('output')
    expect(await exitCode).toBe(2)
    expect(io.err()).toContain('Unknown option')
  })

  it('fails on a full device', async () => {
    const io = { ...fakeIo(), stdout: brokenOutput('ENOSPC') }
    expect(await main(['--help'], io)).toBe(1)
    expect(io.err()).toContain('no space left')
  })
})

describe('the version', () => {
  it('is the version of the package', async () => {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    expect(await help('-V')).toBe(`${version}\n`)
    expect(await help('query', '--version')).toBe(`${version}\n`)
  })
})

describe('printing help', () => {
  it('loads none of the packages that slow down the start', () => {
    const modules = join(import.meta.dirname, '../../dist/main.js')
    const hooks = dataUrl(`
      import { writeSync } from 'node:fs'
      export function resolve(name, context, next) {
        writeSync(2, name + '\\n')
        return next(name, context)
      }`)
    const recorder = dataUrl(
      `import { register } from 'node:module'; register(${JSON.stringify(hooks)})`,
    )
    const code = `import { main } from ${JSON.stringify(modules)}; await main(['--help'])`
    const args = ['--import', recorder, '--input-type=module', '-e', code]
    const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const loaded = stderr.split('\n')
    expect(loaded).toContain('commander')
    const heavy =
      /undici|chalk|cli-table3|csv-stringify|\bora\b|chdb|koffi|\/(service|client|input)\//
    expect(loaded.filter((name) => heavy.test(name))).toEqual([])
  })
})

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`
}
