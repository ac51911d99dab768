import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { brokenOutput, fakeIo } from '../support/fake-io.js'

async function help(...args: string[]): Promise<string> {
  const io = fakeIo()
  expect(await main(args, io)).toBe(0)
  expect(io.err()).toBe('')
  return io.out()
}

const COMMANDS = ['ingest', 'query', 'serve']

describe('help', () => {
  it('lists every command and shows commands that work', async () => {
    const text = await help('--help')
    for (const command of COMMANDS) expect(text).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    expect(text).toContain('cat app.ndjson | evq ingest logs')
  })

  it('is what evq alone and evq help print too', async () => {
    const text = await help('--help')
    expect(await help()).toBe(text)
    expect(await help('help')).toBe(text)
    expect(await help('-h')).toBe(text)
  })

  it.each(COMMANDS)('of %s has examples', async (command) => {
    const text = await help(command, '--help')
    expect(text).toMatch(new RegExp(`^Usage: evq ${command}`))
    expect(text).toMatch(new RegExp(`Examples:\n(?:.*\n)*.*evq ${command}`))
    expect(await help('help', command)).toBe(text)
  })

  it.each([[], ...COMMANDS.map((command) => [command])])(
    'fits in 80 columns: %j',
    async (...args) => {
      for (const line of (await help(...args, '--help')).split('\n')) {
        expect(line.length, line).toBeLessThanOrEqual(80)
      }
    },
  )

  it('goes to a reader that may go away', async () => {
    const io = { ...fakeIo(), stdout: brokenOutput('EPIPE') }
    expect(await main(['--help'], io)).toBe(0)
    expect(io.err()).toBe('')
  })

  it('fails where there is no space for it', async () => {
    const io = { ...fakeIo(), stdout: brokenOutput('ENOSPC') }
    expect(await main(['--help'], io)).toBe(1)
    expect(io.err()).toContain('no space left')
  })
})

describe('the version', () => {
  it('is that of the package', async () => {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    expect(await help('-V')).toBe(`${version}\n`)
    expect(await help('query', '--version')).toBe(`${version}\n`)
  })
})

describe('printing help', () => {
  it('loads none of the packages that cost start-up time', () => {
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
