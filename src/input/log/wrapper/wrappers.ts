import { isAccessLine, isSyslogLine } from '../../recognize.js'
import { normalLevel } from '../level.js'
import { beginsWithTimePair } from '../logfmt.js'
import { beginsWithTime, isContinuation } from '../multiline/event-start.js'
import { CRI } from './cri.js'
import { DOCKER } from './docker.js'
import { LOGCLI } from './logcli.js'
import { EPOCH_TIME, type Prefix, prefixWrapper, TAI_TIME } from './prefix.js'
import { PRIORITY_WRAPPER } from './priority.js'
import { PYTHON } from './python.js'
import { areLines, COUNTED, GREP, NUMBERED, QUOTED, REPLY } from './quoted-lines.js'
import type { WrappedLine, Wrapper } from './wrapper.js'

const DATE = '\\d{4}-\\d\\d-\\d\\d'
const CLOCK = '\\d\\d:\\d\\d:\\d\\d'
/** A complete time in RFC 3339. */
const TIME = `(?<time>${DATE}T${CLOCK}(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d))`
/** A name in Kubernetes. */
const LABEL = '[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?'
/** The name of a pod of a deployment, a daemon set, a stateful set or a job. */
const POD = '[a-z0-9][a-z0-9.-]*-(?:[a-z0-9]{5}|\\d{1,4})'
/** The name of a pod of a deployment, which is unlike any other text. */
const DEPLOYED_POD =
  '[a-z0-9][a-z0-9.-]*-[bcdf0-9][bcdfghjklmnpqrstvwxz0-9]{4,9}-[bcdfghjklmnpqrstvwxz0-9]{5}'

function stern(pod: string): string {
  return `(?:(?<namespace>${LABEL}) )?(?<pod>${pod}) (?:\\xe2\\x80\\xba )?(?<container>(?!${DATE} )${LABEL})(?: |$)`
}

/** Returns a test that is true when the names in wrapped lines are names of few programs, and not levels. */
function areNames(name: string): (lines: readonly WrappedLine[]) => boolean {
  return (lines) => {
    const names = lines.map(({ fields }) => fields.find(([key]) => key === name)?.[1] ?? '')
    const different = new Set(names)
    const words = [...different].flatMap((one) => one.split(' '))
    const levels = words.filter((word) => normalLevel(word) !== undefined)
    const areFew = different.size <= 3 || different.size * 2 <= lines.length
    // Each service of Compose may have written one line.
    const areReplicas = lines.every(({ fields }) => fields.some(([key]) => key === 'replica'))
    return levels.length === 0 && (areFew || areReplicas) && !different.has('')
  }
}

/** True for a host, a program and its message, as syslog daemons write them after the time. */
function isAfterSyslogTime(text: string): boolean {
  return isSyslogLine(`Jan  1 00:00:00 ${text}`)
}

