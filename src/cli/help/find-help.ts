import { escapeRegex } from '../../text/escape-regex.js'
import { nearest } from '../../text/suggest.js'
import type { Block } from './block.js'
import { topicText } from './terminal.js'
import { TOPICS } from './topics.js'

/**
 * Returns the help on a topic, or on an operator, a function, an aggregation, an operator between values or a problem
 * code; undefined for other words.
 */
export async function findHelp(words: string, columns: number): Promise<string | undefined> {
  const topic = TOPICS.find(({ name }) => name === words)
  if (topic !== undefined) {
    return topicText(`${topic.name}: ${topic.summary}`, await topic.load(), columns)
  }
  const { entryOf } = await import('./topic/reference.js')
  const entry = entryOf(words) ?? (await infixEntry(words))
  return entry === undefined ? undefined : topicText(words, entry, columns)
}

/** Returns the entry of an operator between values, such as `has` or `!=`. */
async function infixEntry(word: string): Promise<readonly Block[] | undefined> {
  const { LANGUAGE } = await import('./topic/language.js')
  const found = LANGUAGE.find(
    (block) =>
      block.kind === 'term' && [...block.term.split(', '), ...block.term.split(' ')].includes(word),
  )
  return found === undefined ? undefined : [found]
}

/** Returns the words with help that are most similar to a word, the most similar first. `others` are further words with help. */
export async function nearestTopics(
  word: string,
  others: readonly string[] = [],
): Promise<readonly string[]> {
  const { APL_WORDS } = await import('../../apl/language.js')
  const topics = TOPICS.map(({ name }) => name)
  return nearest(word, [...topics, ...others, ...APL_WORDS.operators, ...APL_WORDS.calls])
}

/** Returns the topics that contain a word, or else another form of it, the ones with most occurrences first. */
export async function topicsWith(word: string): Promise<readonly string[]> {
  const found = await topicsMatching(`(?<!\\w)${escapeRegex(word)}(?!\\w)`)
  const stem = word.replace(/(?:s|e|es|ed|ing|ion)$/, '')
  if (found.length > 0 || stem.length < SHORTEST_STEM) return found
  return await topicsMatching(`(?<!\\w)${escapeRegex(stem)}`)
}

const SHORTEST_STEM = 5

async function topicsMatching(expression: string): Promise<readonly string[]> {
  const pattern = new RegExp(expression, 'gi')
  const found = await Promise.all(
    TOPICS.map(async ({ name, load }) => {
      const texts = (await load()).flatMap((block) => Object.values(block).flat())
      return { name, count: texts.join('\n').match(pattern)?.length ?? 0 }
    }),
  )
  return found
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .map(({ name }) => name)
}
