import { type Level, SYSLOG_LEVELS } from '../level.js'
import { formatsByName } from './line-format.js'

/** The levels of syslog's severities, by their number. */
const SEVERITIES = Object.fromEntries(SYSLOG_LEVELS.entries())

/** The levels of `DBG_ERR`, `DBG_WARNING`, `DBG_NOTICE`, `DBG_INFO` and `DBG_DEBUG`, and of the numbers between them. */
const SAMBA_LEVELS: Readonly<Record<string, Level>> = {
  ...{ 0: 'error', 1: 'warn', 2: 'notice', 3: 'notice', 4: 'info', 5: 'info' },
  ...{ 6: 'debug', 7: 'debug', 8: 'debug', 9: 'debug', 10: 'debug' },
}
/** The addresses, the protocol, the length and the description of a packet. */
const PACKET =
  ' {1,40}(?<source>[^\\s]{1,60}) (?:→|->) (?<destination>[^\\s]{1,60}) {1,40}(?<protocol>[^\\s]{1,30}) {1,12}%{INT:length:long} %{MESSAGE:message}'
/** A reply to a request, or a message about one. */
const PING =
  '(?=(?:%{INT:bytes:long} bytes from (?<host>[^\\n]{1,200}?): icmp_seq=%{INT:icmp_seq:long}(?: ttl=%{INT:ttl:long})?(?: time=%{NUMBER:time_ms:real} ms)?|no answer yet for icmp_seq=%{INT:icmp_seq:long}|From (?<host>[^\\n]{1,200}?):? icmp_seq=%{INT:icmp_seq:long} ))%{MESSAGE:message}'

