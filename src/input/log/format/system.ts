import { SYSLOG_LEVELS } from '../level.js'
import { formatsByName } from './line-format.js'

const CHANGE = '(?<action>install|upgrade|configure|trigproc|remove|purge|disappear)'

/** The facility and the level of `dmesg -x` and Talos. */
const FACILITY =
  '(?<facility>kern|user|mail|daemon|auth|syslog|lpr|news|uucp|cron|authpriv|ftp|local\\d|res\\d) *: {0,6}(?<level>emerg|alert|crit|err|warn(?:ing)?|notice|info|debug) *: '
/** The process and its thread, the level, and the module of a line of Firefox. */
const MOZILLA =
  '\\[(?:(?<process>[\\w() -]{1,40}) %{INT:pid:long}: )?(?<thread>[^\\]\\n]{1,100})\\]: (?<level>[EWIDV])/(?<logger>[\\w.:-]{1,100}) %{MESSAGE:message}'
/** The level, the tag and the process of logcat; the files of apps lack the process. */
const ANDROID_TAG =
  '(?<level>[VDIWEFA])/(?:(?<logger>[^\\n(]{0,100}?) {0,40}\\( {0,20}%{INT:pid:long}\\): ?|(?<logger>[\\w.-]{1,60}) {0,40}: )'
const ESP_LINE =
  '(?<level>[EWIDV]) \\((?<uptime_ms:long>\\d{1,10})\\) (?<logger>[^\\s:]{1,60}): ?%{MESSAGE:message}'
/** The time since the line before it, after the time since the start of the system. */
const DELTA = '(?: {16}| <[ \\d.]{1,20}>)?'

/** The fields of an entry of the journal; a message of several lines or with other bytes than text follows its length in an export. */
const JOURNAL = [
  journalField('PRIORITY', '(?<level>[0-7])'),
  journalField('_HOSTNAME', '(?<host>[^\\n]*)'),
  journalField('SYSLOG_IDENTIFIER', '(?<app>[^\\n]*)'),
  journalField('_PID', '%{INT:pid:long}'),
  journalField('_SYSTEMD_UNIT', '(?<unit>[^\\n]*)'),
  '(?=(?:.*?\\n[ \\t]{0,8}MESSAGE(?:=|\\n.{8})(?<message>[^\\n]*(?:\\n(?![ \\t]{0,8}_{0,2}[A-Z][A-Z0-9_]{0,63}=)[^\\n]+)*))?)(?<details>.*)',
].join('')

function journalField(key: string, value: string): string {
  return `(?=(?:.*?\\n[ \\t]{0,8}${key}=${value}(?=\\n|$))?)`
}

