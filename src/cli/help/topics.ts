import type { Block } from './block.js'

/** A page of reference, printed by `evq help <name>` and part of the manual page. */
interface Topic {
  readonly summary: string
  /** Loads the page, and the tables of the language only for the topics that need them. */
  readonly load: () => Promise<readonly Block[]>
}

const BY_NAME: Readonly<Record<string, Topic>> = {
  input: {
    summary: 'formats, event times, levels, checkpoints, rejected events',
    load: async () => (await import('./topic/input.js')).INPUT,
  },
  files: {
    summary: 'queries of files and standard input without storing their events',
    load: async () => (await import('./topic/files.js')).FILES,
  },
  patterns: {
    summary: 'patterns of log lines for `--parse`: APL, regular expressions, grok',
    load: async () => (await import('./topic/patterns.js')).PATTERNS,
  },
  time: {
    summary: 'how times and durations are written',
    load: async () => (await import('./topic/time.js')).TIME,
  },
  language: {
    summary: 'APL in two minutes: sources, statements, operators between values, nulls',
    load: async () => (await import('./topic/language.js')).LANGUAGE,
  },
  operators: {
    summary: 'tabular operators; `evq help where` shows one with an example',
    load: async () => (await import('./topic/reference.js')).operators(),
  },
  aggregations: {
    summary: 'aggregations for `summarize` and `make-series`',
    load: async () => (await import('./topic/reference.js')).aggregations(),
  },
  functions: {
    summary: 'scalar functions by family; `evq help strcat` shows one',
    load: async () => (await import('./topic/reference.js')).functions(),
  },
  problems: {
    summary: 'the codes of problems in queries',
    load: async () => (await import('./topic/reference.js')).problems(),
  },
  prompt: {
    summary: 'the prompt of `evq query`: its commands and keys',
    load: async () => (await import('./topic/prompt.js')).PROMPT,
  },
  export: {
    summary: 'exporting all rows with `evq page`',
    load: async () => (await import('./topic/export.js')).EXPORT,
  },
  settings: {
    summary: 'flags, environment variables, profiles and files, and their precedence',
    load: async () => (await import('./topic/settings.js')).SETTINGS,
  },
  service: {
    summary: 'running `evq serve`: tokens, endpoints, retention',
    load: async () => (await import('./topic/service.js')).service(),
  },
  shippers: {
    summary: 'configurations of Fluent Bit, Vector, rsyslog, Docker, pino, winston and others',
    load: async () => (await import('./topic/shippers.js')).SHIPPERS,
  },
  clickhouse: {
    summary: 'running on a ClickHouse server or cluster',
    load: async () => (await import('./topic/clickhouse.js')).CLICKHOUSE,
  },
  cluster: {
    summary: 'operating a cluster: adding and removing servers, backups',
    load: async () => (await import('./topic/cluster.js')).CLUSTER,
  },
  scale: {
    summary: 'how many servers 10^9, 10^10 and 10^12 events a day take, and what fails first',
    load: async () => (await import('./topic/scale.js')).SCALE,
  },
  limits: {
    summary: 'limits on events, fields, queries and requests',
    load: async () => (await import('./topic/limits.js')).LIMITS,
  },
  'exit-codes': {
    summary: 'what a command returns to the shell',
    load: async () => (await import('./topic/exit-codes.js')).EXIT_CODES,
  },
}

export const TOPICS = Object.entries(BY_NAME).map(([name, topic]) => ({ name, ...topic }))
