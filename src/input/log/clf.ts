import { MONTHS } from '../../wire/time/time-pattern.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { type EventText, ensureUtf8, type TimeWriter, timeWriter } from './event-text.js'
import type { LineReader } from './log-format.js'
import { closingQuote, decodeEscapes } from './quoted.js'

/** `vhost:port`, which some servers write first; IPv6 addresses have more colons. */
const HOST = /^[^:\s]+:\d+$/
/** An IP address. A word in front of one is a host if an identity and a user follow. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]{0,4}:[\da-fA-F:.]+)$/
const DOMAIN = /^(?:[\w-]+\.)+[\w-]+$/
/** APISIX and others write the host of the request between the time and the request. */
const HOST_AFTER_TIME = /\] ([\w.:-]+) "/
/** Proxmox writes the number of the month, and WEBrick the name of the zone. */
const TIME =
  /^(\d\d)\/([A-Z][a-z][a-z]|\d\d)\/(\d{4}):(\d\d:\d\d:\d\d(?:[.,]\d+)?) (?:UTC|GMT|([+-]\d\d):?(\d\d))$/
/** In ISO 8601, as `$time_iso8601` of nginx is. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(?:(Z)| ?([+-]\d\d):?(\d\d))$/
const MISSING = '-'

/**
 * Reads web server logs, common and combined:
 * `address ident user [time] "request" status bytes "referer" "user agent"`; further values go into `extra`.
 */
export function clfReader(options: { readonly findsTime: boolean }): LineReader {
  const writeTime = timeWriter(options)
  return (line, event) => readClf(line, { event, writeTime })
}

function readClf(
  line: string,
  { event, writeTime }: { readonly event: EventText; readonly writeTime: TimeWriter },
): string | undefined {
  const usual = line.indexOf('] "')
  const hosted = usual === -1 ? HOST_AFTER_TIME.exec(line) : null
  const closing = hosted?.index ?? usual
  const opening = line.lastIndexOf(' [', closing)
  if (opening === -1 || closing === -1) return 'it has no `[time] "request"`'
  const written = line.slice(opening + 2, closing)
  const time = accessTime(written)
  if (time === undefined) return `\`${written.slice(0, 60)}\` is not a web server log time`
  writeTime(time, event)
  if (!addClient(line.slice(0, opening), event))
    return 'it does not begin with an address, an identity and a user'
  if (hosted !== null) event.text('vhost', hosted[1]!)
  const from = closing + (hosted?.[0].length ?? 3)
  const end = closingQuote(line, from)
  if (end === -1) return 'the quote of its request is never closed'
  addRequest(value(line.slice(from, end)), event)
  return addResponse(line.slice(end + 1), event)
}

function addClient(text: string, event: EventText): boolean {
  const words = text.split(' ')
  // InfluxDB 1.
  if (words[0] === '[httpd]') event.text('app', words.shift()!.slice(1, -1))
  // Gerrit.
  if (/^\[.+\]$/.test(words[1] ?? '')) event.text('thread', words.splice(1, 1)[0]!.slice(1, -1))
  const isHost = HOST.test(words[0]!) || ADDRESS.test(words[1] ?? '')
  if (words.length > 3 && isHost) addIfPresent('vhost', words.shift()!, event)
  const [address, ident, ...user] = words
  if (address === '' || user.length === 0) return false
  // Other text precedes the address.
  if (user.length > 1 && user.some((word) => ADDRESS.test(word))) return false
  addIfPresent('remote_addr', address!, event)
  // Lighttpd writes the host of the request as the second value.
  addIfPresent(HOST.test(ident!) || DOMAIN.test(ident!) ? 'vhost' : 'ident', ident!, event)
  // User names may contain spaces.
  addIfPresent('user', user.join(' '), event)
  return true
}

/** `GET /index.html HTTP/1.1`; anything else becomes the field `request`. */
function addRequest(text: string, event: EventText): void {
  // InfluxDB writes a space after the protocol.
  const [method, ...rest] = text.trimEnd().split(' ')
  const protocol = rest.length > 1 && rest.at(-1)!.startsWith('HTTP/') ? rest.pop() : undefined
  if (rest.length === 0 || !/^[A-Za-z_-]+$/.test(method!)) {
    addIfPresent('request', text, event)
    return
  }
  event.text('method', method!)
  event.text('path', rest.join(' '))
  if (protocol !== undefined) event.text('protocol', protocol)
}

/** Adds the fields after the request. */
function addResponse(text: string, event: EventText): string | undefined {
  const found = words(text)
  if (found === undefined) return 'a quote after its request is never closed'
  const [status = '', bytes = '', ...rest] = found
  // In the combined format, a value in quotes follows the number of bytes.
  const isCombined = /^ \S+ \S+ "/.test(text)
  const [referer = MISSING, agent = MISSING, ...others] = isCombined ? rest : []
  const extra = isCombined ? others : rest
  if (!/^(?:\d{3}|-)$/.test(status) || !/^(?:\d+|-)$/.test(bytes)) {
    return 'its request is not followed by a status and a number of bytes'
  }
  if (status !== MISSING) event.plain('status', status)
  if (bytes !== MISSING) event.plain('bytes', bytes)
  addIfPresent('referer', referer, event)
  addIfPresent('user_agent', agent, event)
  if (extra.some((word) => word !== MISSING)) event.json('extra', JSON.stringify(extra))
  return undefined
}

/** Splits text into words and quoted strings; undefined when a quote is never closed. */
function words(text: string): readonly string[] | undefined {
  const found: string[] = []
  let at = 0
  while (at < text.length) {
    if (text[at] === ' ') {
      at += 1
    } else if (text[at] === '"') {
      const end = closingQuote(text, at + 1)
      if (end === -1) return undefined
      found.push(value(text.slice(at + 1, end)))
      at = end + 1
    } else {
      const space = text.indexOf(' ', at)
      const end = space === -1 ? text.length : space
      found.push(text.slice(at, end))
      at = end
    }
  }
  return found
}

function value(inside: string): string {
  return inside.includes('\\') ? ensureUtf8(decodeEscapes(inside)) : inside
}

function addIfPresent(key: string, text: string, event: EventText): void {
  if (text !== MISSING && text !== '') event.text(key, text)
}

let lastWritten = ''
let lastTime: string | undefined

/**
 * Returns the time of a web server log in RFC 3339; undefined for other text. Many lines have the same time, and parsing it
 * takes as long as the rest of the line.
 */
export function accessTime(text: string): string | undefined {
  if (text !== lastWritten) {
    lastTime = readTime(text)
    lastWritten = text
  }
  return lastTime
}

function readTime(text: string): string | undefined {
  const iso = text.replace(ISO_TIME, (_, date, clock, utc, hours, minutes) =>
    [date, 'T', clock, utc ?? `${hours}:${minutes}`].join(''),
  )
  if (parseTimestamp(iso) !== undefined) return iso
  const [, day, month = '', year, clock = '', hours = '+00', minutes = '00'] = TIME.exec(text) ?? []
  const number = /^\d/.test(month)
    ? month
    : String(MONTHS.indexOf(month.toLowerCase()) + 1).padStart(2, '0')
  const time = `${year}-${number}-${day}T${clock.replace(',', '.')}${hours}:${minutes}`
  return parseTimestamp(time) === undefined ? undefined : time
}
