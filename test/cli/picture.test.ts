import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { programIn } from '../support/program-in.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const program = programIn(join(scratch, 'data'))

beforeAll(async () => {
  const events = [0, 1, 2, 3].map((minute) =>
    JSON.stringify({ _time: `2026-01-01T10:0${minute}:00Z`, level: ['info', 'error'][minute % 2] }),
  )
  await program.run(['ingest', 'logs', '-q'], events.join('\n'))
})

const run = (...args: readonly string[]) => program.run(args)

it('`-O` writes a picture of the kind of its extension', async () => {
  const svg = join(scratch, 'lines.svg')
  const lines = 'logs | summarize count() by bin(_time, 1m)'
  expect(await run('query', lines, '-O', svg)).toMatchObject({ status: 0, stdout: '' })
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg [\s\S]*<path [\s\S]*<\/svg>\n$/)
  const html = join(scratch, 'bars.html')
  const bars = 'logs | summarize count() by level'
  expect(await run('query', bars, '-O', html)).toMatchObject({ status: 0, stdout: '' })
  expect(readFileSync(html, 'utf8')).toMatch(
    /^<!doctype html>[\s\S]*>error<\/text>[\s\S]*<\/html>\n$/,
  )
})

it('`-o svg` writes it to standard output', async () => {
  const { stdout } = await run('query', 'logs | reduce by level', '-o', 'svg')
  expect(stdout).toMatch(/^<svg [\s\S]*<title id="title">count_ by pattern<\/title>/)
})

it('a comparison is drawn, too', async () => {
  const file = join(scratch, 'diff.svg')
  const apl = 'logs | summarize count() by level'
  const range = ['--since', '2026-01-01T10:02', '--until', '+2m', '--against', '2m']
  expect(await run('diff', apl, ...range, '-O', file)).toMatchObject({ status: 0 })
  expect(readFileSync(file, 'utf8')).toContain('<title id="title">difference by level</title>')
})

it.each([
  ['logs', /No column has numbers to draw\. A picture needs/],
  ['logs | where level == "none" | summarize count() by level', /There are no rows to draw\./],
])('of %s is an error that says so, and leaves no file', async (apl, reason) => {
  const file = join(scratch, 'none.svg')
  const { stderr, status } = await run('query', apl, '-O', file)
  expect(stderr).toMatch(reason)
  expect(stderr).toContain('Formats such as `-o csv` and `-o markdown` write any rows.')
  expect(status).toBe(2)
  expect(existsSync(file)).toBe(false)
})
