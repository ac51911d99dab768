import { describe, expect, it } from 'vitest'
import { comparable, complete, expectedOf, SAMPLES } from './sample.js'
import { eventsOf } from './sample-events.js'

/** Samples that are not read as expected yet. */
const PENDING: ReadonlySet<string> = new Set([
  'java/cassandra',
  'java/elasticsearch',
  'java/hdfs',
  'java/java-util-logging',
  'java/kafka',
  'java/laravel',
  'java/logback',
  'java/spark',
  'java/spring-boot-2',
  'java/spring-boot',
  'java/zookeeper',
  'lang/celery',
  'lang/django-runserver',
  'lang/dotnet',
  'lang/elixir',
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
  'lang/serilog-text',
  'lang/slog-text',
  'lang/uvicorn',
  'other/levels-with-commas',
  'other/unicode',
  'server/alb',
  'server/apache-error-22',
  'server/apache-error-24',
  'server/auditd',
  'server/cloudfront',
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
  'tools/clickhouse',
  'tools/cri-json',
  'tools/cri-plain',
  'tools/cri',
  'tools/docker-json-plain',
  'tools/docker-json',
  'tools/envoy-app',
  'tools/fail2ban',
  'tools/gradle',
  'tools/loguru',
  'tools/maven',
  'tools/npm-debug',
])

const READ = SAMPLES.filter(({ name, isStructured }) => !isStructured && !PENDING.has(name))

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
