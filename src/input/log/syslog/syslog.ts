import { matchAt } from '../../../text/match-at.js'
import { type EventText, type TimeWriter, timeWriter } from '../event-text.js'
import { addPairsAtEnd } from '../format/format-reader.js'
import { normalLevel, syslogLevel } from '../level.js'
import { messageLevel } from '../line-level.js'
import type { LineReader } from '../log-format.js'
import { withoutHeaders } from '../multiline/headed-traces.js'
import { readStructuredData } from './structured-data.js'
import { addMessageFields, readDeviceMessage, withoutCookie } from './syslog-message.js'
import type { SyslogTimes } from './syslog-time.js'
import { objectTagAt, programTag, type Tag, tagAt } from './tag.js'

const FACILITIES = [
  'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp security console',
  'solaris-cron local0 local1 local2 local3 local4 local5 local6 local7',
].flatMap((names) => names.split(' '))
const SEVERITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug']

/** Returns the fields that follow from a priority; undefined for another number. */
export function priorityFields(
  number: number,
): readonly (readonly [name: string, value: string])[] | undefined {
  const facility = FACILITIES[number >> 3]
  const level = syslogLevel(number & 7)
  if (facility === undefined || level === undefined) return undefined
  return [
    ['facility', facility],
    ['severity', SEVERITIES[number & 7]!],
    ['level', level],
  ]
}

/** The value of `priority` and the members that follow from it, for each priority: a single text is written faster than four. */
const PRIORITIES = Array.from({ length: 8 * FACILITIES.length }, (_, number) => {
  const members = priorityFields(number)!.map(([name, value]) => `"${name}":"${value}"`)
  return [number, ...members].join(',')
})

