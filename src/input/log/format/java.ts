import { formatsByName } from './line-format.js'

const TIME = '\\[?%{TIME:_time}\\]?,?'

const WEBLOGIC =
  '####<[^<>\\n]*> <%{LEVEL:level}> <%{NAME:logger}> <(?<host>[^<>\\n]*)> <(?<server>[^<>\\n]*)> <(?<thread>[^\\n]*?)> <(?:<(?<user>[^<>\\n]*)>|(?<user>[^<>\\n]*))> <(?<transaction_id>[^<>\\n]*)> <(?<diagnostic_id>[^<>\\n]*)> <%{TIME:_time}> (?:<(?<attributes>[^<>\\n]*)> )?<(?<message_id>[A-Z]+-\\d+)> <'

/** Spring Boot: a thread, and a trace that can't be taken for a thread. */
const CORRELATED =
  '\\[%{THREAD:thread}\\] \\[(?:%{APP:app}?,%{HEX:trace_id}?,%{HEX:span_id}?|(?<trace_id>[0-9a-f]{16,32})-(?<span_id>[0-9a-f]{16}))\\] ?'

/** WildFly and Quarkus: a level, perhaps a trace, a logger and a thread. */
const JBOSS =
  '%{LEVEL:level} +(?:traceId=(?<trace_id>\\w*), parentId=(?<parent_id>\\w*), spanId=(?<span_id>\\w*), sampled=(?<sampled>\\w*) +)?\\[%{LOGGER:logger}\\] \\((?![\\w$.]{1,200}:\\d{1,6}\\) - |[\\w$]{1,100}\\.java:\\d)%{NAME:thread}\\) ?%{MESSAGE:message}'

/** The columns in front of a message of ODL; further ones have a name. */
const ODL =
  '\\[%{TIME:_time}\\] \\[(?<app>[^\\]\\n]{0,100})\\] \\[(?<level>INCIDENT_ERROR|NOTIFICATION|%{LEVEL})(?::\\d{1,2})?\\] \\[(?<message_id>[^\\]\\n]{0,100})\\] \\[(?<logger>[^\\]\\n]{0,200})\\] (?<context>\\[[\\w.-]{1,60}: [^\\]\\n]{0,500}\\](?: \\[[\\w.-]{1,60}: [^\\]\\n]{0,500}\\]){0,15}) '

const BRACKET_LEVEL = '\\[ *%{LEVEL:level} *\\]'
/** A class, or a name whose packages are letters, as Puppet Server writes them. */
const CLASS_IN_BRACKETS =
  '\\[(?:[\\w$.]{1,200}\\.[A-Z][\\w$]{0,100} *|(?:[a-z]\\.){1,9}[\\w-]{1,60})\\]'
/** A logger in front of the code of a message, as ActiveMQ Artemis writes them. */
const CODED_LOGGER = '\\[[\\w$-]{1,60}(?:\\.[\\w$-]{1,60}){1,9} *\\] [A-Z]{3,10}\\d{4,6}: '
/** A logger that ends with a class, in brackets. */
const BRACKET_CLASS = `(?=${CLASS_IN_BRACKETS}|${CODED_LOGGER})\\[%{QUALIFIED:logger} *\\](?: ?[:-](?= ))? ?`
/** A class in brackets, unless another one follows: then the first is a thread. */
const ONLY_CLASS = `(?:${CLASS_IN_BRACKETS}(?! +${CLASS_IN_BRACKETS})|${CODED_LOGGER})`

/** A name that Java programs give to threads. */
const NAMED_THREAD = 'main|[^\\]\\n]{0,100}(?:[Tt]hread|exec|pool|[Ww]orker)[^\\]\\n]{0,100}'
const THREAD_NAME = `\\d{1,20}|${NAMED_THREAD}`

/** The source line in place of a logger. */
const SOURCE_LINE = '%{SOURCE:file}(?<=\\.(?:java|kt|scala|groovy|clj)):%{INT:line:long} +-{1,2} '
const PLACED_LOGGER = `(?:${SOURCE_LINE}|%{LOGGER:logger}%{PLACE}?%{SEPARATOR})`

