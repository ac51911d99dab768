import { formatsByName } from './line-format.js'

/** A line of another program: it is not indented. */
const UNINDENTED =
  '(?=[^\\s})\\]])(?!at |Caused by: |Traceback |stack backtrace:)%{MESSAGE:message}'
const NPM_LEVEL =
  '(?<level>silly|sill|verbose|verb|info|http|timing|notice|warn|WARN|error|ERR!)(?: |(?=\\n|$))'
/** Days, hours, minutes and seconds since the start of Valgrind. */
const UPTIME = '(?:(?<uptime>\\d\\d:\\d\\d:\\d\\d:\\d\\d\\.\\d{3}) )?'
/** The process of a line of strace: on the terminal, or with its name in a file. */
const TRACED =
  '(?:\\[pid {0,8}%{INT:pid:long}\\] |%{INT:pid:long}(?:<(?<app>[^>\\n]{1,60})>)? {1,6})?'
/** A call with its result, perhaps after a relative time; the first and the last part of a call; a signal; and the end. */
const CALL = [
  '(?=(?<function>[A-Za-z_][\\w:.@>-]{0,80})\\((?:[^\\n]{900}|[^\\n]* = (?<result>[^\\s<][^\\s<]*)(?: (?<error>E[A-Z0-9]{2,20})(?= \\())?[^\\n=]{0,100}?(?: <(?<duration:real>\\d{1,9}\\.\\d{1,9})>)?(?:\\n|$)|[^\\n]* <unfinished \\.\\.\\.>)',
  '|<\\.\\.\\. (?<function>\\w{1,80}) resumed>',
  '|--- (?<signal>SIG[A-Z0-9+]{2,12}) ',
  '|\\+\\+\\+ (?:exited|killed) )%{MESSAGE:message}',
].join('')

/** Returns the beginning of a member of an object as Ruby or Node.js prints it, on a line of its own. */
function printedKey(names: string): string {
  return `\\n {1,60}"?(?:${names})"?(?: =>|:) `
}
const PRINTED_LEVEL = `${printedKey('level|log\\.level|severity')}["']%{LEVEL:level}["']`
const PRINTED_MESSAGE = `(?=(?:.*?${printedKey('message')}(?:"(?<message>%{QUOTED})"|'(?<message>[^'\\\\\\n]*)'))?)(?<details>.*)`

/** Seven digits after the point tell GitHub's times apart. Nothing precedes the time, so that it is matched apart from the rest. */
const GITHUB_TIME = '%{TIME:_time}(?<=\\.\\d{7}Z)'
const GITHUB_STEP = '(?<job>[^\\t\\n]+)\\t(?<step>[^\\t\\n]+)\\t'

/** The first line of an event of Perforce. */
const PERFORCE = 'Perforce server (?<level>info|warning|error):\\s{1,8}'

