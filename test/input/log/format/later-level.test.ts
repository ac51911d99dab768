import { describe, expect, it } from 'vitest'
import { laterLevel } from '../../../../src/input/log/format/later-level.js'

const levelOf = (text: string, isTimed = true) => laterLevel({ text, from: 0, isTimed })

describe('a level after a few words of a line', () => {
  it.each([
    ['web-1 WARN disk low', 'WARN'],
    ['[main] app.Orders [worker 7] ERROR closed', 'ERROR'],
    ['[main] app.Orders[ERROR] closed', 'ERROR'],
    ['web-1 (E) closed', 'E'],
    ['web-1 | info  | ready', 'info'],
    ['web-1 api error: closed', 'error'],
    ['web-1 api error : closed', 'error'],
    ['[Server thread] [main/WARN] slow', 'WARN'],
    ['[Server thread] [WARN/main] slow', 'WARN'],
    ['one two three four five [warning] slow', 'warning'],
    ['orders - main - info - started', 'info'],
    ['[orders] [main] info [7] started', 'info'],
    ['"orders", "7", "warning", "slow"', 'warning'],
    ['app=orders pod=7 level=warn slow', 'warn'],
    // More words than precede any level, but in quotes.
    ['app="a b c d e f g h i j k l m" level=warn slow', 'warn'],
  ])('%s', (text, level) => {
    expect(levelOf(text)).toBe(level)
  })

  it.each([
    'the information of the customer',
    'wrote the log file',
    'an error of the disk',
    'one two three four ERROR five',
    'errors: 3',
    'reading app.info: 3 entries',
    'level-INFO of the lift',
    '[Config] loaded',
    `${'x '.repeat(400)}[ERROR] far away`,
    '',
  ])('is not in: %s', (text) => {
    expect(levelOf(text)).toBeUndefined()
  })

  it('is the first of several', () => {
    expect(levelOf('web-1 [warn] (E) closed')).toBe('warn')
  })

  it('is in a column after a time only, if it is not in capitals', () => {
    expect(levelOf('web-1 Warning   BackOff')).toBe('Warning')
    expect(levelOf('web-1 Warning   BackOff', false)).toBeUndefined()
  })

  it.each(
    'trace debug debug5 info information informational notice warn warning err error severe crit critical alert emerg emergency fatal panic fine finer finest config log success dbg inf wrn ftl trc verbose'.split(
      ' ',
    ),
  )('may be %s in any case, before a colon', (word) => {
    for (const one of [word, word.toUpperCase()]) expect(levelOf(`web-1 ${one}: text`)).toBe(one)
  })

  it.each(
    'note inf wrn erro ftl fatl trc trac trce dbg dbug debu vrb cri T D I W E F C V N'.split(' '),
  )('may be %s in brackets', (word) => {
    expect(levelOf(`web-1 [${word}] text`)).toBe(word)
    expect(levelOf(`web-1 ( ${word} ) text`)).toBe(word)
  })
})
