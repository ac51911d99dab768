// Writes `evq.svg`, the picture in the README: what the program prints in a terminal. Made anew by `npm run picture`, on Linux,
// since `script` gives `evq view` its terminal.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import xterm from '@xterm/headless'

const evq = join(import.meta.dirname, '../../bin/evq.js')
const events = join(import.meta.dirname, 'earthquakes.ndjson.gz')
const picture = join(import.meta.dirname, 'evq.svg')
const directory = mkdtempSync(join(tmpdir(), 'evq-picture-'))

const COLUMNS = 80
const VIEW_LINES = 20
const VIEW_TIMEOUT_MS = 60_000
const LINE_HEIGHT = 19
const CHARACTER_WIDTH = 8.4
const MARGIN = 18

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the escape sequences of colors.
const STYLES = /\u001b\[([\d;]*)m/g
const BACKGROUND = '#161b22'
const FOREGROUND = '#c9d1d9'

const PLAIN = { color: undefined, isBold: false, isDim: false, isInverse: false }

/** The colors of a dark terminal by the codes of `Select Graphic Rendition`. */
const COLORS = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#56d4dd',
}

/** The typed command, with the arguments that a terminal makes needless. */
const commands = [
  { typed: ['ingest', 'quakes', events, '--timestamp-field', 'time'] },
  {
    typed: ['query', "['quakes'] | where mag >= 5.8 | project _time, mag, place"],
    more: ['-o', 'table'],
  },
  {
    typed: ['query', "['quakes'] | summarize count() by net | top 5 by count_", '-o', 'chart'],
  },
  { typed: ['query', "['quakes'] | project mag, place | where plce has 'Taiwan'"] },
]

try {
  const lines = commands.flatMap((command) => [...screenOf(command), ''])
  writeFileSync(join(directory, 'shop.log'), incident())
  lines.push(prompt(['view', 'shop.log']), ...(await viewOf('shop.log')))
  writeFileSync(picture, svg(lines))
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
  return [prompt(typed), ...`${stdout}${stderr}`.trimEnd().split('\n')]
}

function prompt(typed) {
  return `\u001b[32m$\u001b[39m \u001b[1mevq ${typed.map(quoted).join(' ')}\u001b[22m`
}

/** An hour of a shop's log: a database that does not respond for five minutes. */
function incident() {
  const lines = []
  // More visitors come in the second half.
  for (let second = 0; second < 3600; second += second < 1800 ? 2 : 1) {
    const order = 48_000 + second
    const isDown = second >= 2280 && second < 2580 && second % 2 === 0
    const [level, text] = isDown
      ? ['ERROR', `payment of order ${order} failed: connection to db-2:5432 timed out`]
      : second % 660 === 0
        ? ['WARN ', `order ${order} waited ${(second % 700) + 300} ms for a connection`]
        : ['INFO ', `order ${order} placed, ${(second % 7) + 2} items`]
    const time = new Date(Date.UTC(2026, 2, 14, 9, 0, second, (second * 137) % 1000))
    const written = time.toISOString().replace('T', ' ').replace('.', ',').slice(0, -1)
    lines.push(`${written} ${level} [worker-${(second * 7) % 16}] com.shop.Checkout - ${text}\n`)
  }
  return lines.join('')
}

/** Returns the screen of `evq view` after `e`, which goes to the first error. */
async function viewOf(file) {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: VIEW_LINES, allowProposedApi: true })
  const size = `stty cols ${COLUMNS} rows ${VIEW_LINES}`
  const child = spawn(
    'script',
    ['-qfec', `${size}; exec "${process.execPath}" "${evq}" view ${file}`, '/dev/null'],
    {
      cwd: directory,
      env: {
        ...process.env,
        TERM: 'xterm-256color',
        XDG_STATE_HOME: directory,
        EVQ_DATA_DIR: directory,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  child.stdout.on('data', (piece) => terminal.write(piece))
  try {
    await shows(terminal, /1 of [\d,]+ .*keys/)
    child.stdin.write('e')
    await shows(terminal, /▌.*error/)
    return cellsOf(terminal)
  } finally {
    child.kill()
  }
}

async function shows(terminal, pattern) {
  const end = Date.now() + VIEW_TIMEOUT_MS
  while (!pattern.test(cellsOf(terminal).join('\n').replaceAll(STYLES, ''))) {
    if (Date.now() > end) throw new Error(`evq view does not show ${pattern}`)
    await wait(100)
  }
  // The histogram is drawn once all of the file is counted.
  await wait(2000)
}

/** Returns the lines of a terminal, with the sequences of their colors. */
function cellsOf(terminal) {
  const buffer = terminal.buffer.active
  return Array.from({ length: VIEW_LINES }, (_, y) => {
    const line = buffer.getLine(buffer.viewportY + y)
    let text = ''
    let current
    for (let x = 0; x < COLUMNS; x++) {
      const cell = line.getCell(x)
      const codes = codesOf(cell).join(';')
      if (codes !== current) text += `\u001b[${codes}m`
      current = codes
      text += cell.getChars() || ' '
    }
    return text
  })
}

function codesOf(cell) {
  return [
    0,
    ...(cell.isBold() ? [1] : []),
    ...(cell.isDim() ? [2] : []),
    ...(cell.isInverse() ? [7] : []),
    ...(cell.isFgPalette() ? [30 + cell.getFgColor()] : []),
  ]
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
<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${FOREGROUND}" xml:space="preserve">
${rows.join('\n')}
</g>
</svg>
`
}

/** Returns a line as text. Each run of one style begins at its column, so that all lines align in any font. */
function row(line, y) {
  let column = 0
  const style = { ...PLAIN }
  const runs = line.split(STYLES).map((text, i) => {
    if (i % 2 === 1) {
      for (const code of text.split(';')) select(style, Number(code))
      return ''
    }
    const length = [...text].length
    if (length === 0) return ''
    const x = MARGIN + column * CHARACTER_WIDTH
    column += length
    const { color, isBold, isDim, isInverse } = style
    const width = (length * CHARACTER_WIDTH).toFixed(1)
    const area = isInverse
      ? `<rect x="${x.toFixed(1)}" y="${(y - 0.75 * LINE_HEIGHT).toFixed(1)}" width="${width}" height="${LINE_HEIGHT}" fill="${color ?? FOREGROUND}"/>`
      : ''
    const fill = isInverse ? BACKGROUND : color
    const attributes = [
      `x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${width}"`,
      ...(fill === undefined ? [] : [`fill="${fill}"`]),
      ...(isBold ? ['font-weight="bold"'] : []),
      ...(isDim ? ['fill-opacity="0.6"'] : []),
    ]
    return `${area}<text ${attributes.join(' ')}>${escaped(text)}</text>`
  })
  return runs.join('')
}

function select(style, code) {
  if (code === 0) Object.assign(style, PLAIN)
  else if (code === 1) style.isBold = true
  else if (code === 2) style.isDim = true
  else if (code === 7) style.isInverse = true
  else if (code === 22) Object.assign(style, { isBold: false, isDim: false })
  else if (code === 39) style.color = undefined
  else style.color = COLORS[code] ?? style.color
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
