/** A pair after a text; the length of a key is limited so that the search takes linear time in long words. */
const PAIR =
  /(?:^|[ \t,])([A-Za-z_@][\w.@/-]{0,127})=("(?:[^"\\\n]|\\.)*"|[^\s",=()]*)(?=[ \t,;]|$)/g
/** Pairs are looked for in this many characters of the first line. */
const MAX_LINE = 4096
/** The share of the lines that must end with pairs. */
const LEAST_SHARE = 0.5
const COMPARED_LINES = 100

/** Returns the pairs at the end of the first line of a text; an empty array if the line ends with other text. */
export function pairsAtEnd(text: string): readonly (readonly [key: string, value: string])[] {
  const line = text.split('\n', 1)[0]!.slice(0, MAX_LINE).trimEnd()
  let pairs: (readonly [string, string])[] = []
  let end = 0
  PAIR.lastIndex = 0
  for (let match = PAIR.exec(line); match !== null; match = PAIR.exec(line)) {
    const between = line.slice(end, match.index).trim()
    if (between !== '' && between !== ',' && between !== ';') pairs = []
    pairs.push([match[1]!, match[2]!])
    end = PAIR.lastIndex
  }
  return /^[\s,;.]*$/.test(line.slice(end)) ? pairs : []
}

/** True when at least half of the lines of a sample that begin an event end with pairs. */
export function endInPairs(sample: string): boolean {
  const lines = sample.split('\n', COMPARED_LINES).filter((line) => /^\S/.test(line))
  return (
    lines.filter((line) => pairsAtEnd(line).length > 0).length >=
    Math.max(1, lines.length * LEAST_SHARE)
  )
}
