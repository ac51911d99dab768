import { NOT_A_TIME, NOT_UTF_8 } from '../../../wire/event/classify-line.js'

/** The advice by the end of the reason. After a time in none of the known layouts, the reason has its text. */
const ADVICE = [
  {
    reason: new RegExp(`${NOT_A_TIME}: ".*"$`),
    advice:
      '`--timestamp-format` sets the layout of times: `02.01.2006 15:04` is day, month, year, hour, minute.',
  },
  {
    reason: new RegExp(`\\b${NOT_UTF_8}$`),
    advice: '`iconv -f latin1 -t utf-8` converts a file in Latin-1 to UTF-8.',
  },
]

/** Returns advice on events that were rejected because of the layout of their times or their encoding; otherwise undefined. */
export function rejectionAdvice(reasons: readonly string[]): string | undefined {
  return ADVICE.find(({ reason }) => reasons.some((text) => reason.test(text)))?.advice
}
