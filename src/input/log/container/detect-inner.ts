import { detectFormat } from '../../format.js'
import { detectCustomFormat } from '../pattern/detect-custom-format.js'
import { detectTextLayout, type TextDetection, type TextLayout } from '../text-layout.js'
import type { ContainerFormat } from './container-line.js'

/** Detects the layout of what a program wrote from a sample of the lines of its container, in latin1. */
export function detectInnerLayout(
  sample: string,
  container: ContainerFormat,
  options: TextDetection,
): TextLayout {
  const text = innerText(sample, container)
  const { format: named, formats = [] } = options
  if (named !== undefined || detectCustomFormat(text, formats) !== undefined) {
    return detectTextLayout(text, options)
  }
  const head = Buffer.from(text, 'latin1')
  const format = detectFormat('auto', { name: '', head, isWhole: true })
  return format === 'logfmt' || format === 'clf'
    ? { inner: format }
    : detectTextLayout(text, options)
}

/** Returns what a program wrote in the lines of its container, except JSON objects, which are recognized one by one. */
export function innerText(sample: string, container: ContainerFormat): string {
  const texts = sample.split(/\r?\n/).flatMap((line) => container.parse(line)?.text ?? [])
  return texts.filter((text) => !text.startsWith('{')).join('\n')
}
