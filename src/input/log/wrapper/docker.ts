import { utf8AsLatin1 } from '../../../text/bytes.js'
import { objectOf, parseJson } from '../../../wire/json/json-object.js'
import { withoutColors } from '../colors.js'
import { decodeEscapes } from '../quoted.js'
import type { Wrapper } from './wrapper.js'

const BEGINNING = /^\{"log":"/
const STREAM = /","stream":"(stdout|stderr)"/
const COMPLETE = /\\n","(?:stream|attrs|time)"/

/** `{"log":"text\n","stream":"stdout","time":"2026-11-20T10:00:00.123456789Z"}`, Docker's `json-file` log driver. */
export const DOCKER: Wrapper = {
  name: 'docker',
  title: 'container log of Docker (json-file)',
  example: '{"log":"started\\n","stream":"stdout","time":"2026-11-20T10:00:00.123456789Z"}',
  hasTime: true,
  parse(line) {
    if (!BEGINNING.test(line)) return undefined
    const record = parseJson(Buffer.from(line, 'latin1').toString('utf8'))
    const { log, stream, time, ...attributes } = objectOf(record)
    if (typeof log !== 'string' || typeof stream !== 'string' || typeof time !== 'string')
      return undefined
    const text = utf8AsLatin1(log)
    return {
      source: stream,
      fields: [['stream', stream]],
      time,
      text: withoutColors(text.replace(/\r?\n$/, '')),
      isPartial: !text.endsWith('\n'),
      ...(Object.keys(attributes).length > 0 && {
        attributes: utf8AsLatin1(JSON.stringify(attributes)),
      }),
    }
  },
  head(line) {
    const [beginning] = BEGINNING.exec(line) ?? []
    if (beginning === undefined) return undefined
    const text = decodeEscapes(line.slice(beginning.length))
    // The stream is after the text, which may be long.
    return { source: STREAM.exec(line)?.[1] ?? '', text: withoutColors(text.split('\n', 1)[0]!) }
  },
  isPartial: (_, tail) => !COMPLETE.test(tail),
}
