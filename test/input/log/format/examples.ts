import type { LineFormat } from '../../../../src/input/log/format/line-format.js'

/** Returns events as a format has them, each of one or more lines. */
export function examplesOf({ name, example }: LineFormat): readonly string[] {
  return [example, ...(FURTHER[name] ?? [])]
}

/** Events of formats that have several forms, in addition to the example of each format. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  postgresql: [
    '2026-11-20 11:00:00.123 CET [4711] postgres@orders ERROR:  relation "x" does not exist',
    '2026-11-20 10:00:00 UTC:10.0.0.1(5000):app@orders:[4711]:LOG:  duration: 12.5 ms  statement: SELECT 1',
  ],
  mysql: [
    '2026-11-20T10:00:00.123456Z 12 [Note] Aborted connection 12 to db: orders',
    '2026-11-20 10:00:00 0 [Note] InnoDB: Using Linux native AIO',
  ],
  mongodb: ['2020-05-18T20:18:16.000+0000 F -        [conn1] Fatal Assertion 28595'],
  ceph: [
    '2026-11-20T10:00:02.000+0000 7f1c1bfff700  0 log_channel(cluster) log [WRN] : Monitor daemon marked osd.3 down',
  ],
  erlang: [
    '2026-11-20 10:00:00.200 [info] <0.123.0>@ejabberd_listener:init:72 Start accepting TCP connections',
  ],
  couchdb: [
    '[info] 2026-11-20T10:00:00.123456Z couchdb@127.0.0.1 <0.9.0> -------- Apache CouchDB has started.',
  ],
  text: ['[WARN] [2026-11-20 10:00:00] disk low'],
  'small-level': ['[2026-11-20T10:00:00Z] info started'],
  level: ['10:00:00 WARN disk low', '[web] [main] ERROR failed'],
  program: [
    'Fri Nov 20 10:00:00 2026 daemon.info dnsmasq[1234]: started, version 2.85 cachesize 150',
    'Fri Nov 20 10:00:00 2026 [1234] info: spamd: server pid: 1234',
  ],
  source: [
    '2026-11-20 10:00:00,036\tINFO services.py:1274 -- View the dashboard',
    '[2026-11-20 10:00:00,036 I 1234 1240] (gcs_server) gcs_server.cc:77: Starting server',
  ],
  bars: [
    '2026-11-20 10:00:00.715761|INFO    |ServerLibPriv |   |TeamSpeak 3 Server 3.13.7',
    'INFO   | jvm 1    | 2026/11/20 10:00:00 | WrapperManager: Initializing...',
  ],
  commas: ['2026-11-20 10:00:00;app.web;INFO;started'],
  'spring-boot': [
    '2026-11-20 10:00:00.123  INFO 1 --- [           main] o.s.b.w.embedded.tomcat.TomcatWebServer  : Tomcat started',
    '2026-11-20 10:00:00.123  INFO [orders,4bf92f3577b34da6,00f067aa0ba902b7] 1 --- [nio-8080-exec-1] c.e.OrderController : Found',
  ],
  akka: [
    '[2026-11-20 10:00:00,123] [INFO] [akka.event.slf4j.Slf4jLogger] [main] [] - Slf4jLogger started',
  ],
  elasticsearch: [
    '[2026-11-20T10:00:00,123][INFO ][logstash.javapipeline    ][main] Pipeline started',
  ],
  kafka: [
    "[2026-11-20 10:00:00,123] INFO Plugin 'x' loaded (org.apache.kafka.connect.runtime.isolation.PluginScanner:80)",
  ],
  wildfly: [
    '2026-11-20 10:00:00,123 h1 app.jar[1234] INFO  [io.quarkus] (main) Started',
    '10:00:00,123 INFO  [org.jboss.as] (MSC service thread 1-2) Started',
  ],
  odl: [
    '[2026-11-20T10:00:00.123+00:00] [soa_server1] [NOTIFICATION] [SOA-31700] [oracle.soa] [tid: 12] started',
  ],
  'java-util-logging': [
    '2026-11-20 15:16:47 [main] com.example.App.start()\nINFO: Server startup in 1234 ms',
  ],
  'jvm-gc': [
    '[0.015s][info ][gc] Using G1',
    '2026-11-20T10:00:00.123+0000: 1.234: [GC (Allocation Failure) 33280K->4952K(125952K), 0.0056 secs]',
  ],
  jetty: ['2026-11-20 10:00:00.123:INFO :oejs.Server:main: jetty-12.0.9'],
  log4j: [
    '2026-11-20 15:16:47.163 [main] INFO  com.example.App - Started in 3 ms',
    '17/06/09 20:10:40 INFO executor.Executor: Running task 1.0',
  ],
  'log4j-undated': [
    '[main] INFO com.example.App - Started in 3 ms',
    '10:15:30.123 [main] INFO com.example.App -- Started in 3 ms',
    '10:15:30,123 |-INFO in ch.qos.logback.classic.LoggerContext[default] - This is logback-classic version 1.5.6',
  ],
  klog: [
    '[W1120 10:00:00.123456789 socket.cpp:464] [c10d] The server socket cannot be initialized',
  ],
  go: [
    '[web] 2026/11/20 10:00:00 listening on :8080',
    'ERROR\t2026/11/20 10:00:00 main.go:12: connection refused',
  ],
  'rust-env-logger': [
    '2026-11-20T10:00:00.123Z WARN  [my_app::db] slow query',
    ' ERROR my_app::db > connection refused',
  ],
  'rust-tracing': [
    '2026-11-20T10:00:00.123456Z  WARN request{id=7}: my_app::db: slow query, table: "orders"\n  at src/db.rs:12',
    ' WARN request{id=7}: my_app::db: slow query',
  ],
  zerolog: ['10:00AM ERR server.go:12 > not found path=/a'],
  monolog: ['[2026-11-20 15:16:47] production.INFO: User logged in {"id":1}'],
  pino: ['[2026-11-20T10:00:00.123Z]  INFO: app/4242 on web1: listening on 3000'],
  serilog: ['2026-11-20 10:00:00.123 +01:00 [INF] Now listening on: http://localhost:5000'],
  tshark: [
    '    2 2026-11-20 10:00:00.440170    127.0.0.1 -> 127.0.0.1    TCP 74 18765 -> 55922 [SYN, ACK] Seq=0',
  ],
  ping: ['64 bytes from example.com (192.0.2.1): icmp_seq=2 ttl=56 time=11.2 ms'],
  cisco: [
    '*Nov 20 10:00:00.123: %LINK-3-UPDOWN: Interface GigabitEthernet0/1, changed state to down',
    'Nov 20 2026 10:00:00 HUAWEI %%01IFNET/4/LINK_STATE(l)[1]:The line protocol has entered the UP state.',
  ],
  freeswitch: [
    '2026-11-20 10:00:00.123456 98.30% [NOTICE] switch_channel.c:1118 New Channel sofia/internal/1000',
  ],
  werkzeug: ['127.0.0.1 - - [20/Nov/2026 10:00:00] "GET /static/app.js HTTP/1.1" 200 -'],
  rich: ['[10:00:00] WARNING  disk usage at 91%                    app.py:6'],
  python: ['WARNING:app.db:Slow query (1.2 s)'],
  sanic: [
    'Srv 0|2026-11-20 10:00:01 +0000 INFO: 127.0.0.1:60732 GET http://127.0.0.1:8000/ 200 2  0.3ms',
  ],
  uvicorn: ['WARNING:  Invalid HTTP request received.'],
  'suricata-fast': [
    '11/20-10:00:00.123456  [**] [1:2012647:3] ET POLICY Dropbox [**] [Priority: 1] {TCP} 10.0.0.1:5000 -> 192.0.2.1:443',
  ],
  exim: ['2026-11-20 10:00:01 1jJ3Kz-0001aB-2C => bob@example.net R=dnslookup T=remote_smtp'],
  hmailserver: [
    '"APPLICATION"\t1716\t"2026-11-20 10:00:01.456"\t"SMTPDeliverer - Message 12: Delivering message"',
  ],
  sssd: ['(Fri Nov 20 10:00:00 2026) [sssd[nss]] [monitor_common_send_id] (0x0100): Sending ID'],
  logcat: [
    '03-17 16:13:38.811 D/WindowManager( 1702): printFreezingDisplayLogsopening app',
    'D/HeadsetStateMachine( 1729): Disconnected process message: 10, size: 0',
    '[ 03-17 16:13:38.811  1702: 2395 D/WindowManager ]\nprintFreezingDisplayLogsopening app',
  ],
  dmesg: ['kern  :warn  : [    1.234567] usb 1-1: device descriptor read/64, error -110'],
  xorg: ['(II) Loading extension GLX'],
  'apple-log': [
    '2026-11-20 10:00:00.123456+0100 0x1235     Error       0x0                  123    0    mDNSResponder: [com.apple.mDNSResponder:Default] failed',
  ],
  esxi: [
    '2026-11-20T10:00:00.123Z info hostd[2099312] [Originator@6876 sub=Vimsvc.TaskManager opID=abc-1] Task Created',
  ],
  pacemaker: [
    'Nov 20 10:00:00 [1234] node1 corosync notice  [TOTEM ] A new membership (10.0.0.1:12) was formed',
  ],
  'journal-verbose': [
    '__CURSOR=s=abc;i=1\n__REALTIME_TIMESTAMP=1795168800123456\nPRIORITY=6\nMESSAGE=Started',
  ],
  rsync: ['2026/11/20 10:00:00 [18854] >f+++++++++ a'],
  ros: ['[ WARN] [1795168800.123456789, 12.500000000]: TF_OLD_DATA ignoring data from the past'],
  npm: ['npm warn deprecated har-validator@5.1.5'],
  curl: ['10:00:00.050379 * Connected to 127.0.0.1 (127.0.0.1) port 18765 (#0)'],
  compiler: ["Program.cs(10,5): error CS0103: The name 'x' does not exist [/src/app.csproj]"],
  rustc: ['warning: `demo` (bin "demo") generated 1 warning'],
  strace: [
    '[pid  1234] 10:00:00.123456 close(3) = 0 <0.000012>',
    '1234  1795168800.123456 +++ exited with 0 +++',
  ],
  'apache-error': [
    '[Sun Dec 04 04:47:44 2005] [error] [client 192.0.2.1] Directory index forbidden by rule: /var/www/html/',
  ],
  haproxy: ['10.0.1.2:33313 [20/Nov/2026:09:59:59.655] fnt bck/srv1 0/0/5007 212 -- 0/0/0/0/3 0/0'],
  'nginx-proxy-manager': [
    '[20/Nov/2026:10:00:00 +0000] 444 - GET https 192.0.2.1 "/.env" [Client 192.0.2.5] [Length 0] [Gzip -] "curl/8.0" "-"',
  ],
  gin: ['[negroni] 2026-11-20T10:00:00Z | 200 | \t 71.767µs | localhost:3000 | GET /ping'],
  morgan: ['GET /users 304 - - 1.234 ms', '192.0.2.7 - GET /users HTTP/1.1 200 1024 - 1.234 ms'],
  'log4j-xml': [
    '<log4j:event logger="App" level="ERROR" timestamp="1795168800123" thread="1"><log4j:message>failed</log4j:message></log4j:event>',
  ],
}
