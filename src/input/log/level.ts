import { utf8AsLatin1 } from '../../text/bytes.js'

/** The levels of events, from the least to the most severe. */
export type Level =
  | 'trace'
  | 'debug'
  | 'info'
  | 'notice'
  | 'warn'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency'
  | 'fatal'

/** The spellings of each level, in lower case. */
const SPELLINGS: Readonly<Record<Level, string>> = {
  // `trace1` to `trace8` are Apache's, `V` is Android's, `finest` and `finer` are java.util.logging's, `silly` is npm's,
  // `subdebug` and `ddebug` are DNF's, and `blat` is Supervisor's.
  trace:
    'trace trac trce trc t trace1 trace2 trace3 trace4 trace5 trace6 trace7 trace8 blat verbose verb vrb v finest finer silly subdebug',
  // MongoDB and PostgreSQL number their debug levels.
  debug:
    'debug debu deb debg dbug dbg ddebug d fine config d1 d2 d3 d4 d5 debug1 debug2 debug3 debug4 debug5',
  // `log` is PostgreSQL's, `success` is loguru's, `nfo` is rippled's.
  info: 'info inf nfo information informational i log success',
  notice: 'notice noti note not ntc n',
  warn: 'warn warning warni war wrn wrng w',
  error: 'error err erro errr eror e severe sever fail',
  critical: 'critical criti crit crt c dpanic',
  alert: 'alert alrt alr',
  emergency: 'emergency emerg emrg',
  fatal: 'fatal fata fatl fat ftl f panic pani pnc',
}

/**
 * The words for levels in other languages, as programs write them: the words of java.util.logging, such as Tomcat, and of PostgreSQL
 * depend on the language of the system.
 */
const LOCAL_SPELLINGS: Readonly<Partial<Record<Level, string>>> = {
  debug: 'FEIN KONFIGURATION デバッグ 调试 配置 構成 구성',
  info: 'INFOS INFORMACIÓN INFORMAZIONI INFORMAÇÕES СООБЩЕНИЕ ИНФО ИНФОРМАЦИЯ 信息 資訊 情報 日志 정보',
  notice: 'HINWEIS',
  warn: 'WARNUNG AVERTISSEMENT ATTENTION ADVERTENCIA ADVERTÊNCIA AVVERTENZA ATTENZIONE AVISO VARNING ПРЕДУПРЕЖДЕНИЕ 警告 경고',
  error:
    'FEHLER SCHWERWIEGEND ERREUR GRAVE ERRORE ERRO ALLVARLIG ОШИБКА 严重 嚴重 错误 錯誤 エラー 重大 致命的 심각',
  fatal: 'PANIK ВАЖНО',
}

/** The words for levels in other languages, in the case in which programs write them. */
export const LOCAL_LEVELS: readonly string[] = Object.values(LOCAL_SPELLINGS).flatMap((words) =>
  words.split(' '),
)

const LEVELS = new Map<string, Level>()
for (const [level, words] of [LOCAL_SPELLINGS, SPELLINGS].flatMap(Object.entries<string>)) {
  for (const word of words.split(' ')) {
    for (const text of [word, utf8AsLatin1(word)]) LEVELS.set(text.toLowerCase(), level as Level)
  }
}

/** The distance from the nearest level that Go's slog appends: `INFO+2`, `DEBUG-4`. */
const SLOG_OFFSET = /[+-]\d{1,3}$/

/**
 * Returns the level that a word, an abbreviation or a letter means, in any case: `WARNING` and `W` are `warn`. Returns
 * `undefined` for other text, including numbers, which mean different levels in different programs.
 */
export function normalLevel(text: string): Level | undefined {
  // In latin1, a word of another language may end with U+00A0.
  const word = text.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase()
  return LEVELS.get(word) ?? LEVELS.get(word.replace(SLOG_OFFSET, ''))
}

/** The severities of syslog, journald and GELF, from 0. */
export const SYSLOG_LEVELS: readonly Level[] = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warn',
  'notice',
  'info',
  'debug',
]

/** Returns the level of a syslog severity from 0 to 7; `undefined` for other numbers. */
export function syslogLevel(severity: number): Level | undefined {
  return SYSLOG_LEVELS[severity]
}

/** The levels of bunyan and pino: `trace` from 10, `debug` from 20, and so on. */
const BUNYAN_LEVELS: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** Returns the level of a number as bunyan and pino write it: 10 is `trace`, 60 is `fatal`; `undefined` below 10. */
export function bunyanLevel(level: number): Level | undefined {
  return BUNYAN_LEVELS[Math.min(Math.floor(level / 10), 6) - 1]
}
