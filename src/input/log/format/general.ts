import { BLOCKS } from './blocks.js'
import type { LineFormat } from './line-format.js'

// Formats of lines of many programs; the formats of single programs take precedence.

/** The rest of a bar in front of a word that a second bar closes, as in `INFO |main| - started`: both belong to the message. */
const OPENING_BAR = '(?<=[ \\t]\\|)[^\\s|][^|\\n]{0,99}(?<![ \\t])\\|[ \\t]'
/**
 * The gap between parts of a line: space, perhaps with a sign that does not belong to the next part, or with the bars around an
 * empty column. It matches in one way only, so that a line is not searched for a level once for each way.
 */
const GAP = `[ \\t]{0,80}(?:(?:;|\\|(?: {1,4}\\|(?= )|(?! {1,4}\\| ))(?!${OPENING_BAR})|(?:-->|=>|::|▶|[:~-])(?=[ \\t\\n]|$))[ \\t]{0,8})?(?![ \\t])`
/** The gap after a level, which one or two colons alone, perhaps after a padded level, or a comma, may separate from the message. */
const LEVEL_GAP = `(?: {0,8}:{1,2}(?=[\\w"'/<({])|,(?=[ \\t]))?${GAP}`
/** A comma after a time, if a space follows. */
const COMMA = '(?:,(?=[ \\t]))?'
/** A time without brackets, as in most lines, and times in brackets or quotes; and the text between a time and the gap after it. */
const BARE_TIME = { time: '%{TIME:_time}', end: COMMA }
const MARKED_TIMES = [
  { time: '\\[{1,2} ?%{TIME:_time} ?\\]{1,2}', end: ':{0,2}' },
  { time: '[(<"{] ?%{TIME:_time} ?[)>"}]', end: ':?' },
]
const TIMES = [BARE_TIME, ...MARKED_TIMES]
/** Signs on both sides of a level, as in `time > level > message`: an arrow, a slash, a middle dot or a vertical line. */
const SIGN = '(?:[=-]{0,2}>|[=-]{3}|/|·|│|┃|▶)'
/** The pattern of most lines with a level, which takes less time than the others. */
const usual = ({ time }: typeof BARE_TIME) =>
  `${time} {1,2}(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL) {1,2}(?=[\\w"'({</[])%{MESSAGE:message}`
/** The patterns of other lines that begin with a time. */
const others = ({ time, end }: typeof BARE_TIME) => [
  // A level may follow the comma without a space.
  `${time}[,:]?${GAP}%{MARKED_LEVEL}${LEVEL_GAP}%{MESSAGE:message}`,
  // A time may be on a line of its own.
  `${time}${end}${GAP}\\n?%{LEVELED:message}`,
]
/** A level and the name of a thread, in the words of Qt: Mixxx. */
const QT_LEVEL =
  '(?<level>Debug|Info|Warning|Critical|Fatal) \\[(?<thread>[^\\]\\n]{1,60})\\]: %{MESSAGE:message}'
