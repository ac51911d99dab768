import { Command } from 'commander'
import { expect, it } from 'vitest'
import { LIMIT_OPTIONS, limitsOf } from '../../../../src/cli/commands/serve/limit-options.js'

function limitsIn(...words: readonly string[]): object {
  const command = new Command().exitOverride()
  for (const option of LIMIT_OPTIONS) command.addOption(option)
  return limitsOf(command.parse(words, { from: 'user' }).opts())
}

it('the options of `evq serve` set limits', () => {
  const rows = ['--max-rows', '7']
  const time = ['--query-timeout', '1.5s']
  const sizes = ['--max-body', '2MiB', '--query-memory', '64MiB']
  expect(limitsIn(...rows, ...time, ...sizes)).toEqual({
    rows: 7,
    queryTimeoutMs: 1500,
    bodyBytes: 2 * 1024 ** 2,
    queryMemoryBytes: 64 * 1024 ** 2,
  })
  expect(limitsIn()).toEqual({})
})

it('a limit has a size within its range, and no duration of 0', () => {
  expect(() => limitsIn('--query-memory', '63MiB')).toThrow(
    'takes a size from `64MiB` to `1024GiB`, not `63MiB`.',
  )
  expect(() => limitsIn('--query-timeout', '0s')).toThrow('takes a duration above 0.')
})
