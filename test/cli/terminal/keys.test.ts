import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KEYS } from '../../../src/cli/commands/view/keymap.js'
import { type KeyPress, keyReader } from '../../../src/cli/terminal/keys.js'
import '../../support/runs.js'

const names = (presses: readonly KeyPress[]) =>
  presses.map((press) => (press.kind === 'key' ? press.name : press))

function read(...pieces: readonly string[]) {
  const reader = keyReader()
  return names([...pieces.flatMap((piece) => reader.read(piece)), ...reader.settle()])
}

describe('keys', () => {
  it('have the names of what is on them', () => {
    expect(read('jG/ ü🚀')).toEqual(['j', 'G', '/', ' ', 'ü', '🚀'])
    expect(read('\r\t\x7f\x03\x12\x1a')).toEqual([
      'Enter',
      'Tab',
      'Backspace',
      'Ctrl-C',
      'Ctrl-R',
      'Ctrl-Z',
    ])
    expect(read('\x1b[A\x1bOB\x1b[5~\x1b[H\x1b[4~\x1b[1;5C')).toEqual([
      ...['Up', 'Down', 'PageUp', 'Home', 'End', 'Ctrl-Right'],
    ])
  })

  it('include each key that the view names, as xterm sends it', () => {
    const input = '\x1bOP\x1b[11~\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F\x1b[5~\x1b[6~\t\r '
    const controls = [...Array(26).keys()].map((i) => String.fromCharCode(i + 1)).join('')
    const typed = new Set<unknown>(read(input, controls))
    const named = KEYS.flatMap(({ keys }) => keys).filter((key) => key.length > 1)
    expect(named).toContain('F1')
    expect(named.filter((key) => !typed.has(key) && key !== 'Space')).toEqual([])
  })

  it('include Escape, alone and in front of another key', () => {
    expect(read('\x1b')).toEqual(['Escape'])
    expect(read('\x1bq')).toEqual(['Escape', 'q'])
  })

  it('are not the answers of a terminal', () => {
    expect(read('a\x1b]11;rgb:0000/0000/0000\x1b\\b\x1b[?62;4cc\x1bP1$r0m\x1b\\d')).toEqual([
      ...['a', 'b', 'c', 'd'],
    ])
  })

  it('are not in pasted text', () => {
    expect(read('a\x1b[200~q\rG\x1b[31m\x1b[201~b')).toEqual([
      'a',
      { kind: 'paste', text: 'q\rG\x1b[31m' },
      'b',
    ])
  })

  it('are not in pasted text that arrives in pieces', () => {
    const pieces = ['\x1b[200~one', ' two', ' three\x1b', '[20', '1', '~q']
    expect(read(...pieces)).toEqual([{ kind: 'paste', text: 'one two three' }, 'q'])
  })

  it('end a paste whose end is lost', () => {
    expect(read('\x1b[200~abc')).toEqual([{ kind: 'paste', text: 'abc' }])
  })

  it('are the same however they are divided', () => {
    const text = 'j\x1b[A\x1b[200~ab\ncd\x1b[201~\x1b[6~ü\x1b]11;x\x07/\x1bOF'
    const whole = names(keyReader().read(text))
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const reader = keyReader()
        const ends = [...cuts.toSorted((one, other) => one - other), text.length]
        const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
        expect(names(pieces.flatMap((piece) => reader.read(piece)))).toEqual(whole)
        expect(reader.isWaiting()).toBe(false)
      }),
    )
  })
})