/** The format of any lines that begin with a time, perhaps after a level. */
export const TIMED_LINES: LineFormat = {
  name: 'text',
  title: 'lines that begin with a time, and perhaps a level',
  example: '2026-11-20T10:00:00Z ERROR connection lost',
  patterns: [
    usual(BARE_TIME),
    `%{TIME:_time} {1,4}${SIGN} {1,4}%{LEVEL:level} {1,8}${SIGN} {1,4}%{MESSAGE:message}`,
    `%{TIME:_time} ${QT_LEVEL}`,
    ...others(BARE_TIME),
    // Strapi: a level of winston.
    `\\[%{TIME:_time}\\] (?<level>http): {1,4}%{MESSAGE:message}`,
    ...MARKED_TIMES.flatMap((time) => [usual(time), ...others(time)]),
    ...TIMES.map(({ time, end }) => `%{MARKED_LEVEL}${GAP}${time}${end}${GAP}%{MESSAGE:message}`),
    ...TIMES.map(
      ({ time, end }) =>
        // With full stops: SQL Anywhere and Sybase IQ. With words of three letters: Nim's Chronicles. With the letter M: MMDVMHost.
        ` {0,8}(?:%{LEVEL:level}|(?<level>NOT|NTC|FAT|[TDIWECF]|M(?=: )))[:.]?[ \\t]{1,8}${time}${end}(?:\\.(?=[ \\t]))?${GAP}%{MESSAGE:message}`,
    ),
    // A word that is no level may be in its column; with spaces around it: Vercel's serve.
    ` {0,2}(?<message>[A-Z]{3,8} {2,8})%{TIME:_time}${GAP}%{MESSAGE:message}`,
    // Neovim writes START in place of a level.
    `(?<message>[A-Z]{2,8} {0,8}: {1,4}|\\[START\\])\\[%{TIME:_time}\\] %{MESSAGE:message}`,
    // The name of a component in a bracket of its own.
    ` {0,2}\\[(?<logger>[A-Za-z][\\w.-]{0,40})\\]\\[%{TIME:_time}\\]${GAP}%{LEVELED:message}`,
    // The level SHOUT of Dart.
    `(?<message>[A-Z]{3,8}: )%{TIME:_time}: %{MESSAGE:message}`,
    // A name in the bracket of the time, as Detectron2 and SGLang write it.
    `(?:%{CAPITAL_LEVEL:level} )?\\[%{TIME:_time} (?<logger>[A-Za-z]\\w{0,40}[.\\d][\\w.]{0,60})\\]:?${GAP}%{LEVELED:message}`,
    // The name in a bracket of its own: KStars.
    `\\[ ?%{TIME:_time}[ ,|:-]{1,8}(?:%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,8}\\]:?(?:\\[ {0,40}(?<logger>[A-Za-z][\\w.]{0,60})\\] -)?${GAP}%{MESSAGE:message}`,
    // The bracket may end with a source line or a name, as in Katello.
    `\\[ {0,2}(?:%{LEVEL:level}|%{SHORT_LEVEL:level})[ ,|:-]{1,8}%{TIME:_time}(?:,? {1,4}(?:%{SOURCE:file}:%{INT:line:long}|(?<logger>[A-Za-z_][^\\]\\n]{0,60})))?\\]:?${GAP}%{MESSAGE:message}`,
    // A name in front of the time, which is no zone in capitals: Visual Studio Code.
    `\\[(?<logger>[a-z][\\w.-]{0,40}) %{TIME:_time}\\]:?${GAP}%{LEVELED:message}`,
    // evcc.
    '\\[(?<logger>[A-Za-z][\\w.-]{0,30}) {0,12}\\] %{CAPITAL_LEVEL:level} {1,4}%{TIME:_time} %{MESSAGE:message}',
    // gopls in Visual Studio Code.
    `\\[%{LEVEL:level} {1,4}- %{CLOCK}\\] %{TIME:_time} %{MESSAGE:message}`,
  ],
  levels: { http: 'info', M: 'info' },
}

/** A level in small letters, but not as a word of a sentence. */
const SMALL_LEVEL =
  '(?<level>trace|debug|info|notice|warn|warning|err|error|crit|critical|alert|emerg|fatal) {1,8}(?![\\s|;:~-]|(?:in|of|on|at|for|from|while|when|to|code|messages?|is|was) )'

/** A level in front of a name with a colon: a word with a capital, as Emby writes it, or a letter, as DDNet does; in front of another capital, as Jackett writes it. */
const NAMED_LEVEL =
  '(?:(?<level>Trace|Debug|Info|Warn|Error|Fatal) (?=[A-Z]|[\\w./-]{1,60}: )|(?<level>[TDIWECF]) (?=[\\w./-]{1,60}: ))'

/** A letter in a column, perhaps without a message, as Monero writes it. */
const LETTER = '(?<level>[TDIWEF])(?: (?=\\S)|(?=\\n|$))'

/** The format of lines with a column of levels in small letters. Most lines must have one. */
const SMALL_LEVEL_LINES: LineFormat = {
  name: 'small-level',
  title: 'a time, and a level in small letters without a sign between it and the message',
  example: '2026-11-20 10:00:00 warn disk low',
  // Times in parentheses or quotes are not known before such a level.
  patterns: TIMES.slice(0, 2).flatMap(({ time, end }) =>
    // With a component in brackets: qpidd.
    [SMALL_LEVEL, NAMED_LEVEL, LETTER, `\\[(?<logger>[A-Za-z][\\w.-]{0,60})\\] ${SMALL_LEVEL}`].map(
      (level) => `${time}${end}${GAP}${level}%{MESSAGE:message}`,
    ),
  ),
}

