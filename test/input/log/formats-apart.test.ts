import { expect, it } from 'vitest'
import { detectLayout } from '../../../src/input/log/detect-layout.js'
import { detectLineFormat } from '../../../src/input/log/format/detect-format.js'
import { LINE_FORMATS } from '../../../src/input/log/format/formats.js'
import { GENERAL_FORMATS } from '../../../src/input/log/format/general.js'
import { detectTextLayout } from '../../../src/input/log/text-layout.js'
import { parseTimestamp } from '../../../src/wire/time/timestamp.js'
import { SAMPLES } from './sample.js'
import { NOW } from './support.js'

/** Formats that lines of many programs have. */
const GENERAL: readonly (string | undefined)[] = [
  ...GENERAL_FORMATS.map(({ name }) => name),
  undefined,
]

it('lines of all formats have none of them', () => {
  const lines = LINE_FORMATS.map(({ example }) => example)
  for (const shift of [0, 20, 40]) {
    const sample = [...lines.slice(shift), ...lines.slice(0, shift)].join('\n')
    const found = detectTextLayout(`${sample}\n`, { now: NOW })
    expect(GENERAL).toContain(found.format?.name)
  }
})

it.each([
  '2026-02-25T15:08:29.098Z [AUTH] WARN: x\n2026-02-25T15:08:30.098Z [API] INFO: y\n',
  '2026-02-25T15:08:29.098Z main error: x\n2026-02-25T15:08:30.098Z main info: y\n',
  'Feb 25 15:08:29 Installed: bash-4.2\nFeb 25 15:08:30 Updated: nano-2.3\n',
  'Feb 25 15:08:29 05[IKE] initiating\nFeb 25 15:08:30 05[CFG] no peer\n',
  'Feb 25 15:08:29 main connected\nFeb 25 15:08:30 main closed\n',
  'Feb 25 15:08:29 WARN disk: full\nFeb 25 15:08:30 ERROR disk: failed\n',
])('lines without a host and a program are no syslog: %s', (sample) => {
  expect(detectLayout(sample, { now: NOW }).kind).toBeUndefined()
})

it.each([
  'INFO: started\nport: 1\nhost: a\nINFO: ready\nport: 2\nhost: b\n',
  'Note: one\nThis is text.\n\nNote: two\nThis is more.\n',
  'name: web\nport: 80\nhost: a\nuser: b\n',
  'apiVersion: v1\nkind: Pod\nspec:\n  port: 80\n---\n\napiVersion: v1\nkind: Service\nspec:\n  port: 80\n',
  'Package: bash\nVersion: 5.2\nSection: shells\n\nPackage: tar\nVersion: 1.3\nSection: utils\n',
  'Name: Pancakes\nServes: 4\nTime: 20 minutes\n\nName: Waffles\nServes: 2\nTime: 30 minutes\n',
])('lines with a colon are no blocks of keys: %s', (sample) => {
  expect(detectTextLayout(sample, { now: NOW }).format?.name).not.toBe('blocks')
})

it.each([
  ['xorg', '[12.345] starting\n[112.500] stopping\n'],
  ['dbt', '10:00:00 [INFO] [main]: start\n10:00:01 [WARN] [main]: slow\n'],
])('lines that only resemble those of %s are not named so', (name, sample) => {
  expect(detectTextLayout(sample, { now: NOW }).format?.name).not.toBe(name)
})

/** Formats of other programs that the lines of a sample have too. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  // Columns between bars.
  'more/activemq': ['log4j'],
  // Lines of two formats.
  'other/two-formats': ['log4j', 'nginx-error'],
  // The name of the program precedes what it has in common with others.
  'tools/gradle': ['python'],
  'services/cef': ['cef'],
  // Cisco's messages within syslog.
  'more/cisco-asa': ['cisco'],
  'services/cisco-asa-levels': ['cisco'],
}
/** The formats of samples whose names do not say it. */
const FORMATS: Readonly<Record<string, string>> = {
  // Java, .NET and Python programs whose layouts are those of log4j.
  ...of('log4j', 'hdfs', 'log4j1', 'log4j2', 'spark', 'flink', 'pulsar', 'log4net', 'two-formats'),
  ...of('log4j', 'unicode', 'log4j-level-first', 'python-spaces', 'solr'),
  ...of('log4j-undated', 'logback'),
  ...of('spring-boot', 'spring-boot-2', 'spring-sleuth'),
  ...of('monolog', 'laravel', 'symfony'),
  ...of('python', 'python-basic', 'python-logging', 'home-assistant', 'certbot'),
  ...of('gunicorn', 'hypercorn'),
  ...of('werkzeug', 'django-runserver', 'daphne-access'),
  ...of('nestjs', 'immich'),
  ...of('go', 'go-log', 'gitea'),
  ...of('zerolog', 'zerolog-console', 'traefik-text'),
  ...of('rust-tracing', 'rust-panic'),
  ...of('hclog', 'consul'),
  ...of('capnslog', 'etcd'),
  ...of('envoy', 'envoy-app'),
  ...of('envoy-access', 'envoy', 'envoy-text'),
  ...of('mysql', 'mariadb', 'mysql-57', 'mysql-8'),
  ...of('s3', 's3-access'),
  ...of('erlang', 'rabbitmq', 'rabbitmq-37'),
  ...of('zap', 'zap-console'),
  ...of('lighttpd-error', 'lighttpd'),
  ...of('nginx-error', 'nginx-container'),
  ...of('apple-log', 'macos-log-show'),
}

/** Returns the format of samples by their names. */
function of(format: string, ...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, format]))
}

const now = parseTimestamp('2026-11-20T20:00:00Z')!

const SAMPLE_LAYOUTS = SAMPLES.map(({ name, log }) => {
  const text = log.toString('latin1')
  return { name, text, layout: detectLayout(text, { now }) }
})

it.each(SAMPLE_LAYOUTS)(
  'the lines of $name have the format of their program, or a general one',
  ({ name, layout: { kind, format } }) => {
    const [, program = ''] = name.split('/')
    const detected = kind ?? format?.name
    const isKind = kind !== undefined || GENERAL.includes(detected)
    const isOwn = detected === FORMATS[program] || program.startsWith(detected ?? '')
    expect(isKind || isOwn, `${detected} of ${program}`).toBe(true)
  },
)

// Objects and what is in front of lines are recognized by themselves.
it.each(
  SAMPLE_LAYOUTS.filter(({ layout }) => layout.wrapper === undefined && layout.json === undefined),
)('the lines of $name have no format of others', ({ name, text, layout: { kind, format } }) => {
  const has = (one: (typeof LINE_FORMATS)[number]) =>
    [true, false].some((isTimed) => detectLineFormat(text, { formats: [one], now, isTimed }))
  const others = LINE_FORMATS.filter(
    (one) => ![...GENERAL, kind ?? format?.name].includes(one.name),
  )
  const found = others.filter(has).map((one) => one.name)
  expect(found.filter((one) => !ALSO[name]?.includes(one))).toEqual([])
})
