import { GROK_LOG_PATTERNS } from './grok-log-patterns.js'

const HEX = '[0-9A-Fa-f]'
/** A group of an IPv6 address. */
const GROUP = `${HEX}{1,4}`
const LESS_THAN_256 = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = `${LESS_THAN_256}(?:\\.${LESS_THAN_256}){3}`
const LABEL = '[0-9A-Za-z](?:[0-9A-Za-z_-]{0,62})'

/** An IPv6 address with `::` after some of its groups, at most eight in all; the last two may be an IPv4 address. */
const IPV6 = [
  `(?:${GROUP}:){7}${GROUP}`,
  `(?:${GROUP}:){6}${IPV4}`,
  ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((first) => {
    const start = first === 0 ? ':' : `(?:${GROUP}:){${first}}`
    const most = 7 - first
    const mapped = first <= 5 ? [`${start}:(?:${GROUP}:){0,${5 - first}}${IPV4}`] : []
    const groups = most === 0 ? '' : `(?:${GROUP}(?::${GROUP}){0,${most - 1}})?`
    return [...mapped, `${start}:${groups}`]
  }),
].join('|')

const WORDS = {
  USERNAME: '[a-zA-Z0-9._-]+',
  USER: '%{USERNAME}',
  EMAILLOCALPART: "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}",
  EMAILADDRESS: '%{EMAILLOCALPART}@%{HOSTNAME}',
  WORD: '\\b\\w+\\b',
  NOTSPACE: '\\S+',
  SPACE: '\\s*',
  DATA: '.*?',
  GREEDYDATA: '.*',
  QUOTEDSTRING: `(?:"(?:\\\\.|[^\\\\"])*"|'(?:\\\\.|[^\\\\'])*'|\`(?:\\\\.|[^\\\\\`])*\`)`,
  QS: '%{QUOTEDSTRING}',
  UUID: `${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`,
  URN: "urn:[0-9A-Za-z][0-9A-Za-z-]{0,31}:(?:%[0-9a-fA-F]{2}|[0-9A-Za-z()+,.:=@;$_!*'/?#-])+",
}

const NUMBERS = {
  INT: '[+-]?\\d+',
  BASE10NUM: '(?<![\\d.+-])[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)',
  NUMBER: '%{BASE10NUM}',
  BASE16NUM: `(?<!${HEX})[+-]?(?:0x)?${HEX}+`,
  BASE16FLOAT: `(?<![0-9A-Fa-f.])[+-]?(?:0x)?(?:${HEX}+(?:\\.${HEX}*)?|\\.${HEX}+)\\b`,
  POSINT: '\\b[1-9]\\d*\\b',
  NONNEGINT: '\\b\\d+\\b',
}

const NETWORK = {
  CISCOMAC: `(?:${HEX}{4}\\.){2}${HEX}{4}`,
  WINDOWSMAC: `(?:${HEX}{2}-){5}${HEX}{2}`,
  COMMONMAC: `(?:${HEX}{2}:){5}${HEX}{2}`,
  MAC: '(?:%{CISCOMAC}|%{WINDOWSMAC}|%{COMMONMAC})',
  IPV4: `(?<!\\d)${IPV4}(?!\\d)`,
  IPV6: `(?<![:.\\w])(?:${IPV6})(?:%[\\w.-]+)?(?![:\\w])`,
  IP: '(?:%{IPV6}|%{IPV4})',
  HOSTNAME: `\\b${LABEL}(?:\\.${LABEL})*\\.?(?!\\w)`,
  HOST: '%{HOSTNAME}',
  IPORHOST: '(?:%{IP}|%{HOSTNAME})',
  HOSTPORT: '%{IPORHOST}:%{POSINT}',
}

