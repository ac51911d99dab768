import { SYSLOG_LEVELS } from '../level.js'
import { formatsByName } from './line-format.js'

const POSTGRES_LEVELS = 'DEBUG[1-5]?|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|%{LOCAL_LEVEL}'
/** In English, German, French, Spanish and Italian. */
const POSTGRES_DETAILS =
  'DETAIL|HINT|QUERY|CONTEXT|LOCATION|STATEMENT|BACKTRACE|TIPP|ANWEISUNG|KONTEXT|ZUSAMMENHANG|INSTRUCTION|ASTUCE|CONTEXTE|SENTENCIA|DETALLE|SUGERENCIA|CONTEXTO|ISTRUZIONE|DETTAGLI|SUGGERIMENTO'
const SQL_STATE = '(?<sql_state>(?=[A-Z]*\\d)[\\dA-Z]{5})'
/** Two spaces follow the level; the parts of an error are events with the same time. */
const POSTGRES = `(?:(?<level>${POSTGRES_LEVELS})|(?<severity_text>${POSTGRES_DETAILS})) ?:  (?! )(?:${SQL_STATE}: )?(?:(?=duration: %{NUMBER:duration_ms:real} ms)|)%{MESSAGE:message}`
const POSTGRES_TIME = '%{TIME:_time}(?: (?<zone>[A-Z]{3,5}|[+-]\\d\\d))?'
const POSTGRES_PROCESS = '(?:\\[%{INT:pid:long}(?:-(?<session_line:long>\\d+))?\\]:? )?'
const POSTGRES_CLIENT =
  '(?:db=(?<database>[^\\s,=]*),)?(?:user=)?(?<user>[^\\s,@=]+)?(?:(?:@|,db=)(?<database>[^\\s,=/]+)?)?(?:/(?<application>[^\\n]{0,64}?))?(?:,app=(?<application>[^,\\n]*?))?(?:,client=(?<remote_addr>[^\\s,]*))?'

const SLOW_HEADER =
  '# User@Host: (?<user>[^\\s\\[]*)\\[(?<effective_user>[^\\]\\n]*)\\] @ (?<remote_host>[^\\s\\[]*) ?\\[(?<remote_addr>[^\\]\\n]*)\\](?: +Id: +%{INT:connection:long})?\\n(?<#>(?:# [^\\n]*(?:\\n|$))*)'
/** A value of CSV in quotes, or no value. */
const cell = (name: string) => `(?:"(?<${name}>(?:[^"]|"")*)")?`

