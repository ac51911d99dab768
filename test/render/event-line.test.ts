import { expect, it } from 'vitest'
import { renderEventLines } from '../../src/render/event-line.js'
import { tableOf } from './support.js'

function lineOf(message: string, isTerminal: boolean): string {
  const table = tableOf(
    ['_time', 'datetime', ['"2026-11-20T10:00:00.5Z"']],
    ['level', 'string', ['"error"']],
    ['message', 'string', [JSON.stringify(message)]],
    ['thread', 'string', ['"main"']],
  )
  return [...renderEventLines(table, { color: 'none', isTerminal })].join('')
}

const TRACE = 'failed\r\njava.lang.Error: \x1b[31mclosed\n\tat com.example.A.b(A.java:1)\n'

it('prints the further lines of a message below the event', () => {
  expect(lineOf(TRACE, true)).toBe(
    [
      '2026-11-20T10:00:00.500Z error failed thread=main',
      '    java.lang.Error: \\u001b[31mclosed',
      '        at com.example.A.b(A.java:1)',
      '',
    ].join('\n'),
  )
})

it('prints the characters of the further lines unchanged in a pipe', () => {
  const [, second] = lineOf(TRACE, false).split('\n')
  expect(second).toBe('    java.lang.Error: \x1b[31mclosed')
})

it('escapes line ends in other fields', () => {
  const table = tableOf(['path', 'string', ['"one\\ntwo"']], ['message', 'string', ['"text"']])
  const lines = renderEventLines(table, { color: 'none', isTerminal: true })
  expect([...lines]).toEqual(['text path="one\\ntwo"\n'])
})