/** Formats of development tools and of continuous integration. */
export const TOOL_FORMATS = formatsByName({
  npm: {
    title: 'npm and its debug logs, node-gyp, pnpm, Lerna',
    example: '0 verbose cli /usr/bin/node /usr/bin/npm',
    patterns: [
      `(?<number:long>\\d+) ${NPM_LEVEL}%{MESSAGE:message}`,
      `(?<app>npm|pnpm|gyp|lerna) ${NPM_LEVEL}%{MESSAGE:message}`,
    ],
    others: UNINDENTED,
    levels: { http: 'info', timing: 'debug', sill: 'trace', 'ERR!': 'error' },
  },
  'github-actions': {
    title: 'GitHub Actions',
    example: '2026-11-20T10:00:09.5000000Z ##[error]Process completed with exit code 1.',
    patterns: [
      `${GITHUB_TIME} ##\\[(?<level>error|warning|notice|debug)\\]%{MESSAGE:message}`,
      `${GITHUB_TIME} %{LEVELED:message}`,
      `${GITHUB_STEP}${GITHUB_TIME} ##\\[(?<level>error|warning|notice|debug)\\]%{MESSAGE:message}`,
      `${GITHUB_STEP}${GITHUB_TIME} %{LEVELED:message}`,
    ],
  },
  gradle: {
    title: 'Gradle',
    example:
      '2026-11-20T10:00:00.123+0100 [LIFECYCLE] [org.gradle.internal.Foo] > Task :compileJava',
    patterns:
      '%{TIME:_time} \\[(?<level>LIFECYCLE|QUIET|%{LEVEL})\\] \\[%{QUALIFIED:logger}\\] ?%{MESSAGE:message}',
    levels: { LIFECYCLE: 'info', QUIET: 'info' },
  },
  syncthing: {
    title: 'Syncthing before 2.0',
    example: '[ABCDE] 10:00:00 INFO: Ready to synchronize',
    patterns:
      '\\[(?<logger>[\\w-]{1,40})\\] %{CLOCK:time} %{CAPITAL_LEVEL:level}: ?%{MESSAGE:message}',
  },
  bacula: {
    title: 'Bacula and Bareos',
    example: '20-Nov 10:00 backup1-dir JobId 12: Start Backup JobId 12, Job=web1',
    patterns:
      '%{TIME:_time} (?:(?<app>[\\w.-]{1,60}) JobId %{INT:job_id:long}|(?<app>[\\w.-]{1,60}-(?:dir|sd|fd))): (?:(?<level>Error|Warning|Fatal error): )?%{MESSAGE:message}',
    levels: { 'Fatal error': 'fatal' },
  },
  amule: {
    title: 'aMule: a sign in front of the time of an important line',
    example: '!2026-11-20 10:00:00: 9 servers in server.met found',
    patterns: '(?: |(?<level>!))(?=\\d{4}-)%{TIME:_time}: ?%{MESSAGE:message}',
    levels: { '!': 'notice' },
  },
  nccl: {
    title: 'NCCL: host, process, thread and rank',
    example: 'node-0:25486:25486 [0] NCCL INFO Bootstrap : Using eth0:172.17.2.7<0>',
    patterns:
      '(?<host>[\\w.-]{1,100}):%{INT:pid:long}:%{INT:tid:long} \\[%{INT:rank:long}\\] (?:%{SOURCE:file}:%{INT:line:long} )?(?<logger>NCCL) %{LEVEL:level} %{MESSAGE:message}',
  },
  perforce: {
    title: 'Perforce: the log of a server, with the time on the second line',
    example:
      "Perforce server info:\n\t2026/11/20 10:00:00 pid 1234 alice@ws 192.0.2.1 [p4/v90] 'user-sync //depot/...'",
    patterns: [
      `${PERFORCE}%{TIME:_time} pid %{INT:pid:long} (?:(?<user>[^\\s@]{1,100})@(?<client>\\S{1,200}) (?<remote_addr>\\S{1,100}) \\[(?<app>[^\\]\\n]{0,200})\\] )?%{MESSAGE:message}`,
      `${PERFORCE}Date %{TIME:_time}:\\n\\s{0,8}(?:Pid %{INT:pid:long}\\n\\s{0,8})?%{MESSAGE:message}`,
      `${PERFORCE}%{MESSAGE:message}`,
    ],
    start: 'Perforce server \\w{1,20}:',
  },
  'git-trace': {
    title: 'Git with GIT_TRACE',
    example: '10:00:00.123456 git.c:463               trace: built-in: git status',
    patterns: '%{CLOCK:time} %{SOURCE:file}:%{INT:line:long} +%{MESSAGE:message}',
    others: UNINDENTED,
  },
  'git-log': {
    title: 'git log',
    example:
      'commit 0123456789abcdef0123456789abcdef01234567 (HEAD -> main)\nAuthor: Alice <alice@example.com>\nDate:   Fri Nov 20 10:00:00 2026 +0100\n\n    first',
    patterns:
      'commit (?<commit>[0-9a-f]{40}(?:[0-9a-f]{24})?)(?: \\((?<refs>[^)\\n]{1,1000})\\))?\\n(?:Merge: (?<merge>[^\\n]*)\\n)?Author: {1,6}(?<author>[^<\\n]{0,200}?) ?<(?<email>[^>\\n]*)>\\nDate: {1,6}%{TIME:_time}\\s{0,100}%{MESSAGE:message}',
    start: 'commit [0-9a-f]{40}',
    // Lines of GIT_TRACE.
    others:
      '(?<time>\\d\\d:\\d\\d:\\d\\d\\.\\d{6}) %{SOURCE:file}:%{INT:line:long} +%{MESSAGE:message}',
  },
  gstreamer: {
    title: 'GStreamer with GST_DEBUG, in time since the start',
    example:
      '0:00:00.000098577  5509 0x55b3168ec200 INFO                GST_INIT gst.c:576:init_pre: Initializing GStreamer Core Library version 1.22.0',
    patterns:
      '(?<uptime>\\d{1,3}:\\d\\d:\\d\\d\\.\\d{9}) {1,8}%{INT:pid:long} {1,8}(?<thread>0x[0-9a-f]{1,16}) (?<level>ERROR|WARN|FIXME|INFO|DEBUG|LOG|TRACE|MEMDUMP) +(?<logger>[\\w.-]{1,60}) %{SOURCE:file}:%{INT:line:long}:(?<function>[^:\\n]{0,100}):(?:<(?<object>[^>\\n]{1,200})>)? ?%{MESSAGE:message}',
    others: UNINDENTED,
    levels: { FIXME: 'notice', LOG: 'trace', MEMDUMP: 'trace' },
  },
  mpv: {
    title: 'mpv with --log-file, in seconds since the start',
    example: '[   0.200][e][ffmpeg] Protocol not found',
    patterns:
      '\\[ {0,8}%{NUMBER:uptime:real}\\]\\[(?<level>[fewivdt])\\]\\[(?<logger>[^\\]\\n]{1,100})\\] ?%{MESSAGE:message}',
  },
  rubydebug: {
    title: 'Logstash: rubydebug; winston: prettyPrint',
    example:
      '{\n       "message" => "hello world",\n    "@timestamp" => 2026-11-20T10:00:00.123Z,\n          "host" => "web1"\n}',
    patterns: [
      `\\{(?=.*?${printedKey('@?timestamp|time')}["']?%{TIME:_time})(?=(?:.*?${PRINTED_LEVEL})?)${PRINTED_MESSAGE}`,
      `\\{(?=.*?${PRINTED_LEVEL})${PRINTED_MESSAGE}`,
    ],
    start: '\\{(?=\\n|$| [A-Za-z_$][\\w$]{0,60}: )',
  },
  wget: {
    title: 'wget: the messages of each download',
    example:
      "--2026-11-20 10:00:00--  http://127.0.0.1/f1\nConnecting to 127.0.0.1:80... connected.\nHTTP request sent, awaiting response... 200 OK\nLength: 2000 (2.0K) [text/html]\nSaving to: 'f1'\n\n2026-11-20 10:00:01 (1.24 GB/s) - 'f1' saved [2000/2000]",
    patterns:
      '--%{TIME:_time}-- {1,2}(?=(?:\\(try: ?%{INT:try:long}\\) {1,2})?(?<url>\\S+)(?:.*?awaiting response\\.\\.\\. %{INT:status:long})?)(?=(?:.*?\\n[\\d-]{10} [\\d:]{8} (?<level>ERROR) )?)%{MESSAGE:message}',
    isIdentifiedByFirstLine: true,
    start: '--\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d--  ',
  },
  curl: {
    title: 'curl with --trace-time and -v, --trace or --trace-ascii',
    example: '10:00:00.117146 => Send header, 81 bytes (0x51)\n0000: GET /f1 HTTP/1.1',
    patterns: [
      '(?<time>\\d\\d:\\d\\d:\\d\\d\\.\\d{6}) (?=(?:== Info: |=> Send |<= Recv |[*<>{}] ))%{MESSAGE:message}',
      // A line of data, which continues a message.
      '[0-9a-f]{4,8}: (?<details>[^\\n]*)',
    ],
  },
  'docker-events': {
    title: 'docker events',
    example:
      '2026-11-20T10:00:00.123456789Z container create 0123456789ab (image=nginx:latest, name=web)',
    patterns:
      '%{TIME:_time} (?=(?<type>container|image|network|volume|daemon|plugin|service|node|secret|config|builder) (?<action>[a-z_]{3,20}(?:: [^(\\n]{1,200})?) (?<id>[\\w.:/@-]{1,200})(?: \\((?:[^\\n]*?(?<=[( ])image=(?<image>[^,)\\n]*))?(?:[^\\n]*?(?<=[( ])name=(?<name>[^,)\\n]*))?)?)%{MESSAGE:message}',
  },
  bamboo: {
    title: 'Bamboo: logs of builds, with the type of a line in front of the time',
    example: 'error\t20-Nov-2026 10:00:00\tmake: *** [all] Error 1',
    patterns:
      '(?:(?<level>error)|(?<type>build|command|simple|output|test))\\t%{TIME:_time}\\t%{MESSAGE:message}',
  },
  'gitlab-ci': {
    title: 'GitLab CI: raw logs of jobs, with the times of their sections',
    example: 'section_start:1795168800:prepare_executor\r\x1b[0KPreparing the "docker" executor',
    patterns: [
      '(?:section_end:\\d{10}:[\\w.-]{1,100}\\r)?section_(?<marker>start):%{TIME:_time}:(?<section>[\\w.-]{1,100})(?:\\[[^\\]\\n]{0,100}\\])?\\r?%{MESSAGE:message}',
      'section_(?<marker>end):%{TIME:_time}:(?<section>[\\w.-]{1,100})\\r?%{MESSAGE:message}',
    ],
    others: '(?:%{LEVEL:level}: )?(?=\\S)%{MESSAGE:message}',
  },
  'fluent-bit-records': {
    title: 'Fluent Bit: records on standard output',
    example: '[0] cpu.0: [[1795168801.123456789, {}], {"cpu_p"=>0.500000, "user_p"=>0.250000}]',
    patterns:
      '\\[%{INT:number:long}\\] (?<tag>[^\\s:]{1,200}): \\[\\[?%{TIME:_time}, (?:\\{[^\\n]{0,200}?\\}\\], )?(?<message>\\{[^\\n]*\\})\\](?=\\n|$)%{MESSAGE:message}',
  },
  buildkite: {
    title: 'Buildkite: raw logs of jobs',
    example: '\x1b_bk;t=1795168800123\x07$ npm test',
    patterns: '\\x1b_bk;t=%{TIME:_time}\\x07%{LEVELED:message}',
  },
  compiler: {
    title:
      'GCC, Clang, Swift, TypeScript, MSBuild, Pylint, flake8: the place, the level and the code of a message',
    example:
      "src/main.c:12:5: error: 'x' undeclared (first use in this function)\n   12 |     x = 1;",
    patterns: [
      '(?<file>(?:[A-Za-z]:)?[^\\s:()]{1,300}\\.\\w{1,8}|<stdin>):%{INT:line:long}:(?:%{INT:column:long}:)? (?<level>fatal error|error|warning|note|remark|info|runtime error)(?:\\[(?<code>\\w{1,40})\\])?: ?%{MESSAGE:message}',
      '(?: {0,2}%{INT:project:long}>)?(?<file>(?:[A-Za-z]:)?[^\\s:()]{1,300}\\.\\w{1,8})\\(%{INT:line:long}(?:,%{INT:column:long}(?:,\\d{1,9}){0,2})?\\) ?: (?<level>fatal error|error|warning|info|message)(?: (?<code>[A-Z]{1,10}\\d{1,6}))?: ?%{MESSAGE:message}',
      // Pylint, whose codes begin with a level, and flake8 and ruff, whose codes name a family of rules.
      '(?<file>[^\\s:()]{1,300}\\.\\w{1,8}):%{INT:line:long}:%{INT:column:long}: (?:(?<code>(?=(?<level>[EWFICR])\\d{4}: )[A-Z]\\d{4}):|(?<code>[A-Z]{1,4}\\d{3,4})(?= )) %{MESSAGE:message}',
    ],
    others: UNINDENTED,
    levels: {
      ...{ 'fatal error': 'fatal', 'runtime error': 'error', C: 'info', R: 'info' },
      ...{ remark: 'info', message: 'info' },
    },
  },
  rustc: {
    title: 'Rust: rustc and Cargo',
    example:
      'error[E0308]: mismatched types\n --> src/main.rs:4:22\n  |\n4 | fn x(){ let a: u32 = "s"; }\n  |                ---   ^^^ expected `u32`',
    patterns: [
      '(?<level>error|warning)(?:\\[(?<code>[\\w:-]{1,60})\\])?: (?=[^\\n]*\\n {0,6}--> %{SOURCE:file}:%{INT:line:long}:%{INT:column:long})%{MESSAGE:message}',
      '(?<level>error|warning): (?=`[\\w-]{1,64}` \\((?:lib|bin|test|example)|could not compile `|aborting due to )%{MESSAGE:message}',
    ],
    others:
      '(?: {1,11}(?=(?:Compiling|Checking|Finished|Running|Updating|Locking|Adding|Download\\w+|Doc-tests|Blocking) )|(?=\\S)(?!stack backtrace:|\\d{1,6} {0,6}\\||\\.\\.\\. {0,6}\\|)(?:(?<level>error|warning|note|help)(?:\\[(?<code>[\\w:-]{1,60})\\])?: )?)%{MESSAGE:message}',
    levels: { help: 'info' },
  },
  strace: {
    title: 'strace and ltrace',
    example: 'openat(AT_FDCWD, "/etc/x", O_RDONLY) = -1 ENOENT (No such file or directory)',
    patterns: [
      `${TRACED}%{TIME:_time} ${CALL}`,
      `${TRACED}(?:%{CLOCK:time} | {0,6}(?<elapsed:real>\\d{1,6}\\.\\d{6}) )?${CALL}`,
    ],
    others: UNINDENTED,
  },
  valgrind: {
    title: 'Valgrind and sanitizers: a process between equals signs',
    example: '==1234== Invalid write of size 4\n==1234==    at 0x109189: main (a.c:6)',
    patterns: [
      '==%{INT:pid:long}== ?%{LEVEL:level}: %{MESSAGE:message}',
      `==${UPTIME}%{INT:pid:long}== (?=\\S)%{MESSAGE:message}`,
      // A frame or an empty line, which continues a message.
      `==${UPTIME}%{INT:pid:long}==(?<details>[^\\n]*)`,
    ],
    others: '(?=[^\\s=])%{MESSAGE:message}',
  },
})
