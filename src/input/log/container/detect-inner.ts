import { detectFormat } from '../../format.js'
import { detectTextLayout, type TextDetection, type TextLayout } from '../text-layout.js'
import type { ContainerFormat } from './container-line.js'

/** Detects the layout of what a program wrote from a sample of the lines of its container, in latin1. */
export function detectInnerLayout(
  sample: string,
  container: ContainerFormat,
  options: TextDetection,
): TextLayout {
  const texts = sample.split(/\r?\n/).flatMap((line) => container.parse(line)?.text ?? [])
  // Objects are recognized one by one.
  const text = texts.filter((one) => !one.startsWith('{')).join('\n')
  const head = Buffer.from(text, 'latin1')
  const format = detectFormat('auto', { name: '', head, isWhole: true })
  return format === 'logfmt' || format === 'clf'
    ? { inner: format }
    : detectTextLayout(text, options)
}
