// Prometheus' text format, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/

/** What is measured, with all its values. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

/** One value of a family. */
export interface Sample {
  /** What a histogram adds to the name: `_bucket`, `_sum`, `_count`. */
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number
}

/** What tells the samples of a family from each other. */
export type Labels = Readonly<Record<string, string>>

/** The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Families as Prometheus reads them. */
export function metricsText(families: readonly Family[]): string {
  return families.map(familyText).join('')
}

function familyText({ name, help, type, samples }: Family): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`,
  )
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
