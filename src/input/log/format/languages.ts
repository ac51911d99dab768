import { formatsByName } from './line-format.js'

const GO_SOURCE = '(?<file>[\\w./+@-]+\\.go):%{INT:line:long}'
/** The time of Go's log, whose date has this form. */
const GO_TIME = '(?=\\d{4}/\\d\\d/\\d\\d \\d)%{TIME:_time}'
/** The prefix of a logger in front of the time, `[web] ` or `web: `; a space may be missing. */
const GO_PREFIX =
  '(?:\\[(?!%{LEVEL}\\])(?<logger>[A-Za-z][\\w./-]{0,40})\\]:? ?|(?!%{LEVEL}\\b)(?<logger>[A-Za-z][\\w./-]{0,40})(?:: ?)?)'
/** A level at the beginning of the message, and the signs after it. */
const GO_LEVEL = '%{MARKED_LEVEL}:?[ \\t]{0,8}'
/** The source line and the function after the time of a line of logrus, if it reports them. */
const LOGRUS_CALLER = `(?:${GO_SOURCE} (?<function>[\\w./*()-]{1,200}?)\\(\\) )?`
/** A level of zerolog or tint, which may lie between two levels or be unknown, and the source line after it. */
const ZEROLOG_LEVEL = `(?:(?<level>TRC|DBG|INF|WRN|ERR|FTL|PNC)(?:[+-]\\d{1,3})?|\\?\\?\\?) (?:(?:%{INT:goid:long} )?${GO_SOURCE} )?(?:> )?`
/** The application, the process and the host that pino-pretty writes after a level. */
const PINO_SOURCE =
  '\\((?:(?!\\d+[ )])(?<app>[^\\s()/]{1,100})(?:/|(?=\\))))?(?:%{INT:pid:long}(?: on (?<host>[^\\s()]{1,100}))?)?\\): ?%{MESSAGE:message}'
const PHP_LEVEL =
  '(?<level>Notice|Deprecated|Strict Standards|(?:Core |Compile )?[Ww]arning|(?:(?:Recoverable )?[Ff]atal|Parse|Core|Compile) error)'

/** A module of Rust, one within another, and a source line. */
const RUST_MODULE = '(?<logger>[A-Za-z_]\\w*(?:::\\w+)*)'
const RUST_PATH = '(?<logger>[A-Za-z_]\\w*(?:::\\w+)+)'
/** A module that is not within another, but not the name of a thread. */
const RUST_CRATE = '(?!main\\])(?<logger>[a-z][a-z0-9]*(?:_[a-z0-9]+)*)'
const RUST_SOURCE = '(?<file>[\\w./-]{1,200}\\.rs):%{INT:line:long}'
/** Levels in a column of five characters, on the left and on the right. */
const RUST_LEVEL = '(?:(?<level>INFO|WARN) |(?<level>ERROR|DEBUG|TRACE))'
const RIGHT_LEVEL = '(?: (?<level>INFO|WARN)|(?<level>ERROR|DEBUG|TRACE))'
const SPAN_NAME = '\\w+(?:[/-]\\w+)*'
const SPAN = `${SPAN_NAME}(?:\\{[^}\\n]*\\})?`
/**
 * An event of tracing after its level: a thread, spans and a module or a source line. Spans without fields can be told from a module
 * if there are several, or if the module has several parts.
 */
const TRACING = `(?:(?:(?<thread>[\\w-]{1,60}) +)?ThreadId\\(%{INT:tid:long}\\) )?(?:(?<spans>(?:(?=[\\w/:-]{1,200}\\{)|(?=${SPAN_NAME}(?::${SPAN_NAME})+: )|(?=${SPAN_NAME}: \\w+::))(?:${SPAN}:)*${SPAN}): )?(?:(?<logger>[a-z_]\\w*(?:::\\w+)*): (?:%{SOURCE:file}:(?:%{INT:line:long}:)? )?|${RUST_SOURCE}: )(?:(?=[^\\n]{0,2000}\\n {2,4}at ${RUST_SOURCE}(?=\\n|$))|)%{MESSAGE:message}`

/** The category of an event of Unreal Engine, and its level, which is missing if it is the usual one. */
const UNREAL =
  '(?<logger>[A-Z]\\w{1,60}): (?:(?<level>Log|Display|Verbose|VeryVerbose|Warning|Error|Fatal): )?%{MESSAGE:message}'

