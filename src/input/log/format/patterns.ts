import { LOCAL_LEVELS } from '../level.js'

/** A part of a dotted name, such as `example` in `com.example.App`. */
const NAME_PART = '[^\\s:.()\\[\\]{},;"\'=|]+'

/** Patterns for known formats, in addition to the patterns of grok. Matching takes linear time in the length of a line. */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  LEVEL:
    '(?i:trace|debug[1-5]??|info(?:rmation(?:al)??)??|notice|warn(?:ing)??|err(?:or)?|severe|crit(?:ical)??|alert|emerg(?:ency)??|fatal|panic|fine(?:r|st)??|config|log|success|dbg|inf|wrn|ftl|trc|verbose|silly)',
  /** A level in another language than English. */
  LOCAL_LEVEL: LOCAL_LEVELS.join('|'),
  CAPITAL_LEVEL:
    'TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|SEVERE|CRIT|CRITICAL|ALERT|EMERG|FATAL|PANIC',
  /** Levels that are words of three or four letters, and single letters. */
  SHORT_LEVEL:
    '(?i:note|noti|inf|wrn|erro|eror|ftl|fatl|fata|pani|trc|trac|trce|dbg|debg|dbug|debu|vrb|cri|crt)|[TDIWEFCVN]',
  /** Abbreviated levels of three letters or more. */
  SHORT_WORD: 'WRN|INF|DBG|FTL|TRC|CRT|VRB|ERRO|DEBU|DBUG',
  /** A level in brackets that other words follow. */
  TITLE_LEVEL:
    '(?<!\\w)(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL|Trace|Debug|Info|Information|Warn|Warning|Error|Critical|Fatal)',
  /**
   * A level that can't be taken for a word of the message: in brackets, before a separator, or in capitals. `[Config]` and
   * `Config:` are the name of a component, `(config)` the prompt of a router.
   */
  MARKED_LEVEL:
    '(?:[\\[({<|*] {0,4}(?![Cc]onfig\\b)(?:%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,8}[\\])}>|*]|(?!Config:)%{LEVEL:level}(?=:|, [\\w.-]{1,40},| +[-|:] |\\||\\((?!s\\))\\w{1,40}\\): )|(?<level>FAIL)(?= +[-|:] )|(?<level>NOTE)(?=: )|(?<level>DDEBUG|SUBDEBUG|SUCCESS|VERBOSE|FINE|FINER|FINEST)(?=[ [])|%{CAPITAL_LEVEL:level}(?:(?:(?<=DEBUG)-|\\+)\\d{1,2}(?= )|(?![\\w.=/-]))|(?<level>INF|WRN|DBG|FTL|TRC|VRB|VERB|BLAT|TRAC|WAR|DEB|DBUG|DEBU|DEBG|TRCE|NOTI|ERRO|EROR|FATA|WARNI|SEVER|CRITI)(?=:? {1,4}\\S|\\[)|(?<level>[TDIWEF])(?:!(?= )|(?=[:|] |:(?:[\\t\\n]|$)| \\[| {2,4}\\S|\\t))|%{LEVEL:level}(?= [\\w.-]{1,60}\\[\\d+\\])|\\[(?<level>[diwe])\\(\\d\\)\\]|%{LOCAL_LEVEL:level}(?=:? {1,4}\\S)|\\[%{LOCAL_LEVEL:level}\\])',
  /** A level after other words. */
  LATER_LEVEL:
    '(?!\\(C\\) )(?:[\\[(<|] {0,4}(?![Cc]onfig\\b)(?:%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,8}[\\])>|]|(?<=\\[(?:[A-Z][a-z]{2,12}|[A-Z][A-Z_]{1,39}) )%{TITLE_LEVEL:level}(?=\\])|(?:(?:LOG_)?%{CAPITAL_LEVEL:level}|(?<level>INF|NFO|WRN|DBG|FTL|TRC|DBUG|DEBU|NOTI|ERRO|ERRR))(?=[:\\s\\])>|,]|$)|(?!Log:|Config:)%{LEVEL:level}(?= ?: (?!(?:true|false)\\b)|\\|)|\\[ (?<level>debug|info|warning|critical|fatal)(?= [\\w.]{3,100}[ \\]])|\\[(?<level>[VIWEF])(?=:[\\w.]{1,60}:[^\\]\\n]{1,300}\\] )|(?:\\[(?:%{TITLE_LEVEL:level}(?=[-|/:,#][^\\]\\n]{1,200}\\])|(?<level>debug|info|notice|warn|warning|error|critical|fatal)(?=, \\w{1,40}\\]))|<(?:%{TITLE_LEVEL:level}|(?<level>Noti|Warn|Erro|Crit))(?=:[\\w.-]{1,100}>)))',
  /** A level in any case in a column; `log` and `config` are rather names. */
  COLUMN_LEVEL:
    '(?i:trace|debug|info(?:rmation)?|notice|warn(?:ing)?|err(?:or)?|severe|critical|fatal)',
  PYTHON_LEVEL: 'DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|NOTSET|TRACE|SUCCESS',
  /** The name that Python gives to a thread. */
  PYTHON_THREAD:
    'MainThread|(?:Thread|Worker|Dummy)-\\d+(?: \\([\\w.]{1,60}\\))?|Scheduler|ThreadPoolExecutor-[\\d_]+',
  /** A logger with the name of a Python module in a package. */
  MODULE: '[A-Za-z_]\\w{0,60}(?:\\.[A-Za-z_]\\w{0,60}){1,9}',
  /** The end of the name of a source file. */
  EXTENSION: 'py|pyx|c|cc|cpp|cxx|h|hpp|go|js|ts|java|kt|rb|rs|php|lua|cs|swift',
  APACHE_LEVEL: 'emerg|alert|crit|error|warn|notice|info|debug|trace[1-8]',
  GLOG_LEVEL: '[IWEFDC]',
  /** The rest of an event, which may have several lines. */
  MESSAGE: '.*',
  /** The rest of an event. A level after a few words becomes a field as well; without a time, an event must have one. */
  LEVELED: '.*',
  /** Text within a line, as short as possible. */
  TEXT: '[^\\n]*?',
  /** Pairs of a key and a value, which become fields. */
  PAIRS: '.*',
  CLOCK:
    '\\d{1,2}:\\d\\d(?::\\d\\d(?!\\d)(?:[.,]\\d{1,9}|:\\d{3}(?!\\d))?(?: ?[AaPp][Mm]\\b|Z\\b| (?:UTC|GMT)\\b)?| ?[AaPp][Mm]\\b)',
  HEX: '[0-9A-Fa-f]+',
  ID: '[^\\s\\[\\]:]+',
  APP: '[^\\s\\[\\],]+',
  /** Words without brackets. */
  NAME: '[^\\n\\[\\](){}|]+',
  TAGS: '[\\w,]+',
  /** Attributes of an element of XML. */
  ATTRIBUTES: '[^<]*?',
  /** A host, but not a level or a part of a sentence. */
  HOST_NAME: '(?!%{LEVEL}[ :])[A-Za-z0-9][\\w.-]{0,100}',
  /** Threads of Druid have brackets in brackets. */
  THREAD: '[^\\n\\[\\]]*(?:\\[[^\\n\\[\\]]*(?:\\[[^\\n\\[\\]]*\\][^\\n\\[\\]]*)*\\][^\\n\\[\\]]*)*',
  LOGGER: '[^\\s:()\\[\\]{},;"\'=|]+',
  /** A logger whose name has several parts. */
  QUALIFIED: `(?![\\d<])${NAME_PART}(?:(?:\\.|::)${NAME_PART})+`,
  SEPARATOR: '(?: *:| +(?:--?|::))(?: |(?=\\n)|$)',
  SOURCE: '(?:[A-Za-z]:(?=[/\\\\]))?[\\w.$+/\\\\@-]+\\.[A-Za-z]\\w{0,7}',
  /** ` (App.java:12)`, ` (App.java:run(12))`, `.run(App.java:12)`, `:run(12)`, `:12`, but not after the name of a file */
  PLACE:
    '(?::(?<function>[\\w$<>]{1,100})\\(%{INT:line:long}\\)|(?: {1,40}|\\.(?<function>[\\w$<>]+))\\(%{SOURCE:file}:(?:(?<function>[\\w$<>]+)\\(%{INT:line:long}\\)|%{INT:line:long})\\)|(?<!\\.[a-z]{1,4}):%{INT:line:long})',
  OPENSTACK_REQUEST: 'req-[\\w-]+',
  /** A value; a dash stands for a missing value. */
  VALUE: '(?!-(?: |"|$))\\S+',
  /** The inside of quotes. */
  QUOTED: '(?!-")[^"\\\\\\n]*(?:\\\\[^\\n][^"\\\\\\n]*)*',
  CLIENT: '[\\w.:-]+',
  REQUEST:
    '(?:(?<method>[A-Za-z_-]+) (?<path>[^\\s"]+)(?: (?<protocol>HTTP/[\\d.]+))?(?=")|-(?=")|%{QUOTED:request})',
  URL_REQUEST:
    '(?:(?<method>[A-Za-z_-]+) (?<url>[^\\s"]+) (?<protocol>HTTP/[\\d.]+|-)|- - - |%{QUOTED:request})',
}
