import { formatsByName, type LineFormat } from './line-format.js'

const ADDRESSES =
  '(?<remote_addr>[\\da-fA-F.:]+?)(?::%{INT:remote_port:long})? -> (?<local_addr>[\\da-fA-F.:]+?)(?::%{INT:local_port:long})?(?=\\n|$| )'
const SIGNATURE = '\\[%{INT:generator_id:long}:%{INT:signature_id:long}:%{INT:revision:long}\\]'
const PRIORITY =
  '(?:\\[Classification: (?<classification>[^\\]\\n]*)\\])? ?(?:\\[Priority: %{INT:priority:long}\\])?'
const ALERT = `\\[\\*\\*\\] ${SIGNATURE} "?%{TEXT:message}"? \\[\\*\\*\\] ?${PRIORITY}(?: \\{(?<protocol>[^}\\n]+)\\})?`

/** The columns of Palo Alto's logs after the time (`head`) and after the type (`common`), with the names of its documentation. */
const PALO_ALTO = {
  head: 'serial',
  common:
    'subtype config_version time_generated src dst natsrc natdst rule srcuser dstuser app vsys from to inbound_if outbound_if logset time_logged sessionid:long repeatcnt:long sport:long dport:long natsport:long natdport:long flags proto action',
  traffic:
    'bytes:long bytes_sent:long bytes_received:long packets:long start elapsed:long category future_use_2 seqno:long actionflags srcloc dstloc future_use_3 pkts_sent:long pkts_received:long session_end_reason',
  threat: 'misc threatid category level direction seqno:long actionflags srcloc dstloc',
} as const

/** Returns a pattern of columns of CSV, whose values may be missing or in quotes. */
function csv(columns: string): string {
  return columns
    .split(' ')
    .map((name) =>
      name.endsWith(':long')
        ? `(?<${name}>\\d*)`
        : `(?:"(?<${name}>(?:[^"]|"")*)"|(?<${name}>[^",\\n]*))`,
    )
    .join(',')
}

/** The severities of the Common Event Format: low, medium, high and very high, which programs write in any case. */
const CEF_LEVELS: NonNullable<LineFormat['levels']> = {
  ...{ 0: 'info', 1: 'info', 2: 'info', 3: 'info', 4: 'warn', 5: 'warn', 6: 'warn' },
  ...{ 7: 'error', 8: 'error', 9: 'critical', 10: 'critical' },
  ...{ Unknown: 'info', Low: 'info', Medium: 'warn', High: 'error', 'Very-High': 'critical' },
  ...{ unknown: 'info', low: 'info', medium: 'warn', high: 'error', 'very-high': 'critical' },
  ...{ UNKNOWN: 'info', LOW: 'info', MEDIUM: 'warn', HIGH: 'error', 'VERY-HIGH': 'critical' },
}