/** Formats of programs in Go, Rust, JavaScript, Ruby, PHP and Elixir, of .NET and of Unreal Engine. */
export const LANGUAGE_FORMATS = formatsByName({
  klog: {
    title: 'klog and glog: Kubernetes, PyTorch, Orthanc, SeaweedFS',
    example: 'I1120 10:00:00.123456       1 server.go:154] Starting kubelet, version v1.29.0',
    patterns: [
      '(?=%{GLOG_LEVEL:level})%{TIME:_time} +(?:%{INT:tid:long}|(?<thread>[A-Za-z][\\w-]{0,60})) %{SOURCE:file}:%{INT:line:long}\\] ?%{MESSAGE:message}',
      // Triton Inference Server.
      '%{TIME:_time} %{GLOG_LEVEL:level} %{INT:tid:long} %{SOURCE:file}:%{INT:line:long}\\] ?%{MESSAGE:message}',
      // Abseil before its initialization: gRPC, JAX, TensorFlow.
      '%{GLOG_LEVEL:level}0000 00:00:%{TIME:_time} +%{INT:tid:long} %{SOURCE:file}:%{INT:line:long}\\] ?%{MESSAGE:message}',
      // With a hyphen and the offset of the zone in parentheses: Meteor.
      '(?=%{GLOG_LEVEL:level}\\d{4,8}[ -])%{TIME:_time}(?:\\)\\??)? +(?:%{SOURCE:file}:%{INT:line:long} +)?%{MESSAGE:message}',
      '(?:\\[(?<rank>rank\\d{1,5})\\]:)?\\[(?=%{GLOG_LEVEL:level})%{TIME:_time} +%{SOURCE:file}:%{INT:line:long}\\] ?%{MESSAGE:message}',
    ],
  },
  go: {
    title: "Go's log with the source line or a prefix, charmbracelet/log with the source line",
    example: '2026/11/20 10:00:00 main.go:12: listening on :8080',
    patterns: [
      '%{TIME:_time} (?<file>[\\w./+@-]+\\.go):%{INT:line:long}:(?<function>[\\w.]+)\\(\\) \\[(?<level>[TDIWECF])\\] ?%{MESSAGE:message}',
      `%{TIME:_time} ${GO_SOURCE}: ${GO_LEVEL}%{MESSAGE:message}`,
      `%{TIME:_time} ${GO_SOURCE}: ?%{LEVELED:message}`,
      `%{TIME:_time} (?:(?<level>DEBU|INFO|WARN|ERRO|FATA) )?<${GO_SOURCE}> ?%{MESSAGE:message}`,
      `${GO_PREFIX}${GO_TIME} (?:${GO_SOURCE}: )?${GO_LEVEL}%{MESSAGE:message}`,
      `${GO_PREFIX}${GO_TIME} (?:${GO_SOURCE}: )?\\t?%{LEVELED:message}`,
      `(?:\\[%{LEVEL:level}\\]|%{LEVEL:level}):?[ \\t]{1,4}${GO_TIME} ${GO_SOURCE}: ?%{MESSAGE:message}`,
      `%{CAPITAL_LEVEL:level}\\t${GO_TIME} %{MESSAGE:message}`,
      `(?!%{CAPITAL_LEVEL} )(?<logger>[A-Za-z][\\w./-]{0,40}) ${GO_TIME} %{CAPITAL_LEVEL:level}: ?%{MESSAGE:message}`,
      // Kratos.
      `%{CAPITAL_LEVEL:level} ts=%{TIME:_time} caller=${GO_SOURCE} %{MESSAGE:message}`,
      `(?<logger>[A-Za-z][\\w./-]{0,40}) %{CAPITAL_LEVEL:level}: ${GO_TIME} (?:${GO_SOURCE}: )?%{MESSAGE:message}`,
    ],
  },
  zap: {
    title: "zap's console and go-zero: tabs between time, level, logger, source line and message",
    example:
      '2026-11-20T10:00:00.123Z\tINFO\tcontroller\tmanager/internal.go:112\tStarting\t{"port": 8080}',
    patterns: [
      '%{TIME:_time}\\t ?(?:%{LEVEL:level}|(?<level>slow|stat|DPANIC|dpanic)) ?\\t(?:\\[?(?<logger>\\w[\\w./-]*)\\]?\\t(?!\\{))?(?:%{SOURCE:file}:%{INT:line:long}\\t)?%{MESSAGE:message}',
      // Tabs that a terminal has made spaces.
      '%{TIME:_time} {2,8}%{CAPITAL_LEVEL:level} {1,8}(?<logger>[a-z][\\w./-]{0,100}) {2,8}(?!\\{)(?:%{SOURCE:file}:%{INT:line:long} {1,8})?%{MESSAGE:message}',
    ],
    levels: { slow: 'warn', stat: 'info' },
  },
  hclog: {
    title: 'Consul, Vault, Nomad, Terraform: `[LEVEL]  logger: message`',
    example: '2026-11-20T10:00:00.123Z [INFO]  agent.server.raft: starting election: term=2',
    patterns: [
      // A message may begin with pairs: `msg: started, line: 42`.
      `%{TIME:_time} \\[%{LEVEL:level}\\] +(?!\\d|\\w{1,40}: [^,:\\n]{1,100}, \\w{1,40}: )(?:${GO_SOURCE}: )?%{LOGGER:logger}: %{MESSAGE:message}`,
      // Levels of four letters are followed by two spaces, so that messages are aligned.
      '%{TIME:_time} \\[(?<level>INFO|WARN)\\]  (?=\\S)%{MESSAGE:message}',
      '%{TIME:_time} \\[(?<level>TRACE|DEBUG|ERROR)\\] (?=\\S)%{MESSAGE:message}',
    ],
  },
  logrus: {
    title: 'the terminal formats of logrus, log15, apex/log and CometBFT',
    example: 'INFO[0000] A walrus appears                              animal=walrus',
    patterns: [
      `(?<level>TRAC|DEBU|DBUG|INFO|WARN|ERRO|EROR|CRIT|FATA|PANI)\\[%{TIME:_time}\\] ?${LOGRUS_CALLER}%{MESSAGE:message}`,
      ` {0,2}(?<level>TRAC|DEBUG?|INFO|WARN|ERROR?|FATAL?|PANI)\\[(?<elapsed:long>\\d+)\\] ?${LOGRUS_CALLER}%{MESSAGE:message}`,
      '(?<level>[DIE])\\[%{TIME:_time}\\] %{MESSAGE:message}',
    ],
    // The error with which a command ends.
    others: '(?<level>Error): (?=\\S)%{MESSAGE:message}',
  },
  capnslog: {
    title: 'etcd 3.3 and older',
    example: '2026-11-20 10:00:00.123456 I | etcdserver: starting server',
    patterns: '%{TIME:_time} (?<level>[TDINWEC]) \\| (?:%{LOGGER:logger}: )?%{MESSAGE:message}',
  },
  'rust-env-logger': {
    title: "Rust's env_logger, pretty_env_logger, simple_logger, flexi_logger and simplelog",
    example: '[2026-11-20T10:00:00Z INFO  my_app::db] starting up',
    patterns: [
      `\\[%{TIME:_time} %{LEVEL:level} +(?:${RUST_SOURCE} )?%{NOTSPACE:logger}\\] ?%{MESSAGE:message}`,
      `\\[${RUST_LEVEL} ${RUST_MODULE}\\] %{MESSAGE:message}`,
      `%{TIME:_time} ${RUST_LEVEL} ${RUST_MODULE} +> %{MESSAGE:message}`,
      ` ?${RUST_LEVEL} ${RUST_MODULE} +> %{MESSAGE:message}`,
      `\\[?%{TIME:_time}\\]? (?:T\\[(?<thread>[^\\]\\n]{1,60})\\] )?%{LEVEL:level} +\\[(?:${RUST_SOURCE}|${RUST_PATH})\\] (?:${RUST_SOURCE}: )?%{MESSAGE:message}`,
      `(?=\\d{4}-\\d\\d-\\d\\dT)%{TIME:_time} %{LEVEL:level} +\\[${RUST_CRATE}\\] (?![\\w.$/]{1,100} *[-:] )%{MESSAGE:message}`,
      `%{LEVEL:level} +\\[${RUST_PATH}\\] (?:${RUST_SOURCE}: )?%{MESSAGE:message}`,
      `%{TIME:_time} \\[%{LEVEL:level}\\] \\(%{INT:tid:long}\\) (?:${RUST_MODULE}: )?(?:\\[${RUST_SOURCE}\\] )?%{MESSAGE:message}`,
      `\\[%{TIME:_time}\\]\\[${RUST_MODULE}\\]\\[%{LEVEL:level}\\] ?%{MESSAGE:message}`,
    ],
  },
  'rust-tracing': {
    title: "Rust's tracing",
    example: '2026-11-20T10:00:00.123456Z  INFO request{id=7}: my_app::web: handled size=10',
    patterns: [
      `(?=[-\\d]{10}T[:\\d]{8}\\.\\d{6,9}Z )%{TIME:_time} +%{LEVEL:level} ${TRACING}`,
      `(?: {0,3}%{NUMBER:uptime:real}s|\\[ {0,8}%{NUMBER:uptime:real}s\\]) ${RIGHT_LEVEL} ${TRACING}`,
      `${RIGHT_LEVEL} (?!\\d)${TRACING}`,
    ],
  },
  zerolog: {
    title: "zerolog's console, tint, phuslu/log",
    example: '2026-11-20T10:00:00Z INF listening addr=:8080',
    patterns: [
      `%{TIME:_time} ${ZEROLOG_LEVEL}%{MESSAGE:message}`,
      `%{CLOCK:time} ${ZEROLOG_LEVEL}%{MESSAGE:message}`,
      // anacrolix/log
      `\\[%{TIME:_time} (?<level>DBG|INF|WRN|ERR|CRT) (?<logger>[^\\]\\n]{1,200}) ${GO_SOURCE}\\]\\s{0,4}%{MESSAGE:message}`,
    ],
  },
  sidekiq: {
    title: 'Sidekiq',
    example: '2026-11-20T10:00:00.123Z pid=12 tid=abc class=HardJob jid=b4a577 INFO: start',
    patterns: [
      '%{TIME:_time} pid=%{INT:pid:long} tid=(?<thread>\\S+) (?:class=(?<logger>\\S+) )?(?:jid=(?<job_id>\\S+) )?(?:elapsed=(?<elapsed:real>[\\d.]+) )?%{LEVEL:level}: ?%{MESSAGE:message}',
      // Before 6.0.
      '%{TIME:_time} %{INT:pid:long} TID-(?<thread>\\w+) (?:(?<logger>[A-Z]\\S*) JID-(?<job_id>\\w+) )?%{LEVEL:level}: ?%{MESSAGE:message}',
    ],
  },
  rails: {
    title: 'Rails in development: the times of requests',
    example: 'Started GET "/users" for 127.0.0.1 at 2026-11-20 10:00:00 +0000',
    patterns:
      '(?=(?<message>[^\\n]{1,4000}))(?:Started (?<method>[A-Z]{3,10})|Finished) "(?<path>[^"\\n]{0,2000})" (?:\\[WebSocket\\] )?for (?<remote_addr>[\\w.:%]{1,60}) at %{TIME:_time}(?=\\n|$)%{MESSAGE:message}',
    others: '(?=Completed %{INT:status:long} |\\S)%{MESSAGE:message}',
  },
  ruby: {
    title: 'Ruby Logger, Rails, Semantic Logger, Foreman, Nim',
    example: 'I, [2026-11-20T10:00:00.123456 #12345]  INFO -- : Started GET "/" for 127.0.0.1',
    patterns: [
      // With the id of a thread after the process: Zammad.
      '[DIWEFAU], \\[%{TIME:_time} +#%{INT:pid:long}(?:-%{INT:tid:long})?\\] +(?<level>[A-Z]+) (?:-- (?<app>[^\\s:]+)?)?: (?:\\[%{UUID:request_id}\\] )?%{MESSAGE:message}',
      // Nim, without a process and a word.
      '(?<level>[DINWEF]), \\[%{TIME:_time}\\] -- (?<app>[^\\s:]{1,100}): %{MESSAGE:message}',
      // The requests of lograge, with a tag.
      '\\[%{UUID:request_id}\\] (?=\\w{1,40}=\\S)%{MESSAGE:message}',
      // Semantic Logger, with the source line, tags, a duration and the name of a class.
      '%{TIME:_time} (?<level>[TDIWEF]) \\[%{INT:pid:long}:(?<thread>[^\\]\\n]{1,100}?)(?: %{SOURCE:file}:%{INT:line:long})?\\] (?:(?<tags>\\[[^\\]\\n]{1,100}\\](?: \\[[^\\]\\n]{1,100}\\]){0,8}) )?(?:\\((?<duration>[\\d.]{1,20}m?s)\\) )?(?<logger>[A-Z][\\w:]{0,100}) --(?: |(?=\\n|$))%{MESSAGE:message}',
      // Foreman.
      '%{TIME:_time} \\[(?<level>[DIWEF])\\|(?<logger>\\w{3})\\|(?<request_id>\\w{0,40})\\] %{MESSAGE:message}',
    ],
  },
  monolog: {
    title: 'Monolog, Symfony, Laravel',
    example: '[2026-11-20T10:00:00.123456+00:00] app.ERROR: Connection refused {"code":2002} []',
    patterns: [
      '\\[%{TIME:_time}\\] (?<logger>[\\w.-]+)\\.(?=[A-Z])%{LEVEL:level}: ?%{MESSAGE:message}',
      // Craft, and FreePBX.
      '\\[?%{TIME:_time}\\]? \\[(?<logger>[\\w-]{1,60})\\.%{CAPITAL_LEVEL:level}\\]:? %{MESSAGE:message}',
    ],
  },
  'iohk-monitoring': {
    title: "Cardano's node: a host, a logger, a level and a thread in brackets",
    example: '[node1:cardano.node.ChainDB:Notice:12] [2026-11-20 10:00:00.12 UTC] Chain extended',
    patterns:
      '\\[(?<host>[\\w.-]{1,100}):(?<logger>[A-Za-z][\\w.-]{0,100}):(?<level>Debug|Info|Notice|Warning|Error|Critical|Alert|Emergency):%{INT:tid:long}\\] \\[%{TIME:_time}\\] ?%{MESSAGE:message}',
  },
  'monad-logger': {
    title: "Haskell's monad-logger, Yesod",
    example: '20/Nov/2026:10:00:00 +0000 [Info#SQL] SELECT 1; []',
    patterns:
      '(?=\\d{1,2}/[A-Z])%{TIME:_time} \\[(?<level>Debug|Info|Warn|Error)(?:#(?<logger>[^\\s\\]]{1,100}))?\\] %{MESSAGE:message}',
  },
  log4perl: {
    title: 'Log4perl: the source line and the function after the level',
    example: '2026/11/20 10:00:00 WARN> app.pl:12 main::load - low disk',
    patterns:
      '%{TIME:_time} %{LEVEL:level}> %{SOURCE:file}:%{INT:line:long} (?<function>[\\w:]{1,100}) - ?%{MESSAGE:message}',
  },
  dancer: {
    title: "Perl's Dancer",
    example: '[main:123] error @2026-11-20 10:00:00> no such route in /app/bin/app.pl l. 12',
    patterns:
      '\\[(?<app>[\\w:]{1,100}):%{INT:pid:long}\\] +%{LEVEL:level} +@%{TIME:_time}> %{MESSAGE:message}',
  },
  php: {
    title: 'PHP error log, and the server of `php -S`',
    example:
      '[20-Nov-2026 10:00:00 UTC] PHP Warning:  Undefined variable $x in /var/www/index.php on line 3',
    patterns: [
      '\\[%{TIME:_time}(?: (?<zone>[\\w/+:-]+))?\\] (?<app>PHP) (?<level>[A-Z][A-Za-z ]{4,30}): +%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] \\[?(?<remote_addr>[\\da-fA-F.:]{1,45})\\]?:%{INT:remote_port:long} (?:\\[%{INT:status:long}\\]: (?<method>[A-Z]{3,10}) (?<path>\\S+)(?: - )?|(?=Accepted|Closing))%{MESSAGE:message}',
      // On standard error, and in pages.
      `(?<app>PHP) ${PHP_LEVEL}: +%{MESSAGE:message}`,
      `${PHP_LEVEL}: +(?=[^\\n]{1,1000} (?:on line |in \\S{1,200}:)\\d+(?=\\n|$))%{MESSAGE:message}`,
    ],
    levels: {
      'Fatal error': 'fatal',
      'Parse error': 'fatal',
      'Core error': 'fatal',
      'Compile error': 'fatal',
      'Recoverable fatal error': 'error',
      'Core warning': 'warn',
      'Compile warning': 'warn',
      Deprecated: 'warn',
      'Strict Standards': 'notice',
    },
  },
  yii: {
    title: 'Yii: address, user, session, level and category in brackets',
    example:
      '2026-11-20 10:00:00 [192.0.2.7][42][-][error][yii\\db\\Exception] PDOException: SQLSTATE[HY000]',
    patterns:
      '%{TIME:_time} \\[(?:-|(?<remote_addr>[^\\]\\n]{1,60}))\\]\\[(?:-|(?<user>[^\\]\\n]{1,100}))\\]\\[(?:-|(?<session>[^\\]\\n]{1,100}))\\]\\[%{LEVEL:level}\\]\\[(?<logger>[^\\]\\n]{1,200})\\] ?%{MESSAGE:message}',
  },
  spdlog: {
    title: 'spdlog, Boost.Log',
    example: '[2026-11-20 10:00:00.123] [net] [warning] [server.cpp:37] connection lost',
    patterns: [
      // Boost.Log, which pads the level: PrusaSlicer.
      '\\[%{TIME:_time}\\] \\[(?<thread>0x[\\da-f]{4,16})\\] \\[(?<level>trace|debug|info|warning|error|fatal)\\] {1,4}%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] \\[(?!\\d+\\])(?<logger>[^\\]\\n]{1,100})\\] \\[(?<level>trace|debug|info|warning|error|critical)\\] (?:\\[%{SOURCE:file}:%{INT:line:long}(?: (?<function>[^\\s\\]]{1,100}))?\\] )?%{MESSAGE:message}',
      // An example in its documentation.
      '\\[(?<time>\\d\\d:\\d\\d:\\d\\d [+-]\\d\\d:\\d\\d)\\] \\[(?<logger>[^\\]\\n]{1,100})\\] \\[---(?<level>[TDIWEC])---\\] \\[thread %{INT:tid:long}\\] %{MESSAGE:message}',
    ],
  },
  log4js: {
    title: 'log4js, Moleculer',
    example: '[2026-11-20T10:00:00.123] [INFO] default - listening on 3000',
    patterns: [
      '\\[?%{TIME:_time}\\]? \\[%{LEVEL:level}\\] (?<logger>[\\w./:-]+) - ?%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] (?=[A-Z ]{5} )%{LEVEL:level} {1,2}(?<node>[^\\s/]{1,100})/(?<logger>[A-Z$][^\\s:]{0,100}): %{MESSAGE:message}',
    ],
  },
  kaldi: {
    title: 'Kaldi, Vosk',
    example: 'LOG (nnet3-train[5.5.1]:main():nnet3-train.cc:12) Wrote model',
    patterns:
      '(?<level>LOG|VLOG|WARNING|ERROR|ASSERTION_FAILED)(?:\\[-?\\d\\])? \\((?<app>[\\w.-]{1,60})(?:\\[[^\\]\\n]{1,60}\\])?:(?<function>[\\w:~<>]{1,100})\\(\\):%{SOURCE:file}:%{INT:line:long}\\) %{MESSAGE:message}',
    levels: { VLOG: 'debug', ASSERTION_FAILED: 'error' },
  },
  debug: {
    title: "Node.js's debug: a namespace",
    example: "2026-11-20T10:00:00.123Z express:router use '/' query",
    patterns: [
      // Only after times as the program writes them: otherwise, a pair in front of a message could be taken for a namespace.
      '(?=\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}Z |[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} [\\d:]{8} GMT )%{TIME:_time} (?!%{LEVEL}:)(?<logger>[A-Za-z@][\\w@./-]{0,60}(?::[A-Za-z@*][\\w@./*-]{0,60}){1,6}) +(?!\\w{1,40}:\\w)%{MESSAGE:message}',
    ],
  },
  pino: {
    title: 'pino-pretty, and the command of bunyan',
    example: '[2026-11-20 10:00:00.123 +0000] INFO (app/4242 on web1): listening on 3000',
    patterns: [
      `\\[%{TIME:_time}\\] %{LEVEL:level} ${PINO_SOURCE}`,
      `%{LEVEL:level} \\[%{TIME:_time}\\] ${PINO_SOURCE}`,
      `\\[%{CLOCK:time}\\] %{LEVEL:level} ${PINO_SOURCE}`,
      '\\[%{TIME:_time}\\] +%{LEVEL:level}: (?<app>[^\\s/:]{1,100})(?:/(?<logger>[^\\s:]{1,100}))?/%{INT:pid:long} on (?<host>[^\\s:]{1,100})(?: \\((?<file>[^\\s:]{1,200}):%{INT:line:long}(?: in (?<function>[^)\\n]{1,100}))?\\))?: ?%{MESSAGE:message}',
    ],
  },
  winston: {
    title: "winston's printf: a time, a label in brackets and a level with a colon; Zigbee2MQTT 1",
    example: '2026-11-20T10:00:00.123Z [orders] info: listening on 3000',
    patterns: [
      '\\[?%{TIME:_time}\\]? \\[(?!%{LEVEL}\\]|\\d+\\])(?<logger>[^\\]\\n]{1,60})\\] (?<level>error|warn|info|http|verbose|debug|silly): *%{MESSAGE:message}',
      // Overseerr and Jellyseerr.
      '%{TIME:_time} \\[(?<level>error|warn|info|http|verbose|debug|silly)\\]\\[(?<logger>[^\\]\\n]{1,60})\\]: *%{MESSAGE:message}',
      '(?:(?<app>[A-Za-z]\\w{0,40}):)?(?<level>error|warn|info|http|verbose|debug|silly):? {1,2}%{TIME:_time}: %{MESSAGE:message}',
    ],
    levels: { http: 'info' },
  },
  nestjs: {
    title: 'NestJS',
    example:
      '[Nest] 4242  - 01/20/2026, 10:00:00 AM     LOG [NestFactory] Starting Nest application...',
    patterns:
      '\\[%{APP:app}\\] %{INT:pid:long} +- %{TIME:_time} +%{LEVEL:level} (?:\\[%{NAME:logger}\\] )?%{MESSAGE:message}',
  },
  dotnet: {
    title: '.NET console',
    example: 'info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost:5000',
    patterns: [
      '\\[?%{TIME:_time}\\]? ?(?<level>trce|dbug|info|warn|fail|crit): %{LOGGER:logger}\\[%{INT:event_id:long}\\]\\s*%{MESSAGE:message}',
      '(?:\\[?%{CLOCK:time}\\]? ?)?(?<level>trce|dbug|info|warn|fail|crit): %{LOGGER:logger}\\[%{INT:event_id:long}\\]\\s*%{MESSAGE:message}',
    ],
  },
  serilog: {
    title: 'Serilog, console and files',
    example: '[10:00:00 INF] Now listening on: http://localhost:5000',
    patterns: [
      '\\[%{CLOCK:time} (?<level>VRB|DBG|INF|WRN|ERR|FTL)\\] ?%{MESSAGE:message}',
      // Azure IoT Edge writes a hyphen.
      '%{TIME:_time} \\[(?<level>VRB|DBG|INF|WRN|ERR|FTL)\\] ?(?:- )?%{MESSAGE:message}',
      // Kavita, with the id of the thread in the bracket of the time.
      '\\[%{TIME:_time} {1,4}%{INT:tid:long}\\] \\[(?<level>Verbose|Debug|Information|Warning|Error|Fatal|Critical)\\] (?:%{QUALIFIED:logger} )?%{MESSAGE:message}',
    ],
  },
  crystal: {
    title: 'Crystal',
    example: '2026-11-20T10:00:00.123456Z   INFO - http.server: Listening',
    patterns:
      '(?=\\d{4}-\\d\\d-\\d\\dT)%{TIME:_time} {2,5}(?<level>TRACE|DEBUG|INFO|NOTICE|WARN|ERROR|FATAL) - (?:(?<logger>[A-Za-z_][\\w.]{0,100}): )?%{MESSAGE:message}',
  },
  elixir: {
    title: 'Elixir',
    example: '10:00:00.123 request_id=FzA [info] Running MyAppWeb.Endpoint at 127.0.0.1:4000',
    patterns:
      '%{CLOCK:time} (?:request_id=%{NOTSPACE:request_id} )?(?:(?=\\w+=)%{TEXT:&} |%{TEXT:metadata} )?\\[%{LEVEL:level}\\] +%{MESSAGE:message}',
  },
  unreal: {
    title: 'Unreal Engine: the number of a frame, a category and a level',
    example: '[2026.11.20-10.00.00:123][312]LogNet: Warning: Network Failure: ConnectionTimeout',
    patterns: `\\[(?=\\d{4}\\.\\d\\d\\.\\d\\d-)%{TIME:_time}\\]\\[ {0,3}%{INT:frame:long}\\](?:${UNREAL}|%{MESSAGE:message})`,
    // Lines from before the engine knows the time.
    others: `(?=Log)${UNREAL}`,
    levels: { Display: 'info', Verbose: 'debug', VeryVerbose: 'trace' },
  },
})
