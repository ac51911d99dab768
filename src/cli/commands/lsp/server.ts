import { createConnection } from 'vscode-languageserver'
import {
  type CompletionItem,
  CompletionItemKind,
  createProtocolConnection,
  type Diagnostic,
  DiagnosticSeverity,
  type Hover,
  type InitializeResult,
  MarkupKind,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
  type TextEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { APL_WORDS, diagnose, type Field, formatApl } from '../../../apl/language.js'
import type { Connection } from '../../../client/connection.js'
import { orAborted } from '../../../text/abort.js'
import type { Problem } from '../../../text/problem.js'
import type { Span } from '../../../text/span.js'
import { clock, type Io } from '../../context.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { completionsOf, type Names, namesOf } from '../../query/completion.js'
import { fieldsOfQuery, type RemoteSchema, remoteSchema } from '../../query/remote-schema.js'
import { explain } from './hover.js'

interface EditorOptions {
  readonly io: Io
  readonly connection: Connection
  /** The time limit of requests for datasets and fields. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  debug(text: string): void
  warn(text: string): void
}

/** New datasets and fields are seen after this time. */
const MAX_AGE_MS = 10_000
/** The pause after a change before its problems are sent. */
const PAUSE_MS = 150

const INITIALIZE_RESULT: InitializeResult = {
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ['|', '[', "'", '"', '.', ' '] },
    hoverProvider: true,
    documentFormattingProvider: true,
  },
  serverInfo: { name: 'evq' },
}

/**
 * Serves the Language Server Protocol to one editor. Resolves when the editor ends the session or closes standard input. The
 * exit code is a failure unless the editor requested a shutdown first, as the protocol requires.
 */
export async function serveEditor(options: EditorOptions): Promise<ExitCode> {
  const { io, connection, timeoutMs, signal, debug, warn } = options
  const session = openSession(io)
  // The default logger sends messages to the editor, and throws when the editor is gone.
  const logger = { error: debug, warn: debug, info: debug, log: debug }
  const reader = new StreamMessageReader(io.stdin)
  reader.onError(({ message }) => warn(`A message from the editor can't be read: ${message}`))
  const writer = new StreamMessageWriter(io.stdout)
  const editor = createConnection(() => createProtocolConnection(reader, writer, logger), session)
  const documents = new TextDocuments(TextDocument)
  const schema = remoteSchema(connection, { now: io.now, timeoutMs, maxAgeMs: MAX_AGE_MS })
  const language: Language = { schema, names: namesOf(schema, connection), now: clock(io) }
  const found = ({ textDocument }: TextDocumentPositionParams) => documents.get(textDocument.uri)
  editor.onInitialize(() => INITIALIZE_RESULT)
  editor.onCompletion(async (place) => await completionsAt(place, found(place), language))
  editor.onHover(async (place) => await hoverAt(place, found(place), language))
  editor.onDocumentFormatting(({ textDocument }) => formatting(documents.get(textDocument.uri)))
  // Sends diagnostics without an error when the editor is gone.
  const push = async (diagnostics: PublishDiagnosticsParams) => {
    try {
      await editor.sendDiagnostics(diagnostics)
    } catch (error) {
      debug(`The problems could not be sent: ${error instanceof Error ? error.message : error}`)
    }
  }
  const stop = sendProblems(documents, push, language)
  documents.listen(editor)
  editor.listen()
  debug(`Serving an editor with ${connection.name}.`)
  const exitCode = await orAborted(session.ended, signal, () => EXIT.interrupted)
  stop()
  return exitCode
}

/** The names that queries may use, as far as the deployment responds. */
interface Language {
  readonly schema: RemoteSchema
  readonly names: Names
  now(): bigint
}

/** Sends the problems of each document after a pause in its changes. Returns a function that ends this. */
function sendProblems(
  documents: TextDocuments<TextDocument>,
  push: (diagnostics: PublishDiagnosticsParams) => Promise<void>,
  language: Language,
): () => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const send = async (document: TextDocument) => {
    const { uri, version } = document
    const diagnostics = await diagnosticsOf(document, language)
    // A later version of the document gets its own problems.
    if (documents.get(uri)?.version === version) await push({ uri, version, diagnostics })
  }
  documents.onDidChangeContent(({ document }) => {
    const { uri } = document
    clearTimeout(timers.get(uri))
    timers.set(
      uri,
      setTimeout(() => void send(document), PAUSE_MS),
    )
  })
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri))
    timers.delete(uri)
    void push({ uri, diagnostics: [] })
  })
  return () => timers.forEach(clearTimeout)
}

