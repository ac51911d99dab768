import { createConnection } from 'vscode-languageserver'
import {
  CompletionItemKind,
  createProtocolConnection,
  DiagnosticSeverity,
  MarkupKind,
  type PublishDiagnosticsParams,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { APL_WORDS, diagnose, type Field, formatApl } from '../../../apl/language.js'
import type { Connection } from '../../../client/connection.js'
import { orAborted } from '../../../text/abort.js'
import type { Problem } from '../../../text/problem.js'
import type { Span } from '../../../text/span.js'
import { clock, type Io } from '../../context.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { completionsOf, namesOf } from '../../query/completion.js'
import { fieldsOfQuery, type RemoteSchema, remoteSchema } from '../../query/remote-schema.js'
import { explain } from './hover.js'

interface EditorOptions {
  readonly io: Io
  readonly connection: Connection
  /** The time limit of requests for datasets and fields. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  debug(text: string): void
}

/** New datasets and fields are seen after this time. */
const MAX_AGE_MS = 10_000
/** The pause after a change before its problems are sent. */
const PAUSE_MS = 150

/**
 * Serves the Language Server Protocol to one editor. Resolves when the editor ends the session or closes standard input. The
 * exit code is a failure unless the editor requested a shutdown first, as the protocol requires.
 */
export async function serveEditor(options: EditorOptions): Promise<ExitCode> {
  const { io, connection, timeoutMs, signal, debug } = options
  const session = openSession(io)
  // The default logger sends messages to the editor, and throws when the editor is gone.
  const logger = { error: debug, warn: debug, info: debug, log: debug }
  const reader = new StreamMessageReader(io.stdin)
  const writer = new StreamMessageWriter(io.stdout)
  const editor = createConnection(() => createProtocolConnection(reader, writer, logger), session)
  const documents = new TextDocuments(TextDocument)
  const now = clock(io)
  const schema = remoteSchema(connection, { now: io.now, timeoutMs, maxAgeMs: MAX_AGE_MS })
  const names = namesOf(schema)

  editor.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['|', '[', "'", '"', '.', ' '] },
      hoverProvider: true,
      documentFormattingProvider: true,
    },
    serverInfo: { name: 'evq' },
  }))

  const timers = new Map<string, NodeJS.Timeout>()
  documents.onDidChangeContent(({ document }) => {
    clearTimeout(timers.get(document.uri))
    timers.set(
      document.uri,
      setTimeout(() => void sendProblems(document), PAUSE_MS),
    )
  })
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri))
    timers.delete(uri)
    void push({ uri, diagnostics: [] })
  })

  /** Sends diagnostics without an error when the editor is gone. */
  async function push(diagnostics: PublishDiagnosticsParams): Promise<void> {
    try {
      await editor.sendDiagnostics(diagnostics)
    } catch (error) {
      debug(`The problems could not be sent: ${error instanceof Error ? error.message : error}`)
    }
  }

  async function sendProblems(document: TextDocument): Promise<void> {
    const { uri, version } = document
    const problems = await problemsOf(document.getText(), schema, now())
    // A later version of the document gets its own problems.
    if (documents.get(uri)?.version !== version) return
    const diagnostics = problems.map(({ code, message, label, help, span }) => ({
      code,
      source: 'evq',
      severity: DiagnosticSeverity.Error,
      message: [message, label, help].filter((text) => text !== undefined).join('\n'),
      range: rangeOf(span, document),
    }))
    await push({ uri, version, diagnostics })
  }

  editor.onCompletion(async ({ textDocument, position }) => {
    const document = documents.get(textDocument.uri)
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
  })

  editor.onHover(async ({ textDocument, position }) => {
    const document = documents.get(textDocument.uri)
    if (document === undefined) return null
    const text = document.getText()
    // There are no fields while the deployment does not respond.
    const all = await fieldsOfQuery(text, schema, now()).catch(() => new Map())
    const found = explain(text, document.offsetAt(position), [...all.values()].flat())
    if (found === undefined) return null
    const { markdown, span } = found
    const contents = { kind: MarkupKind.Markdown, value: markdown }
    return { contents, range: rangeOf(span, document) }
  })

  editor.onDocumentFormatting(({ textDocument }) => {
    const document = documents.get(textDocument.uri)
    const text = document?.getText() ?? ''
    const formatted = formatApl(text)
    if (document === undefined || formatted === undefined || formatted === text) return []
    return [{ range: rangeOf({ start: 0, end: text.length }, document), newText: formatted }]
  })

  documents.listen(editor)
  editor.listen()
  debug(`Serving an editor with ${connection.name}.`)
  const exitCode = await orAborted(session.ended, signal, () => EXIT.interrupted)
  for (const timer of timers.values()) clearTimeout(timer)
  return exitCode
}

function kindOf(candidate: string): CompletionItemKind {
  if (candidate.endsWith('(')) return CompletionItemKind.Function
  return candidate.endsWith(' ') ? CompletionItemKind.Keyword : CompletionItemKind.Field
}

/** Problems that can't be found without the schema. */
const UNDECIDED: readonly string[] = ['unknown-dataset', 'unknown-field']

/** Returns the problems of a query; only the problems that need no schema when the deployment does not respond. */
async function problemsOf(
  text: string,
  schema: RemoteSchema,
  now: bigint,
): Promise<readonly Problem[]> {
  if (text.trim() === '') return []
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