/** Some devices write a space before the time, or before a message without one. */
const PRIORITY = /^<(\d{1,3})>(?: (?=[A-Z][a-z]{2} [ \d]?\d \d\d:|\d{4}-\d\d-|CEF:|LEEF:|\{"))?/
const VERSION = /[1-9]\d{0,2} /y
/** A time in seconds since 1970, a host and a kind of event, as Meraki writes them after a version. */
const MERAKI = /(\d{10})(\.\d{1,9})? ([\w.-]{1,255}) ([a-z][\w-]{1,60}) /y
/** The text after the pairs of a message of Meraki. */
const MERAKI_REST = / (?:pattern|request|message): .*/
/** The time, the host, the program, its process and the id of the message. Some senders, such as syslog-pro, leave values empty. */
const RFC5424 = /([^ ]+) ([^ ]*) ([^ ]*) ([^ ]*) ([^ ]*) ?/y
/** The facility and the severity after a time, as names or as numbers: `<local0.info> ` and `<16.6> ` of FreeBSD. */
const FILE_PRIORITY = /<([a-z]\w{1,9}|\d{1,2})\.([a-z]{3,7}|[0-7])> {1,2}/y
/** A level after the program: `(info): `, `<Notice>: `, and `[ID 540533 kern.notice] ` of Solaris. */
const TAG_LEVEL =
  /(?:\(([A-Za-z]{2,12})\):|<([A-Za-z]{2,12})>:|\[ID \d{1,9} \w{2,12}\.([a-z]{2,12})\]) ?/y
/** The time in messages of Cisco devices; NX-OS writes the year first. */
const CISCO_TIME = String.raw`(?:\d{4} )?[A-Z][a-z]{2} [ \d]?\d (?:\d{4} )?[\d:.]{8,15}(?: [A-Z]{3,4})?`
/** The time since the start in its place: `02:15:09`, `1d02h`, `3w4d` or `2y10w`. */
const CISCO_UPTIME = String.raw`(?:\d\d:\d\d:\d\d|\d{1,2}[ywd]\d{1,2}[wdh])`
/**
 * The text in front of it: a sequence number of the transport, the name of the device, a task of a wireless controller, the
 * sequence number of the message, a node of IOS XR, and the state of the clock.
 */
const BEFORE_CISCO_TIME = String.raw`(?:: )?(?:\d{1,9}: )?(?:(?!\d+:)([\w.-]{1,255})(?:: | (?=[A-Z]{2}/\d)))?(?:\*\w{1,40}: )?(?:\d{1,9}: )?(?:[A-Z]{2,4}[ /]\d{1,3}(?:/\w{1,6}){1,3}: ?)?[*.]?`
/** A process of IOS XR in front of the id of the message. */
const XR_PROCESS = String.raw`(?:[\w.-]{1,60}\[\d{1,9}\]: )?`
const CISCO_HEAD = new RegExp(
  `${BEFORE_CISCO_TIME}(?=${CISCO_TIME} ?: {1,2}(?:${XR_PROCESS}%[A-Z]|last message repeated))`,
  'y',
)
/** The header of messages of Cisco devices, with the unit of a Force10, and the id of the message with its severity. */
const CISCO = new RegExp(
  String.raw`^${BEFORE_CISCO_TIME}(?:(?:${CISCO_TIME}|${CISCO_UPTIME}) ?: {1,2})?:? ?(?:%[A-Z]\w{0,15}-\w:\w{1,8} )?${XR_PROCESS}%([A-Z]\w{0,31}(?:-[A-Z]\w{0,31}){0,3}-([0-7])(?:-\w{1,32})?)(?: ?: ?| (?=\[))`,
)
/** The text in front of a time with a year: in a message of Cisco or its ISE, or in the extension of CEF and LEEF. */
const BEFORE_OWN_TIME = new RegExp(
  String.raw` ?(?:${BEFORE_CISCO_TIME}(?=\d{4} |... .. \d{4} )(?=${CISCO_TIME} ?: )|\d{10} \d{1,3} \d{1,3} (?=\d{4}-)|(?:CEF|LEEF):.{1,4000}?[ \t|^](?:rt|devTime)=(?:(\d{13})(?!\S))?)`,
  'y',
)
/** The text between a host and a tag: a level of F5 or SONiC, an address of Infoblox, a serial number and a time of WatchGuard. */
const AFTER_HOST =
  /(emerg|alert|crit|err|warning|notice|info|debug|EMERG|ALERT|CRIT|ERR|WARNING|NOTICE|INFO|DEBUG) |((?:\d{1,3}\.){3}\d{1,3}|[\da-f]*:[\da-f:]+) |(?:([A-Z\d]{8,20}) )?\((\d{4}-\d\d-\d\dT[\d:]{8})\) /y
const BYTE_ORDER_MARK = '\xef\xbb\xbf'
const MISSING = '-'

function isPresent(value: string): boolean {
  return value !== '' && value !== MISSING
}

/** Reads the messages of a program that have a format of their own. */
export interface SyslogBody {
  /** A reader that also reads the time; undefined when the time of syslog is as exact. */
  readonly timed: LineReader | undefined
  readonly untimed: LineReader
  /** True for pairs of keys and values, which may lack a message. */
  readonly isPairs: boolean
}

interface SyslogOptions {
  readonly findsTime: boolean
  /** The readers of messages by the name of the program. */
  readonly bodies?: ReadonlyMap<string, SyslogBody>
}

/** The end of a header with a process; a header is at least as long as a time. */
const HEADER_END = ']: '
const MIN_HEADER = 16

/** A process of Ray or vLLM, which they write in front of each line of a trace, too. */
const OWN_PROCESS = /\([A-Za-z]\w{0,60}(?: rank=\d{1,5})? pid=\d{1,8}\) /y

/** Returns the position of the message after a header with a process; 0 when there is none. */
export function messageAt(line: string): number {
  const end = line.indexOf(HEADER_END, MIN_HEADER)
  if (end === -1) return 0
  const at = end + HEADER_END.length
  return line[at] === '(' && matchAt(OWN_PROCESS, line, at) ? OWN_PROCESS.lastIndex : at
}

/** Returns the reader of syslog: RFC 5424, RFC 3164, and lines in files, which have no priority. */
export function syslogReader(times: SyslogTimes, options: SyslogOptions): LineReader {
  const reader = new SyslogLineReader(times, options)
  return (line, event) =>
    reader.read(line.includes('\n') ? withoutHeaders(line, messageAt) : line, event)
}

/** The methods take the position in the line that was reached. */
class SyslogLineReader {
  private readonly times: SyslogTimes
  private readonly writeTime: TimeWriter
  private readonly bodies: ReadonlyMap<string, SyslogBody>

  constructor(times: SyslogTimes, options: SyslogOptions) {
    this.times = times
    this.writeTime = timeWriter(options)
    this.bodies = options.bodies ?? new Map()
  }

  read(line: string, event: EventText): string | undefined {
    const [found = '', digits] = (line.startsWith('<') && PRIORITY.exec(line)) || []
    const members = digits === undefined ? undefined : PRIORITIES[Number(digits)]
    if (members === undefined) {
      const isRelayed = line.startsWith('1 ') && this.relayed(line, 2, event)
      return isRelayed ? undefined : this.rfc3164(line, 0, event)
    }
    event.json('priority', members)
    VERSION.lastIndex = found.length
    if (!VERSION.test(line)) return this.rfc3164(line, found.length, event)
    const from = VERSION.lastIndex
    return this.meraki(line, from, event) ? undefined : this.rfc5424(line, from, event)
  }

  /** Reads a message of RFC 5424 or of Meraki that a syslog server stored without its priority; returns false for other text. */
  private relayed(line: string, from: number, event: EventText): boolean {
    if (this.meraki(line, from, event)) return true
    const mark = event.mark()
    if (this.rfc5424(line, from, event) === undefined) return true
    event.rollback(mark)
    return false
  }

  /** Reads `seconds host kind message`; returns false for other text. */
  private meraki(line: string, from: number, event: EventText): boolean {
    const [found, seconds = '', fraction = '', host = '', app = ''] =
      matchAt(MERAKI, line, from) ?? []
    if (found === undefined) return false
    const second = new Date(Number(seconds) * 1000).toISOString().slice(0, -'.000Z'.length)
    this.writeTime(`${second}${fraction}Z`, event)
    event.text('host', host)
    event.text('app', app)
    const text = line.slice(from + found.length)
    const body = this.bodies.get(app)
    addMessage(text, event, { app, body })
    if (body === undefined) addPairsAtEnd(text.replace(MERAKI_REST, ''), event, OWN_FIELDS)
    return true
  }

  /** Reads `time host app pid msg-id structured-data message`, each of which may be `-` (RFC 5424). */
  private rfc5424(line: string, from: number, event: EventText): string | undefined {
    const [found, written = '', host = '', program = '', process = '', messageId = ''] =
      matchAt(RFC5424, line, from) ?? []
    if (found === undefined) return 'its RFC 5424 header is incomplete'
    // CyberArk writes CEF right after the host.
    if (program.startsWith('CEF:')) return this.rfc3164(line, from, event)
    let at = from + found.length
    if (written !== MISSING) {
      const time = this.times.read(written, 0)
      if (time === undefined || this.times.end < written.length)
        return `\`${written.slice(0, 60)}\` is not an RFC 3339 time`
      this.writeTime(time, event)
    }
    if (isPresent(host)) event.text('host', host)
    const tag = programTag(program)
    const app = tag?.app ?? program
    const pid = isPresent(process) ? process : (tag?.pid ?? '')
    if (isPresent(app)) event.text('app', app)
    if (isPresent(pid)) event.plain('pid', pid)
    if (isPresent(messageId)) event.text('msg_id', messageId)
    if (line[at] === MISSING) {
      at += 1
    } else {
      const data = readStructuredData(line, at)
      if (data === undefined) return 'its structured data is malformed'
      event.json('structured_data', data.json)
      at = data.end
    }
    if (at < line.length && line[at] !== ' ') return 'no space follows its structured data'
    addMessage(line.slice(at + 1), event, { app, body: this.bodies.get(app) })
    return undefined
  }

  /** Reads `Oct 11 22:14:15 host tag[pid]: message` (RFC 3164); everything but the message is optional. */
  private rfc3164(line: string, from: number, event: EventText): string | undefined {
    const { times, writeTime, bodies } = this
    const hasPriority = from > 0
    const time = times.read(line, from)
    if (time === undefined) {
      if (!hasPriority) return 'it begins with neither a priority nor a time'
      // RFC 3164: without a valid time, all text after the priority is the message.
      this.addDeviceHead(line, from, event)
      addMessage(line.slice(from), event, { body: bodies.get(''), readsTime: true })
      return undefined
    }
    let at = times.end + (line[times.end] === ':' ? 2 : 1)
    // Junos writes two spaces.
    if (line[at] === ' ') at += 1
    let host = ''
    const priorityEnd = hasPriority ? undefined : addFilePriority(line, at, event)
    at = priorityEnd ?? at
    let hasLevel = hasPriority || priorityEnd !== undefined
    let tag = tagAt(line, at)
    if (tag === undefined && line[at] !== '%') {
      const word = line.slice(at, wordEnd(line, at))
      // Some devices write pairs or an object without the name of a host.
      if (!/=|^\{"/.test(word) && word !== '') {
        host = word.replace(/:$/, '')
        at += word.length + 1
      }
      tag = tagAt(line, at) ?? objectTagAt(line, at)
    }
    const after = tag === undefined && host !== '' ? matchAt(AFTER_HOST, line, at) : null
    if (after !== null) tag = tagAt(line, AFTER_HOST.lastIndex)
    const [, word = '', address, serial, deviceTime] = (tag && after) ?? []
    const body = tag && bodies.get(tag.app)
    const timeEnd = times.end
    if (line.startsWith('1 ', at) && this.relayed(line, at + 2, event)) {
      event.text('syslog_time', line.slice(from, timeEnd))
      event.text('syslog_host', host)
      return undefined
    }
    // The time that the program or the device writes has a year, so it is preferred to a time without one. Only RFC 3339 begins
    // with a digit.
    const hasYear = line[from]! <= '9'
    const isComplete = deviceTime !== undefined || body?.timed === undefined || hasYear
    let own = deviceTime && times.read(`${deviceTime}Z`, 0)
    if (!hasYear && body === undefined && mayHaveOwnTime(line, tag)) {
      own ??= this.ownTime(line, tag?.end ?? at)
    }
    if (isComplete) writeTime(own ?? time, event)
    if (isPresent(host)) event.text('host', host)
    if (word !== '') {
      const mark = event.mark()
      event.text('level', normalLevel(word)!)
      event.renameRepeated(mark, ['level'], () => 'syslog_level')
      hasLevel = true
    }
    if (address !== undefined) event.text('address', address)
    if (serial !== undefined) event.text('serial', serial)
    if (tag !== undefined) {
      if (tag.app !== '') event.text('app', tag.app)
      if (tag.pid !== '') event.plain('pid', tag.pid)
      at = tag.end
      if (line[at] === ' ') at += 1
      const end = hasLevel ? undefined : addTagLevel(line, at, event)
      hasLevel ||= end !== undefined
      at = end ?? at
    }
    const mark = isComplete ? undefined : event.mark()
    addMessage(line.slice(at), event, { app: tag?.app, body, readsTime: !isComplete, hasLevel })
    if (own !== undefined) event.text('syslog_time', line.slice(from, timeEnd))
    if (mark === undefined) return undefined
    if (event.time === undefined && !event.hasSince(mark, '_time')) writeTime(time, event)
    else event.text('syslog_time', line.slice(from, timeEnd))
    return undefined
  }

  /** Returns the time with a year that a device writes in its message; undefined when there is none. */
  private ownTime(line: string, from: number): string | undefined {
    const [head, , milliseconds] = matchAt(BEFORE_OWN_TIME, line, from) ?? []
    if (milliseconds !== undefined) return new Date(Number(milliseconds)).toISOString()
    return head === undefined ? undefined : this.times.readOfDevice(line, from + head.length)
  }

  /** Adds the time that a device writes in the message instead of the header, and the name of a device of Cisco. */
  private addDeviceHead(line: string, from: number, event: EventText): void {
    const [head, host] = matchAt(CISCO_HEAD, line, from) ?? []
    const time =
      head === undefined
        ? this.ownTime(line, from)
        : this.times.readOfDevice(line, from + head.length)
    if (time === undefined) return
    this.writeTime(time, event)
    if (host !== undefined) event.text('host', host)
  }
}

/** False for most programs: after a tag, only ISE, CEF and LEEF have a time of their own. The test saves a search in each line. */
function mayHaveOwnTime(line: string, tag: Tag | undefined): boolean {
  const first = tag && line[tag.end + 1]
  return first === undefined || first === 'C' || first === 'L' || first <= '9'
}

/** Adds the facility and the severity after a time; returns the position after them, or undefined when there are none. */
function addFilePriority(line: string, from: number, event: EventText): number | undefined {
  const match = matchAt(FILE_PRIORITY, line, from)
  if (match === null) return undefined
  const [found, first = '', second = ''] = match
  const facility = FACILITIES[Number(first)] ?? first
  const severity = SEVERITIES[Number(second)] ?? second
  const level = normalLevel(severity)
  if (level === undefined || !FACILITIES.includes(facility)) return undefined
  event.text('facility', facility)
  event.text('severity', severity)
  event.text('level', level)
  return from + found.length
}

/** Adds the level after a program; returns the position of the message, or undefined when there is no level. */
function addTagLevel(line: string, from: number, event: EventText): number | undefined {
  const match = matchAt(TAG_LEVEL, line, from)
  if (match === null) return undefined
  const [found, ...words] = match
  const level = normalLevel(words.find((word) => word !== undefined) ?? '')
  if (level === undefined) return undefined
  event.text('level', level)
  // The text in brackets, of Solaris, stays in the message: its number identifies the message.
  return found.startsWith('[') ? from : from + found.length
}

function wordEnd(line: string, from: number): number {
  const space = line.indexOf(' ', from)
  return space === -1 ? line.length : space
}

const HEADER = ['_time', 'time', 'priority', 'facility', 'severity', 'level', 'host', 'app', 'pid']
/** The beginning of the messages of SonicWall, FortiDDoS and other devices, which name no program. */
const PAIR = /^[A-Za-z_]\w{0,40}=\S/
/** The fields that pairs of a message do not replace. */
const OWN_FIELDS = new Set([...HEADER, 'message'])

/**
 * Adds the message of the program. If it has a field that the header also has, the field of the header is renamed. A message that
 * does not have the usual format of its program is stored as a whole.
 */
function addMessage(
  text: string,
  event: EventText,
  {
    app,
    body,
    readsTime = false,
    hasLevel = true,
  }: {
    app?: string | undefined
    body?: SyslogBody | undefined
    readsTime?: boolean
    hasLevel?: boolean
  } = {},
): void {
  const bare = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text
  if (bare === '') return
  if (body !== undefined) {
    const mark = event.mark()
    const read = (readsTime && body.timed) || body.untimed
    if (event.readPart(read, withoutCookie(bare)) === undefined) {
      if (body.isPairs && !event.hasSince(mark, 'message')) event.text('message', bare)
      event.renameRepeated(mark, HEADER, (name) => `syslog_${name.replace(/^_/, '')}`)
      return
    }
    event.rollback(mark)
  }
  if (app === undefined || /^(?:CEF|LEEF):/.test(bare)) {
    const mark = event.mark()
    if (readDeviceMessage(bare, event)) {
      event.renameRepeated(mark, ['app'], () => 'syslog_app')
      return
    }
  }
  const cisco = bare.includes('%') ? CISCO.exec(bare) : null
  const level = hasLevel ? undefined : cisco ? syslogLevel(Number(cisco[3])) : messageLevel(bare)
  if (level !== undefined) event.text('level', level)
  if (cisco !== null) event.text('msg_id', cisco[2]!)
  event.text('message', bare)
  if (app !== undefined) addMessageFields(app, bare, event)
  else if (PAIR.test(bare)) addPairsAtEnd(bare, event, OWN_FIELDS)
}
