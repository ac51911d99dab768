// The topics that are generated from the tables of the language.
import {
  aggregationReference,
  functionReference,
  operatorReference,
  problemReference,
  type Reference,
} from '../../../apl/language.js'
import type { Block } from '../block.js'

export function operators(): readonly Block[] {
  return operatorReference().map(({ form, summary }) => ({
    kind: 'term',
    term: form,
    text: summary,
  }))
}

export function aggregations(): readonly Block[] {
  return aggregationReference().map(entry)
}

export function functions(): readonly Block[] {
  return functionReference().flatMap(([family, entries]): readonly Block[] => [
    { kind: 'heading', text: family },
    ...entries.map(entry),
  ])
}

export function problems(): readonly Block[] {
  return problemReference().map(([code, meaning]) => ({ kind: 'term', term: code, text: meaning }))
}

/** Returns the entry of an operator, an aggregation, a function or the code of a problem; undefined for other words. */
export function entryOf(word: string): readonly Block[] | undefined {
  const code = problemReference().find(([one]) => one === word)
  if (code !== undefined) return [{ kind: 'paragraph', text: code[1] }]
  const found = [
    ...operatorReference(),
    ...aggregationReference(),
    ...functionReference().flatMap(([, entries]) => entries),
  ].filter(({ name, aliases }) => name === word || aliases?.includes(word))
  if (found.length === 0) return undefined
  return found.flatMap(({ form, signature, summary, example, aliases }): readonly Block[] => [
    { kind: 'code', lines: [signature ?? form] },
    { kind: 'paragraph', text: summary },
    ...(aliases === undefined
      ? []
      : [{ kind: 'paragraph', text: `Also called ${aliases.join(', ')}.` } as const]),
    { kind: 'code', lines: [example] },
  ])
}

function entry({ form, summary, aliases }: Reference): Block {
  const also = aliases === undefined ? '' : ` (also ${aliases.join(', ')})`
  return { kind: 'term', term: form, text: summary + also }
}
