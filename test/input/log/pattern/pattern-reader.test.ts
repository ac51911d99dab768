import { describe, expect, it } from 'vitest'
import { EventText } from '../../../../src/input/log/event-text.js'
import { compilePattern } from '../../../../src/input/log/pattern/compile-pattern.js'
import { patternReader } from '../../../../src/input/log/pattern/pattern-reader.js'
import { FieldTimes, inferFieldTimes } from '../../../../src/input/log/pattern/pattern-times.js'
import { NOW } from '../support.js'

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

/** The event of a record as JSON, or the reason why there is none. `time` is the id of a layout. */
function read(pattern: string, record: string | Buffer, time?: string): string {
  const event = new EventText()
  const times = new FieldTimes(time, { now: NOW })
  const text = typeof record === 'string' ? latin1(record) : record.toString('latin1')
  const reason = patternReader([compilePattern(pattern)], { times })(text, event)
  return reason ?? Buffer.from(event.take(), 'latin1').toString()
}

/** The id of the layout of the times in lines that match a pattern. */
function layoutOf(pattern: string, lines: readonly string[]): string | undefined {
  const found = inferFieldTimes(lines, [compilePattern(pattern)], { now: NOW })
  return found?.kind === 'found' ? found.layout.id : found?.kind
}

describe('a value of a pattern', () => {
  it.each([
    ['long', '17', '17'],
    ['long', '9223372036854775807', '9223372036854775807'],
    ['long', '9223372036854775808', '"9223372036854775808"'],
    ['long', '-9223372036854775808', '-9223372036854775808'],
    ['long', '-9223372036854775809', '"-9223372036854775809"'],
    ['long', '-007', '-7'],
    ['long', '+0', '0'],
    ['long', '1.5', '"1.5"'],
    ['long', '-', '"-"'],
    ['real', '391.10', '391.10'],
    ['real', '.5', '0.5'],
    ['real', '5.', '5'],
    ['real', '-1e-3', '-1e-3'],
    ['real', '12345678901234567.25', '12345678901234567.25'],
    ['real', 'NaN', '"NaN"'],
    ['real', '1e999', '"1e999"'],
    ['bool', 'TRUE', 'true'],
    ['bool', '0', 'false'],
    ['bool', 'yes', '"yes"'],
    ['datetime', '2026-11-20 10:00:00+01:00', '"2026-11-20T09:00:00Z"'],
    ['datetime', 'today', '"today"'],
    ['timespan', '1m30s', '90000000000'],
    ['timespan', '90', '"90"'],
    ['dynamic', '{"a": [1]}', '{"a": [1]}'],
    ['dynamic', '{a}', '"{a}"'],
    ['string', '17', '"17"'],
  ])('of type %s is %s as %s', (type, text, json) => {
    expect(read(`"v=" v:${type}`, `v=${text}`)).toBe(`{"v":${json}}`)
  })
})