const PREFIXES: Readonly<Record<string, Omit<Prefix, 'name'>>> = {
  tai64n: {
    title: 'multilog, svlogd and s6-log: a time in TAI64N',
    example: '@400000006b001a2a075bca00 started',
    pattern: `@4${TAI_TIME}(?: |$)`,
  },
  'kafka-consumer': {
    title: 'kafka-console-consumer with print.timestamp: partition, offset, headers and key too',
    example: 'CreateTime:1795168800123\tPartition:0\t{"message":"started"}',
    // Headers and a key in front of JSON are properties, too.
    pattern: `(?:CreateTime|LogAppendTime):${EPOCH_TIME}\\t(?:Partition:(?<partition>\\d+)\\t)?(?:Offset:(?<offset>\\d+)\\t)?(?:NO_HEADERS\\t|(?<headers>[\\w.-]{1,100}:[^\\t]{0,2000})\\t(?=(?:[^\\t{]{0,200}\\t)?\\{))?(?:(?:null|(?<key>[^\\t{]{0,200}))\\t(?=\\{))?`,
  },
  pods: {
    title: 'kubectl logs --prefix, with and without --timestamps; kubetail',
    example: '[pod/web-7d4b9c6f5-x2x9z/app] started',
    pattern: `\\[(?:pod/(?<pod>${LABEL})/(?<container>${LABEL})\\] ?|(?<pod>${DEPLOYED_POD})(?: (?<container>${LABEL}))?\\] )`,
    source: ['container'],
  },
  pm2: {
    title: 'pm2 logs',
    example: '0|web      | started',
    pattern: '(?:(?<instance>\\d{1,4})\\|(?<process>[\\w.@/:-]{1,64})|(?<manager>PM2)) +\\| ?',
    source: ['process', 'manager'],
  },
  compose: {
    title: 'docker compose logs, docker service logs: one or several services',
    example: 'api-1  | started',
    pattern:
      '(?<container>(?<service>[a-zA-Z][\\w.-]{0,100}?)(?:[-_](?<replica>\\d{1,4})|\\.(?<task>\\d{1,4}\\.[a-z0-9]{10,30})(?:@(?<node>[\\w.-]{1,100}))?)?) {1,60}\\|(?: |$)',
    source: ['service'],
    accepts: areNames('container'),
  },
  foreman: {
    title: 'Foreman, Overmind, Honcho, Hivemind: processes of a Procfile',
    example: '10:00:00 web.1   | started',
    pattern: `(?<clock>${CLOCK}) (?<process>(?<service>[a-zA-Z][\\w-]{0,100}?)(?:\\.\\d{1,4})?) {1,60}\\|(?: |$)`,
    source: ['service'],
    accepts: areNames('process'),
  },
  fly: {
    title: 'flyctl logs',
    example: '2026-11-20T10:00:00.123Z app[148ed193b95e68] ams [info]started',
    pattern: `${TIME} (?<app>[\\w-]{1,64})\\[(?<instance>[0-9a-f]{8,14})\\] (?<region>[a-z]{3}) \\[(?<level>[a-z]+)\\] ?`,
    source: ['app'],
  },
  heroku: {
    title: 'heroku logs: dynos and the router',
    example: '2026-11-20T10:00:00.123456+00:00 app[web.1]: started',
    pattern: `${TIME} (?<app>[a-z][\\w-]{0,64})\\[(?<dyno>(?<process>[a-zA-Z][\\w-]{0,64}?)(?:\\.[\\w-]{1,64})?)\\]: ?`,
    source: ['app', 'process'],
  },
  cf: {
    title: 'cf logs: Cloud Foundry',
    example: '2026-11-20T10:00:00.12+0000 [APP/PROC/WEB/0] OUT started',
    pattern: `(?<time>${DATE}T${CLOCK}(?:\\.\\d{1,9})?[+-]\\d\\d:?\\d\\d) \\[(?<process>[A-Z][\\w-]*(?:/[\\w.-]{1,60}){0,4}?)/(?<instance>\\d{1,4})\\] +(?<stream>OUT|ERR)(?: |$)`,
    source: ['process'],
  },
  kail: {
    title: 'kail',
    example: 'default/web-7d4b9c6f5-x2x9z[app]: started',
    pattern: `(?<namespace>${LABEL})/(?<pod>${POD})\\[(?<container>${LABEL})\\]: ?`,
    source: ['container'],
  },
  stern: {
    title: 'stern, with and without the namespace',
    example: 'web-7d4b9c6f5-x2x9z app started',
    pattern: stern(DEPLOYED_POD),
    source: ['container'],
    accepts: areNames('container'),
  },
  'stern-sets': {
    title: 'stern: pods of daemon sets and stateful sets',
    example: 'db-0 postgres {"message":"started"}',
    pattern: stern(POD),
    source: ['container'],
    accepts: (lines) => areNames('container')(lines) && areNames('pod')(lines),
    isWeak: true,
  },
  fluentd: {
    title: "Fluentd's files: time, tag and a record",
    example: '2026-11-20T10:00:00+00:00\tapp.web\t{"message":"started"}',
    pattern: `${TIME}\\t(?<tag>[\\w.*/-]{1,200})\\t(?=\\{)`,
    source: ['tag'],
  },
  'event-stream': {
    title: 'server-sent events with objects: journalctl -o json-sse',
    example: 'data: {"message":"started"}',
    pattern: 'data: ?(?=\\{)',
  },
  'json-seq': {
    title: 'a text sequence of JSON (RFC 7464): journalctl -o json-seq',
    example: '\x1e{"message":"started"}',
    pattern: '\\x1e(?=\\{)',
  },
  'github-run': {
    title: 'gh run view --log: job, step and time',
    example: 'build\tRun tests\t2026-11-20T10:00:00.1234567Z started',
    pattern: `(?<job>[^\\t\\n]{1,200})\\t(?<step>[^\\t\\n]{1,200})\\t(?:\\xef\\xbb\\xbf)?${TIME} `,
    source: ['job', 'step'],
    isWeak: true,
  },
  grafana: {
    title: 'Grafana: logs of Explore as text',
    example: '1795168800123\t2026-11-20T10:00:00.123Z\tstarted',
    pattern: `\\d{13}\\t${TIME}\\t`,
  },
  gitlab: {
    title: 'GitLab CI with time stamps',
    example: '2026-11-20T10:00:00.123456Z 00O started',
    pattern: `${TIME} (?<section>\\d\\d)(?<stream>[OE])[ +]`,
    source: ['section'],
  },
  'supervisor-stdout': {
    title: "supervisor's event listener: program and stream",
    example: 'web stdout | started',
    pattern: '(?<process>[\\w.:-]{1,100}) (?<stream>stdout|stderr) \\|(?: |$)',
    source: ['process'],
  },
  torchrun: {
    title: 'torchrun: the rank of a process',
    example: '[default0]:started',
    pattern: '\\[(?<rank>(?:default|rank)\\d{1,5})\\]: ?',
    source: ['rank'],
  },
  mpirun: {
    title: 'mpirun --tag-output: job, rank and stream',
    example: '[1,0]<stdout>:started',
    pattern: '\\[(?<job>\\d{1,6}),(?<rank>\\d{1,6})\\]<(?<stream>stdout|stderr)>: ?',
    source: ['rank', 'stream'],
  },
  ray: {
    title: 'Ray, vLLM: a process in parentheses, among lines without one',
    example: '(APIServer pid=1234) started',
    // The lines without a process are wrapped, too, so that they have a format of their own.
    pattern:
      '(?:\\((?<process>[A-Za-z]\\w{0,60})(?: rank=(?<rank>\\d{1,5}))? pid=(?<pid>\\d{1,8})(?:, ip=(?<ip>[\\da-fA-F.:]{2,45}))?\\)(?: |$))?',
    source: ['process'],
    hasNumbers: true,
    accepts: (lines) => lines.filter(({ fields }) => fields.length > 0).length * 10 > lines.length,
  },
  cloudwatch: {
    title: 'aws logs tail: time and stream',
    example: '2026-11-20T10:00:00.123000+00:00 ecs/web/0123456789abcdef started',
    pattern: `${TIME} (?![\\d/]+ )(?<log_stream>[\\w.$[\\]-]{1,100}(?:/[\\w.$[\\]-]{1,100}){1,8}) `,
    source: ['log_stream'],
    accepts: areNames('log_stream'),
    isWeak: true,
  },
  ts: {
    title: 'ts (moreutils), Docker Desktop: in front of lines with times of their own',
    example: 'Nov 20 10:00:00 started',
    pattern: `(?<received>(?:[A-Z][a-z]{2} [ \\d]?\\d |${DATE} )?${CLOCK}(?:\\.\\d{6}|\\.\\d{3}(?= \\|))?|[1-9]\\d{9}\\.\\d{6}) (?:\\| )?`,
    accepts: (lines) => {
      const events = lines.filter(({ text }) => !isContinuation(text))
      const isAccess = (text: string) => isAccessLine(text) && !isAfterSyslogTime(text)
      const dated = events.filter(
        ({ text }) => beginsWithTime(text) || beginsWithTimePair(text) || isAccess(text),
      )
      return dated.length * 2 > events.length
    },
  },
  synology: {
    title: 'Container Manager of Synology, in front of lines with times or objects',
    example: '2026/11/20 10:00:00\tstdout\t{"message":"started"}',
    pattern: `(?<received>\\d{4}/\\d\\d/\\d\\d ${CLOCK})[,\\t](?<stream>stdout|stderr)[,\\t]`,
    accepts: areLines,
  },
  process: {
    title: 'a process in brackets in front of lines with times or objects: Dropbear, GridFTP',
    example: '[1234] {"message":"started"}',
    // A smaller number may be a rank or a thread.
    pattern: '\\[(?<pid>\\d{3,8})\\] ',
    hasNumbers: true,
    accepts: areLines,
    isWeak: true,
  },
  named: {
    title:
      'a program, a host, a pod or a file in front of lines with times or objects: concurrently, pdsh, k9s, multitail, lnav',
    example: '[api] {"message":"started"}',
    pattern: `(?: {4,16}(?=[\\w.-]{1,60}:\\d{1,6}: ))?(?:\\[(?<source>[\\w@](?:[\\w.@/:-]| : ){0,60}(?: [A-Za-z@][\\w.@/-]{0,60})?)\\] |(?![\\w.]{1,100}(?:Exception|Error)\\b)(?<source>[A-Za-z@][\\w.@/:-]{0,60})(?:: | ?\\| |\\t)|(?=[a-z])(?<source>${POD}) )`,
    source: ['source'],
    accepts: (lines) => areNames('source')(lines) && areLines(lines),
    isWeak: true,
  },
  time: {
    title: 'docker logs --timestamps, kubectl logs --timestamps, TrueNAS',
    example: '2026-11-20T10:00:00.123456789Z {"message":"started"}',
    // TrueNAS writes no space after the time.
    pattern: `(?<time>${DATE}(?:T${CLOCK}(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)(?= )| ${CLOCK}\\.\\d{6}[+-]\\d\\d:\\d\\d(?=\\S|$))) ?`,
    isWeak: true,
  },
}

/** Wrappers that are detected, in the order of preference. */
export const WRAPPERS: readonly Wrapper[] = [
  CRI,
  DOCKER,
  LOGCLI,
  PRIORITY_WRAPPER,
  PYTHON,
  GREP,
  NUMBERED,
  COUNTED,
  REPLY,
  QUOTED,
  ...Object.entries(PREFIXES).map(([name, prefix]) => prefixWrapper({ name, ...prefix })),
]

/** Returns the wrapper with a name; undefined when there is none. */
export function wrapperOf(name: string): Wrapper | undefined {
  return WRAPPERS.find((wrapper) => wrapper.name === name)
}
