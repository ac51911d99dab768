import { type EventText, timeWriter } from '../event-text.js'
import { messageLevel } from '../line-level.js'
import type { Conversion, LineReader } from '../log-format.js'
import { beginsException } from '../multiline/crash.js'
import {
  ANY_LINE,
  type EventStart,
  isContinuation,
  outlastsBlank,
} from '../multiline/event-start.js'
import type { WrappedHead, WrappedLine, Wrapper } from './wrapper.js'

interface WrappedOptions {
  readonly format: Conversion['format']
  readonly wrapper: Wrapper
  /** Returns the conversion of the lines of a program. */
  readonly inner: (source: string) => Conversion
  /** False when a field was named as the event time. */
  readonly findsTime: boolean
}

/**
 * Returns the functions that find and read the events of programs in wrapped lines. If the wrapper and the program have a
 * field of the same name, the wrapper's is renamed.
 */
export function wrappedConversion({
  format,
  wrapper,
  inner,
  findsTime,
}: WrappedOptions): Pick<Conversion, 'format' | 'start' | 'read'> {
  const writeTime = timeWriter({ findsTime })

  /** Writes the fields of the wrapper and returns their names. */
  function writeWrapper(
    { time, fields, attributes }: WrappedLine,
    event: EventText,
  ): readonly string[] {
    const names: string[] = []
    if (time !== undefined) {
      writeTime(time, event)
      names.push(findsTime ? '_time' : 'time')
    }
    for (const [name, value] of fields) {
      if (wrapper.hasNumbers) event.plain(name, value)
      else event.text(name, value)
      names.push(name)
    }
    if (attributes !== undefined) {
      event.json('attributes', attributes)
      names.push('attributes')
    }
    return names
  }

  const parsed = (line: string): WrappedLine | string => wrapper.parse(line) ?? line

  const read: LineReader = (record, event) => {
    const lines = record.includes('\n') ? record.split('\n').map(parsed) : [parsed(record)]
    const [first] = lines
    // The line is a message of the tool that wraps the lines.
    if (first === undefined || typeof first === 'string') {
      return `it does not match \`${wrapper.name}\``
    }
    const names = writeWrapper(first, event)
    const mark = event.mark()
    const text = textOf(lines)
    if (text !== '' && event.readPart(inner(first.source).read, text) !== undefined) {
      const { time } = event
      event.rollback(mark)
      if (time !== undefined && time !== mark.time) event.writeTime(time)
      const level = messageLevel(text)
      if (level !== undefined) event.text('level', level)
      event.text('message', text)
    }
    event.renameRepeated(mark, names, (name) => `${wrapper.name}_${name.replace(/^_/, '')}`)
    return undefined
  }
  return { format, start: wrappedStart(wrapper, inner), read }
}

/** Returns the output of the program: the parts of split lines are joined, the lines of an event separated. */
function textOf(lines: readonly (WrappedLine | string)[]): string {
  let text = ''
  let separator = ''
  for (const line of lines) {
    text += separator + (typeof line === 'string' ? line : line.text)
    separator = typeof line !== 'string' && line.isPartial === true ? '' : '\n'
  }
  // Blank lines at the end are not content.
  const newline = text.indexOf('\n', text.trimEnd().length)
  return newline === -1 ? text : text.slice(0, newline)
}

/** The longest time between two lines of an event, unless the second one is certain to continue it. */
const EVENT_MS = 1000

function wrappedStart(wrapper: Wrapper, inner: (source: string) => Conversion): EventStart {
  // The line before is usually the one of the last call.
  let last: { readonly line: string; readonly head: WrappedHead | undefined } | undefined
  // The event is usually the one of the last call.
  let event: typeof last
  const timeOf = (line: string) => Date.parse(wrapper.parse(line)?.time ?? '')
  // The lines of an event are written at once.
  const isLater = (line: string, previous: string) => timeOf(line) - timeOf(previous) > EVENT_MS
  return {
    isStart(line, previous, first = '') {
      const head = wrapper.head(line)
      const before = last?.line === previous ? last.head : wrapper.head(previous)
      last = { line, head }
      // A prefix that a program writes itself is not in front of the exception of an event.
      if (head === undefined)
        return ANY_LINE.isStart(line, previous) && !(before !== undefined && beginsException(line))
      if (before === undefined) return true
      const isOther = before.source !== head.source
      const { start } = inner(head.source)
      // A blank line begins no event, as without a wrapper; the line of another program or a mark above it is remembered.
      if ((start !== undefined || isOther) && head.text.trim() === '') {
        if (isOther || outlastsBlank(before.text)) last = { line, head: before }
        return false
      }
      if (isOther || start === undefined) return true
      if (first === previous) event = { line: first, head: before }
      else if (event?.line !== first) event = { line: first, head: wrapper.head(first) }
      if (start.isStart(head.text, before.text, event.head?.text)) return true
      return wrapper.hasTime && !isContinuation(head.text) && isLater(line, previous)
    },
    isPartial: wrapper.isPartial && ((head, tail) => wrapper.isPartial?.(head, tail) ?? false),
  }
}
