import type { Wrapper } from './wrapper.js'

/** The properties that the consumer prints, separated by tabs. Headers and a key in front of JSON are properties, too. */
const PROPERTIES =
  /^(?:CreateTime|LogAppendTime):(\d{13})\t(?:Partition:(\d+)\t)?(?:Offset:(\d+)\t)?(?:(NO_HEADERS\t|[\w.-]{1,100}:[^\t]{0,2000}\t(?=(?:[^\t{]{0,200}\t)?\{)))?(?:([^\t{]{0,200})\t(?=\{))?/
const NAMES = ['partition', 'offset', 'headers', 'key'] as const
/** The values that the consumer prints for what is missing. */
const MISSING: ReadonlySet<string> = new Set(['', 'null', 'NO_HEADERS'])

/** The messages that Kafka's console consumer prints with their times. */
export const KAFKA: Wrapper = {
  name: 'kafka-consumer',
  title: 'kafka-console-consumer with print.timestamp: partition, offset, headers and key too',
  example: 'CreateTime:1795168800123\tPartition:0\t{"message":"started"}',
  hasTime: true,
  parse(line) {
    const match = PROPERTIES.exec(line)
    if (match === null) return undefined
    const fields = NAMES.flatMap((name, at): [string, string][] => {
      const value = match[at + 2]?.trimEnd()
      return value === undefined || MISSING.has(value) ? [] : [[name, value]]
    })
    const time = new Date(Number(match[1])).toISOString()
    return { source: '', fields, time, text: line.slice(match[0].length) }
  },
  head(line) {
    const [head] = PROPERTIES.exec(line) ?? []
    return head === undefined ? undefined : { source: '', text: line.slice(head.length) }
  },
}