const USUAL_LEVEL = 'DEBUG|INFO|WARN|WARNING|ERROR|debug|info|warn|warning|error'
/** The hour may be aligned to the right. */
const CLOCK = `(?:\\[%{CLOCK:time}\\]|\\(%{CLOCK:time}\\)|(?: (?=\\d:))?%{CLOCK:time})${GAP}`

/** The format of any lines that begin with a level or a time of day. */
export const LEVELED_LINES: LineFormat = {
  name: 'level',
  title: 'lines that begin with a level, a time of day or both, perhaps after a few words',
  example: 'ERROR: connection lost',
  patterns: [
    // Most lines match this pattern, which takes less time than the others.
    `(?:\\[(?<level>${USUAL_LEVEL})\\]|(?<level>${USUAL_LEVEL}):) (?=[A-Za-z])%{MESSAGE:message}`,
    QT_LEVEL,
    // The message of a panic of Go includes the word.
    '(?=(?<level>panic): )%{MESSAGE:message}',
    // Julia, without the sign at the end of a box.
    '\\[ (?<level>Info|Debug|Warning|Error): %{MESSAGE:message}',
    // winston.
    '(?<level>http): {1,4}(?=\\S)%{MESSAGE:message}',
    `\\[%{CLOCK:time}[ ,|:-]{1,4}(?:%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,4}\\]:?${GAP}%{MESSAGE:message}`,
    // Protractor.
    '\\[%{CLOCK:time}\\] (?<level>[DIWE])/(?<logger>[A-Za-z]\\w{0,40}) - %{MESSAGE:message}',
    // Unity in Kerbal Space Program.
    '\\[(?<level>EXC) %{CLOCK:time}\\] ?%{MESSAGE:message}',
    // SMAPI and BSIPA, with a name after the level or the clock.
    '\\[%{CLOCK:time} %{CAPITAL_LEVEL:level} {1,3}(?<logger>[A-Za-z][^\\]\\n]{0,60})\\] ?%{MESSAGE:message}',
    '\\[%{CAPITAL_LEVEL:level} @ %{CLOCK:time} \\| (?<logger>[^\\]\\n]{1,60})\\] ?%{MESSAGE:message}',
    // Hearthstone; ethminer, whose other letters are not levels.
    '(?:(?<level>[DIWEim]) |(?<message>X ))(?=\\d\\d:\\d\\d:\\d\\d[. |])%{CLOCK:time}(?: {1,2}|\\|)%{MESSAGE:message}',
    // Visual Studio Code: the output of language servers. With a letter in front of the bracket: clangd. With a source line: log.lua.
    `(?:\\[(?:%{LEVEL:level}|%{SHORT_LEVEL:level})[ ,|:-]{1,4}|(?<level>[TDIWEFV])\\[)%{CLOCK:time}\\]:?${GAP}(?:%{SOURCE:file}:%{INT:line:long}: )?%{MESSAGE:message}`,
    // Falco, whose message may be the words after the level.
    `${CLOCK}(?=(?<level>Emergency|Alert|Critical|Error|Warning|Notice|Informational|Debug) [A-Z])%{MESSAGE:message}`,
    // BepInEx.
    '\\[(?<level>Fatal|Error|Warning|Message|Info|Debug) {0,4}: {0,12}(?<logger>[^\\s\\]:][^\\]\\n]{0,60})\\] ?%{MESSAGE:message}',
    // React Native.
    ' ?(?<level>LOG)  (?=[^\\s:|-])%{MESSAGE:message}',
    `%{MARKED_LEVEL}${GAP}(?=[[(]?\\d{1,2}:\\d\\d:\\d\\d)${CLOCK}%{MESSAGE:message}`,
    // A level of four letters may be aligned with levels of five.
    `(?:${CLOCK}| (?=(?:INFO|WARN)[ :]|(?:info|warn): ))?%{MARKED_LEVEL}${LEVEL_GAP}%{MESSAGE:message}`,
    `${CLOCK}(?<level>trace|debug|info|warn|warning|error|fatal) {2,8}(?=\\S)%{MESSAGE:message}`,
    `(?:${CLOCK})?%{LEVELED:message}`,
    `${CLOCK}%{MESSAGE:message}`,
  ],
  levels: { EXC: 'error', Message: 'info', http: 'info', m: 'info' },
}

