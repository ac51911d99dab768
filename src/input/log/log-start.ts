import type { Lookahead } from '../byte-source.js'
import { InputError, inputLabel } from '../error.js'
import type { DetectionContext, EventsStart } from '../events-start.js'
import { type DetectedFormat, detectFormat, type Format, formatOfName } from '../format.js'
import { detectInnerLayout, innerText } from './container/detect-inner.js'
import type { LineFormat } from './format/line-format.js'
import type { LogFormat } from './log-format.js'
import { CONTAINERS, logFraming } from './log-framing.js'
import { detectCustomFormat } from './pattern/detect-custom-format.js'
import { hasPriority } from './records.js'
import { detectTextLayout, type TextLayout } from './text-layout.js'
import { timeDefaults } from './time/time-defaults.js'
import { w3cHeader } from './w3c-header.js'

/** Detection reads at most this much of an input, in bytes. */
const MAX_SAMPLE = 256 * 1024
/** A pipe has this long to deliver the lines that are examined. */
const SAMPLE_MS = 500

/** Detects the layout of a log, unless an earlier run has. Throws `InputError` when the log does not have the format. */
export async function logStart(
  format: LogFormat,
  beginning: Lookahead,
  context: DetectionContext,
): Promise<EventsStart> {
  const { mark, findsTime = true, timeFormat, multiline } = context
  const layout = context.layout ?? (await layoutOf(format, beginning, context))
  const options = {
    layout: layout ?? {},
    now: context.lastWritten(),
    findsTime,
    timeFormat,
    multiline,
    times: timeDefaults(beginning, context),
  }
  return { framing: logFraming(format, options), skip: mark, ...(layout && { layout }) }
}

/** Returns the layout of a log; undefined for a format that has only one. */
async function layoutOf(
  format: LogFormat,
  beginning: Lookahead,
  context: DetectionContext,
): Promise<TextLayout | undefined> {
  const { name, lastWritten, zone, timeFormat, formats, lineFormat } = context
  if (format === 'logfmt' || format === 'clf' || format === 'otlp-json') return undefined
  const sample = await sampleOf(beginning, context)
  if (format === 'syslog') return hasPriority(sample) ? undefined : { isLines: true }
  if (format === 'w3c') return w3cLayout(sample, name)
  const options = { now: lastWritten(), zone, timeFormat, formats, format: lineFormat }
  return format === 'text'
    ? detectTextLayout(sample, options)
    : detectInnerLayout(sample, CONTAINERS[format], options)
}

function w3cLayout(sample: string, name: string): TextLayout {
  const header = w3cHeader(sample)
  if (header !== undefined) return { w3c: header }
  throw new InputError(
    `${inputLabel(name)} has no \`#Fields\` line, so it is not a W3C extended log.`,
  )
}

/** Returns the first lines of an input, in latin1. */
async function sampleOf(
  beginning: Lookahead,
  { mark }: Pick<DetectionContext, 'mark'>,
): Promise<string> {
  return (await beginning.lines(MAX_SAMPLE, SAMPLE_MS)).subarray(mark).toString('latin1')
}

/**
 * Replaces the detected format by `text` when the lines have a saved format. With a user-defined format that was named,
 * returns the format of the container when the lines are those of one: the named format is that of the text in them.
 */
export async function withCustomFormat(
  detected: DetectedFormat,
  beginning: Lookahead,
  context: Omit<DetectionContext, 'lastWritten'> & { readonly asked: Format | 'auto' },
): Promise<DetectedFormat> {
  const { asked, formats = [], lineFormat, layout, name } = context
  if (layout !== undefined) return detected
  if (asked === 'text' && lineFormat?.isCustom) {
    return containerOf(await sampleOf(beginning, context), lineFormat) ?? detected
  }
  const isLog = ['logfmt', 'clf', 'syslog', 'csv'].includes(detected)
  const isGuess = asked === 'auto' && formatOfName(name) === undefined
  if (formats.length === 0 || !isLog || !isGuess) return detected
  const sample = await sampleOf(beginning, context)
  return detectCustomFormat(sample, formats) === undefined ? detected : 'text'
}

/** Returns the format of a container's lines, unless the lines themselves, but not the text in them, have a format. */
function containerOf(sample: string, format: LineFormat): 'cri' | 'docker' | undefined {
  const head = Buffer.from(sample, 'latin1')
  const found = detectFormat('auto', { name: '', head, isWhole: true })
  if (found !== 'cri' && found !== 'docker') return undefined
  const hasFormat = (text: string) => detectCustomFormat(text, [format]) !== undefined
  return hasFormat(sample) && !hasFormat(innerText(sample, CONTAINERS[found])) ? undefined : found
}