/** Formats of name servers, monitoring and telephony. */
export const NETWORK_FORMATS = formatsByName({
  tshark: {
    title: 'tshark: a packet per line',
    example: '    1   0.000000    127.0.0.1 -> 127.0.0.1    TCP 74 55922 -> 18765 [SYN] Seq=0',
    patterns: [
      ` {0,6}%{INT:number:long} %{TIME:_time}${PACKET}`,
      ` {0,6}%{INT:number:long} {1,8}(?<elapsed:real>\\d{1,9}\\.\\d{1,9})${PACKET}`,
    ],
  },
  ping: {
    title: 'ping, with and without -D',
    example: '[1795168800.225127] 64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.221 ms',
    patterns: [`\\[%{TIME:_time}\\] ${PING}`, PING],
    others: '(?=\\S)%{MESSAGE:message}',
  },
  bind: {
    title: 'BIND',
    example:
      '20-Nov-2026 10:00:00.123 queries: info: client @0x7f0 192.0.2.1#53000 (example.com): query: example.com IN A',
    patterns: [
      '%{TIME:_time} (?:(?<logger>[\\w-]+): )?(?:(?<level>critical|error|warning|notice|info|dynamic|debug)(?: (?<debug_level:long>\\d+))?: )?(?=client (?:@\\w+ )?(?<remote_addr>[\\da-fA-F.:]+)#%{INT:remote_port:long}(?: \\((?<name>[^)\\n]+)\\))?: (?:view \\S+: )?query: \\S+ (?<query_class>\\w+) (?<query_type>\\w+))%{MESSAGE:message}',
      '(?=\\d\\d-[A-Z][a-z]{2}-)%{TIME:_time} (?:(?<logger>[\\w-]+): )?(?<level>critical|error|warning|notice|info|dynamic|debug)(?: (?<debug_level:long>\\d+))?: ?%{MESSAGE:message}',
    ],
    levels: { dynamic: 'debug' },
  },
  knot: {
    title: 'Knot DNS',
    example: '2026-11-20T10:00:00+0000 info: [example.com.] zone file loaded, serial 2026112001',
    patterns:
      '(?=\\S{19}[+-]\\d{4} )%{TIME:_time} (?<level>critical|error|warning|notice|info|debug): (?:\\[(?<zone>[^\\]\\n]{1,255})\\] )?%{MESSAGE:message}',
  },
  coredns: {
    title: 'CoreDNS',
    example:
      '[INFO] 127.0.0.1:50759 - 29008 "A IN example.org. udp 41 false 4096" NOERROR qr,rd,ra,ad 68 0.037990251s',
    patterns: [
      '(?:%{TIME:_time} )?\\[%{LEVEL:level}\\] (?:\\[?(?<remote_addr>[\\da-fA-F.:]+?)\\]?:%{INT:remote_port:long}) - %{INT:id:long} "(?<query_type>\\S+) (?<query_class>\\S+) (?<name>\\S+) (?<protocol>\\w+) %{INT:request_bytes:long} (?<dnssec_ok:bool>\\w+) %{INT:buffer_size:long}" (?<rcode>\\S+) (?:-|%{VALUE:flags}) (?:-|%{INT:bytes:long}) (?<duration_s:real>[\\d.]+)s(?=\\n|$)%{MESSAGE:message}',
      '\\[%{LEVEL:level}\\] (?=plugin/(?<plugin>\\w+): )%{MESSAGE:message}',
      '\\[%{LEVEL:level}\\] (?=SIGTERM|Reloading|Listening)%{MESSAGE:message}',
    ],
    start:
      '(?:%{TIME:_time} )?\\[%{LEVEL}\\] (?=\\S+ - \\d+ "|plugin/|SIGTERM|Reloading|Listening)',
  },
  unbound: {
    title: 'Unbound and NSD',
    example: '[1795168800] unbound[123:0] info: start of service (unbound 1.13.1).',
    patterns: [
      '\\[%{TIME:_time}\\] (?<app>[\\w-]+)\\[%{INT:pid:long}(?::%{INT:tid:long})?\\]:? %{LEVEL:level}: ?%{MESSAGE:message}',
      '%{TIME:_time} (?<app>unbound)\\[%{INT:pid:long}:%{INT:tid:long}\\] %{LEVEL:level}: ?%{MESSAGE:message}',
    ],
  },
  kea: {
    title: 'Kea DHCP',
    example:
      '2026-11-20 10:00:00.123 INFO  [kea-dhcp4.dhcp4/1234.140123456789] DHCP4_STARTED Kea DHCPv4 server version 2.2.0 started',
    patterns:
      '%{TIME:_time} +%{LEVEL:level} +\\[(?<logger>[\\w.-]{1,100})/%{INT:pid:long}(?:\\.%{INT:tid:long})?\\] %{MESSAGE:message}',
  },
  samba: {
    title: 'Samba: the header of an event, and its message on the lines after it',
    example:
      '[2026/11/20 10:00:00.123456,  0] ../../source3/smbd/server.c:1741(main)\n  smbd version 4.13.17-Ubuntu started.',
    patterns:
      '\\[%{TIME:_time}, {1,2}(?<level>\\d{1,2})(?:, pid=%{INT:pid:long})?(?:, effective\\([^)\\n]{0,40}\\), real\\([^)\\n]{0,40}\\))?(?:, class=(?<logger>\\w{1,60}))?(?:, traceid=\\d{1,20})?\\] %{SOURCE:file}:%{INT:line:long}\\((?<function>\\w{1,100})\\)\\s{0,8}%{MESSAGE:message}',
    levels: SAMBA_LEVELS,
  },
  zabbix: {
    title: 'Zabbix server, proxy and agent',
    example: '  1234:20261120:100000.123 Starting Zabbix Server. Zabbix 6.0.0 (revision abc).',
    patterns: ' *%{INT:pid:long}:%{TIME:_time} %{MESSAGE:message}',
  },
  strongswan: {
    title: 'strongSwan charon',
    example: 'Nov 20 10:00:01 05[IKE] <home|1> 192.0.2.1 is initiating an IKE_SA',
    patterns:
      '%{TIME:_time} (?<thread>\\d\\d)\\[(?<logger>[A-Z][A-Z\\d]{2})\\] (?:<(?<connection>[^>\\n]+)> )?%{MESSAGE:message}',
  },
  proftpd: {
    title: 'ProFTPD',
    example:
      '2026-11-20 10:00:00,123 ftp1 proftpd[1234] ftp1 (10.0.0.5[10.0.0.5]): FTP session opened.',
    patterns:
      '%{TIME:_time} %{NOTSPACE:host} (?<app>proftpd)\\[%{INT:pid:long}\\](?::? %{NOTSPACE:server} \\((?<remote_host>[^\\s\\[]+)\\[(?<remote_addr>[^\\]\\n]+)\\]\\)(?::| -) |(?: (?<server>\\S{1,253}))?: )%{MESSAGE:message}',
  },
  cisco: {
    title:
      'Cisco IOS, NX-OS and IOS XR, Huawei VRP, Comware: facility, severity and the name of the message',
    example: '2026 Nov 20 10:00:00 sw1 %ETHPORT-5-IF_UP: Interface Ethernet1/1 is up in mode trunk',
    patterns: [
      '(?:%{INT:sequence:long}: |\\*(?<thread>[\\w ]{1,40}): )?[*.]?%{TIME:_time}:? (?:%{HOST_NAME:host} )?(?:: )?[%](?<msg_id>[A-Z]\\w{0,31}(?:-[A-Z]\\w{0,31}){0,3}-(?<level>[0-7])-\\w{1,64}): ?%{MESSAGE:message}',
      // IOS XR.
      '(?<node>\\w{1,8}(?:/\\w{1,8}){1,4}):%{TIME:_time} ?: (?<app>[\\w.-]{1,60})\\[%{INT:pid:long}\\]: [%](?<msg_id>[A-Z]\\w{0,31}(?:-\\w{1,31}){0,3}-(?<level>[0-7])-\\w{1,64}) : ?%{MESSAGE:message}',
      ...['(?=(?<message>\\w[\\w-]{0,39}=[^\\n]{1,8000}))%{PAIRS:,}', '%{MESSAGE:message}'].map(
        (message) =>
          `[%]?%{TIME:_time} %{HOST_NAME:host} (?:[%]{2}\\d\\d)?(?<msg_id>\\w{1,32}/(?<level>[0-7])/\\w{1,64})(?:\\(\\w{1,4}\\))?(?:\\[%{INT:sequence:long}\\])?: ?${message}`,
      ),
      // The console of an ASA.
      '[%](?<msg_id>[A-Z]\\w{0,31}(?:-[A-Z]\\w{0,31}){0,3}-(?<level>[0-7])-\\w{1,64}): ?%{MESSAGE:message}',
    ],
    levels: SEVERITIES,
  },
  '389ds-access': {
    title: '389 Directory Server, FreeIPA: access log',
    example:
      '[20/Nov/2026:10:00:00.123456789 +0000] conn=5 op=0 BIND dn="cn=Directory Manager" method=128 version=3',
    patterns:
      '\\[%{TIME:_time}\\] (?=conn=(?:Internal\\()?%{INT:conn:long}\\)? (?:op=%{INT:op:long}(?:\\([\\d)(]{1,20})? (?<operation>[A-Z]{3,10})\\b)?)%{MESSAGE:message}',
  },
  netgear: {
    title: 'Netgear routers: the time after the message',
    example: '[admin login] from source 192.0.2.5, Friday, November 20,2026 10:00:00',
    patterns:
      '\\[(?<category>[^\\]\\n]{1,100})\\]:? ?%{TEXT:message},? ?(?=[A-Z][a-z]{2,5}day, )%{TIME:_time}(?=\\n|$)%{MESSAGE:message}',
  },
  'nokia-sros': {
    title: 'Nokia SR OS: the number of an event, its time and severity',
    example:
      '123 2026/11/20 10:00:00.12 UTC WARNING: SYSTEM #2006 Base CHASSIS\n"Class mda : inserted"',
    patterns:
      '%{INT:sequence:long} %{TIME:_time} (?<level>CRITICAL|MAJOR|MINOR|WARNING|INDETERMINATE|CLEARED): (?<app>[A-Z][A-Z0-9_]{1,30}) #(?<event_id>\\d{1,6}) %{MESSAGE:message}',
    levels: { MAJOR: 'error', MINOR: 'warn', INDETERMINATE: 'notice', CLEARED: 'info' },
  },
  procurve: {
    title: 'HP ProCurve and Aruba switches',
    isMonthFirst: true,
    example: 'I 01/20/26 10:00:00 00076 ports: port 1 is now on-line',
    patterns:
      '(?<level>[IWMDE]) %{TIME:_time} (?<event_id>\\d{5}) (?<logger>[\\w.-]{1,40}): ?%{MESSAGE:message}',
    levels: { M: 'error' },
  },
  stunnel: {
    title: 'stunnel',
    example: '2026.11.20 10:00:00 LOG5[ui]: stunnel 5.56 on x86_64-pc-linux-gnu platform',
    patterns:
      '%{TIME:_time} LOG(?<level>[0-7])\\[(?<thread>[^\\]\\n]{1,40})\\]: ?%{MESSAGE:message}',
    levels: SEVERITIES,
  },
  tinyproxy: {
    title: 'Tinyproxy',
    example: 'CONNECT   Nov 20 10:00:00.123 [1234]: Connect (file descriptor 5): 10.0.0.5',
    patterns:
      '(?<level>CRITICAL|ERROR|WARNING|NOTICE|CONNECT|INFO) +%{TIME:_time} \\[%{INT:pid:long}\\]: %{MESSAGE:message}',
    levels: { CONNECT: 'info' },
  },
  privoxy: {
    title: 'Privoxy',
    example: '2026-11-20 10:00:00.123 7f979bf22080 Info: Privoxy version 3.0.34',
    patterns:
      '%{TIME:_time} (?<thread>[0-9a-f]{8,16}) (?:(?<level>Info|Error|Fatal error)|(?<logger>[A-Z][A-Za-z -]{2,20})): %{MESSAGE:message}',
    levels: { 'Fatal error': 'fatal' },
  },
  icinga: {
    title: 'Icinga 2',
    example: '[2026-11-20 10:00:00 +0100] information/ApiListener: New client connection',
    patterns:
      '\\[%{TIME:_time}\\] (?<level>debug|notice|information|warning|critical)/(?<logger>\\w+): ?%{MESSAGE:message}',
  },
  asterisk: {
    title: 'Asterisk',
    example:
      '[Nov 20 10:00:00] NOTICE[1234][C-00000001]: chan_sip.c:1234 handle_request_register: Registration failed',
    patterns:
      '\\[%{TIME:_time}\\] (?<level>DEBUG|VERBOSE|NOTICE|WARNING|ERROR|DTMF|SECURITY)\\[%{INT:tid:long}\\](?:\\[(?<call_id>C-\\w+)\\])?:? (?:%{SOURCE:file}(?::%{INT:line:long} (?<function>\\w+))?: )?%{MESSAGE:message}',
    levels: { DTMF: 'debug', SECURITY: 'notice' },
  },
  freeswitch: {
    title: 'FreeSWITCH',
    example:
      '0b0a2c6e-7c1f-4d7e-9d0e-3f4b5a6c7d8e 2026-11-20 10:00:00.123456 98.30% [DEBUG] sofia.c:7331 Channel sofia/internal/1000 entering state [received][100]',
    patterns:
      '(?:%{UUID:call_id} )?%{TIME:_time} (?:\\d{1,3}\\.\\d{2}% )?\\[(?<level>CONSOLE|ALERT|CRIT|ERR|WARNING|NOTICE|INFO|DEBUG)\\] %{SOURCE:file}:%{INT:line:long} ?%{MESSAGE:message}',
    levels: { CONSOLE: 'info' },
  },
  opensips: {
    title: 'OpenSIPS',
    example: 'Nov 20 10:00:00 [1234] INFO:core:main: using 10 workers',
    patterns:
      '%{TIME:_time} \\[%{INT:pid:long}\\] (?<level>DBG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERG):(?<logger>\\w{1,60}):(?<function>\\w{1,100}): ?%{MESSAGE:message}',
  },
  arubaos: {
    title: 'ArubaOS: mobility controllers',
    example:
      'Nov 20 10:00:00 2026 authmgr[1862]: <522008> <NOTI> <1862> |authmgr|  User Authentication Successful',
    patterns:
      '%{TIME:_time} (?:%{HOST_NAME:host} )?(?<app>[\\w./-]{1,60})\\[%{INT:pid:long}\\]: <(?<event_id>\\d{1,7})> (?:<\\d{1,7}> )?<(?<level>EMRG|ALRT|CRIT|ERRS|WARN|NOTI|INFO|DBUG)> (?:<\\d{1,7}> )?(?:\\|(?<logger>[^|\\n]{1,100})\\| {0,4})?%{MESSAGE:message}',
    levels: { ERRS: 'error' },
  },
  open62541: {
    title: 'open62541 and other servers of OPC UA on it',
    example: '[2026-11-20 10:00:00.123 (UTC+0100)] info/server\tListening on opc.tcp://plc:4840',
    patterns:
      '\\[%{TIME:_time} \\(UTC(?<_time>[+-]\\d{4})\\)\\] (?<level>trace|debug|info|warn|error|fatal)/(?<logger>[\\w.-]{1,40})[ \\t]{1,4}%{MESSAGE:message}',
  },
  i2pd: {
    title: 'i2pd: a clock, a thread and a level',
    example: '10:00:00@745/warn - NTCP2: Connection closed',
    patterns:
      '%{CLOCK:time}@%{INT:tid:long}/(?<level>none|critical|error|warn|info|debug) - (?:(?<logger>[A-Z][\\w ]{1,40}): )?%{MESSAGE:message}',
    levels: { none: 'info' },
  },
  linphone: {
    title: 'Linphone and programs with its library, also before version 5.2',
    example: '2026-11-20 10:00:00:123 [/belle-sip] MESSAGE channel connected',
    patterns: [
      '%{TIME:_time} \\[(?<logger>[\\w/-]{1,40})\\] (?<level>MESSAGE|DEBUG|TRACE|WARNING|ERROR|FATAL) %{MESSAGE:message}',
      '%{TIME:_time} (?<logger>(?:lib)?(?:linphone|belle-sip|mediastreamer|ortp|bctbx|lime)\\w{0,20})-(?<level>message|debug|trace|warning|error|fatal)-%{MESSAGE:message}',
    ],
    levels: { MESSAGE: 'info', message: 'info' },
  },
  kamailio: {
    title: 'Kamailio on standard error: the number and the process of a child',
    example: ' 0(1234) INFO: <core> [core/tcp_main.c:4983]: init_tcp(): using epoll_lt',
    patterns:
      ' ?\\d{1,4}\\(%{INT:pid:long}\\) (?<level>DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|BUG): (?:<?(?<logger>[\\w-]{1,40})>? \\[%{SOURCE:file}:%{INT:line:long}\\]: )?%{MESSAGE:message}',
    levels: { BUG: 'critical' },
  },
  'core-lightning': {
    title: 'Core Lightning: lightningd and its plugins',
    example: '2026-11-20T10:00:00.123Z UNUSUAL lightningd: bitcoin-cli exited with status 1',
    patterns:
      '(?=\\d{4}-\\d\\d-\\d\\dT)%{TIME:_time} (?<level>IO|TRACE|DEBUG|INFO|UNUSUAL|\\*\\*BROKEN\\*\\*) {1,6}(?:(?<peer>[0-9a-f]{66})-)?(?<logger>(?:lightning|plugin-|wallet|database|[a-z]{3,20}(?:d(?=[:-])|#))[\\w.#-]{0,100}): ?%{MESSAGE:message}',
    levels: { IO: 'trace', UNUSUAL: 'warn', '**BROKEN**': 'error' },
  },
  'datadog-agent': {
    title: 'Datadog agent',
    example:
      '2026-11-20 10:00:00 UTC | CORE | INFO | (pkg/collector/runner.go:40 in work) | check:cpu | Running check...',
    patterns:
      '%{TIME:_time} \\| (?<app>[A-Z][A-Z_-]{1,40}) \\| %{LEVEL:level} \\| \\(%{SOURCE:file}:%{INT:line:long} in (?<function>[^)\\n]{1,200})\\) \\| ?%{MESSAGE:message}',
  },
})