/** Formats of security tools, mail and file servers. */
export const SECURITY_FORMATS = formatsByName({
  cef: {
    title: 'Common Event Format (ArcSight), without syslog',
    example:
      'CEF:0|Security|threatmanager|1.0|100|worm successfully stopped|10|src=10.0.0.1 dst=2.1.2.2 spt=1232',
    patterns:
      '(?:%{TIME:_time} (?:%{NOTSPACE:host} )?|(?=[^\\n]*[| ]rt=%{TIME:_time})|)CEF: ?%{INT:cef_version:long}\\|(?<vendor>(?:[^|\\\\\\n]|\\\\.)*)\\|(?<product>(?:[^|\\\\\\n]|\\\\.)*)\\|(?<product_version>(?:[^|\\\\\\n]|\\\\.)*)\\|(?<event_id>(?:[^|\\\\\\n]|\\\\.)*)\\|(?<message>(?:[^|\\\\\\n]|\\\\.)*)\\|(?<level>[^|\\n]*)\\|(?<cef>[^\\n]*)%{MESSAGE:message}',
    start: '(?:%{TIME:_time} (?:\\S+ )?)?CEF: ?\\d+\\|',
    levels: CEF_LEVELS,
  },
  leef: {
    title: 'Log Event Extended Format (QRadar), without syslog',
    example: 'LEEF:1.0|Lancope|StealthWatch|1.0|41|src=192.0.2.0\tdst=172.50.123.1\tsev=5',
    patterns:
      '(?:(?=[^\\n]*[|\\t]devTime=%{TIME:_time})|)LEEF:(?<leef_version>[\\d.]+)\\|(?<vendor>[^|\\n]*)\\|(?<product>[^|\\n]*)\\|(?<product_version>[^|\\n]*)\\|(?<event_id>[^|\\n]*)\\|(?:(?:x[0-9a-fA-F]+|[^|=\\n]{0,4})\\|)?(?<leef>[^\\n]*)%{MESSAGE:message}',
    start: 'LEEF:[\\d.]+\\|',
  },
  'suricata-fast': {
    title: 'Suricata and Snort: fast alerts',
    isMonthFirst: true,
    example:
      '01/20/2026-10:00:00.123456  [**] [1:2012647:3] ET POLICY Dropbox [**] [Classification: Potential Corporate Privacy Violation] [Priority: 1] {TCP} 10.0.0.1:5000 -> 192.0.2.1:443',
    patterns: `%{TIME:_time} +(?:\\[(?<action>\\w+)\\] )?${ALERT} ${ADDRESSES}(?=\\n|$)%{MESSAGE:message}`,
  },
  suricata: {
    title: 'Suricata: suricata.log',
    example:
      '[1234 - Suricata-Main] 2026-11-20 10:00:00 Notice: suricata: This is Suricata version 7.0.2',
    patterns: [
      '\\[%{INT:pid:long} - (?<thread>[^\\]\\n]{1,60})\\] %{TIME:_time} (?<level>Perf|Config|%{LEVEL}): (?<logger>[\\w.-]{1,60}): %{MESSAGE:message}',
      // Before version 7.
      '(?:\\[%{INT:pid:long}\\] )?%{TIME:_time} - (?:\\(%{SOURCE:file}:%{INT:line:long}\\) )?<(?<level>Perf|Config|%{LEVEL})> (?:\\((?<function>\\w{1,60})\\) --|-) %{MESSAGE:message}',
    ],
    levels: { Perf: 'info', Config: 'info' },
  },
  'snort-full': {
    title: 'Snort: full alerts',
    example:
      '[**] [1:2100498:7] GPL ATTACK_RESPONSE id check returned root [**]\n[Classification: Potentially Bad Traffic] [Priority: 2] \n11/20-10:00:00.123456 192.0.2.1:80 -> 10.0.0.5:50000\nTCP TTL:64 TOS:0x0 ID:1 IpLen:20 DgmLen:100 DF',
    patterns: `\\[\\*\\*\\] ${SIGNATURE} %{TEXT:message} \\[\\*\\*\\] ?\\n${PRIORITY} ?\\n%{TIME:_time} (?:${ADDRESSES})?%{MESSAGE:message}`,
    start: '\\[\\*\\*\\] \\[\\d+:\\d+:\\d+\\] ',
  },
  paloalto: {
    title: 'Palo Alto: TRAFFIC and THREAT, without syslog',
    example:
      '1,2026/11/20 10:00:01,0018010001,THREAT,vulnerability,2560,2026/11/20 10:00:01,192.0.2.9,10.0.0.5,0.0.0.0,0.0.0.0,inbound,,,web-browsing,vsys1,untrust,trust,ethernet1/1,ethernet1/2,default,2026/11/20 10:00:01,54321,1,4444,80,0,0,0x80002000,tcp,reset-both,"x.php",SQL Injection(30514),any,high,client-to-server,99,0x0,Romania,10.0.0.0-10.255.255.255,0,,0',
    patterns: [
      `(?<future_use>\\d*),%{TIME:_time},${csv(PALO_ALTO.head)},(?<type>TRAFFIC),${csv(PALO_ALTO.common)},${csv(PALO_ALTO.traffic)}(?:,%{MESSAGE:message})?`,
      `(?<future_use>\\d*),%{TIME:_time},${csv(PALO_ALTO.head)},(?<type>THREAT),${csv(PALO_ALTO.common)},${csv(PALO_ALTO.threat)}(?:,%{MESSAGE:message})?`,
    ],
    levels: { low: 'info', medium: 'warn', high: 'error' },
    hasDoubledQuotes: true,
  },
  ossec: {
    title: 'Wazuh and OSSEC: ossec.log',
    example: '2026/11/20 10:00:00 wazuh-logcollector: INFO: (1950): Analyzing file.',
    patterns:
      '%{TIME:_time} (?<app>[a-z][\\w:-]*)(?:\\[%{INT:pid:long}\\])?(?: %{SOURCE:file}:%{INT:line:long} at (?<function>\\w+)\\(\\))?: %{CAPITAL_LEVEL:level}: ?%{MESSAGE:message}',
  },
  'wazuh-alerts': {
    title: 'Wazuh and OSSEC: alerts.log',
    example:
      "** Alert 1795168800.1234: - syslog,sshd,\n2026 Nov 20 10:00:00 web1->/var/log/auth.log\nRule: 5710 (level 5) -> 'sshd: Attempt to login'\nNov 20 10:00:00 web1 sshd[1]: Invalid user x",
    patterns:
      "\\*\\* Alert %{INT:_time:long}\\.(?<alert_id>\\d+):(?: (?<mail>mail))? +- (?<groups>[^\\n]*)\\n\\d{4} [A-Z][a-z]{2} \\d\\d [\\d:]{8} (?<location>[^\\n]+->[^\\n]+)\\nRule: %{INT:rule_id:long} \\(level %{INT:rule_level:long}\\) -> '(?<rule>[^\\n]*)'%{MESSAGE:message}",
    start: '\\*\\* Alert \\d',
  },
  modsecurity: {
    title: 'ModSecurity: serial audit log',
    example:
      '--c7036611-A--\n[20/Nov/2026:10:00:00 +0000] VqA1 192.0.2.5 53211 192.0.2.25 80\n--c7036611-B--\nGET /x HTTP/1.1\n\n--c7036611-Z--',
    patterns:
      '--(?:-(?<transaction>\\w{8})--|(?<transaction>[0-9a-f]{8}))-A--\\n\\[%{TIME:_time}\\] (?<request_id>\\S{1,100}) %{CLIENT:remote_addr} %{INT:remote_port:long} %{CLIENT:local_addr} %{INT:local_port:long}\\n?(?:-{2,3}\\w{8}-{1,3}B--\\n(?<method>[A-Z]{3,20}) (?<path>\\S{1,4000})(?: (?<protocol>HTTP/[\\d.]{1,3}))?\\n)?%{MESSAGE:message}',
    start: '-{2,3}\\w{8}-{1,3}A--',
  },
  'freeradius-detail': {
    title: 'FreeRADIUS: detail files, an attribute per line',
    example:
      'Fri Nov 20 10:00:00 2026\n\tAcct-Session-Id = "4D2BB8AC-00000098"\n\tAcct-Status-Type = Start\n\tUser-Name = "alice"',
    patterns: '%{TIME:_time}\\n(?=[ \\t]{1,8}[A-Z][\\w-]{1,100} = \\S)%{PAIRS:*}',
  },
  openvas: {
    title: 'Greenbone: gvmd, openvas',
    example:
      'gvmd main:MESSAGE:2026-11-20 10h00.00 UTC:1234:    Greenbone Vulnerability Manager version 22',
    patterns:
      '(?<app>[a-z]{2,12}) {1,3}(?<logger>[\\w-]{1,20}): {0,3}(?<level>MESSAGE|%{CAPITAL_LEVEL}):%{TIME:_time}(?: utc)?:%{INT:pid:long}: {0,4}%{MESSAGE:message}',
    levels: { MESSAGE: 'info' },
  },
  rspamd: {
    title: 'Rspamd',
    example:
      '2026-11-20 10:00:00 #45015(normal) <ed2abb>; task; accept_socket: accepted connection from ::1 port 52895',
    patterns:
      '%{TIME:_time} #%{INT:pid:long}\\((?<process>[\\w.-]{1,40})\\) (?:<(?<id>[^>\\n]{0,100})>; )?(?:(?<logger>[\\w.-]{1,40}); )?(?:(?<function>[\\w.~-]{1,60}): )?%{MESSAGE:message}',
  },
  exim: {
    title: 'Exim main log',
    example:
      '2026-11-20 10:00:00 1jJ3Kz-0001aB-2C <= alice@example.com H=mail.example.com [192.0.2.1] P=esmtps S=1234',
    patterns:
      '%{TIME:_time} (?:\\[%{INT:pid:long}\\] )?(?=(?<message_id>\\w{6}-\\w{6,11}-\\w{2,4}) (?:(?<direction><=|=>|->|>>|\\*\\*|==|\\*>) (?<address>\\S+))?)%{MESSAGE:message}',
  },
  hmailserver: {
    title: 'hMailServer: a thread and a session, in quotes and tabs',
    example:
      '"SMTPD"\t1716\t24\t"2026-11-20 10:00:00.123"\t"192.0.2.20"\t"SENT: 220 mail.example.com ESMTP"',
    patterns:
      '"(?:(?<level>ERROR)|(?<logger>[A-Z0-9]{3,20}))"\\t%{INT:tid:long}\\t(?:%{INT:session:long}\\t)?"%{TIME:_time}"\\t(?:"(?<remote_addr>[\\da-fA-F.:]{2,45})"\\t)?"(?<message>[^\\n]*)"(?=\\n|$)%{MESSAGE:message}',
  },
  mailman: {
    title: 'Mailman: a process in parentheses',
    example: 'Nov 20 10:00:00 2026 (1234) post to list1 from ann@example.com, size=1234, success',
    patterns:
      '%{TIME:_time} \\((?<pid:long>\\d{2,7})\\) (?!(?:[0-3]|[[<(]?%{LEVEL}[\\])>]?:?) )%{MESSAGE:message}',
  },
  vsftpd: {
    title: 'vsftpd',
    example: 'Fri Nov 20 10:00:00 2026 [pid 2] [alice] OK LOGIN: Client "192.0.2.1"',
    patterns:
      '%{TIME:_time} \\[pid %{INT:pid:long}\\] (?:\\[(?<user>[^\\]\\n]+)\\] )?(?=(?:(?<result>OK|FAIL) )?(?:(?<command>[A-Z]+): )?(?:Client "(?<remote_addr>[^"\\n]+)")?)%{MESSAGE:message}',
  },
  filezilla: {
    title: 'FileZilla Server 0.9: a session in front of the time',
    example: '(000001)01/20/2026 10:00:00 AM - ann (192.0.2.1)> 230 Logged on',
    patterns:
      '\\((?<session>\\d{6,10})\\) ?%{TIME:_time} - (?<user>[^\\n]{1,100}?) \\((?<remote_addr>[\\da-fA-F.:]+)\\)> ?%{MESSAGE:message}',
  },
  xferlog: {
    title: 'FTP transfers: vsftpd, ProFTPD, WU-FTPD',
    example: 'Fri Nov 20 10:00:00 2026 1 192.0.2.1 1234 /pub/file.txt b _ o r alice ftp 0 * c',
    patterns:
      '%{TIME:_time} %{INT:duration_s:long} %{NOTSPACE:remote_addr} %{INT:bytes:long} (?<path>[^\\n]+?) (?<transfer_type>[ab]) (?<special_action>[CUT_]+) (?<direction>[oid]) (?<access_mode>[agr]) %{NOTSPACE:user} (?<service>\\w+) (?<authentication>[01]) (?<user_id>\\S+)(?: (?<completion>[ci]))?(?=\\n|$)%{MESSAGE:message}',
  },
  sssd: {
    title: 'SSSD: the level is a bit of its debug level',
    example: '(2026-11-20 10:00:00): [be[example.com]] [sdap_connect] (0x0020): Unable to connect',
    patterns:
      '\\(%{TIME:_time}\\):? \\[(?<app>[\\w-]{1,40}(?:\\[\\S{1,100}\\])?)\\] \\[(?<function>\\w{1,100})\\] \\((?<level>0x[\\da-f]{4,6})\\): ?%{MESSAGE:message}',
    levels: {
      ...{ '0x0010': 'fatal', '0x0020': 'critical', '0x0040': 'error', '0x0080': 'warn' },
      ...{ '0x0100': 'info', '0x0200': 'debug', '0x0400': 'debug', '0x1000': 'trace' },
      ...{ '0x2000': 'trace', '0x4000': 'trace' },
    },
  },
})
