import { formatsByName } from './line-format.js'

const GAP = '\\s{0,40}'
const Q = `["']`

/** Returns the pattern of an element with text, which becomes a field, and of the gap after it. */
function element(tag: string, field: string): string {
  return `<${tag}>${field}</${tag}>${GAP}`
}

function optional(tag: string, field: string): string {
  return `(?:${element(tag, field)})?`
}

/** Text, perhaps as a CDATA section. */
function text(tag: string, name: string): string {
  return `<${tag}>(?:<!\\[CDATA\\[)?(?<${name}>.*?)(?:\\]\\]>)?</${tag}>${GAP}`
}

/** After an event: tags around all events of a file or of the next file, and text, which is kept. */
const REST =
  '(?:\\s{0,40}<(?:/?(?:log|events|Events|log4j:events|log4j:eventSet|log4net:events)|\\?xml|!DOCTYPE)(?: [^>\\n]*)?>){0,8}\\s{0,40}%{MESSAGE:details}'

const EVENT_REST = `${text('log4j:message', 'message')}(?:${text('log4j:NDC', 'ndc')})?(?:${text('log4j:throwable', 'exception')})?(?<details>.*?)</log4j:event>${REST}`

/** Formats of events in XML. Entities such as `&lt;` stay as they are written. */
export const XML_FORMATS = formatsByName({
  'java-util-logging-xml': {
    title: 'java.util.logging: XMLFormatter, the default of its files',
    example:
      '<record>\n  <date>2026-11-20T10:00:00.123456Z</date>\n  <millis>1795168800123</millis>\n  <nanos>456000</nanos>\n  <sequence>0</sequence>\n  <logger>com.example.App</logger>\n  <level>INFO</level>\n  <class>com.example.App</class>\n  <method>start</method>\n  <thread>1</thread>\n  <message>started</message>\n</record>',
    start: '<record>',
    patterns: [
      [
        `<record>${GAP}`,
        element('date', '%{TIME:_time}'),
        optional('millis', '%{INT:millis:long}'),
        optional('nanos', '%{INT:nanos:long}'),
        optional('sequence', '%{INT:sequence:long}'),
        optional('logger', '(?<logger>[^<\\n]*)'),
        element('level', '(?:%{LEVEL:level}|%{LOCAL_LEVEL:level})'),
        optional('class', '(?<class>[^<\\n]*)'),
        optional('method', '(?<function>[^\\n]*?)'),
        optional('thread', '(?<thread>[^<\\n]*)'),
        text('message', 'message'),
        `(?<details>.*?)</record>${REST}`,
      ].join(''),
    ],
  },
  'log4j-xml': {
    title: 'log4j 1 and NLog: XMLLayout, Log4JXmlEventLayout',
    example:
      '<log4j:event logger="com.example.App" timestamp="1795168800123" level="INFO" thread="main">\n<log4j:message><![CDATA[started]]></log4j:message>\n</log4j:event>',
    start: '<log4j:event ',
    patterns: [
      `<log4j:event logger="(?<logger>[^"\\n]*)" timestamp="%{TIME:_time}" level="%{LEVEL:level}" thread="(?<thread>[^"\\n]*)">${GAP}${EVENT_REST}`,
      `<log4j:event logger="(?<logger>[^"\\n]*)" level="%{LEVEL:level}" timestamp="%{TIME:_time}" thread="(?<thread>[^"\\n]*)">${GAP}${EVENT_REST}`,
    ],
  },
  'log4j2-xml': {
    title: 'log4j 2: XmlLayout',
    example:
      '<Event xmlns="http://logging.apache.org/log4j/2.0/events" thread="main" level="INFO" loggerName="com.example.App">\n  <Instant epochSecond="1795168800" nanoOfSecond="123000000"/>\n  <Message>started</Message>\n</Event>',
    start: ' {0,4}<Event xmlns="http://logging\\.apache\\.org/',
    patterns: [
      [
        ` {0,4}<Event xmlns="[^"\\n]*"(?: timeMillis="\\d*")? thread="(?<thread>[^"\\n]*)" level="%{LEVEL:level}" loggerName="(?<logger>[^"\\n]*)"[^>\\n]*>${GAP}`,
        `<Instant epochSecond="%{TIME:_time}" nanoOfSecond="(?:(?<_time>\\d{9})|%{INT:nanos:long})" ?/>${GAP}`,
        `${text('Message', 'message')}(?<details>.*?)</Event>${REST}`,
      ].join(''),
    ],
  },
  'log4net-xml': {
    title: 'log4net: XmlLayout',
    example:
      '<log4net:event logger="App" timestamp="2026-11-20T10:00:00.1234567+01:00" level="INFO" thread="1" domain="App.exe" username="PC\\alice"><log4net:message>started</log4net:message></log4net:event>',
    start: '<(?:log4net:)?event logger="',
    patterns: [
      [
        '<(?:log4net:)?event logger="(?<logger>[^"\\n]*)" timestamp="%{TIME:_time}" level="%{LEVEL:level}" thread="(?<thread>[^"\\n]*)"',
        `(?: domain="(?<domain>[^"\\n]*)")?(?: identity="[^"\\n]*")?(?: username="(?<user>[^"\\n]*)")?[^>\\n]*>${GAP}`,
        `${text('(?:log4net:)?message', 'message')}(?:<(?:log4net:)?properties>.*?</(?:log4net:)?properties>${GAP})?(?:${text('(?:log4net:)?exception', 'exception')})?(?<details>.*?)</(?:log4net:)?event>${REST}`,
      ].join(''),
    ],
  },
  'xml-attributes': {
    title:
      'elements with attributes only: audit logs of MySQL and Percona, Oracle Messaging Server',
    example:
      '<AUDIT_RECORD TIMESTAMP="2026-11-20T10:00:00 UTC" NAME="Quit" CONNECTION_ID="3" STATUS="0"/>',
    start: '<[A-Za-z_][\\w.:-]{0,60}(?:\\s|$)',
    patterns: `<(?<element>[A-Za-z_][\\w.:-]{0,60})\\s{1,8}%{ATTRIBUTES:*}(?<=\\s)(?i:timestamp|time|ts)="%{TIME:_time}"%{ATTRIBUTES:*}/>${REST}`,
  },
  nps: {
    title: 'Network Policy Server of Windows, in the format DTS',
    isMonthFirst: true,
    example:
      '<Event><Timestamp data_type="4">01/20/2026 10:00:00.123</Timestamp><Computer-Name data_type="1">NPS1</Computer-Name><Packet-Type data_type="0">1</Packet-Type></Event>',
    patterns:
      '<Event><Timestamp data_type="4">%{TIME:_time}</Timestamp>(?:<Computer-Name data_type="1">(?<host>[^<\\n]*)</Computer-Name>)?%{MESSAGE:message}',
  },
  'windows-event-xml': {
    title: 'Windows events: wevtutil, Get-WinEvent, Sysmon',
    example: `<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Service Control Manager'/><EventID>7036</EventID><Version>0</Version><Level>4</Level><TimeCreated SystemTime='2026-11-20T10:00:00.1234567Z'/><EventRecordID>812</EventRecordID><Channel>System</Channel><Computer>pc1</Computer></System><EventData><Data Name='param1'>Spooler</Data></EventData></Event>`,
    start: '<Event xmlns=[^ ]*schemas\\.microsoft\\.com',
    patterns: [
      [
        `<Event xmlns=${Q}[^"'\\n]*${Q}>${GAP}<System>${GAP}`,
        `<Provider Name=${Q}(?<provider>[^"'\\n]*)${Q}(?: (?<provider_id>[^>\\n]*?))? ?/>${GAP}`,
        `<EventID(?: Qualifiers=${Q}(?<qualifiers>\\d*)${Q})?>%{INT:event_id:long}</EventID>${GAP}`,
        optional('Version', '%{INT:version:long}'),
        element('Level', '(?<level>[0-5])'),
        optional('Task', '%{INT:task:long}'),
        optional('Opcode', '%{INT:opcode:long}'),
        optional('Keywords', '(?<keywords>[^<\\n]*)'),
        `<TimeCreated SystemTime=${Q}%{TIME:_time}${Q} ?/>${GAP}`,
        optional('EventRecordID', '%{INT:record_id:long}'),
        `(?:<Correlation(?: (?<correlation>[^>\\n]*?))? ?/>${GAP})?`,
        `(?:<Execution ProcessID=${Q}%{INT:pid:long}${Q} ThreadID=${Q}%{INT:tid:long}${Q} ?/>${GAP})?`,
        optional('Channel', '(?<channel>[^<\\n]*)'),
        optional('Computer', '(?<host>[^<\\n]*)'),
        `(?:<Security(?: (?<security>[^>\\n]*?))? ?/>${GAP})?`,
        `</System>${GAP}%{MESSAGE:message}`,
      ].join(''),
    ],
    levels: { 0: 'info', 1: 'critical', 2: 'error', 3: 'warn', 4: 'info', 5: 'debug' },
  },
})
