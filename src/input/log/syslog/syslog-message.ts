import { byWord } from '../../../text/by-word.js'
import { memoized, memoizedText } from '../../../text/memoized.js'
import type { EventText } from '../event-text.js'
import { compileFormat } from '../format/compiled-format.js'
import { formatReader } from '../format/format-reader.js'
import { SECURITY_FORMATS } from '../format/security.js'
import { WEB_FORMATS } from '../format/web.js'

/** The mark of messages in JSON. */
const COOKIE = /^@cee: ?(?=\{)/

/** Returns the message of a program without the mark in front of JSON. */
export function withoutCookie(message: string): string {
  return message.replace(COOKIE, '')
}

const MESSAGE = '%{MESSAGE:message}'
const FROM = 'from %{NOTSPACE:remote_addr}(?: port %{INT:remote_port:long})?'

/** With `log-queries=extra`, dnsmasq writes the number of the query and its client first. */
const SERIAL = '(?:%{INT:serial:long} [\\da-fA-F.:]+/%{INT:remote_port:long} )?'
const CLIENT = SERIAL.replace('[\\da-fA-F.:]+', '(?<remote_addr>[\\da-fA-F.:]+)')

/** The messages of programs that write to syslog, as grok patterns. The whole message is stored in addition to its fields. */
const PATTERNS: Readonly<Record<string, readonly string[]>> = {
  sshd: [
    `(?:Accepted|Failed|Postponed) %{NOTSPACE:auth_method} for (?:invalid user )?%{NOTSPACE:user} ${FROM}`,
    `Invalid user %{NOTSPACE:user} ${FROM}`,
    '(?:Connection (?:closed|reset) by|Received disconnect from|Disconnected from) (?:(?:authenticating |invalid )?user %{NOTSPACE:user} )?(?<remote_addr>[\\da-fA-F.:]+)(?: port %{INT:remote_port:long})?',
  ],
  cron: ['\\((?<user>[^)\\n]+)\\) CMD \\((?<command>[^\\n]*)\\)'],
  sudo: [
    ' *%{NOTSPACE:user} : (?:[^\\n;]* ; )?TTY=%{NOTSPACE:tty} ; PWD=(?<pwd>[^;\\n]*) ; USER=%{NOTSPACE:target_user} ;(?: [^\\n;]* ;)? COMMAND=(?<command>[^\\n]*)',
  ],
  dnsmasq: [
    `${SERIAL}(?<action>query)\\[(?<query_type>\\w+)\\] (?<name>\\S+) from (?<remote_addr>\\S+)`,
    `${CLIENT}(?<action>forwarded) (?<name>\\S+) to (?<server>\\S+)`,
    `${CLIENT}(?<action>reply|cached|config) (?<name>\\S+) is (?<answer>[^\\n]+)`,
    '(?:%{INT:transaction:long} )?(?<action>DHCP\\w+)\\((?<interface>[^)\\n]+)\\)(?: (?<address>[\\da-fA-F.:]+?))?(?: (?<mac>(?:[\\da-f]{2}:){5}[\\da-f]{2}))?(?: (?<name>\\S+))?(?=\\n|$)',
  ],
  postfix: [
    '(?<queue_id>[0-9A-F]{6,}|[0-9A-Za-z]{12,}): (?=\\S+=)%{PAIRS:&}',
    '(?:dis)?connect from (?<remote_host>[^\\s\\[]+)\\[(?<remote_addr>[^\\]\\n]+)\\]',
  ],
  sendmail: ['(?:(?<queue_id>[0-9A-Za-z]{12,}): )?(?=\\w+=)%{PAIRS:,}'],
  // Cisco ISE and ACS: the number of the message and of its parts, a time, a sequence number, and a code in front of the text.
  cise: [
    '\\d{10} \\d{1,3} \\d{1,3} \\S{10} \\S{8,15} \\S{6} \\d{10} %{INT:message_code:long} [A-Z]+ (?<class>[^:,\\n]{1,60}): [^\\n]{1,500}?, (?=[\\w-]+=)%{PAIRS:,}',
  ],
  // pfSense and OPNsense: a rule, an interface, and a packet of IPv4 or IPv6, between commas.
  filterlog: [
    '%{INT:rule:long}?,[^,]*,[^,]*,(?<tracker>[^,]*),(?<interface>[^,]+),(?<reason>[^,]*),(?<action>[^,]*),(?<direction>in|out),(?:4(?:,[^,]*){7},(?<protocol>[^,]*)|6(?:,[^,]*){3},(?<protocol>[^,]*),[^,]*),%{INT:length:long},(?<srcaddr>[\\da-fA-F.:]+),(?<dstaddr>[\\da-fA-F.:]+)(?:,%{INT:srcport:long},%{INT:dstport:long},%{INT:data_length:long})?',
  ],
  dovecot: ['(?<service>[\\w-]+): (?:[^:\\n]{0,60}: )?(?=[^=\\n]*user=)%{PAIRS:&}'],
  haproxy: WEB_FORMATS.haproxy.patterns.map((pattern) => pattern.replace(MESSAGE, '')),
}
/** The beginnings of messages of devices that name no program, and the formats of their messages. */
const MARKED: readonly (readonly [mark: RegExp, format: keyof typeof SECURITY_FORMATS])[] = [
  [/^CEF:/, 'cef'],
  [/^LEEF:/, 'leef'],
  [/^\d?,\d{4}\/\d\d\/\d\d [\d:]{8},[^,]*,(?:TRAFFIC|THREAT),/, 'paloalto'],
]

/** Names under which programs write, other than their own. */
const ALIASES = byWord({
  'CRON crond /usr/sbin/cron': 'cron',
  'dnsmasq-dhcp': 'dnsmasq',
  'sshd-session': 'sshd',
  'sm-mta': 'sendmail',
})
/** The time of a request in HAProxy's messages; it stays text, because syslog has the time of the event. */
const REQUEST_TIME = '[^\\]\\n]+'

/** The patterns of messages by the name of the program. */
const PROGRAMS: ReadonlyMap<string, readonly string[]> = new Map([
  ...Object.entries(PATTERNS),
  ...Object.entries(ALIASES).map(([alias, name]) => [alias, PATTERNS[name]!] as const),
])

/** Returns the reader of messages, which is compiled for the first one. */
const readerOf = memoized((patterns: readonly string[]) => {
  const format = { ...compileFormat({ patterns }, REQUEST_TIME), starts: [] }
  return formatReader(format, { name: 'the program', times: undefined })
})

function patternsOf(app: string): readonly string[] | undefined {
  if (/^(?:CISE|CSCOacs)_/.test(app)) return PATTERNS.cise
  return PROGRAMS.get(app) ?? (app.startsWith('postfix/') ? PATTERNS.postfix : undefined)
}

/** True when the messages of a program have known fields. */
export function hasMessageFields(app: string): boolean {
  return app === 'kernel' || patternsOf(app) !== undefined
}

/** Adds the fields of a message whose program is known. */
export function addMessageFields(app: string, message: string, event: EventText): void {
  const patterns = patternsOf(app)
  if (app === 'kernel') addPacket(message, event)
  else if (patterns !== undefined) readerOf(patterns)(message, event)
}

/** Reads a message that has the format of a device; returns false for other messages. */
export function readDeviceMessage(message: string, event: EventText): boolean {
  const [, name] = MARKED.find(([mark]) => mark.test(message)) ?? []
  if (name === undefined) return false
  const mark = event.mark()
  if (deviceReaderOf(name)(message, event) === undefined) return true
  event.rollback(mark)
  return false
}

/** The time in the messages of devices; it stays text, because syslog has the time of the event. */
const DEVICE_TIME = '\\d{4}/\\d\\d/\\d\\d [\\d:]{8}'
const deviceReaderOf = memoizedText((name: keyof typeof SECURITY_FORMATS) =>
  formatReader(compileFormat(SECURITY_FORMATS[name], DEVICE_TIME), { name, times: undefined }),
)

/** A packet that iptables, nftables or ufw have logged, with the names of its interfaces. */
const PACKET = /(?:^|[ \]:])IN=\S{0,64} OUT=\S{0,64} /
const FIELD = /(?<=^|[ \]:])([A-Z]+)=(\S+)/g

function addPacket(message: string, event: EventText): void {
  if (!PACKET.test(message)) return
  const names = new Set<string>()
  for (const [, name = '', value = ''] of message.matchAll(FIELD)) {
    // An ICMP message contains another packet, with the same fields.
    if (names.has(name)) continue
    names.add(name)
    event.plain(name, value)
  }
}