describe('a record that matches a pattern', () => {
  it('becomes its fields in their order', () => {
    expect(read('b " " a:long', 'x 1')).toBe('{"b":"x","a":1}')
  })

  it('omits fields that are empty or did not match', () => {
    expect(read('a "," b "," c', ',x,')).toBe('{"b":"x"}')
    expect(read('(?:(?<a>\\d+)|(?<b>\\w+))', 'x')).toBe('{"b":"x"}')
  })

  it('has the value of the alternative that matched, and all of several', () => {
    expect(read('(?:ip=(?<a>\\d+)|host=(?<a>\\w+))', 'host=x')).toBe('{"a":"x"}')
    expect(read('(?<a:int>\\d),(?<a:int>\\d)', '1,2')).toBe('{"a":[1,2]}')
  })

  it('is kept as a message if the match does not cover it', () => {
    expect(read('%{WORD:a} %{INT:b:int}', 'x 1 rest')).toBe('{"a":"x","b":1,"message":"x 1 rest"}')
    expect(read('(?<b>\\d)', 'x 1')).toBe('{"b":"1","message":"x 1"}')
    expect(read('%{WORD:a}', ' x \r')).toBe('{"a":"x"}')
    expect(read('%{WORD:a} %{WORD:message}', 'x y z')).toBe('{"a":"x","message":"y"}')
    expect(read('a "-" b', '-')).toBe('{"message":"-"}')
  })

  it('keeps characters that are not ASCII', () => {
    expect(read('(?<größe:long>\\d+) %{WORD:名}', '7 x')).toBe('{"größe":7,"名":"x"}')
    expect(read('%{NOTSPACE:a} (?<b>.)(?<c>.*)', 'voilà é!')).toBe('{"a":"voilà","b":"Ã","c":"©!"}')
    expect(read('a " " b', Buffer.from('gr\xfcn x', 'latin1'))).toBe('{"a":"grün","b":"x"}')
  })

  it('has its level as a word', () => {
    expect(read('level " " a', 'WARN x')).toBe('{"level":"warn","a":"x"}')
    expect(read('level " " a', 'WARNING x')).toBe(
      '{"level":"warn","severity_text":"WARNING","a":"x"}',
    )
    expect(read('level " " a', 'blue x')).toBe('{"level":"blue","a":"x"}')
  })

  it('may have several lines', () => {
    expect(read('level " " message', 'ERROR a\n  at b')).toBe(
      '{"level":"error","message":"a\\n  at b"}',
    )
    expect(read('^(?<message>\\w+) (?<code>\\d+)$', 'x 1\r\n  at b')).toBe(
      '{"message":"x\\r\\n  at b","code":"1"}',
    )
    expect(read('^(?<a>\\w+) (?<code>\\d+)$', 'x 1\n  at b')).toBe('{"a":"x","code":"1\\n  at b"}')
    expect(read('^(?<a>\\w+) \\d+$', 'x 1\n  at b')).toBe('{"a":"x","message":"x 1\\n  at b"}')
  })

  it('may be longer than what is matched', () => {
    const long = 'y'.repeat(100_000)
    expect(read('a " " b', `x ${long}`)).toBe(`{"a":"x","b":"${long}"}`)
    expect(read('a " " b " " *', `x y ${long}`)).toBe(`{"a":"x","b":"y","message":"x y ${long}"}`)
    expect(read('a " " b "!"', `x ${long}!`)).toBe('it does not match the pattern')
  })

  it('gives the reason otherwise', () => {
    expect(read('a:long "-" b', 'x')).toBe('it does not match the pattern')
  })

  it('does not backtrack excessively', () => {
    expect(read('^(?<a>(?:a+)+)$', `${'a'.repeat(2000)}b`)).toBe('it does not match the pattern')
    expect(read('%{DATA:a} %{NUMBER:b}$', ' '.repeat(60_000))).toBe('it does not match the pattern')
  })
})

describe('the time of a pattern', () => {
  it.each([
    ['"[" time "] " message', '[17/Jun/2026:10:00:01 +0200] x', '2026-06-17T08:00:01Z'],
    ['timestamp "|" message', '2026-11-20 15:16:47,163|x', '2026-11-20T15:16:47.163Z'],
    ['"[" ts "] " message', '[1767225600.25] x', '2026-01-01T00:00:00.25Z'],
    ['_time " - " message', 'Mar  1 10:00:00 - x', '2026-03-01T10:00:00Z'],
    [
      '%{SYSLOGTIMESTAMP:@timestamp} %{GREEDYDATA:message}',
      'Feb  3 10:00:00 x',
      '2026-02-03T10:00:00Z',
    ],
  ])('%s is in a layout that is inferred', (pattern, line, time) => {
    const layout = layoutOf(pattern, [line, 'other'])
    expect(layout).toMatch(/^start:/)
    expect(read(pattern, line, layout)).toBe(`{"_time":"${time}","message":"x"}`)
  })

  it('is known by its usual formats, too', () => {
    expect(read('time "|" a', '2026-11-20T10:00Z|x')).toBe(
      '{"_time":"2026-11-20T10:00:00Z","a":"x"}',
    )
  })

  it('stays a field if it has more than the time, or no time', () => {
    expect(read('time "|" a', '2026-11-20 10:00:00 x|y', 'start:iso')).toBe(
      '{"_time":"2026-11-20T10:00:00Z","time":"2026-11-20 10:00:00 x","a":"y"}',
    )
    expect(read('time "|" a', 'soon|y', 'start:iso')).toBe('{"time":"soon","a":"y"}')
    expect(read('_time "|" a', 'soon|y', 'start:iso')).toBe('{"time":"soon","a":"y"}')
    expect(read('time "|" a', '12.5|y')).toBe('{"time":"12.5","a":"y"}')
    expect(read('time:long "|" a', '1793787407|y')).toBe('{"time":1793787407,"a":"y"}')
  })

  it('is ambiguous if the lines allow several orders of the date', () => {
    expect(layoutOf('time "|" a', ['03/04/2025 10:00:00|x'])).toBe('ambiguous')
  })
})
