import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { temporaryDirectory } from './temporary.js'

const root = join(import.meta.dirname, '../..')
const scratch = temporaryDirectory()

/** Runs a test file and returns the lines that it added to `lines`, which is a file in `scratch`. */
async function runOf(text: string): Promise<readonly string[]> {
  const imports = ['evq', 'temporary'].map((name) =>
    JSON.stringify(join(import.meta.dirname, `${name}.js`)),
  )
  const file = JSON.stringify(join(scratch, 'lines'))
  writeFileSync(
    join(scratch, 'some.test.js'),
    `import { start } from ${imports[0]}
import { temporaryDirectory } from ${imports[1]}
import { appendFileSync, existsSync } from 'node:fs'
const note = (line) => appendFileSync(${file}, line + '\\n')
${text}`,
  )
  const config = join(scratch, 'config.mts')
  writeFileSync(
    config,
    `export default { test: { root: ${JSON.stringify(scratch)}, globals: true, hookTimeout: 180_000 } }`,
  )
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [status]] = await Promise.all([textOf(child.stdout), once(child, 'exit')])
  expect(status, output).toBe(0)
  return readFileSync(join(scratch, 'lines'), 'utf8').trim().split('\n')
}

it('removes directories after all hooks of a file, when its programs have ended', async () => {
  const lines = await runOf(`
    const directory = temporaryDirectory()
    const isThere = () => (existsSync(directory) ? 'there' : 'gone')
    beforeAll(() => () => note('after its hooks ' + isThere()))
    afterAll(() => note('after its tests ' + isThere()))
    it('leaves a program running', async () => {
      const service = start(['serve', '--listen', '127.0.0.1:0'], { directory })
      await service.err.until(/Serving /)
      note(directory)
      service.child.on('exit', (_, signal) => note(signal + ' ' + isThere()))
    }, 300_000)
  `)
  const [directory = ''] = lines
  expect(lines.slice(1)).toEqual([
    'after its tests there',
    'after its hooks there',
    'SIGKILL there',
  ])
  expect(existsSync(directory)).toBe(false)
})