/** Formats of operating systems and their tools. */
export const SYSTEM_FORMATS = formatsByName({
  auditd: {
    title: 'Linux audit',
    example:
      'type=SYSCALL msg=audit(1364481363.243:24287): arch=c000003e syscall=2 success=no exit=-13 pid=3538 comm="cat" exe="/bin/cat"',
    patterns:
      '(?:----\\n)?(?:time->[^\\n]{24}\\n)?(?:node=%{NOTSPACE:host} )?type=%{NOTSPACE:type} msg=audit\\(%{TIME:_time}:%{INT:audit_id:long}\\): *%{PAIRS:*}',
  },
  sudo: {
    title: 'the log file of sudo',
    example: 'Nov 20 10:00:00 : alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/bin/ls',
    patterns:
      '%{TIME:_time} : %{NOTSPACE:user} : (?:(?<message>[^\\n;=]*) ; )?TTY=%{NOTSPACE:tty} ;\\s+PWD=(?<pwd>[^;\\n]*) ;\\s+USER=%{NOTSPACE:target_user} ;(?:\\s+[^\\n;]* ;)?\\s+COMMAND=(?<command>.*)',
  },
  logcat: {
    title: 'Android logcat: threadtime, time, long, brief, tag, process, thread',
    example: '03-17 16:13:38.811  1702  2395 D WindowManager: printFreezingDisplayLogsopening app',
    patterns: [
      '%{TIME:_time} +(?:%{INT:uid:long} +)?%{INT:pid:long} +%{INT:tid:long} (?<level>[VDIWEFA]) (?<logger>[^\\n]{0,100}?) {0,40}: ?%{MESSAGE:message}',
      ' {0,8}(?<uptime:real>\\d{1,9}\\.\\d{3}) +%{INT:pid:long} +%{INT:tid:long} (?<level>[VDIWEFA]) (?<logger>[^\\n]{0,100}?) {0,40}: ?%{MESSAGE:message}',
      `%{TIME:_time} ${ANDROID_TAG}%{MESSAGE:message}`,
      // Android Studio, from 2022 on, and before.
      '%{TIME:_time} {1,6}%{INT:pid:long}-%{INT:tid:long} {1,6}(?<logger>[^\\n]{0,100}?) {1,40}(?<app>[^\\s]{1,150}) {1,60}(?<level>[VDIWEFA]) {2}%{MESSAGE:message}',
      '%{TIME:_time} {1,6}%{INT:pid:long}-%{INT:tid:long}/(?<app>[^\\s/]{1,150}) (?<level>[VDIWEFA])/(?<logger>[^\\n]{0,100}?) {0,40}: ?%{MESSAGE:message}',
      ` ?${ANDROID_TAG}%{MESSAGE:message}`,
      '\\[ %{TIME:_time} +(?:%{INT:uid:long}: *)?%{INT:pid:long}: *%{INT:tid:long} (?<level>[VDIWEFA])/(?<logger>[^\\n\\]]{0,100}?) +\\]\\n?%{MESSAGE:message}',
      '(?<level>[VDIWEFA])\\( {0,20}%{INT:pid:long}\\) (?=[^\\n]* {2}\\((?<logger>[^()\\n]{1,100})\\)(?:\\n|$))%{MESSAGE:message}',
      '(?<level>[VDIWEFA])\\( {0,20}%{INT:pid:long}(?:: {0,20}%{INT:tid:long})?\\) %{MESSAGE:message}',
      // Tools on the host: adb, fastboot.
      '(?<app>[\\w.-]{1,60}) {1,8}(?<level>[VDIWEFA]) %{TIME:_time} +%{INT:pid:long} +%{INT:tid:long} %{SOURCE:file}:%{INT:line:long}\\] ?%{MESSAGE:message}',
    ],
    levels: { A: 'fatal' },
  },
  chromium: {
    title: 'Chromium, Electron, CEF, Crashpad, ChromeDriver',
    example: '[1234:5678:1120/100000.123456:ERROR:gpu_init.cc(440)] Passthrough is not supported',
    patterns: [
      '\\[(?:%{INT:pid:long}:)?(?:%{INT:tid:long}:)?%{TIME:_time}:(?<level>INFO|WARNING|ERROR|FATAL|VERBOSE\\d)[: ]%{SOURCE:file}(?:\\(%{INT:line:long}\\)|:%{INT:line:long})\\] ?%{MESSAGE:message}',
      // ChromeDriver, whose messages end with JSON of several lines.
      '\\[(?=\\d{10}\\.\\d{3}\\])%{TIME:_time}\\]\\[(?<level>DEBUG|INFO|WARNING|SEVERE)\\]: ?%{MESSAGE:message}',
    ],
  },
  'moz-log': {
    title: 'Firefox with MOZ_LOG',
    example:
      '2026-11-20 10:00:00.123456 UTC - [Parent 1234: Main Thread]: D/nsHttp Creating nsHttpHandler',
    patterns: [`%{TIME:_time} - ${MOZILLA}`, MOZILLA],
  },
  mikrotik: {
    title: 'MikroTik RouterOS',
    example: 'nov/20/2026 10:00:00 system,info,account user admin logged in from 10.0.0.5 via ssh',
    patterns:
      '%{TIME:_time} (?=[a-z,!-]{0,60}(?<level>debug|info|warning|error|critical)(?:,| ))(?<topics>[a-z0-9-]+(?:,!?[a-z0-9-]+)+) %{MESSAGE:message}',
  },
  yuzu: {
    title: 'yuzu, Citra and other emulators on them, in seconds since the start',
    example:
      '[   4.306611] Render.Vulkan <Error> video_core/vk_device.cpp:IsSuitable:467: not suitable',
    patterns:
      '\\[ *(?<uptime:real>\\d{1,9}\\.\\d{6})\\] (?<logger>[A-Z][\\w.]{0,60}) <(?<level>Trace|Debug|Info|Warning|Error|Critical)> (?:(?<file>[^\\s:]{1,200}):(?<function>[^\\s:]{1,100}):%{INT:line:long}: ?)?%{MESSAGE:message}',
  },
  dmesg: {
    title: 'Linux kernel messages (dmesg), in seconds since the start of the system',
    example: '[    1.234567] usb 1-1: New USB device found, idVendor=0781, idProduct=5567',
    patterns: [
      // Lines of the journal in monotonic time have a host and a program; before the journal starts, programs write without a host.
      `\\[ *(?<uptime:real>\\d{1,9}\\.\\d{6})${DELTA}\\] (?:(?<host>[A-Za-z0-9][\\w.-]{0,100}) )?(?:(?<app>kernel)|(?<app>[^\\s:\\[]{1,128})\\[%{INT:pid:long}\\]): %{MESSAGE:message}`,
      `(?:${FACILITY}|<(?<level>\\d{1,3})>|\\((?<app>XEN)\\) )?\\[ *(?<uptime:real>\\d{1,9}\\.\\d{6})${DELTA}\\] ?%{MESSAGE:message}`,
      `${FACILITY}\\[?%{TIME:_time}\\]?:? ?%{MESSAGE:message}`,
      '\\((?<app>XEN)\\) \\[%{TIME:_time}\\] ?%{MESSAGE:message}',
      // `dmesg -e`: minutes, and seconds since the line before.
      '\\[(?:(?<time>[A-Z][a-z]{2} ?\\d{1,2} \\d\\d:\\d\\d)| *\\+(?<elapsed:real>\\d{1,9}\\.\\d{6}))\\] ?%{MESSAGE:message}',
    ],
    levels: Object.fromEntries(
      Array.from({ length: 192 }, (_, priority) => [priority, SYSLOG_LEVELS[priority % 8]!]),
    ),
  },
  ftrace: {
    title: 'Linux: ftrace, trace-cmd, in seconds since the start of the system',
    example:
      '            bash-1234    [001] d..3.  1234.567890: sched_switch: prev_comm=bash prev_pid=1234',
    patterns:
      ' {0,15}(?<app>[^\\n]{1,16}?)-%{INT:pid:long} +(?:\\([ \\d-]{1,8}\\) +)?\\[(?<cpu>\\d{3})\\] +(?:[\\w.#]{4,6} +)?(?<uptime:real>\\d{1,9}\\.\\d{6}): (?<event>[\\w.]{1,100}): ?%{MESSAGE:message}',
    others: '(?=#)%{MESSAGE:message}',
  },
  xorg: {
    title: 'X.Org server and SDDM, in seconds since the start of the system or with a clock',
    example: '[    12.345] (EE) Failed to load module "fbdev" (module does not exist, 0)',
    patterns: [
      '(?:\\[ *(?<uptime:real>\\d{1,9}\\.\\d{3})\\] )?\\((?<level>II|WW|EE|NI|--|\\*\\*|==|\\+\\+|!!|\\?\\?)\\) ?%{MESSAGE:message}',
      // SDDM.
      '\\[%{CLOCK:time}\\] \\((?<level>II|WW|EE)\\) %{MESSAGE:message}',
      // The server pads the seconds, other programs do not.
      '\\[(?=[ \\d.]{10}\\]) *(?<uptime:real>\\d{1,9}\\.\\d{3})\\] ?%{MESSAGE:message}',
    ],
    levels: {
      ...{ II: 'info', WW: 'warn', EE: 'error', NI: 'warn', '!!': 'notice', '??': 'info' },
      ...{ '--': 'info', '**': 'info', '==': 'info', '++': 'info' },
    },
  },
  'apple-log': {
    title: 'macOS and iOS: log show',
    example: '2026-11-20 10:00:00.123 Df kernel[0:1a2b] (AppleACPI) started',
    patterns: [
      '%{TIME:_time} +(?<tid>0x[0-9a-f]+) +(?<level>Default|Info|Debug|Error|Fault|Activity) +(?<activity>0x[0-9a-f]+) +%{INT:pid:long} +\\d+ +(?=(?<app>[^\\n:]{1,100}): (?:\\((?<library>[^)\\n]{1,100})\\) )?(?:\\[(?<logger>[^\\]\\n]{1,200})\\])?)%{MESSAGE:message}',
      '%{TIME:_time} (?<level>Df|Db|[IEFA]) {1,2}(?<app>[^\\n[\\]]{1,100})\\[%{INT:pid:long}:(?<tid>[0-9a-f]{1,16})\\] (?=(?:\\((?<library>[^)\\n]{1,100})\\) )?(?:\\[(?<logger>[^\\]\\n]{1,200})\\])?)%{MESSAGE:message}',
    ],
    levels: {
      ...{ Default: 'notice', Fault: 'critical', Activity: 'info' },
      ...{ Df: 'notice', Db: 'debug', F: 'critical', A: 'info' },
    },
  },
  esxi: {
    title: 'VMware ESXi, vCenter and NSX: hostd, vpxa, vobd, …',
    example:
      '2026-11-20T10:00:00.737Z In(14) vobd[2097521]:  [UserLevelCorrelator] SSH session was closed',
    patterns: [
      '%{TIME:_time} (?<level>Em|Al|Cr|Er|Wa|No|In|Db)\\(\\d{1,3}\\)[ +]{1,2}(?<app>[\\w.-]{1,60})(?:\\[%{INT:pid:long}\\])?: +%{MESSAGE:message}',
      '%{TIME:_time} (?<level>%{LEVEL}|trivia) (?<app>[\\w-]{1,60})\\[%{WORD:pid}\\] \\[(?:Originator@\\d+ )?sub=(?<logger>[^\\s\\]]{1,100})(?: opID=(?<op_id>[^\\s\\]]{1,100}))?[^\\]\\n]{0,200}\\] ?%{MESSAGE:message}',
      '%{TIME:_time} %{HOST_NAME:host} (?<app>[\\w-]{1,40}) (?:-|%{INT:pid:long}) (?:-|%{VALUE:msg_id}) (?=\\[\\w{1,32}@\\d{1,6} (?:comp="(?<component>[^"\\n]{0,60})")?[^\\]\\n]{0,500}? level="%{LEVEL:level}"(?: subcomp="(?<subcomponent>[^"\\n]{0,60})")?)%{MESSAGE:message}',
      '%{TIME:_time} %{HOST_NAME:host} (?<app>[\\w-]{1,40}) %{INT:pid:long} - -  ?%{MESSAGE:message}',
    ],
    levels: {
      ...{ Em: 'emergency', Al: 'alert', Cr: 'critical', Er: 'error', Wa: 'warn' },
      ...{ No: 'notice', In: 'info', Db: 'debug', trivia: 'trace' },
    },
  },
  libvirt: {
    title: 'libvirt',
    example:
      '2026-11-20 10:00:01.215+0000: 5688: error : virNetSocketReadWire:1806 : End of file while reading data',
    patterns:
      '%{TIME:_time}: %{INT:tid:long}: (?<level>debug|info|warning|error) : (?:(?<function>\\w{1,100}):%{INT:line:long} : )?%{MESSAGE:message}',
  },
  pacemaker: {
    title: 'Pacemaker and Corosync',
    example:
      'Nov 20 10:00:00 node1 pacemaker-execd     [1235] (log_op_output) \terror: vip_start_0 failed',
    patterns: [
      '%{TIME:_time} %{HOST_NAME:host} (?<app>[\\w-]{1,60}) +\\[%{INT:pid:long}\\] \\((?<function>[^)\\n]{1,100})\\)[ \\t]+%{LEVEL:level}: ?%{MESSAGE:message}',
      '%{TIME:_time} \\[%{INT:pid:long}\\] %{HOST_NAME:host} (?<app>[\\w-]{1,60}) %{LEVEL:level} +\\[(?<logger>\\w{1,20}) {0,8}\\] %{MESSAGE:message}',
    ],
  },
  esphome: {
    title: 'ESPHome',
    example: "[10:00:01][D][sensor:127]: 'Uptime Sensor': Sending state 312.86801 s",
    patterns:
      '\\[%{CLOCK:time}\\]\\[(?<level>VV|[EWIDVC])\\]\\[(?<logger>[^\\]\\n:]{1,60})(?::%{INT:line:long})?\\]: %{MESSAGE:message}',
    levels: { C: 'info', VV: 'trace' },
  },
  'esp-idf': {
    title: 'ESP-IDF: milliseconds since the start, and a tag',
    example: 'W (305) spi_flash: Detected size(4096k) larger than the size in the header(2048k)',
    // The monitor of the serial port may write a time and a sign.
    patterns: [`(?:%{CLOCK:time} (?:-?> )?)?${ESP_LINE}`, `%{TIME:_time} (?:# )?${ESP_LINE}`],
    // The boot loader and the panic handler.
    others: '(?=\\S)%{MESSAGE:message}',
  },
  wine: {
    title: 'Wine and Proton: a thread, a class, a channel and a function',
    example: '0024:err:module:import_dll Library example.dll was not found',
    patterns:
      '(?:(?<uptime:double>\\d{1,9}\\.\\d{3}):)?(?:(?<process>[\\da-f]{4,8}):(?=[\\da-f]{4,8}:))?(?:(?<thread>[\\da-f]{4,8}):)?(?:(?<level>err|warn|trace)|(?<class>fixme)):(?<logger>[a-z]\\w{0,40}):(?<function>[\\w.]{1,100}) ?%{MESSAGE:message}',
    others: '(?=\\S)%{MESSAGE:message}',
  },
  cmtrace: {
    title: 'CMTrace: Configuration Manager, Intune, PowerShell scripts',
    example:
      '<![LOG[Download failed]LOG]!><time="10:00:01.517+000" date="11-20-2026" component="Agent" context="" type="3" thread="1180" file="a.cpp:12">',
    start: '<!\\[LOG\\[',
    patterns:
      '<!\\[LOG\\[(?<message>.*?)\\]LOG\\]!><time="%{TIME:_time}" component="(?<logger>[^"\\n]*)" context="(?<user>[^"\\n]*)" type="(?<level>[0-6])" thread="%{WORD:tid}?" file="(?<file>[^"\\n:]*)(?::%{INT:line:long})?[^"\\n]*">(?=\\n|$)%{MESSAGE:message}',
    levels: { 0: 'info', 1: 'info', 2: 'warn', 3: 'error', 4: 'debug', 5: 'debug', 6: 'debug' },
  },
  configmgr: {
    isMonthFirst: true,
    title: 'Configuration Manager: the logs of a site server',
    example:
      'Waiting for changes.  $$<SMS_HIERARCHY_MANAGER><02-27-2026 10:00:01.456+300><thread=5678 (0x162E)>',
    patterns:
      '(?<message>[^\\n]*?)~? {1,2}\\$\\$<(?<logger>[^<>\\n]{1,100})><%{TIME:_time}[+-]\\d{1,4}><thread=%{INT:tid:long} \\(0x[\\dA-Fa-f]{1,8}\\)>(?=\\n|$)%{MESSAGE:message}',
  },
  'windows-cbs': {
    title: 'Windows servicing: CBS.log, DISM.log, setupact.log',
    example:
      '2016-09-28 04:30:30, Info                  CBS    Loaded Servicing Stack v6.1.7601.23505',
    patterns:
      '%{TIME:_time}, (?<level>Info|Warning|Error|Perf|Fatal) +(?:(?<logger>[A-Za-z]{2,12}(?= {2})|[A-Z]{6,12}(?= )) +)?(?:\\[%{NAME:error_code}\\] )?%{MESSAGE:message}',
    levels: { Perf: 'info' },
  },
  'windows-setupapi': {
    title: 'Windows: setupapi.dev.log, an event per section',
    example:
      '>>>  [Device Install (DiInstallDriver) - C:\\x.inf]\n>>>  Section start 2026/11/20 10:00:00.123\n      cmd: "C:\\setup.exe"\n<<<  [Exit status: SUCCESS]',
    patterns:
      '>>>  \\[(?<section>[^\\n]{1,1000})\\]\\n>>>  Section start %{TIME:_time}\\n?%{MESSAGE:message}',
    start: '>>>  \\[',
  },
  'windows-installer': {
    title: 'Windows Installer: msiexec /l, bundles of WiX',
    example: 'MSI (s) (A8:F4) [10:00:01:789]: Product: Example -- Installation completed.',
    patterns: [
      'MSI \\((?<side>[csn])\\) \\((?<thread>[0-9A-F:!]{1,20})\\) \\[(?<time>\\d\\d:\\d\\d:\\d\\d:\\d{3})\\]: ?%{MESSAGE:message}',
      'Action (?:(?<state>start|ended) )?(?<time>\\d{1,2}:\\d\\d:\\d\\d): %{MESSAGE:message}',
      '(?<level>Error|Warning|Info) (?<code>\\d{4,5})\\. ?%{MESSAGE:message}',
      '(?==== (?:Verbose l|L)ogging (?:started|stopped): |Property\\([CSN]\\): )%{MESSAGE:message}',
      '\\[(?<process>[\\dA-F]{4,8}):(?<thread>[\\dA-F]{4,8})\\]\\[%{TIME:_time}\\](?<level>[iwedv])(?<code>\\d{3}): %{MESSAGE:message}',
    ],
  },
  'sap-trace': {
    title: 'SAP: traces of work processes, with a time on a line of its own',
    example: 'M Fri Nov 20 10:00:00 2026\nM  *** ERROR => DpSetX: failed [dpxx.c 1234]',
    patterns:
      '(?:(?<component>[A-Z])  ?|\\[Thr {1,4}(?<thread>\\d{1,20})\\] {1,4})(?=[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d [\\d:]{8})%{TIME:_time}\\n?%{MESSAGE:message}',
  },
  zoneminder: {
    title: 'ZoneMinder',
    isMonthFirst: true,
    example:
      '01/20/26 10:00:00.123456 zmc_m1[1234].INF-zmc_m1 [Monitor-1: 1000 - Capturing at 10 fps]',
    patterns:
      '%{TIME:_time} (?<app>[\\w.-]{1,60})\\[%{INT:pid:long}\\]\\.(?<level>DB\\d|INF|WAR|ERR|FAT|PNC|AUD)(?:-(?<thread>[^\\s\\[]{1,100}))? (?=\\[)%{MESSAGE:message}',
    levels: {
      ...Object.fromEntries(Array.from({ length: 10 }, (_, level) => [`DB${level}`, 'debug'])),
      AUD: 'notice',
    },
  },
  mythtv: {
    title: 'MythTV',
    example:
      '2026-11-20 10:00:00.123456 E [1234/1237] Scheduler scheduler.cpp:12 (run) - failed to open',
    patterns:
      '%{TIME:_time} (?<level>[CEWNID]) \\[%{INT:pid:long}/%{INT:tid:long}\\] (?<thread>[\\w-]{1,60}) %{SOURCE:file}(?::%{INT:line:long})? \\((?<function>[^)\\n]{1,200})\\) - ?%{MESSAGE:message}',
  },
  yast: {
    title: 'YaST and zypper: y2log, zypper.log',
    example: '2026-11-20 10:00:00 <3> host1(1234) [zypp] Exception.cc(log):12 Download failed',
    patterns:
      '%{TIME:_time} <(?<level>[0-5])> (?<host>[\\w.-]{1,100})\\(%{INT:pid:long}\\) \\[(?<logger>[^\\]\\n]{1,60})\\] (?:(?<file>[\\w./+-]{1,200})(?:\\((?<function>[^)\\n]{0,100})\\))?:%{INT:line:long} )?%{MESSAGE:message}',
    levels: { 0: 'debug', 1: 'info', 2: 'warn', 3: 'error', 4: 'error', 5: 'critical' },
  },
  dpkg: {
    title: 'dpkg',
    example: '2026-11-20 10:00:02 status installed libfoo1:amd64 1.2-3',
    patterns: `%{TIME:_time} (?=(?:${CHANGE} %{NOTSPACE:package} \\S+ \\S+|status (?<state>[a-z-]+) %{NOTSPACE:package} \\S+|startup (?:archives|packages) \\w+|conffile \\S+ \\w+)(?:\\n|$))%{MESSAGE:message}`,
  },
  'apt-history': {
    title: 'apt history.log',
    example:
      'Start-Date: 2026-11-19  06:25:01\nCommandline: apt-get install -y curl\nInstall: curl:amd64 (7.88.1-10)\nEnd-Date: 2026-11-19  06:25:09',
    patterns:
      '(?<message>Start-Date): %{TIME:_time}(?=(?:\\nCommandline: (?<commandline>[^\\n]*))?(?:\\nRequested-By: (?<requested_by>[^\\n]*))?)%{MESSAGE:message}',
  },
  'apt-term': {
    title: 'apt term.log',
    example: 'Log started: 2026-11-19  06:25:01\nUnpacking curl (7.88.1-10) ...',
    patterns: '(?<message>Log (?:started|ended)): %{TIME:_time}%{MESSAGE:message}',
    isIdentifiedByFirstLine: true,
  },
  alternatives: {
    title: 'update-alternatives',
    example:
      'update-alternatives 2026-09-22 04:55:01: link group pager updated to point to /usr/bin/less',
    patterns: '(?<app>update-alternatives) %{TIME:_time}: %{MESSAGE:message}',
  },
  bgl: {
    title: 'Blue Gene/L',
    example:
      '- 1117838570 2005.06.03 R02-M1-N0-C:J12-U11 2005-06-03-15.42.50.675872 R02-M1-N0-C:J12-U11 RAS KERNEL INFO instruction cache parity error corrected',
    patterns:
      '(?:-|(?<alert>[A-Z]\\w+)) %{TIME:_time} (?<date>\\d{4}\\.\\d\\d\\.\\d\\d) %{NOTSPACE:node} (?<local_time>\\d{4}-\\d\\d-\\d\\d-[\\d.]+) %{NOTSPACE:location} (?<type>[A-Z]+) (?<logger>[A-Z]+) %{LEVEL:level} ?%{MESSAGE:message}',
  },
  thunderbird: {
    title: 'Thunderbird, Spirit, Liberty: syslog of supercomputers',
    example:
      '- 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond(pam_unix)[2915]: session closed for user root',
    patterns:
      '(?:-|(?<alert>[A-Z]\\w+)) %{TIME:_time} (?<date>\\d{4}\\.\\d\\d\\.\\d\\d) %{NOTSPACE:node} (?<local_time>[A-Z][a-z]{2} +\\d+ [\\d:]+) %{NOTSPACE:host} (?:(?<app>[^\\s:\\[]+)(?:\\[%{INT:pid:long}\\])?: ?)?%{MESSAGE:message}',
  },
  hpc: {
    title: 'High performance cluster (HPC)',
    example:
      '134681 node-246 unix.hw state_change.unavailable 1077804742 1 Component State Change: Component is unavailable',
    patterns:
      '%{INT:id:long} (?<node>(?!\\d+ )\\S+) (?<logger>(?!\\d+ )\\S+) %{NOTSPACE:state} %{TIME:_time} %{INT:flag:long} ?%{MESSAGE:message}',
  },
  healthapp: {
    title: 'HealthApp: time, component, process and message between bars',
    example: '20171223-22:15:29:606|Step_LSC|30002312|onStandStepChanged 3579',
    patterns:
      '%{TIME:_time}\\|(?!%{LEVEL}\\|)(?<logger>[^\\s|]+)\\|%{INT:pid:long}\\|(?![\\w.-]{1,60}\\|)%{MESSAGE:message}',
  },
  proxifier: {
    title: 'Proxifier',
    example: '[10.30 16:49:06] chrome.exe - example.com:443 close, 0 bytes sent, 0 bytes received',
    patterns:
      '\\[%{TIME:_time}\\] (?<app>[^\\n]{0,100}?) - (?=\\S+:\\d+ (?:open|close|error))%{MESSAGE:message}',
  },
  'journal-verbose': {
    title: 'journalctl -o verbose and -o export: a field per line',
    example:
      'Fri 2026-11-20 10:00:00.123456 UTC [s=abc;i=1;b=def;m=1;t=2;x=3]\n    PRIORITY=6\n    _HOSTNAME=web1\n    MESSAGE=Started',
    patterns: [
      `%{TIME:_time} \\[s=[^\\]\\n]{1,400}\\]${JOURNAL}`,
      `__CURSOR=[^\\n]*\\n__REALTIME_TIMESTAMP=%{TIME:_time}${JOURNAL}`,
    ],
    isIdentifiedByFirstLine: true,
    start: '(?:__CURSOR=|[A-Z][a-z]{2} \\d{4}-\\d\\d-\\d\\d [\\d:.]{8,15} [A-Z0-9+-]{1,6} \\[s=)',
    levels: Object.fromEntries(SYSLOG_LEVELS.entries()),
  },
  rsync: {
    title: 'rsync: --log-file, and rsyncd',
    example: '2026/11/20 10:00:00 [18854] building file list',
    patterns:
      '%{TIME:_time} \\[%{INT:pid:long}\\] (?=(?<change>[<>ch.][fdLDS][.+?cstpogbaxun]{7,9}) |\\*deleting |(?:building|receiving|sending) |sent \\d|total |rsync|connect from |created |name lookup |Number of |skipping )(?=rsync (?<level>error|warning): |)%{MESSAGE:message}',
  },
  qemu: {
    title: 'QEMU',
    example:
      "2026-11-20T10:00:00.123456Z qemu-system-x86_64: warning: host doesn't support requested feature",
    patterns: [
      '%{TIME:_time} (?<app>qemu-[\\w-]{1,40}): (?:%{LEVEL:level}: )?%{MESSAGE:message}',
      '(?<app>qemu-[\\w-]{1,40}): (?:%{LEVEL:level}: )?%{MESSAGE:message}',
      // A trace, `-trace`.
      '%{INT:pid:long}@%{TIME:_time}:(?<event>[a-z]\\w{2,100}) %{MESSAGE:message}',
    ],
  },
  vmware: {
    title: 'VMware Workstation, Fusion and Player: vmware.log',
    example: '2026-11-20T10:00:00.123Z| vmx| I005: Log for VMware Workstation pid=1234',
    patterns:
      '%{TIME:_time}\\| {0,8}(?<thread>[\\w :.-]{1,60})\\| (?<level>[A-Z])(?<level_code>\\d{3})(?:\\+|:) ?%{MESSAGE:message}',
  },
  glib: {
    title: 'GLib, GTK and GNOME programs',
    example:
      "(gnome-shell:1234): GLib-GObject-WARNING **: 10:00:00.123: invalid cast from 'A' to 'B'",
    patterns: [
      '(?:\\*\\* )?\\((?<app>[^():\\n]{1,100}):%{INT:pid:long}\\): (?:(?<logger>[A-Za-z][\\w.-]{0,60})-)?(?<level>ERROR|CRITICAL|WARNING|Message|MESSAGE|INFO|DEBUG)(?: \\*\\*)?: (?:%{CLOCK:time}: )?%{MESSAGE:message}',
      '\\*\\* (?<level>Message): (?:%{CLOCK:time}: )?%{MESSAGE:message}',
    ],
    levels: { Message: 'notice', MESSAGE: 'notice' },
  },
  wlroots: {
    title: 'sway and other compositors on wlroots, in time since the start',
    example: '00:00:00.123 [INFO] [wlr] [backend/drm/backend.c:189] Initializing DRM backend',
    patterns:
      '(?<uptime>\\d{2,}:\\d\\d:\\d\\d\\.\\d{3}) \\[%{LEVEL:level}\\] (?:\\[(?<logger>[\\w-]{1,40})\\] )?\\[%{SOURCE:file}:%{INT:line:long}\\] ?%{MESSAGE:message}',
  },
  pulseaudio: {
    title: 'PulseAudio with --log-time, in seconds since its start; WirePlumber',
    example: '(   0.123|   0.001) I: [pulseaudio] main.c: Daemon startup successful.',
    patterns: [
      '\\( {0,8}%{NUMBER:uptime:real}\\| {0,8}%{NUMBER:elapsed:real}\\) (?<level>[DINWE]): (?:\\[(?<thread>[^\\]\\n]{1,60})\\] )?(?:%{SOURCE:file}: )?%{MESSAGE:message}',
      '(?<level>[TDIMNWEC]) %{CLOCK:time} {1,40}(?<logger>[\\w./-]{1,60}) (?:%{SOURCE:file}:%{INT:line:long}:(?<function>\\w{1,100})|\\(null\\):\\(null\\):\\(null\\)): ?%{MESSAGE:message}',
    ],
    levels: { M: 'notice' },
  },
  zephyr: {
    title: 'Zephyr, in time since the start',
    example: '[00:00:05.123,456] <inf> main: Board booted',
    patterns:
      '\\[(?<uptime>\\d{2,}:\\d\\d:\\d\\d\\.\\d{3},\\d{3})\\] <(?<level>err|wrn|inf|dbg)> (?<logger>[\\w.-]{1,60}): ?%{MESSAGE:message}',
  },
  ros: {
    title: 'ROS: Robot Operating System, 1 and 2',
    example: "[INFO] [1795168800.123456789] [talker]: Publishing: 'Hello World: 1'",
    patterns: [
      // The launcher of ROS 2 writes the name of a process in front of its lines.
      '(?:\\[(?<process>[\\w.-]{1,60}-\\d{1,4})\\] )?\\[ {0,4}%{LEVEL:level}\\] \\[%{TIME:_time}\\] \\[(?<logger>[^\\]\\n]{1,200})\\]: ?%{MESSAGE:message}',
      '\\[%{LEVEL:level}\\] \\[(?<logger>launch[\\w.]{0,60}|[\\w.-]{1,60}-\\d{1,4})\\]: %{MESSAGE:message}',
      // Other lines of the process.
      '\\[(?<process>[a-z][\\w.]{1,60}-\\d{1,4})\\] (?!\\[ {0,4}[A-Z])%{MESSAGE:message}',
      // With the node in the format of `rosconsole`.
      '\\[ {0,4}%{LEVEL:level}\\] ?\\[(?<logger>/[^\\]\\n]{1,200})\\] ?\\[%{TIME:_time}\\]: ?%{MESSAGE:message}',
      '\\[ {0,4}%{LEVEL:level}\\] \\[%{TIME:_time}(?:, (?<simulation_time:real>\\d{1,12}\\.\\d{1,9}))?\\]: ?%{MESSAGE:message}',
    ],
  },
  'source-engine': {
    title: "game servers on the Source engine: Counter-Strike, Team Fortress, Garry's Mod",
    isMonthFirst: true,
    example: 'L 01/20/2026 - 10:00:00: World triggered "Round_Start"',
    patterns: 'L %{TIME:_time}: %{MESSAGE:message}',
  },
  fhem: {
    title: 'FHEM: the level is the verbosity from which it is logged',
    example: '2026.11.20 10:00:00 1: Including fhem.cfg',
    patterns: '(?=\\d{4}\\.\\d\\d\\.\\d\\d )%{TIME:_time} (?<level>[0-5]): ?%{MESSAGE:message}',
    levels: { 0: 'notice', 1: 'error', 2: 'warn', 3: 'info', 4: 'debug', 5: 'debug' },
  },
})
