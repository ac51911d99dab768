import { describe, expect, it } from 'vitest'
import { COMMAND_NAMES, createProgram } from '../../src/cli/program.js'
import { silentContext } from '../support/fake-io.js'

const program = await createProgram([...COMMAND_NAMES], silentContext())
const flags = [program, ...program.commands]
  .flatMap((command) => [command, ...command.commands])
  .flatMap(({ options }) => options.filter((option) => option.flags.endsWith('<duration>')))
const unique = [...new Map(flags.map((flag) => [flag.long, flag])).entries()]

describe('every flag that takes a duration', () => {
  it('exists', () => {
    const names = unique.map(([long]) => long)
    const expected = ['--timeout', '--flush-every', '--interval', '--late', '--query-timeout']
    const others = ['--retention', '--expires', '--keep-warm', '--idle', '--against']
    expect(new Set(names)).toEqual(new Set([...expected, ...others]))
  })

  it.each(unique)('%s has one grammar', (long, flag) => {
    const parse = (text: string) => flag.parseArg?.(text, undefined)
    expect(['100us', '1.5s', '1m30s', '2w'].map(parse)).toEqual([0.1, 1_500, 90_000, 1_209_600_000])
    expect(() => parse('1x')).toThrow(
      `\`${long}\` takes a duration such as \`30s\` or \`1h30m\` (units: ns, us, ms, s, m, h, d, w), not \`1x\`.`,
    )
  })
})