const APP = '(?!%{LEVEL}\\[)(?<app>[A-Za-z][\\w.@/-]{0,60}'
const PROCESS = ')\\[%{INT:pid:long}(?::%{INT:tid:long})?\\]'
const PROGRAM = `${APP}${PROCESS}`
/** Programs of macOS have names of several words. */
const WORDY_PROGRAM = `${APP}(?: [A-Z]\\w{0,30}){0,3}${PROCESS}`
/** A level after a program. */
const PROGRAM_LEVEL =
  '(?: ?\\[%{LEVEL:level}\\]| <%{LEVEL:level}>:?| %{CAPITAL_LEVEL:level}:?(?= )| %{COLUMN_LEVEL:level}:(?= ))?'
const FACILITY =
  '(?<facility>auth|authpriv|cron|daemon|ftp|kern|lpr|mail|news|syslog|user|uucp|local[0-7])'

/** A time of Go in a message, whose level follows: OpenWrt logs all that a program writes to standard error as an error. */
const OWN_TIME = '\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{6})? '
const OWN_LEVEL = `:? +[^\\s:]{1,80}: ${OWN_TIME}\\[[a-z]{4,7}\\] `

/** The format of lines that name a program after their time, like lines of syslog. */
const PROGRAM_LINES: LineFormat = {
  name: 'program',
  title: 'a time, a program and its process, as in syslog: OpenWrt, Xcode, SpamAssassin, Circus',
  example: '2026-11-20 10:00:00.123456+0100 MyApp[1234:56789] view did load',
  patterns: [
    // Flux, with the rank of the broker.
    '%{TIME:_time} (?<app>[a-z][\\w-]{0,60})\\.(?<level>emerg|alert|crit|err|warning|notice|info|debug)\\[%{INT:rank:long}\\]: ?%{MESSAGE:message}',
    '%{TIME:_time} (?<app>socat)\\[%{INT:pid:long}\\] (?<level>[DINWEF]) %{MESSAGE:message}',
    `\\[?%{TIME:_time}\\]?:? +(?:%{HOST_NAME:host} +)?${FACILITY}\\.(?:%{LEVEL:level}(?!${OWN_LEVEL})|[a-z]{3,7}):? +(?:(?<app>[^\\s:\\[]{1,60})(?:\\[%{INT:pid:long}\\])?:(?: |$))?(?:(?=${OWN_TIME}\\[%{LEVEL:level}\\] )|)%{MESSAGE:message}`,
    `\\[?%{TIME:_time}\\]?:? +(?:(?:%{LEVEL:level}|(?<level>MSG)):? +)?${PROGRAM}(?::|(?= ))${PROGRAM_LEVEL} {0,2}%{MESSAGE:message}`,
    `\\[?%{TIME:_time}\\]?:? +%{HOST_NAME:host} +${WORDY_PROGRAM}:${PROGRAM_LEVEL} ?%{MESSAGE:message}`,
    // Kiwi Syslog Server.
    '%{TIME:_time}\\t(?<facility>[A-Z][A-Za-z]{2,8}\\d?)\\.%{LEVEL:level}\\t(?<host>[^\\s]{1,100})\\t%{MESSAGE:message}',
    // F5 BIG-IP, and SONiC with levels in capitals.
    '%{TIME:_time} %{HOST_NAME:host} (?<level>emerg|alert|crit|err|warning|notice|info|debug|%{CAPITAL_LEVEL}) (?<app>[\\w./#-]{1,60})(?:\\[%{INT:pid:long}\\])?: %{MESSAGE:message}',
    // With a thread: Kannel.
    '\\[?%{TIME:_time}\\]?:? +\\[%{INT:pid:long}\\] +(?:\\[%{INT:tid:long}\\] +)?%{LEVEL:level}: %{MESSAGE:message}',
    // Matter.
    '\\[%{TIME:_time}\\] ?\\[%{INT:pid:long}:%{INT:tid:long}\\] (?:CHIP:(?<logger>[A-Z]{1,6}): |\\[(?<logger>[A-Z]{1,6})\\] )%{LEVELED:message}',
    '%{TIME:_time} \\[ {0,8}%{INT:pid:long}: {0,8}%{INT:tid:long}\\] (?<level>[ADIWE]) %{MESSAGE:message}',
    // Chocolatey.
    '%{TIME:_time} %{INT:pid:long} \\[%{LEVEL:level} {0,2}\\] - %{MESSAGE:message}',
    // Acronis, with the code of a message after its level.
    '%{TIME:_time} %{INT:tid:long} (?<level>[IWE])(?<code>[\\dA-F]{8}): ?%{MESSAGE:message}',
  ],
  // MonetDB; Sophos.
  levels: { MSG: 'info', A: 'info' },
}

