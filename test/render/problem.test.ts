import { describe, expect, it } from 'vitest'
import { renderProblems } from '../../src/render/problem.js'
import type { Problem } from '../../src/text/problem.js'
import { width } from '../../src/text/width.js'

/** Returns a problem at the first occurrence of `piece` in `text`. */
function problemAt(text: string, piece: string, more: Partial<Problem> = {}): Problem {
  const start = text.indexOf(piece)
  const span = { start, end: start + piece.length }
  return { code: 'some-code', message: 'Something is wrong.', span, label: 'here', ...more }
}

function drawn(text: string, ...problems: readonly Problem[]): readonly string[] {
  return renderProblems(text, problems, { color: 'none' }).split('\n')
}

/** Returns the lines of the excerpt. */
function excerpt(text: string, piece: string): readonly string[] {
  return drawn(text, problemAt(text, piece)).slice(2, -1)
}

describe('renderProblems', () => {
  it('draws carets under the span', () => {
    const text = "['http-logs'] | where statsu >= 500"
    const problem = problemAt(text, 'statsu', {
      code: 'unknown-field',
      message: 'There is no field `statsu` at this point of the query.',
      label: 'close to `status`',
      help: 'fields here: _time, status, uri, method',
    })
    expect(drawn(text, problem)).toEqual([
      'error[unknown-field]: There is no field `statsu` at this point of the query.',
      '  |',
      "1 | ['http-logs'] | where statsu >= 500",
      '  |                       ^^^^^^ close to `status`',
      '  = help: fields here: _time, status, uri, method',
      '',
    ])
  })

  it('separates problems by an empty line', () => {
    const text = 'a | b'
    const both = drawn(text, problemAt(text, 'a'), problemAt(text, 'b'))
    expect(both.slice(3, 6)).toEqual(['  | ^ here', '', 'error[some-code]: Something is wrong.'])
  })

  it('needs neither label nor help', () => {
    const { code, message, span } = problemAt('abc', 'b')
    expect(drawn('abc', { code, message, span })).toEqual([
      'error[some-code]: Something is wrong.',
      '  |',
      '1 | abc',
      '  |  ^',
      '',
    ])
  })

  it('shows the line number', () => {
    const text = `logs\r\n${'| where ok\r\n'.repeat(9)}| count x`
    expect(excerpt(text, 'x')).toEqual(['11 | | count x', '   |         ^ here'])
  })

  it('draws the caret after the text for a problem at its end', () => {
    const span = { start: 6, end: 6 }
    expect(drawn('logs |', { code: 'c', message: 'M.', span }).slice(2, 4)).toEqual([
      '1 | logs |',
      '  |       ^',
    ])
    expect(drawn('', { code: 'c', message: 'M.', span: { start: 0, end: 0 } }).slice(2, 4)).toEqual(
      ['1 |', '  | ^'],
    )
  })

  it('shows the first and the last of several lines', () => {
    expect(excerpt('logs\n| where (a or\n  b or\n  c)\n| count', '(a or\n  b or\n  c)')).toEqual([
      '2 | | where (a or',
      '  |         ^^^^^',
      '  :',
      '4 |   c)',
      '  |   ^^ here',
    ])
  })

  it('places the caret correctly after tabs and wide characters', () => {
    expect(excerpt('\twhere x', 'x')).toEqual(['1 |     where x', '  |           ^ here'])
    expect(excerpt('"名前" == x', 'x')).toEqual(['1 | "名前" == x', '  |           ^ here'])
    expect(excerpt('"e\u0301" == "\u{1f600}"', '"\u{1f600}"')).toEqual([
      '1 | "e\u0301" == "\u{1f600}"',
      '  |        ^^^^ here',
    ])
  })

  it('escapes control characters', () => {
    const text = 'where "\u001b[31m" == x'
    expect(excerpt(text, 'x')).toEqual([
      String.raw`1 | where "\u001b[31m" == x`,
      '  |                       ^ here',
    ])
    const hostile = problemAt(text, 'x', { message: 'No \u001b[2J.', label: '\r', help: '\u202e' })
    const all = renderProblems(text, [hostile], { color: 'none' })
    expect([...all].filter((c) => (c < ' ' && c !== '\n') || c === '\u202e')).toEqual([])
  })

  it('shows the part of a long line around the carets', () => {
    const text = `logs | where ${'aaaa or '.repeat(100)}statsu > 5 ${'or bbbb '.repeat(100)}`
    const [line = '', carets = ''] = excerpt(text, 'statsu')
    expect(width(line)).toBeLessThanOrEqual(210)
    expect(line.startsWith('1 | …')).toBe(true)
    expect(line.endsWith('…')).toBe(true)
    expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('statsu')
  })

  it('truncates a span longer than a line', () => {
    const [line = '', carets = ''] = excerpt('x'.repeat(1000), 'x'.repeat(1000))
    expect(width(line)).toBeLessThanOrEqual(210)
    expect(width(carets)).toBeLessThanOrEqual(210)
    expect(carets).toContain('^^^ here')
  })

  it('accepts spans outside of the text', () => {
    for (const span of [
      { start: 50, end: 90 },
      { start: -5, end: 2 },
      { start: 3, end: 1 },
    ]) {
      expect(drawn('logs', { code: 'c', message: 'M.', span })[2]).toBe('1 | logs')
    }
  })

  it('wraps sentences and fits the excerpt to the terminal', () => {
    const text = `['logs'] | where ${'a == 1 and '.repeat(20)}statsu > 500 | summarize count() by service`
    const message = 'There is no field `statsu` at this point of the query.'
    const help = 'fields here: _time, status, uri, method'
    const problem = problemAt(text, 'statsu', { message, label: 'close to `status`', help })
    expect(renderProblems(text, [problem], { color: 'none', columns: 44 }).split('\n')).toEqual([
      'error[some-code]: There is no field `statsu`',
      'at this point of the query.',
      '  |',
      '1 | …a == 1 and statsu > 500 | summarize co…',
      '  |             ^^^^^^ close to `status`',
      '  = help: fields here: _time, status, uri,',
      '          method',
      '',
    ])
    for (const columns of [1, 10, 30, 60, 80, 120, 200]) {
      const lines = renderProblems(text, [problem], { color: 'none', columns }).split('\n')
      const [excerpt = '', carets = ''] = lines.slice(lines.indexOf('  |') + 1)
      expect(width(excerpt)).toBeLessThanOrEqual(Math.max(columns, 24))
      expect(excerpt.slice(carets.indexOf('^'))).toMatch(/^statsu/)
    }
  })

  it('never breaks a code, whatever its text', () => {
    const problem = problemAt('abc', 'b', { code: 'a  b `c', message: 'No `d` there.' })
    const [first, second] = renderProblems('abc', [problem], { color: 'none', columns: 16 }).split(
      '\n',
    )
    expect([first, second]).toEqual(['error[a  b `c]:', 'No `d` there.'])
  })

  it('uses color only on request', () => {
    const problem = problemAt('abc', 'b')
    const coloured = renderProblems('abc', [problem], { color: 'plain' })
    expect(coloured).toContain('\x1b[1;31m')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(coloured.replace(/\x1b\[[\d;]*m/g, '')).toBe(
      renderProblems('abc', [problem], { color: 'none' }),
    )
  })
})
