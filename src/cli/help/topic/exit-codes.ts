import { EXIT } from '../../exit-code.js'
import type { Block } from '../block.js'

const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'Success. Also when the reader of a pipe closes it.',
  failed: 'The service, the network or a file failed.',
  usage: 'Wrong flags or settings, or a query that does not compile. Nothing was sent or stored.',
  incomplete:
    'Partly done: events were rejected, not sent or not confirmed; a result is partial; or a default limit cut it under `--strict`.',
  denied: 'Not authenticated, or not permitted.',
  tooManyErrors: 'Stopped at `--max-errors`.',
  assertion: '`--fail-on-empty` or `--assert` was not met.',
  hungUp:
    'Ended by SIGHUP, after batches in flight were settled. Shells report the code for a process that died by the signal.',
  interrupted: 'Ended by SIGINT (Ctrl-C), likewise.',
  quit: 'Ended by SIGQUIT (Ctrl-\\), likewise.',
  terminated: 'Ended by SIGTERM, likewise. `evq serve` ends with 0 then.',
}

export const EXIT_CODES: readonly Block[] = Object.entries(EXIT).map(([name, code]) => ({
  kind: 'term',
  term: String(code),
  text: MEANINGS[name as keyof typeof EXIT],
}))
