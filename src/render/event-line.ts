import type { Table } from '../wire/http/tabular-result.js'
import type { JsonText } from '../wire/json/json-text.js'
import { cellText } from './cell.js'
import { escapeControls, withoutTabs } from './escape-controls.js'
import { type Paint, paintOf } from './paint.js'
import type { Color } from './terminal-text.js'
import { isLevelField, levelCellTone } from './tone.js'

/** Field names that programs use for the message, in order of preference. */
export const MESSAGE_FIELDS = ['message', 'msg', 'body', 'log', 'text', 'event']

/** Fields of no interest in a live view. */
const HIDDEN = new Set(['_sysTime', '_rowId', '_cursor'])

/** In front of the further lines of a message, such as those of a stack trace. */
const INDENT = '    '

/**
 * Renders each event as a line: time, level, the first line of the message, and the other fields as `name=value`. The further lines of
 * the message are below it.
 */
export function* renderEventLines(
  { fields, columns }: Table,
  { color, isTerminal }: { readonly color: Color; readonly isTerminal: boolean },
): Iterable<string> {
  const paint = paintOf(color)
  const style: EventLineStyle = { paint, shown: isTerminal ? escapeControls : (text) => text }
  const names = fields.map(({ name }) => name)
  const time = names.indexOf('_time')
  const level = names.findIndex(isLevelField)
  const messages = MESSAGE_FIELDS.map((name) => names.indexOf(name))
  const rest = names.flatMap((name, index) =>
    index === time || index === level || HIDDEN.has(name) ? [] : [{ name, index }],
  )
  const rows = columns[0]?.length ?? 0
  for (let row = 0; row < rows; row++) {
    const cell = (index: number | undefined) => columns[index ?? -1]?.[row] ?? 'null'
    const message = messages.find((index) => cell(index) !== 'null')
    const [first = '', ...further] = (cellText(cell(message)) ?? '').trimEnd().split(/\r?\n/)
    const parts = [
      timePart(cell(time), style),
      levelPart(cell(level), style),
      style.shown(first),
      ...rest.map(({ name, index }) =>
        index === message ? '' : restPart(name, cell(index), style),
      ),
    ]
    const lines = further.map((line) => INDENT + style.shown(withoutTabs(line)))
    yield `${[parts.filter((part) => part !== '').join(' '), ...lines].join('\n')}\n`
  }
}

interface EventLineStyle {
  readonly paint: Paint
  readonly shown: (text: string) => string
}

/** Formats times in milliseconds, so that they align. */
function timePart(cell: JsonText, { paint, shown }: EventLineStyle): string {
  const [, second, fraction = '', zone] =
    /^(.*:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(cellText(cell) ?? '') ?? []
  if (second === undefined) return shown(cellText(cell) ?? '')
  return paint('time', `${second}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`)
}

function levelPart(cell: JsonText, { paint, shown }: EventLineStyle): string {
  const text = cellText(cell) ?? ''
  return text === '' ? '' : paint(levelCellTone(text), shown(text).padEnd(5))
}

function restPart(name: string, cell: JsonText, { paint, shown }: EventLineStyle): string {
  const text = cellText(cell)
  if (text === undefined) return ''
  const isPlain = !cell.startsWith('"') || /^[^\s"=]+$/.test(text)
  return `${paint('faint', `${shown(name)}=`)}${shown(isPlain ? text : cell)}`
}