/** A level before a source line. */
const SOURCE_LEVEL =
  '(?:\\[ {0,4}(?:%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,4}\\]|<%{LEVEL:level}>|%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,4}[:|]?'

/** The format of lines that name their source after the level. */
const SOURCE_LINES: LineFormat = {
  name: 'source',
  title: 'a time, a level and the line of the source: GlusterFS, TensorFlow, Ray, Calico, tracer',
  example:
    '[2026-11-20 10:00:01.629938] W [MSGID: 103071] [rdma.c:4597:__gf_rdma_ctx_create] 0-rpc: failed',
  patterns: [
    `\\[?%{TIME:_time}\\]?:?[ \\t]+${SOURCE_LEVEL}[ \\t]+(?:\\[MSGID: %{INT:message_id:long}\\] )?[\\[(]%{SOURCE:file}:%{INT:line:long}(?::(?<function>[^\\s\\])]{1,100}))?[\\])]:?(?: -{1,2} )? {0,2}%{MESSAGE:message}`,
    `\\[?%{TIME:_time}\\]?:?[ \\t]+(?:[\\d.]{1,6}% )?${SOURCE_LEVEL}[ \\t]+(?:\\[(?<context>[\\w-]{1,40}: [^\\]\\n]{1,200})\\] )?(?:\\((?<app>[\\w.-]{1,60})\\) )?%{SOURCE:file}:%{INT:line:long}(?::(?<function>[A-Za-z_][\\w.]{0,60})(?=: )| \\((?<function>[A-Za-z_][\\w.<>$]{0,60})\\)(?= ))?(?::| -{1,2}|\\])? +%{MESSAGE:message}`,
    // Loguru for C++, with the seconds since the start, and coder.
    '%{TIME:_time} \\( {0,8}[\\d.]{1,12}s\\) \\[(?<thread>[^\\]\\n]{1,60}?) {0,40}\\] {0,40}%{SOURCE:file}:%{INT:line:long} {1,8}(?:(?<level>FATL|%{CAPITAL_LEVEL}|[0-2])|[3-9])\\| ?%{MESSAGE:message}',
    '%{TIME:_time} \\[%{LEVEL:level}\\]\\s{1,8}(?:\\((?<logger>[\\w.-]{1,100})\\)\\s{1,8})?<%{SOURCE:file}:%{INT:line:long}>\\s{1,8}(?<function>[\\w.()*]{1,100})\\s{1,8}%{MESSAGE:message}',
    // Osmocom.
    '%{TIME:_time} (?<logger>D[A-Z\\d]{1,15}) (?:<[\\da-f]{4}> )?(?:%{CAPITAL_LEVEL:level} )?%{SOURCE:file}:%{INT:line:long} ?%{MESSAGE:message}',
    // Plog.
    '%{TIME:_time} %{LEVEL:level} {1,4}\\[%{INT:tid:long}\\] \\[(?<function>[^\\s@\\]]{1,100})@%{INT:line:long}\\] ?%{MESSAGE:message}',
    // ProxySQL.
    '%{TIME:_time} %{SOURCE:file}:%{INT:line:long}:(?<function>[^\\s()]{1,100})\\(\\): \\[%{LEVEL:level}\\] ?%{MESSAGE:message}',
    '%{TIME:_time} \\[%{LEVEL:level}\\]\\[%{INT:pid:long}(?:/%{INT:tid:long})?\\] %{SOURCE:file} %{INT:line:long}: ?%{MESSAGE:message}',
    '\\[%{TIME:_time} (?<level>[TDIWECF]) %{INT:pid:long} %{INT:tid:long}\\] (?:\\((?<app>[\\w.-]{1,60})\\) )?%{SOURCE:file}:%{INT:line:long}: ?%{MESSAGE:message}',
  ],
  // Loguru's verbosity, of which 0 is usual.
  levels: { 0: 'info', 1: 'debug', 2: 'debug' },
}

