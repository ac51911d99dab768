import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { drawLine } from '../../../../../src/cli/commands/query/prompt/drawn-line.js'

it('takes pasted text of any length', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const readline = createInterface({ input, output: output.resume(), terminal: true })
  drawLine(readline, (line) => line)
  readline.prompt()
  // Measuring the line for each character would take minutes.
  const text = `['logs'] | where id in (${'12345, '.repeat(30_000)}0)`
  const entered = new Promise((resolve) => readline.once('line', resolve))
  input.write(`${text}\r`)
  expect(await entered).toBe(text)
  readline.close()
})