const PATHS = {
  PATH: '(?:%{UNIXPATH}|%{WINPATH})',
  UNIXPATH: '(?:/[\\w%!$@:.,+~=#&()\\[\\]-]*)+',
  WINPATH: '(?:[A-Za-z]:|\\\\)(?:\\\\[^\\\\?*\\s]*)+',
  TTY: '/dev/(?:pts|tty(?:[pq])?)(?:\\w+)?/?\\d*',
  URIPROTO: '[A-Za-z](?:[A-Za-z0-9+.-]*)',
  URIHOST: '(?:\\[%{IPV6}\\]|%{IPORHOST})(?::%{POSINT})?',
  URIPATH: "(?:/[A-Za-z0-9$.+!*'(){},~:;=@#%&_-]*)+",
  URIQUERY: "[A-Za-z0-9$.+!*'|(){},~@#%&/=:;_?\\[\\]<>-]*",
  URIPARAM: '\\?%{URIQUERY}',
  URIPATHPARAM: '%{URIPATH}(?:%{URIPARAM})?',
  URI: '%{URIPROTO}://(?:%{USER}(?::[^@\\s/]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?',
}

const TIMES = {
  MONTH:
    '\\b(?:[Jj]an(?:uary)?|[Ff]eb(?:ruary)?|[Mm]ar(?:ch)?|[Aa]pr(?:il)?|[Mm]ay|[Jj]une?|[Jj]uly?|[Aa]ug(?:ust)?|[Ss]ep(?:t(?:ember)?)?|[Oo]ct(?:ober)?|[Nn]ov(?:ember)?|[Dd]ec(?:ember)?)\\b',
  MONTHNUM: '(?:0?[1-9]|1[0-2])(?!\\d)',
  MONTHNUM2: '(?:0[1-9]|1[0-2])',
  MONTHDAY: '(?:0[1-9]|[12]\\d|3[01]|[1-9])(?!\\d)',
  DAY: '\\b(?:Mon(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Fri(?:day)?|Sat(?:urday)?|Sun(?:day)?)\\b',
  YEAR: '(?:\\d\\d){1,2}(?!\\d)',
  HOUR: '(?:2[0-3]|[01]?\\d)',
  MINUTE: '[0-5]\\d',
  SECOND: '(?:[0-5]?\\d|60)(?:[:.,]\\d+)?',
  TIME: '(?<!\\d)%{HOUR}:%{MINUTE}(?::%{SECOND})(?!\\d)',
  DATE_US: '%{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}',
  DATE_EU: '%{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}',
  DATE: '(?:%{DATE_US}|%{DATE_EU})',
  DATESTAMP: '%{DATE}[- ]%{TIME}',
  ISO8601_TIMEZONE: '(?:Z|[+-]%{HOUR}(?::?%{MINUTE})?)',
  ISO8601_SECOND: '%{SECOND}',
  TIMESTAMP_ISO8601:
    '\\d{4}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?%{ISO8601_TIMEZONE}?',
  TZ: '(?:[A-Z]{3,4})',
  DATESTAMP_RFC822: '%{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}',
  DATESTAMP_RFC2822: '%{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} (?:%{ISO8601_TIMEZONE}|%{TZ})',
  DATESTAMP_OTHER: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}',
  DATESTAMP_EVENTLOG:
    '\\d{4}%{MONTHNUM2}(?:0[1-9]|[12]\\d|3[01])(?:[01]\\d|2[0-3])%{MINUTE}[0-5]\\d',
  SYSLOGTIMESTAMP: '%{MONTH} +%{MONTHDAY} %{TIME}',
  HTTPDATE: '%{MONTHDAY}/%{MONTH}/\\d{4}:%{TIME} [+-]\\d{4}',
  HTTPDERROR_DATE: '%{DAY} %{MONTH} +%{MONTHDAY} %{TIME} \\d{4}',
}

const LEVELS = {
  LOGLEVEL:
    '(?i:\\b(?:trace|debug|notice|info(?:rmation)?|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|severe|alert|emerg(?:ency)?|panic|fine|finer|finest|config)\\b)',
}

export const GROK_PATTERNS: Readonly<Record<string, string>> = {
  ...WORDS,
  ...NUMBERS,
  ...NETWORK,
  ...PATHS,
  ...TIMES,
  ...LEVELS,
  ...GROK_LOG_PATTERNS,
}
