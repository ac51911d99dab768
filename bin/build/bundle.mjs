// @ts-check
// Puts the program into a few files below dist/bundle/, since finding and reading hundreds takes longer than running
// them, and stores V8's compiled form next to each. What every command loads is in one file, with the small parts that
// several commands share; the rest of the code that only some commands need is in separate files.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import { build, transform } from 'esbuild'

const root = join(import.meta.dirname, '../..')
const directory = join(root, 'dist/bundle')
const { openChunks } = createRequire(import.meta.url)('../chunks.js')

// Modules that packages load at start-up for features that are not used here: 3 ms for HTTP/2, 5 ms for the rest.
const UNUSED = {
  undici: /^node:http2$/,
  'prom-client': /^\.\/lib\/(cluster|defaultMetrics|pushgateway|summary)$/,
}
/** @type {import('esbuild').Plugin} */
const withoutUnused = {
  name: 'without unused',
  setup({ onResolve, onLoad }) {
    for (const [name, filter] of Object.entries(UNUSED)) {
      onResolve({ filter }, ({ path, importer }) =>
        importer.includes(`/${name}/`) ? { path, namespace: 'unused' } : undefined,
      )
    }
    onLoad({ filter: /./, namespace: 'unused' }, () => ({ contents: 'exports.constants = {}' }))
  },
}

// The files are read as latin1. esbuild escapes other characters in strings, but neither in regular expressions nor in templates
// with tags, such as those of SQL.
/** @type {import('esbuild').Plugin} */
const inAscii = {
  name: 'in ASCII',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/, namespace: 'file' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/[^\0-\x7f]/g, escaped),
      loader: 'default',
    }))
  },
}

/** @param {string} character */
function escaped(character) {
  const codes = [...Array(character.length).keys()].map((at) => character.charCodeAt(at))
  return codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')
}

/** Reading a file takes as long as loading this much compiled code that is not needed. */
const SMALL_CHARACTERS = 32 * 1024

const MODULE_URL = 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;'

rmSync(directory, { recursive: true, force: true })
mkdirSync(directory, { recursive: true })
await writeChunks()
await keepCompiled()

async function writeChunks() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/main.ts',
      'conversion-worker': 'src/input/log/thread/conversion-worker.ts',
      'scan-worker': 'src/engine/input/scan-worker.ts',
    },
    outdir: 'dist/bundle',
    outExtension: { '.js': '.cjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    // esbuild splits only ES modules; they are converted to CommonJS afterwards, for which V8 accepts compiled code.
    format: 'esm',
    splitting: true,
    platform: 'node',
    target: 'node20.18',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    // Packages that have native code or look for files of their own cannot be bundled.
    external: ['chdb', 'koffi', 'pino', '@clickhouse/client'],
    plugins: [withoutUnused, inAscii],
    sourcemap: 'inline',
    sourcesContent: false,
    define: { 'import.meta.url': 'moduleUrl' },
    metafile: true,
    write: false,
  })
  const chunks = await Promise.all(outputFiles.map(toCommonJs))
  const hash = createHash('sha256')
  for (const { code } of chunks) hash.update(code)
  const id = hash.digest('hex').slice(0, 16)
  const always = loadedWith('dist/bundle/main.cjs', metafile.outputs)
  /** @param {Chunk} chunk */
  const isMain = ({ path, code }) =>
    always.has(relative(root, path)) || (isShared(path) && code.length < SMALL_CHARACTERS)
  writeFile(id, 'main.cjs', chunks.filter(isMain))
  for (const chunk of chunks) if (!isMain(chunk)) writeFile(id, basename(chunk.path), [chunk])
}

/**
 * Returns the paths of a chunk and of all chunks that are loaded with it: its static imports, direct and indirect.
 *
 * @param {string} path
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
function loadedWith(path, outputs, found = new Set()) {
  if (found.has(path)) return found
  found.add(path)
  for (const { path: imported, kind, external } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && !external) loadedWith(imported, outputs, found)
  }
  return found
}

/**
 * True for the path of a chunk that several modules import, and that is not loaded by `import()` itself.
 *
 * @param {string} path
 */
function isShared(path) {
  return basename(path).startsWith('chunk-')
}

/**
 * Writes chunks into one file: an object with a function for each, as `bin/chunks.js` loads them.
 *
 * @param {string} id
 * @param {string} name
 * @param {readonly Chunk[]} chunks
 */
function writeFile(id, name, chunks) {
  const sections = []
  let text = `//${id}\n({`
  for (const { path, code, map } of chunks) {
    text += `\n"./${basename(path)}"(exports, require, module, __filename) {\n`
    sections.push({
      offset: { line: text.split('\n').length - 1, column: 0 },
      map: JSON.parse(map),
    })
    text += `${code}\n},`
  }
  const file = join(directory, name)
  writeFileSync(file, `${text}\n})\n`)
  writeFileSync(`${file}.map`, JSON.stringify({ version: 3, sections }))
}

/**
 * @typedef {{ path: string, code: string, map: string }} Chunk
 * @param {import('esbuild').OutputFile} file
 * @returns {Promise<Chunk>}
 */
async function toCommonJs({ path, text }) {
  const { code, map } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.18',
    // `import()` does not work in code that is compiled with `vm.Script`.
    supported: { 'dynamic-import': false },
    banner: text.includes('moduleUrl') ? MODULE_URL : '',
    minifyWhitespace: true,
    sourcemap: 'external',
    sourcefile: path,
    sourcesContent: false,
  })
  return { path, code, map }
}

/** Runs frequent commands, so that the compiled code of their functions is stored too. */
async function keepCompiled() {
  const chunks = openChunks(directory)
  const { main } = chunks.load('./main.cjs')
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const temporary = mkdtempSync(join(tmpdir(), 'evq-build-'))
  const services = [['--url', url], ...((await hasEngine()) ? [['--data-dir', temporary]] : [])]
  for (const argv of [
    ['--help'],
    ...services.flatMap((service) => [
      ['ingest', 'logs', ...service],
      ['query', "['logs'] | summarize count()", ...service],
    ]),
  ]) {
    const code = await main(argv, quietIo())
    if (code !== 0) throw new Error(`evq ${argv.join(' ')} ended with ${code}`)
  }
  server.close()
  rmSync(temporary, { recursive: true })
  chunks.keepCompiled()
}

/** True where the embedded engine is installed. */
async function hasEngine() {
  return await import('chdb').then(
    () => true,
    () => false,
  )
}

function quietIo() {
  const stdin = new PassThrough()
  stdin.end('{"level":"info"}\n')
  const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()]
  return { stdin, stdout, stderr, env: {}, now: Date.now }
}

/**
 * Responds like a deployment with one event.
 *
 * @type {import('node:http').RequestListener}
 */
function answer(request, response) {
  const isQuery = request.url?.includes('_apl')
  const tables = [
    { name: '0', fields: [{ name: 'count_', type: 'integer' }], columns: [[1]], sources: [] },
  ]
  const body = isQuery
    ? { format: 'tabular', status: { rowsExamined: 1, rowsMatched: 1 }, tables, datasetNames: [] }
    : { ingested: 1, failed: 0, failures: [], processedBytes: 17 }
  request.resume().on('end', () => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
}