/** The format of lines with a component in brackets, but not a thread, in front of the level. */
const COMPONENT_LINES: LineFormat = {
  name: 'component',
  title:
    'a time, a component in brackets, and a level in brackets or in front of a colon: srsRAN, Open5GS',
  example: '2026-11-20T10:00:00.123456 [RLC    ] [W] retransmission limit reached',
  patterns: [
    `\\[?%{TIME:_time}\\]?:? {1,4}\\[(?!%{LEVEL} {0,8}\\]|main\\])(?<logger>[A-Za-z][\\w ./:-]{0,40}?(?<!\\d)) {0,12}\\] {1,2}(?:\\[ {0,4}(?:%{LEVEL:level}|%{SHORT_LEVEL:level}) {0,4}\\]:?|%{CAPITAL_LEVEL:level}:) {0,2}%{MESSAGE:message}`,
  ],
}

/** The format of columns between bars, the last of which is the message. */
const BAR_LINES: LineFormat = {
  name: 'bars',
  title:
    'columns between bars, one of which is a level: NLog, Open vSwitch, TeamSpeak, Java Service Wrapper',
  example: '2026-11-20T10:00:00.132Z|00617|rconn|WARN|br-int.mgmt: connection failed',
  patterns: [
    '%{TIME:_time}\\|(?:%{INT:sequence:long}\\|)?(?<logger>(?!\\d{1,9} {0,40}\\|)[^\\s|]{1,100}) {0,40}\\|(?<level>%{LEVEL}|EMER|WRN|DBG) {0,8}\\|[ \\t]{0,8}%{MESSAGE:message}',
    // log4j and logback.
    '%{TIME:_time}\\|%{LEVEL:level} {0,8}\\|(?<thread>[^|\\n]{1,100})\\|%{QUALIFIED:logger} {0,40}\\|[ \\t]{0,8}%{MESSAGE:message}',
    // Nethermind.
    '%{TIME:_time}\\|%{LEVEL:level} {0,8}\\|%{INT:tid:long}\\|%{MESSAGE:message}',
    '%{TIME:_time}\\|%{LEVEL:level} {0,8}\\|(?: {0,40}(?<logger>[^\\s|]{1,100}))? {0,40}\\|(?:[ \\d]{0,8}\\|)?[ \\t]{0,8}%{MESSAGE:message}',
    // Besu and Teku.
    '%{TIME:_time} \\| (?<thread>[^|\\n]{1,100}?) {0,40}\\| %{LEVEL:level} {0,8}\\| (?<logger>[\\w.$-]{1,100}) {0,40}\\| ?%{MESSAGE:message}',
    // Grid Engine.
    '%{TIME:_time}\\| {0,8}(?<thread>[\\w.-]{1,40})\\|(?<host>[\\w.-]{1,100})\\|(?<level>[NIWEC])\\|%{MESSAGE:message}',
    // Ignition.
    'INFO {0,8}\\| (?<app>[\\w ]{1,20}?) {0,12}\\| %{TIME:_time} \\| (?<level>[TDIWEF]) \\[(?<logger>[^\\s\\]]{1,100}) *\\] \\[%{CLOCK:time}\\]: ?%{MESSAGE:message}',
    '(?<level>STATUS|ADVICE|%{CAPITAL_LEVEL}) {0,8}\\| (?<app>[\\w ]{1,20}?) {0,12}\\| (?:(?<thread>[\\w-]{1,40}) {0,12}\\| )?%{TIME:_time} \\| ?%{MESSAGE:message}',
    // Zellij.
    '%{LEVEL:level} {0,8}\\|(?<logger>[^\\s|]{1,100}) {0,40}\\| %{TIME:_time} \\[(?<thread>[^\\]\\n]{1,60}?) {0,20}\\] \\[%{SOURCE:file}:%{INT:line:long}\\]: ?%{MESSAGE:message}',
    // NLog.Web, with the id of an event, perhaps with a thread after the level.
    '%{TIME:_time}\\|(?:%{INT:event_id:long})?\\|%{LEVEL:level}\\|(?:%{INT:tid:long}\\|)?(?<logger>[A-Za-z_][^\\s|]{0,200})\\|%{MESSAGE:message}',
    '%{TIME:_time} {0,4}\\|(?=(?: {0,20}[^\\s|]{1,60} {0,20}\\|){1,6}? {0,20}%{LEVEL:level} {0,20}\\|) {0,8}%{MESSAGE:message}',
  ],
  levels: { EMER: 'emergency', STATUS: 'info', ADVICE: 'info' },
}

