import { addTo } from '../../../text/lists.js'
import { isContinuation } from '../multiline/event-start.js'
import { JOURNAL_TIME, SYSLOG_MONTH } from '../time/time-parts.js'
import { readStructuredData } from './structured-data.js'
import { hasMessageFields, withoutCookie } from './syslog-message.js'
import { objectTagAt, programTag, tagAt } from './tag.js'

/** RFC 5424 up to the structured data. */
const NEW = /^(?:[1-9]\d{0,8} )?<\d{1,3}>[1-9]\d{0,2} \S+ \S+ (\S+) \S+ \S+ (?=[-[])/
/** RFC 3164 up to the time, and the host. */
const OLD = new RegExp(
  `^(?:[1-9]\\d{0,8} )?(?:<\\d{1,3}>)?(?:${SYSLOG_MONTH} [ \\d]?\\d (?:\\d{4} )?\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?|\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S*|${JOURNAL_TIME}) {1,2}(?:[^\\s:[\\]]+ (?=\\S))?`,
)
/** A priority in front of an object. */
const BARE = /^(?:[1-9]\d{0,8} )?<\d{1,3}> ?(?=\{")/
const CAPITALS = 'TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|TRC|DBG|INF|WRN|ERR|FTL'
const SMALL = 'trace|debug|info|notice|warn|warning|error|fatal|critical'
/** A level in brackets or capitals, after at most three words such as a logger, or the letter of a level, begins a message. */
export const LEVELED_MESSAGE = new RegExp(
  `^(?:(?:[^\\s:]{1,100}(?:: ?| (?:- )?)){0,3}?(?:\\[ ?(?:${CAPITALS}|${SMALL}) ?\\]|[(<|]?(?:${CAPITALS})[)>|]?(?=[ :]|$))|\\[[TDIWEF]\\] |[TDIWEF]: )`,
)
/** The beginnings of other messages that may have a format of their own. */
const STRUCTURED =
  /^(?:\{|[[(<"]?\d|\[|\(\w{1,60} pid=\d|[\w.@-]+=\S|[A-Z]{4,8}[ :[|]|<[a-z]{4,8}> |[IWEF](?:20\d\d)?[01]\d[0-3]\d \d\d:|(?:#{4})?<?(?:[A-Z][a-z]{2},? )?(?:[A-Z][a-z]{2} {1,2}\d{1,2}|\d\d [A-Z][a-z]{2}),? (?:\d{4},? )?\d{1,2}:\d\d:\d\d|(?:[Tt]race|[Dd]ebug|[Ii]nfo|[Nn]otice|[Ww]arning|[Ww]arn|[Ee]rror|[Ff]atal|[Cc]ritical): |[\w.-]{1,100} {1,60}\|(?: |$)|.{1,24}?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:)/
/** The share of the messages of a program, except lines of stack traces, that must have such a beginning. */
const LEAST_SHARE = 0.5

/** Returns the messages in lines of syslog by program, for programs that seem to have a format of their own. */
export function syslogSources(sample: string): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>()
  for (const line of sample.split(/\r?\n/)) {
    const found = messageOf(line)
    if (found !== undefined) addTo(texts, found.app, found.text)
  }
  return new Map(
    [...texts].filter(([app, messages]) => {
      if (hasMessageFields(app)) return false
      // The lines of a stack trace are messages, too.
      const heads = messages.filter((text) => text !== '' && !isContinuation(text))
      const own = heads.filter((text) => STRUCTURED.test(text) || LEVELED_MESSAGE.test(text))
      return own.length >= heads.length * LEAST_SHARE
    }),
  )
}

function messageOf(line: string): { readonly app: string; readonly text: string } | undefined {
  const [head, program] = NEW.exec(line) ?? []
  if (head !== undefined && program !== undefined) {
    const data = readStructuredData(line, head.length)
    const text = line.slice(data?.end ?? head.length + 1)
    const app = programTag(program)?.app ?? program
    return { app, text: withoutCookie(text.replace(/^ (?:\xef\xbb\xbf)?/, '')) }
  }
  const [start] = OLD.exec(line) ?? BARE.exec(line) ?? []
  if (start === undefined) return undefined
  const tag = tagAt(line, start.length) ?? objectTagAt(line, start.length)
  if (tag === undefined) return undefined
  return { app: tag.app, text: withoutCookie(line.slice(tag.end).replace(/^ /, '')) }
}
