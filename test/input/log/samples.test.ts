import { describe, expect, it } from 'vitest'
import { parseTimestamp } from '../../../src/wire/time/timestamp.js'
import { cut } from '../support.js'
import { type ActualEvent, comparable, complete, expectedOf, SAMPLES } from './sample.js'
import { batchesOf } from './support.js'

/** Times without a year are of the year before this one. */
const NOW = parseTimestamp('2026-11-20T20:00:00Z')!

/** Samples that are not read as expected yet. */
const PENDING: ReadonlySet<string> = new Set([
  'java/cassandra',
  'java/elasticsearch',
  'java/hdfs',
  'java/java-util-logging',
  'java/kafka',
  'java/laravel',
  'java/log4j-commas',
  'java/log4j',
  'java/log4j1',
  'java/log4j2',
  'java/logback',
  'java/spark',
  'java/spring-boot-2',
  'java/spring-boot',
  'java/tomcat',
  'java/zookeeper',
  'json/bunyan',
  'json/caddy',
  'json/cloudtrail',
  'json/ecs-nested',
  'json/ecs',
  'json/gelf',
  'json/journald-json',
  'json/logrus-json',
  'json/mongodb-json',
  'json/nginxplus',
  'json/pino',
  'json/serilog-compact',
  'json/slog-json',
  'json/structlog',
  'json/table',
  'json/traefik-json',
  'json/zap',
  'json/zerolog',
  'lang/celery',
  'lang/django-runserver',
  'lang/dotnet',
  'lang/elixir',
  'lang/go-log-microseconds',
  'lang/go-log',
  'lang/go-panic',
  'lang/gunicorn',
  'lang/klog',
  'lang/logrus-terminal',
  'lang/logrus-text',
  'lang/node-stack',
  'lang/php-error',
  'lang/python-basic',
  'lang/python-logging',
  'lang/ruby-logger',
  'lang/rust-env-logger',
  'lang/rust-panic',
  'lang/rust-tracing',
  'lang/serilog-file',
  'lang/serilog-text',
  'lang/slog-text',
  'lang/uvicorn',
  'other/csv',
  'other/day-first-dates',
  'other/iso-level',
  'other/iso-plain',
  'other/levels-with-commas',
  'other/month-first-dates',
  'other/tsv',
  'other/two-formats',
  'other/unicode',
  'server/alb',
  'server/apache-error-22',
  'server/apache-error-24',
  'server/auditd',
  'server/bgl',
  'server/cloudfront',
  'server/dmesg-T',
  'server/elb',
  'server/healthapp',
  'server/iis',
  'server/journal-short-iso',
  'server/journal-short',
  'server/logcat-brief',
  'server/logcat-threadtime',
  'server/mariadb',
  'server/mongodb-text',
  'server/mysql-57',
  'server/mysql-8',
  'server/nginx-error',
  'server/openstack',
  'server/postgresql-debian',
  'server/postgresql',
  'server/redis',
  'server/windows-cbs',
  'tools/apt-history',
  'tools/apt-term',
  'tools/clickhouse',
  'tools/consul',
  'tools/cri-json',
  'tools/cri-plain',
  'tools/cri',
  'tools/docker-json-plain',
  'tools/docker-json',
  'tools/dpkg',
  'tools/envoy-app',
  'tools/fail2ban',
  'tools/github-actions',
  'tools/gradle',
  'tools/loguru',
  'tools/maven',
  'tools/npm-debug',
  'tools/pip',
  'tools/rabbitmq',
])

async function eventsOf(log: Buffer): Promise<readonly ActualEvent[]> {
  const batches = batchesOf(await cut(log, { now: NOW }))
  return batches.flatMap(({ body, sources, contentType }) => {
    if (contentType === 'text/csv') return []
    const lines = body.split('\n').filter((line) => line.trim() !== '')
    return lines.map((line, index) => ({ fields: JSON.parse(line), text: sources?.[index]?.text }))
  })
}

const READ = SAMPLES.filter(({ name }) => !PENDING.has(name))

describe('a sample', () => {
  it.each(READ)('of $name is read as its program means it', async (sample) => {
    const events = await eventsOf(sample.log)
    const expected = expectedOf(sample, events.length)
    const actual = events.map((event, index) =>
      comparable(event, expected[index] ?? { $lines: 0, ...event.fields }),
    )
    expect(actual).toEqual(expected.map(complete))
  })
})
