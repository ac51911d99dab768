import { expect, it } from 'vitest'
import { eventLine, hasLevel } from '../../../../src/cli/commands/view/event-line.js'
import { fileLabels } from '../../../../src/cli/commands/view/file-labels.js'
import { gapBefore, roughDuration } from '../../../../src/cli/commands/view/gaps.js'
import type { ViewRow } from '../../../../src/cli/commands/view/row.js'
import { FAINT, RED } from '../../../../src/render/screen/style.js'
import { UTC } from '../../../../src/wire/time/time-zone.js'

const SECOND = 1_000_000_000n

function row(fields: Readonly<Record<string, unknown>>): ViewRow {
  return {
    cells: new Map(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])),
  }
}

const pieces = (fields: Readonly<Record<string, unknown>>, gap?: bigint) =>
  eventLine(row({ _time: '2026-01-31T10:00:00Z', ...fields }), {
    ...{ width: 80, zone: UTC, labels: new Map(), hasLevels: fields.level !== undefined, gap },
  })
const text = (...args: Parameters<typeof pieces>) =>
  pieces(...args)
    .map((piece) => piece.text)
    .join('')
    .trimEnd()

it('shows the first line of a trace, and how many lines it has besides', () => {
  const message = 'Cannot save\njava.io.IOException: disk full\n\tat A.b(A.java:1)\n'
  expect(text({ message, stack: 'a\r\nb', host: 'web-1' })).toBe(
    '10:00:00.000 web-1 Cannot save [+2 lines] stack=a [+1 line]',
  )
})

it('shows a value of blank lines in quotes', () => {
  expect(text({ message: 'm', a: '\n', b: 'x\n' })).toBe('10:00:00.000 m a="\\n" b=x')
})

it('shows the label of the file of an event, or that of standard input', () => {
  const labels = fileLabels(['-', 'app.log'])
  const lines = [{ message: 'a' }, { message: 'b', _file: 'app.log' }].map((fields) =>
    eventLine(row(fields), { width: 80, zone: UTC, labels, hasLevels: false })
      .map((piece) => piece.text)
      .join(''),
  )
  expect(lines).toEqual(['-       a ', 'app.log b '])
})

it('cuts a level that is the name of an inherited member of objects', () => {
  expect(text({ level: 'constructor' })).toBe('10:00:00.000 const')
  expect(text({ level: 'CONSTRUCTOR' })).toBe('10:00:00.000 CONST')
})

it('shows spaces for the tabs of a message', () => {
  expect(text({ message: '\tat A.b(A.java:1)\tdone' })).toBe(
    '10:00:00.000     at A.b(A.java:1)    done',
  )
})

it('shows the first line of a message that is not blank', () => {
  expect(text({ message: '\n \n  << Request >> 2\n- Begin\n' })).toBe(
    '10:00:00.000   << Request >> 2 [+1 line]',
  )
  expect(text({ message: '\n', id: 1 })).toBe('10:00:00.000  id=1')
})

it('does not show a field again that the message contains as a pair', () => {
  const message = 'took addr="[::1]:80" n=17 path="/a b" m=17s'
  const fields = { addr: '[::1]:80', m: 17, n: 17, path: '/a b', th: 1, user: 'n=17' }
  expect(text({ message, ...fields })).toBe(`10:00:00.000 ${message} m=17 th=1 user="n=17"`)
})

it('shows a request with its status in front, colored when it failed', () => {
  const fields = { bytes: 17, method: 'GET', path: '/cart', status: 502 }
  expect(text(fields)).toBe('10:00:00.000 502 GET /cart bytes=17')
  expect(pieces(fields)[1]).toEqual({ text: '502 ', style: RED })
  expect(text({ ...fields, message: 'done' })).toBe(
    '10:00:00.000 done bytes=17 method=GET path=/cart status=502',
  )
})

it('shows how long no event was logged before', () => {
  expect(text({ message: 'back' }, 7_500n * SECOND)).toBe('10:00:00.000 ↓2h5m back')
  expect(
    [1n, 61n, 3_600n, 90_000n, 1_000_000n].map((seconds) => roughDuration(seconds * SECOND)),
  ).toEqual(['1s', '1m1s', '1h', '1d1h', '11d13h'])
})

it('finds the times without an event that are much longer than usual', () => {
  const seconds = [0, 2, 4, 5, 7, 67, 69, 71, 70, 130.9]
  const items = seconds.map((second) =>
    row({ _time: new Date(Date.UTC(2026, 0, 31) + second * 1_000).toISOString() }),
  )
  const rows = { items: [row({ message: 'without a time' }), ...items], columns: [] }
  const gaps = rows.items.map((_, index) => gapBefore(rows, index))
  expect(gaps.map((gap) => (gap === undefined ? 0 : Number(gap / SECOND)))).toEqual([
    ...[0, 0, 0, 0, 0, 0, 60, 0, 0, 0, 60],
  ])
})

it('does not take the steps of a clock with whole seconds for times without an event', () => {
  const items = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 90].map((second) =>
    row({ _time: new Date(Date.UTC(2026, 0, 31) + second * 1_000).toISOString() }),
  )
  const gaps = items.map((_, index) => gapBefore({ items, columns: [] }, index))
  expect(gaps.flatMap((gap) => gap ?? [])).toEqual([88n * SECOND])
})

it('abbreviates levels that are wider than their column', () => {
  const levels = ['warning', 'NOTICE', 'Critical', 'error', 'warn', 'STATEMENT']
  expect(levels.map((level) => text({ level, message: 'x' }).slice(13))).toEqual([
    ...['warn  x', 'NOTE  x', 'crit  x', 'error x', 'warn  x', 'STATE x'],
  ])
})

it('leaves out a field that repeats the time, and no other', () => {
  const same = { time: '2026-01-31T11:00:00.000+01:00', ts: 1_769_853_600 }
  expect(text({ message: 'x', ...same })).toBe('10:00:00.000 x')
  const others = { ts: 1_769_853_600.5, started: '2026-01-31T10:00:00Z' }
  expect(text({ message: 'x', ...others })).toBe(
    '10:00:00.000 x ts=1769853600.5 started=2026-01-31T10:00:00Z',
  )
})

it('makes what is unimportant faint', () => {
  const found = pieces({ message: 'hello', user: 'ann' })
  expect(found.filter(({ style }) => style === FAINT).map((piece) => piece.text)).toEqual([
    '10:00:00.000 ',
    'user=',
  ])
})

it('does not show the level again in the word of the log', () => {
  expect(text({ level: 'info', message: 'ready', severity_text: 'LOG' })).toBe(
    '10:00:00.000 info  ready',
  )
})

it('shows the parts of an error of PostgreSQL without a level', () => {
  const fields = { message: 'Key (id)=(1) already exists.', severity_text: 'DETAIL' }
  expect(text(fields)).toBe('10:00:00.000 Key (id)=(1) already exists. severity_text=DETAIL')
  expect(hasLevel(row(fields))).toBe(false)
  expect(hasLevel(row({ severity_text: 'WARNING' }))).toBe(true)
})