export const JAVA_FORMATS = formatsByName({
  eclipse: {
    title: 'Eclipse: the file `.metadata/.log` of a workspace',
    example:
      '!ENTRY org.eclipse.core.resources 4 567 2026-11-20 10:00:01.456\n!MESSAGE Workspace restored, but some problems occurred.',
    patterns: [
      '!ENTRY %{NOTSPACE:logger}(?: (?<level>\\d) %{INT:code:long})? %{TIME:_time}\\n(?:!MESSAGE )?%{MESSAGE:message}',
      '!SESSION %{TIME:_time}[ -]*\\n?%{MESSAGE:message}',
    ],
    levels: { 0: 'info', 1: 'info', 2: 'warn', 4: 'error', 8: 'notice' },
  },
  'spring-boot': {
    title: 'Spring Boot',
    example:
      '2026-11-20T10:00:00.123+01:00  INFO 12345 --- [myapp] [           main] c.e.demo.DemoApplication                 : Starting',
    patterns: `%{TIME:_time} +%{LEVEL:level} (?:\\[(?:%{APP:app},)?%{HEX:trace_id}?[,/]%{HEX:span_id}?(?:,%{WORD:exported:bool}?)?\\] )?(?:%{INT:pid:long} )?--- (?:${CORRELATED}|(?:\\[%{APP:app}\\] (?:\\[%{APP:app_group}\\] )?)?\\[%{THREAD:thread}\\] (?:\\[ {0,40}%{HEX:trace_id}?(?:-%{HEX:span_id}|,)? {0,40}\\] ?)?)%{NOTSPACE:logger} +: ?%{MESSAGE:message}`,
  },
  akka: {
    title: 'Akka and Pekko: a thread and the address of an actor',
    isMonthFirst: true,
    example:
      '[INFO] [01/20/2026 10:00:00.123] [default-akka.actor.default-dispatcher-5] [akka://default/user/a] started',
    patterns: [
      '\\[%{LEVEL:level}\\] \\[%{TIME:_time}\\] \\[%{THREAD:thread}\\] \\[(?<logger>[^\\]\\n]{1,300})\\](?: -)? ?%{MESSAGE:message}',
      '\\[%{TIME:_time}\\] \\[%{LEVEL:level}\\] \\[%{QUALIFIED:logger}\\] \\[(?<thread>[^\\]\\n]{1,200})\\] \\[(?<marker>[^\\]\\n]{0,300})\\] - ?%{MESSAGE:message}',
    ],
  },
  elasticsearch: {
    title: 'Elasticsearch, OpenSearch, Logstash, Kibana, Ignite',
    example: '[2026-11-20T10:00:00,123][INFO ][o.e.n.Node               ] [node-1] started',
    patterns: [
      // Apache Ignite, with a thread in front of the class.
      '\\[%{TIME:_time}\\]\\[%{LEVEL:level} *\\]\\[(?!\\d+\\])(?<thread>[^.\\]\\n]{1,100})\\]\\[(?<logger>[A-Z][\\w$]{0,60})\\] ?%{MESSAGE:message}',
      '\\[%{TIME:_time}\\]\\[%{LEVEL:level} *\\]\\[(?!\\d+\\])%{LOGGER:logger} *\\](?:\\[%{NAME:pipeline}\\])?(?: \\[%{NAME:node}\\])? ?%{MESSAGE:message}',
    ],
  },
  jenkins: {
    title: 'Jenkins',
    example:
      '2026-11-20 10:00:00.123+0000 [id=24]\tINFO\thudson.WebAppMain$3#run: Jenkins is fully up',
    patterns:
      '%{TIME:_time} \\[id=%{INT:tid:long}\\]\\t%{LEVEL:level}\\t(?<logger>[^\\s#:]+)(?:#(?<function>[^\\s:]+))?: ?%{MESSAGE:message}',
  },
  minecraft: {
    title: 'Minecraft',
    example: '[10:00:00] [Server thread/INFO]: Starting minecraft server version 1.20.1',
    patterns: [
      ...['%{CLOCK:time}', '%{TIME:_time}'].map(
        (time) =>
          `\\[?${time}\\]? \\[(?<thread>[^\\n\\]/]+)/%{LEVEL:level}\\](?: \\[(?<logger>[^\\n\\]]+)\\])?: ?%{MESSAGE:message}`,
      ),
    ],
  },
  kafka: {
    title: 'Kafka, with the logger after the message',
    example:
      '[2026-11-20 10:00:00,123] INFO [GroupCoordinator 0]: Removed 0 offsets. (kafka.coordinator.group.GroupCoordinator)',
    patterns: [
      '\\[%{TIME:_time}\\] %{LEVEL:level} {1,8}%{TEXT:message} \\(%{QUALIFIED:logger}(?::%{INT:line:long})?\\)(?=\\n|$)%{MESSAGE:message}',
      // Strimzi.
      '%{TIME:_time} %{LEVEL:level} {1,8}%{TEXT:message} \\(%{QUALIFIED:logger}\\) \\[%{THREAD:thread}\\](?=\\n|$)%{MESSAGE:message}',
    ],
  },
  cassandra: {
    title: 'Cassandra',
    example:
      'INFO  [main] 2026-11-20 10:00:00,123 StorageService.java:618 - Cassandra version: 4.1.3',
    patterns:
      '%{LEVEL:level} +\\[%{THREAD:thread}\\] +%{TIME:_time} +%{SOURCE:file}:%{INT:line:long} - %{MESSAGE:message}',
  },
  zookeeper: {
    title: 'ZooKeeper',
    example:
      '2026-11-20 10:00:00,123 [myid:1] - INFO  [main:QuorumPeerConfig@136] - Reading configuration',
    patterns:
      '%{TIME:_time} (?:\\[myid:(?:%{INT:server_id:long}|(?<server>[^\\]\\n]*))\\] )?- %{LEVEL:level} +\\[%{TEXT:thread}:%{LOGGER:logger}@%{INT:line:long}\\] - ?%{MESSAGE:message}',
  },
  wildfly: {
    title: 'WildFly, JBoss, Quarkus',
    example: '2026-11-20 10:00:00,123 INFO  [org.jboss.as] (MSC service thread 1-2) Started',
    patterns: [
      `%{TIME:_time} +(?:%{HOST_NAME:host} (?<app>[^\\s\\[\\]]{1,200})\\[%{INT:pid:long}\\] +)?${JBOSS}`,
      `%{CLOCK:time} +${JBOSS}`,
    ],
  },
  tomcat: {
    title: 'Tomcat, catalina.log',
    example:
      '20-Nov-2026 10:00:00.123 INFO [main] org.apache.catalina.startup.Catalina.start Server startup in 1234 ms',
    patterns:
      '%{TIME:_time} (?:%{LEVEL:level}|%{LOCAL_LEVEL:level}) \\[%{THREAD:thread}\\] (?<logger>(?:[\\w$]+\\.)*[A-Z][\\w$]*)\\.(?<function>[a-z<][\\w$<>]*)(?!\\S) ?%{MESSAGE:message}',
  },
  nexus: {
    title: 'Nexus Repository, with a user before the logger',
    example:
      '2026-11-20 10:00:00,123+0000 INFO  [jetty-main-1] *SYSTEM org.sonatype.nexus.bootstrap.jetty.JettyServer - Started',
    patterns:
      '%{TIME:_time} +%{LEVEL:level} +\\[%{THREAD:thread}\\] +(?<user>[*\\w@.-]{1,100}) %{QUALIFIED:logger} - ?%{MESSAGE:message}',
  },
  jitsi: {
    title: 'Jitsi: Videobridge, Jicofo',
    example: 'JVB 2026-11-20 10:00:00.123 INFO: [12] [confId=abc] Conference.<init>#123: Created',
    patterns:
      '(?<app>[A-Z]\\w{1,30}) %{TIME:_time} (?<level>SEVERE|WARNING|INFO|CONFIG|FINE|FINER|FINEST): \\[%{INT:tid:long}\\] %{MESSAGE:message}',
  },
  jfrog: {
    title: 'Artifactory, Xray and other services of JFrog',
    example:
      '2026-11-20T10:00:00.123Z [jfrt ] [INFO ] [1ef45cd67ab89012] [o.a.ArtifactoryApplication:123] [main                ] - started',
    patterns:
      '%{TIME:_time} \\[(?<app>\\w{1,20}) *\\] \\[%{LEVEL:level} *\\] \\[(?<trace_id>[^\\s\\]]{1,60})? *\\] \\[(?<logger>[^\\s\\]]{1,200}):%{INT:line:long} *\\] \\[%{THREAD:thread} *\\](?: \\[\\])? -? ?%{MESSAGE:message}',
  },
  odl: {
    title: "GlassFish, Payara and Oracle's diagnostic logs (ODL)",
    example:
      '[2026-11-20T10:00:00.123+0000] [Payara 6] [INFO] [] [javax.enterprise] [tid: _ThreadID=16] [levelValue: 800] [[\n  started]]',
    patterns: [`${ODL}\\[{2}\\s{0,8}%{MESSAGE:message}\\]{2}$`, `${ODL}%{MESSAGE:message}`],
    levels: { INCIDENT_ERROR: 'critical', NOTIFICATION: 'info' },
  },
  weblogic: {
    title: 'WebLogic',
    example:
      '####<Nov 20, 2026 10:00:00,123 AM UTC> <Notice> <WebLogicServer> <host1> <AdminServer> <main> <<WLS Kernel>> <> <> <1795168800123> <BEA-000365> <Server state changed to STARTING.> ',
    patterns: [
      `${WEBLOGIC}%{TEXT:message}> ?(?=\\n|$)%{MESSAGE:message}`,
      `${WEBLOGIC}%{MESSAGE:message}`,
    ],
  },
  websphere: {
    title: 'WebSphere and Open Liberty',
    example:
      '[01/20/26 10:00:00:123 UTC] 00000001 WsServerImpl  A   WSVR0001I: Server server1 open for e-business',
    patterns:
      '\\[%{TIME:_time}\\] (?<thread>[0-9a-f]{8}) (?:id=(?<object_id>[0-9a-f]*) +)?(?<logger>[\\w.$]+) +(?<level>[AWEFICDORZ123><]) +%{MESSAGE:message}',
    levels: {
      ...{ A: 'notice', C: 'info', O: 'info', R: 'error', Z: 'trace' },
      ...{ 1: 'debug', 2: 'debug', 3: 'trace', '>': 'trace', '<': 'trace' },
    },
  },
  geode: {
    title: 'Apache Geode and GemFire',
    example: '[info 2026/11/20 10:00:00.123 UTC server1 <main> tid=0x1] Startup Configuration',
    patterns:
      '\\[%{LEVEL:level} %{TIME:_time} (?:(?<node>[^\\s<]{1,100}) )?<(?<thread>[^>\\n]{1,200})> tid=(?<tid>[\\w]{1,20})\\] ?%{MESSAGE:message}',
  },
  coherence: {
    title: 'Oracle Coherence: seconds since the start after the time',
    example:
      '2026-11-20 10:00:00.123/1.234 Oracle Coherence GE 14.1.1.0.0 <Info> (thread=main, member=1): Loaded',
    patterns:
      '%{TIME:_time}/%{NUMBER:uptime:real} (?<app>Oracle Coherence [^<\\n]{1,60}) <(?:%{LEVEL:level}|D\\d)> \\(thread=(?<thread>[^\\n]{1,200}?), member=(?<member>[\\w/]{1,10})\\): ?%{MESSAGE:message}',
  },
  airlift: {
    title: 'Trino, Presto: tabs between time, level, thread, logger and message',
    example: '2026-11-20T10:00:00.123Z\tINFO\tmain\tio.trino.server.Server\t=== STARTED ===',
    patterns:
      '%{TIME:_time}\\t *%{LEVEL:level}\\t(?<thread>[^\\t\\n]+)\\t(?:%{QUALIFIED:logger}|(?<logger>Bootstrap))\\t%{MESSAGE:message}',
  },
  'java-util-logging': {
    title: 'java.util.logging, tinylog: two lines an event',
    example:
      'Nov 20, 2026 3:16:47 PM org.apache.catalina.startup.Catalina start\nINFO: Server startup in 1234 ms',
    patterns: [
      '(?:\\[%{INT:tid:long}\\] )?%{TIME:_time} %{LOGGER:logger}(?: (?<function>[\\w$<>]+))?\\n(?:%{LEVEL:level}|%{LOCAL_LEVEL:level}): ?%{MESSAGE:message}',
      '%{TIME:_time} \\[%{THREAD:thread}\\] (?<logger>[\\w.$]+)\\.(?<function>[\\w$<>]+)\\(\\)\\n%{LEVEL:level}: ?%{MESSAGE:message}',
      // ForgeRock AM, whose debug logs have the name of a component in front of the time.
      '(?<logger>[A-Za-z][\\w.]{0,60}):%{TIME:_time}: Thread\\[(?<thread>[^\\n]{1,200}?)\\](?:: TransactionId\\[(?<trace_id>[^\\]\\n]{0,100})\\])?\\n(?:%{LEVEL:level}: ?)?%{MESSAGE:message}',
      // The first example of the documentation of SimpleFormatter.
      '(?:%{LEVEL:level}|%{LOCAL_LEVEL:level}): %{TEXT:message} \\[(?=[A-Z][a-z]{2} [A-Z])%{TIME:_time}\\](?=\\n|$)%{MESSAGE:message}',
    ],
  },
  'jvm-gc': {
    title: 'JVM unified logging, garbage collection',
    example: '[2026-11-20T10:00:00.123+0000][0.015s][info][gc,start] GC(0) Pause Young (Normal)',
    patterns: [
      '\\[%{TIME:_time}\\](?:\\[%{NUMBER:uptime:real}s\\])?(?:\\[%{INT:pid:long}\\]\\[%{INT:tid:long}\\])?\\[%{LEVEL:level} *\\]\\[(?!\\d+\\])%{TAGS:logger} *\\] ?%{MESSAGE:message}',
      '\\[%{NUMBER:uptime:real}s\\](?:\\[%{INT:pid:long}\\]\\[%{INT:tid:long}\\])?\\[%{LEVEL:level} *\\]\\[%{TAGS:logger} *\\] ?%{MESSAGE:message}',
      '%{TIME:_time}: %{NUMBER:uptime:real}: (?=\\[|Total|Application)%{MESSAGE:message}',
      '(?<uptime:real>\\d{1,9}\\.\\d{3}): (?=\\[(?:Full )?GC|Total|Application)%{MESSAGE:message}',
    ],
  },
  jetty: {
    title: 'Jetty',
    example: '2026-11-20 10:00:00.123:INFO:oejs.Server:main: jetty-9.4.44',
    patterns:
      '%{TIME:_time}(?<=\\.\\d{3}):%{LEVEL:level} ?:%{LOGGER:logger}?:(?:%{ID:thread}:)? ?%{MESSAGE:message}',
  },
  log4j: {
    title: 'log4j and logback: Java programs, Hadoop, Spark, HBase, Dropwizard',
    example: '2026-11-20 15:16:47,163 INFO  [main] com.example.App - Started in 3 ms',
    patterns: [
      // Most lines match this pattern, which takes less time than the next one. A thread with a full stop may be a class.
      `${TIME} +(?<level>TRACE|DEBUG|INFO|WARN|ERROR|FATAL) +\\[(?<thread>[^.[\\]\\n]{1,100})\\] +(?<logger>[\\w.$]{1,200}) +- %{MESSAGE:message}`,
      // With an id in front of the level: PingFederate.
      `${TIME} +(?:[|-] +|tid:(?<tracking_id>[\\w-]{1,60}) +)?%{LEVEL:level} +(?:\\| +)?(?:(?!${ONLY_CLASS})\\[%{THREAD:thread}\\]:? +(?:${BRACKET_CLASS}|(?:\\| +)?${PLACED_LOGGER})|${BRACKET_CLASS}(?! ?\\[(?:${THREAD_NAME})\\] ))%{MESSAGE:message}`,
      // Doris and StarRocks.
      `${TIME} +%{LEVEL:level} +\\((?<thread>[^|\\n]{1,100})\\|%{INT:tid:long}\\) +\\[(?<function>[\\w$.<>]{1,200})\\(\\):%{INT:line:long}\\] ?%{MESSAGE:message}`,
      // OpenHAB 1.
      `${TIME} +%{LEVEL:level} +%{QUALIFIED:logger}\\[:%{INT:line:long}\\] ?- ?%{MESSAGE:message}`,
      // SonarQube.
      '%{TIME:_time} %{LEVEL:level} {1,4}(?<process>app|web|ce|es)\\[(?<request_id>[^\\]\\s]{0,60})\\]\\[%{LOGGER:logger}\\] ?%{MESSAGE:message}',
      // Alfresco, and Pinot.
      `${TIME} +%{LEVEL:level} +\\[(?:%{QUALIFIED:logger}|(?<logger>[A-Z]\\w{2,60}))\\] \\[(?<thread>${THREAD_NAME})\\] %{MESSAGE:message}`,
      `${TIME} +(?:- +)?\\[%{THREAD:thread}\\] +(?:- +)?(?:\\[ *%{LEVEL:level} *\\]|%{LEVEL:level}) +(?:${SOURCE_LINE}|%{LOGGER:logger}(?: \\[%{SOURCE:file}:%{INT:line:long}\\] |(?: \\[(?<context>[^\\]\\n]*)\\])?(?:%{PLACE}| %{INT:line:long} (?<function>[\\w$<>]{1,100}))?%{SEPARATOR}))%{MESSAGE:message}`,
      `${TIME} +\\[ *%{LEVEL:level} *\\] +\\[%{THREAD:thread}\\] +${PLACED_LOGGER}%{MESSAGE:message}`,
      `${TIME} +(?:%{INT:pid:long} +)?%{LEVEL:level} +(?:: (?=[\\w$.]{1,200}\\.[A-Z][\\w$]{0,100} - ))?%{QUALIFIED:logger}%{PLACE}?%{SEPARATOR}%{MESSAGE:message}`,
      `${TIME} +(?:${BRACKET_LEVEL}|%{LEVEL:level}) +%{QUALIFIED:logger} (?<function>[a-z<][\\w$<>]{0,100}): ?%{MESSAGE:message}`,
      `${TIME} +(?:\\[%{LEVEL:level} *\\]|%{LEVEL:level}) +(?:${SOURCE_LINE}|(?:(?<thread>[^\\s.:]{1,100}) +)?%{LOGGER:logger}:%{INT:line:long} +- )%{MESSAGE:message}`,
      // log4rs, and loggers without a package.
      `${TIME} +%{LEVEL:level} +(?<logger>[A-Za-z_]\\w{0,60}) - %{MESSAGE:message}`,
      // WSO2.
      'TID: \\[%{INT:tenant:long}\\] \\[(?<app>[^\\]\\n]{0,100})\\] \\[%{TIME:_time}\\] (?:\\[(?<correlation_id>[^\\]\\n]{0,100})\\])? *%{LEVEL:level} \\{%{LOGGER:logger}\\} - ?%{MESSAGE:message}',
      // Spark and Hadoop, whose years have two digits.
      '%{TIME:_time}(?<=(?<!\\d)\\d\\d/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d) %{LEVEL:level} (?<logger>[A-Za-z][\\w.$-]{0,100}): %{MESSAGE:message}',
      `${TIME} +%{LEVEL:level} +%{QUALIFIED:logger} +\\[%{THREAD:thread}\\](?: [:-])? ?%{MESSAGE:message}`,
      `(?:\\[ *%{LEVEL:level} *\\]|%{LEVEL:level}) +${TIME} +(?:\\[%{THREAD:thread}\\] +(?:\\[(?<context>\\w{1,40}: [^\\]\\n]{0,200})\\] +)?)?${PLACED_LOGGER}%{MESSAGE:message}`,
      '%{TIME:_time} +\\| %{LEVEL:level} +\\| (?:%{NAME:thread} +\\| )?%{LOGGER:logger} +\\| %{MESSAGE:message}',
      `${TIME} +%{LEVEL:level} +%{LOGGER:logger} +\\[%{THREAD:thread}\\] - %{MESSAGE:message}`,
      // A diagnostic context in brackets: pairs after the thread, or any text before the thread or before the level.
      `${TIME} +%{LEVEL:level} +\\[%{THREAD:thread}\\] +\\[(?<context>\\w{1,40}=[^\\]\\n]{0,200})\\] +%{LOGGER:logger} - %{MESSAGE:message}`,
      `${TIME} +%{LEVEL:level} +\\[(?<context>[^\\]\\n]{0,200})\\] +\\[%{THREAD:thread}\\] +%{LOGGER:logger} - %{MESSAGE:message}`,
      `${TIME} +(?:(?:\\[\\] ){1,3}|(?<context>\\[[^\\]\\n]{0,200}\\](?: \\[[^\\]\\n]{0,200}\\]){1,2}) )%{LEVEL:level} +%{LOGGER:logger} - %{MESSAGE:message}`,
      // Without a separator the logger ends with a class; in front of it, Bitbucket writes the user and the request.
      `${TIME} +%{LEVEL:level} +\\[%{THREAD:thread}\\] +(?:(?<context>\\S{1,100} @\\S[^"\\n]{0,200}"[^"\\n]{0,500}") )?(?=[\\w$.]{1,200}\\.[A-Z][\\w$]{0,100} )%{QUALIFIED:logger} +(?:\\[%{SOURCE:file}:%{INT:line:long}\\] +)?%{MESSAGE:message}`,
      `\\[%{TIME:_time}\\] ?(?:${BRACKET_LEVEL} ?\\[(?!\\d+\\])%{THREAD:thread}\\]|\\[(?!\\d+\\])%{THREAD:thread}\\] ?${BRACKET_LEVEL}) ?${BRACKET_CLASS}%{MESSAGE:message}`,
      `${TIME} +%{LEVEL:level} +\\[%{THREAD:thread}\\] *(?:\\((?<logger>[\\w$.]{1,200}):%{INT:line:long}\\) -|\\[(?<logger>[\\w$.]{1,200}):%{INT:line:long}\\]) %{MESSAGE:message}`,
      // A thread without a logger, perhaps with a source line.
      `${TIME} +\\[(?<thread>${THREAD_NAME})\\] +%{LEVEL:level} +- %{MESSAGE:message}`,
      `${TIME} +\\[(?<thread>${NAMED_THREAD})\\] +(?:${BRACKET_LEVEL}|%{LEVEL:level}):? +(?:\\[%{SOURCE:file}:%{INT:line:long}\\] +)?%{MESSAGE:message}`,
      // Airsonic.
      `${TIME} +%{LEVEL:level} --- %{LOGGER:logger} : %{MESSAGE:message}`,
      // IntelliJ IDEA, with the milliseconds since its start.
      `${TIME} \\[ {0,10}%{INT:elapsed:long}\\] {1,4}%{LEVEL:level} - %{LOGGER:logger} - %{MESSAGE:message}`,
      // TeamCity.
      `${TIME} +%{LEVEL:level} - %{QUALIFIED:logger} +- %{MESSAGE:message}`,
      // Sling, with stars around the level, and Solr, with the core in brackets.
      `${TIME} +(?:\\*%{LEVEL:level}\\* +\\[%{THREAD:thread}\\]|%{LEVEL:level} +\\((?<thread>[^)\\n]{1,100})\\) \\[(?<context>[^\\]\\n]{0,200})\\]) +%{QUALIFIED:logger} +%{MESSAGE:message}`,
      // Play, and TheHive with a context in brackets.
      `${TIME} \\[%{LEVEL:level}\\] from %{LOGGER:logger} in (?<thread>[^\\n]{1,100}?) (?:-|\\[(?<context>[^\\]\\n]{0,200})\\]) %{MESSAGE:message}`,
      // Storm.
      `${TIME} %{QUALIFIED:logger} (?<thread>[^\\s\\[\\]]{1,100}(?:\\[[\\d ,-]{1,40}\\])?) ${BRACKET_LEVEL} %{MESSAGE:message}`,
      // Cloudera Manager.
      `${TIME} %{LEVEL:level} +(?<thread>[^\\s:]{1,100}):%{QUALIFIED:logger}: ?%{MESSAGE:message}`,
      // AWS IoT Greengrass.
      `${TIME} ${BRACKET_LEVEL} \\((?<thread>[^)\\n]{1,200})\\) %{QUALIFIED:logger}: %{MESSAGE:message}`,
      // Shibboleth, with the address of the client.
      `${TIME} - (?<client>[\\w.:]{0,100}) - %{LEVEL:level} \\[%{LOGGER:logger}:%{INT:line:long}\\] - ?%{MESSAGE:message}`,
      // Timbre, with the name of the host.
      `${TIME} %{HOST_NAME:host} %{LEVEL:level} \\[%{LOGGER:logger}:%{INT:line:long}\\] - ?%{MESSAGE:message}`,
      // GraphDB.
      `(?:${BRACKET_LEVEL}|%{LEVEL:level}) +${TIME} +\\[(?<thread>[^|\\]\\n]{1,200}) \\| %{LOGGER:logger}\\] ?%{MESSAGE:message}`,
      // Zeppelin.
      ` ?%{LEVEL:level} +${TIME} +\\(\\{(?<thread>[^}\\n]{1,200})\\} %{SOURCE:file}\\[(?<function>[\\w$<>]{1,100})\\]:%{INT:line:long}\\) - ?%{MESSAGE:message}`,
      // log4net, with the process or not.
      `${TIME} +\\[(?:%{INT:pid:long}\\|)?(?<thread>[^|\\[\\]\\n]{1,100})\\|%{LEVEL:level} {0,4}\\] +%{LOGGER:logger} - %{MESSAGE:message}`,
      // AppDynamics.
      `\\[%{THREAD:thread}\\] +${TIME} +%{LEVEL:level} +%{LOGGER:logger}%{SEPARATOR}%{MESSAGE:message}`,
    ],
  },
  'log4j-undated': {
    title: 'log4j, logback and slf4j-simple without a date',
    example: '10:15:30.123 [main] INFO  com.example.App - Started in 3 ms',
    patterns: [
      `(?:%{CLOCK:time} +|%{INT:elapsed:long} +)?(?:\\[(?:(?<context>[^\\]\\n]+))?\\] )?\\[(?!\\d\\d:\\d\\d)%{THREAD:thread}\\] +(?:tid=%{INT:tid:long} +)?(?:${BRACKET_LEVEL}|%{LEVEL:level}) +%{LOGGER:logger}(?: (?:\\[(?<context>[^\\]\\n]*)\\]|<(?<context>[^>\\n]*)>|(?<context>[\\w.]{1,60}(?:-[\\w.]{1,60}){0,4})))?%{PLACE}? +-(?:(?<context>[\\w.-]{1,100}="[^\\n]*?")?-)? ?%{MESSAGE:message}`,
      `%{LEVEL:level} +%{CLOCK:time} +\\[%{THREAD:thread}\\] +%{LOGGER:logger}%{PLACE}? +- ?%{MESSAGE:message}`,
      // Ignition.
      '(?<level>[TDIWEF]) \\[%{LOGGER:logger} *\\] \\[%{CLOCK:time}\\]: ?%{MESSAGE:message}',
      '%{CLOCK:time} +%{LEVEL:level} +%{LOGGER:logger}:%{INT:line:long} +- %{MESSAGE:message}',
      // Selenium.
      '%{CLOCK:time} +%{LEVEL:level} +\\[(?<logger>[A-Z][\\w$]{0,100}\\.[\\w$<>]{1,100})\\] - %{MESSAGE:message}',
      '%{CLOCK:time} \\|-%{LEVEL:level} in (?<logger>\\S+) - ?%{MESSAGE:message}',
      '%{CLOCK:time} +%{LEVEL:level} +(?:\\[%{THREAD:thread}\\] +)?%{QUALIFIED:logger}%{PLACE}?%{SEPARATOR}%{MESSAGE:message}',
    ],
  },
})
