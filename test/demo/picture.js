// Writes `evq.svg`, the picture in the README: what the program prints in a terminal. Made anew by `npm run picture`.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const evq = join(import.meta.dirname, '../../bin/evq.js')
const events = join(import.meta.dirname, 'earthquakes.ndjson.gz')
const picture = join(import.meta.dirname, 'evq.svg')
const directory = mkdtempSync(join(tmpdir(), 'evq-picture-'))

const COLUMNS = 80
const LINE_HEIGHT = 19
const CHARACTER_WIDTH = 8.4
const MARGIN = 18

/** The colors of a dark terminal by the codes of `Select Graphic Rendition`. */
const COLORS = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#56d4dd',
}

/** What is typed, with the arguments that a terminal makes needless. */
const commands = [
  { typed: ['ingest', 'earthquakes', events, '--timestamp-field', 'time'] },
  {
    typed: ['query', "['earthquakes'] | where mag >= 5.8 | project _time, mag, place"],
    more: ['-o', 'table'],
  },
  {
    typed: ['query', "['earthquakes'] | summarize count() by net | top 5 by count_", '-o', 'chart'],
  },
  { typed: ['query', "['earthquakes'] | project mag, place | where plce has 'Taiwan'"] },
]

try {
  const lines = commands.flatMap((command) => [...screenOf(command), ''])
  writeFileSync(picture, svg(lines.slice(0, -1)))
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** Returns the lines of a command and of its output. */
function screenOf({ typed, more = [] }) {
  const args = [evq, ...typed, ...more, '--color', 'always']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: {
      ...process.env,
      COLUMNS: String(COLUMNS),
      EVQ_DATA_DIR: directory,
      XDG_STATE_HOME: directory,
    },
  })
  const command = `\u001b[32m$\u001b[39m \u001b[1mevq ${typed.map(quoted).join(' ')}\u001b[22m`
  return [command, ...`${stdout}${stderr}`.trimEnd().split('\n')]
}

function quoted(word) {
  if (word === events) return 'earthquakes.ndjson.gz'
  return /^[\w./:-]+$/.test(word) ? word : `"${word}"`
}

function svg(lines) {
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN)
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN
  const rows = lines.map((line, i) => row(line, MARGIN + (i + 0.75) * LINE_HEIGHT))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>evq in a terminal</title>
<rect width="100%" height="100%" rx="8" fill="#161b22"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#c9d1d9" xml:space="preserve">
${rows.join('\n')}
</g>
</svg>
`
}

/** Returns a line as text. Each run of one style begins at its column, so that all lines align in any font. */
function row(line, y) {
  let column = 0
  const style = { color: undefined, isBold: false, isDim: false }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the escape sequences of colors.
  const runs = line.split(/\u001b\[([\d;]*)m/).map((text, i) => {
    if (i % 2 === 1) {
      for (const code of text.split(';')) select(style, Number(code))
      return ''
    }
    const length = [...text].length
    if (length === 0) return ''
    const x = MARGIN + column * CHARACTER_WIDTH
    column += length
    const { color, isBold, isDim } = style
    const attributes = [
      `x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${(length * CHARACTER_WIDTH).toFixed(1)}"`,
      ...(color === undefined ? [] : [`fill="${color}"`]),
      ...(isBold ? ['font-weight="bold"'] : []),
      ...(isDim ? ['fill-opacity="0.6"'] : []),
    ]
    return `<text ${attributes.join(' ')}>${escaped(text)}</text>`
  })
  return runs.join('')
}

function select(style, code) {
  if (code === 0) Object.assign(style, { color: undefined, isBold: false, isDim: false })
  else if (code === 1) style.isBold = true
  else if (code === 2) style.isDim = true
  else if (code === 22) Object.assign(style, { isBold: false, isDim: false })
  else if (code === 39) style.color = undefined
  else style.color = COLORS[code] ?? style.color
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