/** Returns the patterns of columns between a separator: a level and a logger in either order, and a message. */
function separatedColumns(separator: string): readonly string[] {
  const gap = ` ?${separator} ?`
  const logger = '(?<logger>[A-Za-z_][\\w.:/-]{0,100})'
  return [
    `%{TIME:_time}${gap}%{LEVEL:level}${gap}${logger}${gap}%{MESSAGE:message}`,
    `%{TIME:_time}${gap}${logger}${gap}%{LEVEL:level}${gap}%{MESSAGE:message}`,
  ]
}

const DASH = ' (?:–|—) '
const DASHED_COLUMNS = [
  `%{TIME:_time}${DASH}(?<logger>[A-Za-z_][\\w.]{0,100})${DASH}%{LEVEL:level}${DASH}(?:(?<function>[\\w.<>]{1,100}):%{INT:line:long}${DASH})?%{MESSAGE:message}`,
  `%{TIME:_time}${DASH}%{LEVEL:level}${DASH}%{MESSAGE:message}`,
]

/** The format of columns between commas, semicolons or dashes in UTF-8, as scripts write them. */
const COMMA_LINES: LineFormat = {
  name: 'commas',
  title: 'a time, a level, a logger and a message between commas, semicolons or long dashes',
  example: '2026-11-20 10:00:00,123,ERROR,app.db,lost the connection, again',
  patterns: [
    ...separatedColumns(','),
    ...separatedColumns(';'),
    ...DASHED_COLUMNS,
    // Rows of CSV without a header, as jq and scripts print them.
    '"%{TIME:_time}","%{LEVEL:level}",%{MESSAGE:message}',
    '%{TIME:_time},%{LEVEL:level},(?=")%{MESSAGE:message}',
    // Container Manager of Synology, without its header.
    '%{TIME:_time}[,\\t](?<stream>stdout|stderr)[,\\t]%{MESSAGE:message}',
  ],
}

/** The format of columns between tabs, the last of which is the message. */
const TAB_LINES: LineFormat = {
  name: 'tabs',
  title: 'a time, a logger and a level in any order, with a tab after each: Prosody, Picard, Vespa',
  example: 'Nov 20 10:00:00 portmanager\terror\tFailed to open server port 5269',
  patterns: [
    '%{TIME:_time}[ \\t](?<logger>[A-Za-z_][\\w.:/-]{0,100}) {0,40}\\t%{LEVEL:level}\\t%{MESSAGE:message}',
    // Picard and other programs on HTSJDK.
    '%{CAPITAL_LEVEL:level}\\t%{TIME:_time}\\t(?<logger>[A-Za-z]\\w{0,100})\\t%{MESSAGE:message}',
    // Vespa.
    '%{TIME:_time}\\t(?<host>[\\w.-]{1,200})\\t%{INT:pid:long}(?:/%{INT:tid:long})?\\t(?<app>[\\w.-]{1,60})\\t(?<logger>[^\\s]{1,200})\\t(?<level>fatal|error|warning|config|info|event|debug|spam)\\t%{MESSAGE:message}',
  ],
  levels: { config: 'info', event: 'info', spam: 'trace' },
}

/** Formats of programs without a format of their own, in the order of preference. */
export const GENERAL_FORMATS: readonly LineFormat[] = [
  PROGRAM_LINES,
  SOURCE_LINES,
  COMPONENT_LINES,
  BAR_LINES,
  COMMA_LINES,
  TAB_LINES,
  BLOCKS,
  SMALL_LEVEL_LINES,
  TIMED_LINES,
  LEVELED_LINES,
]
