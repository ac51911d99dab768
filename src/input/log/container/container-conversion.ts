import type { EventText } from '../event-text.js'
import type { Conversion, LineReader } from '../log-format.js'
import type { EventStart } from '../multiline/event-start.js'
import type { ContainerFormat, ContainerLine } from './container-line.js'

interface ContainerOptions {
  readonly format: 'cri' | 'docker'
  readonly container: ContainerFormat
  /** Reads what the program wrote. */
  readonly inner: Conversion
  /** False when a field was named as the event time. */
  readonly findsTime: boolean
}

/** Returns the functions that find and read the events of a program in the lines of a container runtime. */
export function containerConversion({
  format,
  container,
  inner,
  findsTime,
}: ContainerOptions): Conversion {
  const start = containerStart(container, inner.start ?? { isStart: () => true })
  const read: LineReader = (record, event) => {
    const lines = record.split('\n').map((line) => container.parse(line) ?? line)
    const [first] = lines
    if (first === undefined || typeof first === 'string')
      return 'it is not a line of a container runtime'
    const text = textOf(lines)
    const members = jsonMembers(text)
    writeContainer(first, { event, findsTime, members: members ?? [] })
    if (members !== undefined) {
      event.members(text)
      return undefined
    }
    const reason = inner.read(text, event)
    if (reason === undefined) return undefined
    event.discard()
    writeContainer(first, { event, findsTime, members: [] })
    event.text('message', text)
    return undefined
  }
  const { name, state } = inner
  return { format, ...(name && { name }), ...(state && { state }), start, read }
}

/** Returns what the program wrote: the parts of split lines joined, the lines of an event separated. */
function textOf(lines: readonly (ContainerLine | string)[]): string {
  let text = ''
  let separator = ''
  for (const line of lines) {
    text += separator + (typeof line === 'string' ? line : line.text)
    separator = typeof line !== 'string' && line.isPartial ? '' : '\n'
  }
  return text
}

/** Returns the names of the members if the text is a JSON object. */
function jsonMembers(text: string): readonly string[] | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return Object.keys(JSON.parse(text) as object)
  } catch {
    return undefined
  }
}

/** Writes the fields of the runtime, except those that the event has itself. */
function writeContainer(
  { time, stream, attributes }: ContainerLine,
  {
    event,
    findsTime,
    members,
  }: {
    readonly event: EventText
    readonly findsTime: boolean
    readonly members: readonly string[]
  },
): void {
  if (findsTime && !members.includes('_time')) event.time(time)
  if (!findsTime && !members.includes('time')) event.text('time', time)
  if (!members.includes('stream')) event.text('stream', stream)
  if (attributes !== undefined && !members.includes('attributes'))
    event.json('attributes', attributes)
}

function containerStart(container: ContainerFormat, inner: EventStart): EventStart {
  return {
    isStart(line, previous) {
      const head = container.head(line)
      if (head === undefined || head.startsWith('{')) return true
      return (
        container.isOtherStream(line, previous) ||
        inner.isStart(head, container.head(previous) ?? '')
      )
    },
    isPartial: (head, tail) => container.isPartial(head, tail),
  }
}
