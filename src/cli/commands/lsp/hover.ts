import {
  aggregationReference,
  functionReference,
  operatorReference,
  type Reference,
} from '../../../apl/language.js'
import type { KnownField } from '../../query/remote-schema.js'

const WORD = /[\p{L}_][\p{L}\p{N}_.]*(?:-[a-z]+)*/gu

/** Returns the explanation, in Markdown, of the word at an offset: an operator, function, aggregation or field. */
export function explain(text: string, offset: number, fields: readonly KnownField[]) {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (offset < index || offset > index + word.length) continue
    const field = fields.find(({ name }) => name === word)
    const isCall = /^\s*\(/.test(text.slice(index + word.length))
    const isStep = /\|\s*$/.test(text.slice(0, index))
    const entry = isCall || isStep || field === undefined ? entryOf(word, { isStep }) : undefined
    const markdown = entry === undefined ? field && fieldText(field) : entryText(entry)
    if (markdown === undefined) return undefined
    return { markdown, span: { start: index, end: index + word.length } }
  }
  return undefined
}

function entryOf(word: string, { isStep }: { readonly isStep: boolean }): Reference | undefined {
  const calls = [...functionReference().flatMap(([, rows]) => rows), ...aggregationReference()]
  const operators = operatorReference()
  // `count` is an operator and an aggregation.
  const all = isStep ? [...operators, ...calls] : [...calls, ...operators]
  return all.find(({ name, aliases }) => name === word || aliases?.includes(word))
}

function entryText({ form, signature, summary, example }: Reference): string {
  return ['```apl', signature ?? form, '```', '', summary, '', '```apl', example, '```'].join('\n')
}

function fieldText({ name, type }: KnownField): string {
  return ['```apl', `${name}: ${type}`, '```'].join('\n')
}