async function diagnosticsOf(document: TextDocument, language: Language): Promise<Diagnostic[]> {
  const problems = await problemsOf(document.getText(), language)
  // The values of parameters come with each request.
  const ofText = problems.filter(({ code }) => code !== 'missing-parameter')
  return ofText.map(({ code, message, label, help, span }) => ({
    code,
    source: 'evq',
    severity: DiagnosticSeverity.Error,
    message: [message, label, help].filter((text) => text !== undefined).join('\n'),
    range: rangeOf(span, document),
  }))
}

async function completionsAt(
  { position }: TextDocumentPositionParams,
  document: TextDocument | undefined,
  { names }: Language,
): Promise<CompletionItem[]> {
  if (document === undefined) return []
  const end = document.offsetAt(position)
  const before = document.getText().slice(0, end)
  const words = { ...APL_WORDS, commands: [] }
  const { candidates, written } = await completionsOf(before, words, names)
  const range = rangeOf({ start: end - written.length, end }, document)
  return candidates.map((text, i) => ({
    label: text.trim().replace(/\($/, ''),
    kind: kindOf(text),
    sortText: String(i).padStart(5, '0'),
    filterText: text,
    textEdit: { range, newText: text },
  }))
}

async function hoverAt(
  { position }: TextDocumentPositionParams,
  document: TextDocument | undefined,
  { schema, now }: Language,
): Promise<Hover | null> {
  if (document === undefined) return null
  const text = document.getText()
  // There are no fields while the deployment does not respond.
  const all = await fieldsOfQuery(text, schema, now()).catch(() => new Map())
  const found = explain(text, document.offsetAt(position), [...all.values()].flat())
  if (found === undefined) return null
  const { markdown, span } = found
  const contents = { kind: MarkupKind.Markdown, value: markdown }
  return { contents, range: rangeOf(span, document) }
}

function formatting(document: TextDocument | undefined): TextEdit[] {
  const text = document?.getText() ?? ''
  const formatted = formatApl(text)
  if (document === undefined || formatted === undefined || formatted === text) return []
  return [{ range: rangeOf({ start: 0, end: text.length }, document), newText: formatted }]
}

function kindOf(candidate: string): CompletionItemKind {
  if (candidate.endsWith('(')) return CompletionItemKind.Function
  if (/^["']/.test(candidate)) return CompletionItemKind.Value
  return candidate.endsWith(' ') ? CompletionItemKind.Keyword : CompletionItemKind.Field
}

/** Problems that can't be found without the schema. */
const UNDECIDED: readonly string[] = ['unknown-dataset', 'unknown-field']

/** Returns the problems of a query; only the problems that need no schema when the deployment does not respond. */
async function problemsOf(text: string, language: Language): Promise<readonly Problem[]> {
  if (text.trim() === '') return []
  const { schema } = language
  const now = language.now()
  try {
    const datasets = await schema.datasets()
    const all = await fieldsOfQuery(text, schema, now)
    const fields = (name: string) => all.get(name) as readonly Field[] | undefined
    return diagnose(text, { now, schema: { datasets, fields } })
  } catch {
    const nothing = { datasets: [], fields: () => undefined }
    return diagnose(text, { now, schema: nothing }).filter(({ code }) => !UNDECIDED.includes(code))
  }
}

/** Returns the session state for `createConnection`, whose default would end the process. */
function openSession({ stdin }: Io) {
  let end: (code: ExitCode) => void
  const session = {
    shutdownReceived: false,
    initialize() {},
    exit: () => end(session.shutdownReceived ? EXIT.done : EXIT.failed),
    ended: new Promise<ExitCode>((resolve) => {
      end = resolve
    }),
  }
  stdin.once('end', session.exit).once('close', session.exit)
  return session
}

function rangeOf({ start, end }: Span, document: TextDocument): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) }
}