/** Formats of databases and message brokers. */
export const DATABASE_FORMATS = formatsByName({
  postgresql: {
    title: 'PostgreSQL, with the usual values of log_line_prefix',
    example:
      '2026-11-20 10:00:00.123 UTC [4711] LOG:  listening on IPv4 address "127.0.0.1", port 5432',
    patterns: [
      `${POSTGRES_TIME}:(?:(?<remote_addr>[^\\s():]+)(?:\\(%{INT:remote_port:long}\\))?)?:(?<user>[^\\s@:]*)@(?<database>[^\\s:]*):\\[%{INT:pid:long}\\]:${POSTGRES}`,
      `${POSTGRES_TIME}-(?<session_id>[0-9a-f]{1,16}\\.[0-9a-f]{1,8})-${POSTGRES}`,
      `${POSTGRES_TIME} ${POSTGRES_PROCESS}(?:\\[%{INT:session_line:long}(?:-\\d+)?\\] )?(?:${SQL_STATE} )?(?:\\[(?=user=|db=)${POSTGRES_CLIENT}\\] |(?=[^\\s@]*(?:@|,db=|,user=))${POSTGRES_CLIENT} ?)?${POSTGRES}`,
      `< ?${POSTGRES_TIME}(?: %{TEXT:context})? ?> ?${POSTGRES}`,
      // Percona's distribution.
      `time=${POSTGRES_TIME}, pid=%{INT:pid:long} (?: db=(?<database>[^\\s,]*), usr=(?<user>[^\\s,]*), client=(?<remote_addr>[^\\s,]*) ?, app=(?<application>[^,\\n]*), line=%{INT:session_line:long} )?${POSTGRES}`,
      `${POSTGRES_TIME} ${POSTGRES_PROCESS}%{TEXT:context} ${POSTGRES}`,
    ],
  },
  pgpool: {
    title: 'Pgpool-II',
    example:
      '2026-11-20 10:00:00.123: main pid 1234: LOG:  pgpool-II successfully started. version 4.3.5',
    patterns: `%{TIME:_time}: (?:(?<app>[^\\s:]{1,100}) )?pid %{INT:pid:long}: ${POSTGRES}`,
  },
  hana: {
    title: 'SAP HANA: traces of its services',
    example:
      '[12345]{200001}[12/34] 2026-11-20 10:00:00.123456 e Basis            Basis.cpp(00611) : cannot open file',
    patterns:
      '\\[%{INT:tid:long}\\]\\{(?<connection>-?\\d{1,12})\\}\\[(?<transaction>-?\\d{1,12}/-?\\d{1,12})\\] %{TIME:_time} (?<level>[tdiwef]) +(?<logger>[\\w.-]{1,60}) +%{SOURCE:file}\\(0{0,8}%{INT:line:long}\\) : ?%{MESSAGE:message}',
  },
  pgbouncer: {
    title: 'PgBouncer, Odyssey',
    example:
      '2026-11-20 10:00:00.123 UTC [1234] LOG C-0x55d: orders/app@10.0.0.5:50000 login attempt: db=orders user=app tls=no',
    patterns: [
      '%{TIME:_time}(?: (?<zone>[A-Z]{3,5}))? \\[%{INT:pid:long}\\] (?<level>NOISE|DEBUG|LOG|WARNING|ERROR|FATAL) (?:(?<connection>[CS]-0x[0-9a-f]+): )?%{MESSAGE:message}',
      // Odyssey.
      '%{INT:pid:long} %{TIME:_time}(?: (?<zone>[A-Z]{3,5}))? (?<level>debug|info|warning|error|fatal) \\[(?<connection>\\w{1,40}) (?<server>\\w{1,40})\\] \\((?<context>[^)\\n]{1,60})\\) %{MESSAGE:message}',
    ],
    levels: { NOISE: 'trace' },
  },
  mysql: {
    title: 'MySQL 5.5 to 8, MariaDB, Percona: error log',
    example:
      '2026-11-20T10:00:02.000000Z 0 [Warning] [MY-010068] [Server] CA certificate ca.pem is self signed.',
    patterns: [
      '%{TIME:_time} %{INT:tid:long} \\[(?<level>\\w+)\\] \\[(?<error_code>MY-\\d+)\\] \\[%{NAME:logger}\\] ?%{MESSAGE:message}',
      '%{TIME:_time} %{INT:tid:long} \\[(?<level>Note|Warning|ERROR|System)\\](?!:) ?%{MESSAGE:message}',
      // Other programs write `[ERROR]` after a time, too.
      '%{TIME:_time} \\[(?<level>Note|Warning|System)\\](?!:) ?%{MESSAGE:message}',
    ],
    levels: { System: 'info' },
  },
  'mysql-slow': {
    title: 'MySQL and MariaDB: slow query log',
    example:
      '# Time: 2026-11-20T10:00:00.123456Z\n# User@Host: app[app] @ web1 [10.0.0.5]  Id:    12\n# Query_time: 2.000123  Lock_time: 0.000010 Rows_sent: 1  Rows_examined: 100000\nSET timestamp=1795168800;\nSELECT 1;',
    start: '# (?:Time|User@Host): ',
    patterns: [
      `# Time: %{TIME:_time}\\n${SLOW_HEADER}%{MESSAGE:message}`,
      `${SLOW_HEADER}(?=(?:(?!#)[^\\n]*\\n){0,3}?SET timestamp=(?<_time:long>\\d+))%{MESSAGE:message}`,
      // Detects a log without lines with times.
      `${SLOW_HEADER}(?:(?!#)[^\\n]*\\n){0,3}?SET timestamp=%{TIME:_time};`,
    ],
  },
  'redis-monitor': {
    title: 'redis-cli monitor',
    example: '1795168800.712040 [0 127.0.0.1:35116] "set" "k1" "v 1"',
    patterns:
      '%{TIME:_time} \\[%{INT:db:long} (?<client>lua|[^\\]\\n]{1,128})\\] (?="(?<command>[^"\\n]{1,60})")%{MESSAGE:message}',
  },
  redis: {
    title: 'Redis, Valkey, Sentinel, KeyDB',
    example: '23888:M 06 Apr 2020 18:29:27.387 * Ready to accept connections',
    patterns: [
      '%{INT:pid:long}:(?:%{INT:tid:long}:)?(?<role>[XCSM]) %{TIME:_time} (?<level>[.*#-]) %{MESSAGE:message}',
      '\\[%{INT:pid:long}\\] %{TIME:_time} (?<level>[.*#-]) %{MESSAGE:message}',
      '%{INT:pid:long}:(?<level>signal-handler) \\((?<_time:long>\\d{10})\\) %{MESSAGE:message}',
    ],
    levels: { '.': 'debug', '-': 'info', '*': 'notice', '#': 'warn', 'signal-handler': 'warn' },
  },
  'sap-ase': {
    title: 'SAP ASE (Sybase): error log',
    example: '00:0002:00000:00001:2026/11/20 10:00:00.45 server  Recovering database',
    patterns:
      '%{INT:engine:long}:(?:%{INT:tid:long}:)?%{INT:family:long}:%{INT:process:long}:%{TIME:_time} (?<app>server|kernel) +%{MESSAGE:message}',
  },
  mongodb: {
    title: 'MongoDB before 4.4',
    example: '2020-05-18T20:18:12.724+0000 I  NETWORK  [conn12] end connection 127.0.0.1:5000',
    patterns: [
      '%{TIME:_time} (?<level>[FEWI]|D[1-5]?) +(?:-|(?<logger>[A-Z_]+)) +\\[(?<thread>[^\\]\\n]*)\\] ?%{MESSAGE:message}',
      '%{TIME:_time} \\[(?<thread>(?:conn\\d+|initandlisten|rs[A-Z]\\w*|\\w+(?:Thread|Monitor|Worker|Server)\\w*))\\] (?!%{CAPITAL_LEVEL} )%{MESSAGE:message}',
    ],
  },
  db2diag: {
    title: 'Db2: db2diag.log',
    example:
      '2026-11-20-10.00.01.973000-240 I27860F655         LEVEL: Severe\nPID     : 3228                 TID : 8796',
    patterns:
      '%{TIME:_time} +(?<record>[A-Z]\\d{1,12}[A-Z]\\d{1,12}) +LEVEL: (?<level>[A-Z][a-z]{2,12})(?: \\([^)\\n]{0,40}\\))?\\s{1,4}%{MESSAGE:message}',
    levels: { Event: 'notice' },
  },
  openedge: {
    title: 'Progress OpenEdge: the log of a database',
    example:
      '[26/11/20@10:00:00.123+0100] P-004711     T-004712 I BROKER  0: (4234)  Login by root on /dev/pts/0.',
    patterns:
      '\\[%{TIME:_time}\\] P-0*%{INT:pid:long} +T-0*%{INT:tid:long} +(?<level>[IWFE\\d]) (?<app>[A-Z]\\w{0,20}) *(?:%{INT:user:long})? *: (?:\\((?<code:long>\\d{1,6})\\) +)?%{MESSAGE:message}',
    levels: { 1: 'info', 2: 'info', 3: 'debug', 4: 'debug' },
  },
  intersystems: {
    title: 'InterSystems IRIS and Caché: messages.log, cconsole.log',
    isMonthFirst: true,
    example: '01/20/26-10:00:00:123 (1234) 2 [Utility.Event] Journal error',
    patterns:
      '%{TIME:_time} \\(%{INT:pid:long}\\) (?<level>[0-3]) (?:\\[(?<logger>[\\w.%]{1,100})\\][ \\n])?%{MESSAGE:message}',
    levels: { 0: 'info', 1: 'warn', 2: 'error', 3: 'fatal' },
  },
  ceph: {
    title: 'Ceph daemons, cephadm; `-1` is an error',
    example: '2026-11-20T10:00:00.123+0000 7f1c2a7fc700  0 set uid:gid to 167:167 (ceph:ceph)',
    patterns: [
      '%{TIME:_time} (?<thread>[0-9a-f]{12,16}) +-?\\d{1,2} (?<logger>log_channel\\(\\w{1,40}\\)) log \\[(?<level>DBG|INF|SEC|WRN|ERR)\\] : %{MESSAGE:message}',
      '%{TIME:_time} (?<thread>[0-9a-f]{12,16}) +(?:(?<level>-1)|%{INT:debug_level:long}) %{MESSAGE:message}',
      // cephadm.
      '%{TIME:_time} (?<thread>[0-9a-f]{12,16}) %{PYTHON_LEVEL:level} %{MESSAGE:message}',
    ],
    levels: { '-1': 'error', SEC: 'notice' },
  },
  cockroachdb: {
    title: 'CockroachDB',
    example:
      'W261120 10:00:01.323456 123 kv/kvserver/liveness.go:555 [T1,n1,liveness-hb] 45  slow heartbeat took 3.1s',
    patterns:
      '(?=%{GLOG_LEVEL:level})%{TIME:_time} %{INT:tid:long} (?:%{INT:channel:long}@)?%{SOURCE:file}:%{INT:line:long} (?:[^ -~]{1,3} )?(?:\\[(?<tags>[^\\]\\n]{0,200})\\] +)?(?:%{INT:sequence:long} +)?%{MESSAGE:message}',
  },
  arangodb: {
    title: 'ArangoDB',
    example: '2026-11-20T10:00:00Z [1234] INFO [e52b0] {general} ArangoDB 3.10.0 [linux] 64bit',
    patterns:
      '%{TIME:_time} \\[%{INT:pid:long}(?:-%{INT:tid:long})?\\] %{LEVEL:level} \\[(?<message_id>[0-9a-f]{5})\\] \\{(?<logger>\\w{1,40})\\} %{MESSAGE:message}',
  },
  clickhouse: {
    title: 'ClickHouse',
    example:
      '2026.11.20 10:00:01.000000 [ 245 ] {0c4a6f36-5b0a} <Debug> executeQuery: SELECT 1 (stage: Complete)',
    patterns:
      '%{TIME:_time} \\[ *%{INT:tid:long} *\\] \\{(?<query_id>[^}\\n]*)\\} <%{LEVEL:level}> (?<logger>[^\\n]*?): ?%{MESSAGE:message}',
  },
  tarantool: {
    title: 'Tarantool',
    example: '2026-11-20 10:00:00.123 [1234] main/103/init.lua box.cc:100 I> Tarantool 2.11.0',
    patterns:
      '%{TIME:_time} \\[%{INT:pid:long}\\] (?<thread>[\\w./-]{1,100}) (?:(?<logger>[\\w.]{1,60}) )?(?:%{SOURCE:file}:%{INT:line:long} )?(?<level>[FECWIVD!])> %{MESSAGE:message}',
    levels: { '!': 'error', V: 'debug' },
  },
  erlang: {
    title: 'Erlang: RabbitMQ 3.7 and later, ejabberd, Riak, VerneMQ',
    example: '2026-11-20 10:00:00.200000+00:00 [warning] <0.230.0> closing AMQP connection',
    patterns:
      '%{TIME:_time} \\[%{LEVEL:level}\\] <(?<process>[\\d.]+)>(?:@(?<logger>\\w{1,100}):(?<function>[\\w/-]{1,100}):%{INT:line:long})? ?%{MESSAGE:message}',
  },
  'postgresql-csv': {
    title: 'PostgreSQL and Greenplum: csvlog',
    example:
      '2026-11-20 10:00:00.123 UTC,"app","orders",105,"10.0.0.5:55678",6092a3b0.69,1,"SELECT",2026-11-20 09:59:00 UTC,3/7,0,ERROR,42P01,"relation ""x"" does not exist",,,,,,"SELECT 1",15,,"psql","client backend",,0',
    patterns: [
      `%{TIME:_time}(?: (?<zone>[A-Z]{3,5}))?,${cell('user')},${cell('database')},%{INT:pid:long}?,${cell('client')},(?<session_id>[0-9a-f]+\\.[0-9a-f]+)?,%{INT:session_line:long}?,${cell('command')},(?<session_start>[^,\\n]*),(?<virtual_transaction>[^,\\n]*),%{INT:transaction:long}?,(?<level>${POSTGRES_LEVELS}),(?<sql_state>\\w{5})?,"(?<message>(?:[^"]|"")*)",${cell('detail')},${cell('hint')},${cell('internal_query')},%{INT:internal_query_position:long}?,${cell('context')},${cell('query')},%{INT:query_position:long}?,${cell('location')}(?:,${cell('application')})?(?:,${cell('backend_type')})?(?:,%{INT:leader_pid:long}?)?(?:,%{INT:query_id:long}?)?(?=\\r?\\n|$)%{MESSAGE:message}`,
      // Greenplum.
      `%{TIME:_time}(?: (?<zone>[A-Z]{3,5}))?,${cell('user')},${cell('database')},p%{INT:pid:long},(?<tid>th-?\\d+)?,${cell('client')},${cell('remote_port')},(?<session_start>[^,\\n]*),%{INT:transaction:long}?,(?<session_id>con\\d+)?,(?<command_id>cmd\\d+)?,(?<segment>seg-?\\d+)?,(?<slice>[^,"\\n]{1,60})?,(?<distributed_transaction>[^,"\\n]{1,60})?,(?<local_transaction>[^,"\\n]{1,60})?,(?<subtransaction>[^,"\\n]{1,60})?,"(?<level>${POSTGRES_LEVELS})","(?<sql_state>\\w{5})","(?<message>(?:[^"]|"")*)",${cell('detail')},${cell('hint')},${cell('internal_query')},%{INT:internal_query_position:long}?,${cell('context')},${cell('query')},%{INT:query_position:long}?,${cell('function')},${cell('file')},%{INT:line:long}?,${cell('stack')}(?=\\r?\\n|$)%{MESSAGE:message}`,
    ],
    start: '%{TIME:_time}(?: [A-Z]{3,5})?,(?:"|,)',
    hasDoubledQuotes: true,
  },
  'mariadb-audit': {
    title: 'MariaDB: audit plugin, also in Amazon RDS',
    example: "20261120 10:00:00,db1,app,10.0.0.5,12,34,QUERY,shop,'select 1',0",
    patterns:
      '%{TIME:_time},(?<server>[^,\\n]{0,100}),(?<user>[^,\\n]{0,100}),(?<client>[^,\\n]{0,100}),%{INT:connection:long},%{INT:query_id:long},(?<operation>[A-Z_]{3,20}),(?<database>[^,\\n]{0,100}),%{TEXT:message},%{INT:return_code:long}(?:,[^\\n]{0,100})?(?=\\n|$)%{MESSAGE:message}',
  },
  greenplum: {
    title: 'Greenplum: gpstart, gpinitsystem and other utilities, whose process follows the time',
    example: '20261120:10:00:00:028192 gpstart:mdw:gpadmin-[INFO]:-Starting gpstart with args: -a',
    patterns:
      '%{TIME:_time}:0*%{INT:pid:long} (?<app>[\\w.-]{1,60}):(?<host>[\\w.-]{1,100}):(?<user>[\\w.-]{1,60})-\\[%{LEVEL:level}\\]:-?%{MESSAGE:message}',
  },
  redshift: {
    title: 'Amazon Redshift: user activity log',
    example:
      "'2026-11-20T10:00:00Z UTC [ db=dev user=app pid=1234 userid=1 xid=77 ]' LOG: select 1",
    patterns:
      "'%{TIME:_time}(?: UTC)? \\[ db=(?<database>\\S{0,200}) user=(?<user>\\S{0,200}) pid=%{INT:pid:long} userid=%{INT:user_id:long} xid=%{INT:transaction:long} \\]' %{LEVEL:level}: ?%{MESSAGE:message}",
  },
  'mysql-general': {
    title: 'MySQL and MariaDB: general query log',
    example: '2026-11-20T10:00:00.123456Z\t   12 Connect\troot@localhost on orders using Socket',
    patterns: [
      '%{TIME:_time}[ \\t]+%{INT:connection:long} (?<command>[A-Z][a-z]+(?: [A-Za-z]+)?)(?:(?:\\t| {2,})%{MESSAGE:message})',
      '\\t\\t +%{INT:connection:long} (?<command>[A-Z][a-z]+(?: [A-Za-z]+)?)(?:\\t%{MESSAGE:message})',
    ],
    start: '(?:%{TIME:_time}|\\t\\t) *[ \\t]+\\d+ [A-Z][a-z]+',
  },
  sqlserver: {
    title: 'SQL Server: ERRORLOG, SQLAGENT.OUT, Detail.txt of its setup',
    example: '2026-11-20 10:00:00.12 spid5s      Starting up database orders.',
    patterns: [
      '%{TIME:_time} (?<process>spid\\d+s?|Server|Logon|Backup) +%{MESSAGE:message}',
      '%{TIME:_time} - (?<level>[!+?]) \\[(?<code>\\d{3})\\] %{MESSAGE:message}',
      '\\((?<thread>\\d\\d)\\) %{TIME:_time} (?<logger>[A-Z]\\w{1,40}): %{LEVELED:message}',
    ],
    levels: { '!': 'error', '+': 'warn', '?': 'info' },
  },
  couchdb: {
    title: 'CouchDB',
    example:
      '[notice] 2026-11-20T10:00:01.000000Z couchdb@127.0.0.1 <0.345.0> 3d4f2a 127.0.0.1:5984 10.0.0.5 admin GET /_all_dbs 200 ok 3',
    patterns:
      '\\[%{LEVEL:level}\\] %{TIME:_time} (?<node>[^\\s@]+@\\S+) <(?<process>[\\d.]+)> (?:-{8}|(?<request_id>[0-9a-f]{4,40})) (?:(?=(?<authority>[^\\s/]+) (?<remote_addr>[\\da-fA-F.:]+) (?<user>\\S+) (?<method>[A-Z]+) (?<path>\\S+) %{INT:status:long} (?<result>\\w+) %{INT:duration_ms:long}(?=\\n|$))|)%{MESSAGE:message}',
  },
  couchbase: {
    title: 'Couchbase',
    example:
      '[ns_server:info,2026-11-20T10:00:00.123Z,ns_1@127.0.0.1:ns_config_rep<0.295.0>:ns_config_rep:do_pull:343]Pulling config',
    patterns:
      '\\[(?<app>\\w{1,60}):%{LEVEL:level},%{TIME:_time},(?<node>[^\\s:,@]{1,100}@[^\\s:,]{1,100}):(?<logger>[^\\s\\]]{1,300})\\]%{MESSAGE:message}',
  },
  nats: {
    title: 'NATS',
    example: '[1] 2026/11/20 10:00:00.123456 [INF] Starting nats-server',
    patterns: [
      '\\[%{INT:pid:long}\\] %{TIME:_time} \\[(?<level>TRC|DBG|INF|WRN|ERR|FTL)\\] ?%{MESSAGE:message}',
      '\\[%{INT:pid:long}\\] \\[(?<level>TRC|DBG|INF|WRN|ERR|FTL)\\] ?%{MESSAGE:message}',
    ],
  },
  librdkafka: {
    title: 'librdkafka: clients of Kafka in C, Python, Go, .NET, PHP',
    example: '%3|1795168800.123|FAIL|rdkafka#producer-1| [thrd:main]: 1/1 brokers are down',
    patterns:
      '%(?<level>[0-7])\\|%{TIME:_time}\\|(?<facility>[A-Z][A-Z0-9_]{0,40})\\|(?<client>[^\\s|]{1,200})\\| (?:\\[thrd:(?<thread>[^\\]\\n]{1,200})\\]: )?%{MESSAGE:message}',
    levels: Object.fromEntries(SYSLOG_LEVELS.entries()),
  },
  'erlang-report': {
    title: 'Erlang reports, RabbitMQ before 3.7, crash.log of Lager',
    example: '=INFO REPORT==== 20-Nov-2026::10:00:00 ===\naccepting AMQP connection <0.1.0>',
    patterns: [
      '=(?<level>[A-Z]{4,12}) REPORT==== %{TIME:_time} ===\\s*%{MESSAGE:message}',
      // The file crash.log of Lager.
      '%{TIME:_time} =(?<level>[A-Z]{4,12}) REPORT====\\s*%{MESSAGE:message}',
    ],
    levels: { CRASH: 'critical', PROGRESS: 'debug', SUPERVISOR: 'error' },
  },
  activemq: {
    title: 'ActiveMQ, Karaf: columns between bars, the message in the middle',
    example:
      '2026-11-20 10:00:00,123 | INFO  | Apache ActiveMQ 5.16.3 started | org.apache.activemq.broker.BrokerService | main',
    patterns: [
      // A single word in the middle is rather a thread.
      '%{TIME:_time} \\| %{LEVEL:level} +\\| (?=\\S+ +[^\\s|])%{TEXT:message} \\| %{QUALIFIED:logger} \\| %{TEXT:thread}(?=\\n|$)%{MESSAGE:message}',
    ],
  },
  tidb: {
    title: 'TiDB, TiKV and PD: a message and pairs in brackets',
    example:
      '[2026/11/20 10:00:00.123 +00:00] [INFO] [server.go:123] ["server is running MySQL protocol"] [addr=0.0.0.0:4000]',
    patterns:
      '\\[%{TIME:_time}\\] \\[%{LEVEL:level}\\] \\[(?:%{SOURCE:file}:%{INT:line:long}|<unknown>)\\] \\[(?:"(?<message>(?:[^"\\\\\\n]|\\\\.){0,8192})"|(?<message>[^\\]\\n]{0,8192}))\\] ?%{PAIRS:+}',
  },
  scylla: {
    title: 'ScyllaDB, Redpanda',
    example: 'INFO  2026-11-20 10:00:00,123 [shard 0:main] init - starting prometheus API server',
    patterns:
      '%{LEVEL:level} +%{TIME:_time} \\[(?<thread>shard [\\w: ]{1,40})\\] (?<logger>[\\w.-]{1,100}) - (?:%{SOURCE:file}:%{INT:line:long} - )?%{MESSAGE:message}',
  },
  questdb: {
    title: 'QuestDB',
    example: "2026-11-20T10:00:00.123456Z I i.q.c.TableWriter open 'trades'",
    patterns:
      '%{TIME:_time} (?<level>[DIEAC]) (?<logger>(?:[a-z]\\w{0,20}\\.){1,12}[A-Z][\\w$]{0,100}) ?%{MESSAGE:message}',
    levels: { A: 'notice' },
  },
  eventstore: {
    title: 'EventStoreDB, KurrentDB: process, thread, clock and level',
    example: '[ 1234, 1,10:00:00.123,INF] EventStore starting',
    patterns:
      '\\[ {0,10}%{INT:pid:long}, {0,10}%{INT:tid:long}, {0,4}%{CLOCK:time},(?<level>VRB|DBG|INF|WRN|ERR|FTL|TRACE|DEBUG|INFO|WARN|ERROR|FATAL) {0,4}\\] ?%{MESSAGE:message}',
  },
  firebird: {
    title: 'Firebird: firebird.log',
    example: 'db1\tFri Nov 20 10:00:00 2026\n\tINET/inet_error: read errno = 104',
    patterns:
      '(?<host>[\\w.-]{1,100})(?: \\([^)\\n]{1,40}\\))?\\t%{TIME:_time}[ \\t]{0,8}\\n\\s{0,8}%{MESSAGE:message}',
  },
  'ibm-mq': {
    title: 'IBM MQ: AMQERR01.LOG',
    example:
      "01/20/2026 10:00:00 AM - Process(1234.1) User(mqm) Program(amqzxma0)\n                    Host(host1) Installation(Installation1)\n                    VRMF(9.2.0.0) QMgr(QM1)\n                    Time(2026-01-20T10:00:00.123Z)\n\nAMQ9207E: The data received from host '10.0.0.1' is not valid.",
    patterns:
      '%{TIME:_time} {1,3}- Process\\((?<process>[\\d.]{1,40})\\) User\\((?<user>[^)\\n]{0,100})\\) Program\\((?<app>[^)\\n]{0,100})\\)(?=.{1,4000}?\\bAMQ\\d{4,5}(?<level>[IWEST]): )%{MESSAGE:message}',
    levels: { S: 'critical', T: 'fatal' },
  },
  vertica: {
    title: 'Vertica: a thread and a component in front of the level',
    example: '2026-11-20 10:00:00.123 Main:0x7f3d2c00 [Init] <INFO> Starting up Vertica',
    patterns:
      '%{TIME:_time} (?<thread>[A-Za-z][\\w ]{0,60}:(?:0x)?[0-9a-f]{4,16}(?:-[0-9a-f]{1,16})?) (?:\\[(?<logger>\\w{1,40})\\] )?<%{LEVEL:level}> ?%{MESSAGE:message}',
  },
  fabric: {
    title: 'Hyperledger Fabric, versions 1 and 2',
    example: '2026-11-20 10:00:00.123 UTC [gossip.comm] func1 -> ERRO 002 connection lost',
    patterns: [
      '%{TIME:_time} \\[(?<logger>[\\w./-]{1,60})\\] (?<function>[\\w.()*]{1,80}) -> (?<level>DEBU|INFO|WARN|ERRO|PANI|FATA|CRIT|NOTI) (?<number>[0-9a-f]{3,8}) %{MESSAGE:message}',
      '%{TIME:_time} (?<number>[0-9a-f]{4,8}) (?<level>DEBU|INFO|WARN|ERRO|PANI|FATA) \\[(?<logger>[\\w./-]{1,60})\\] (?<function>[\\w.()*]{1,80}) -> %{MESSAGE:message}',
    ],
  },
})
