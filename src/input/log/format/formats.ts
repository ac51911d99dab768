import type { LineFormat } from './line-format.js'

/** Formats that are detected, in the order of preference. */
export const LINE_FORMATS: readonly LineFormat[] = [
  {
    name: 'log4j',
    title: 'log4j and logback: Java programs, Hadoop, Kafka',
    examples: ['2026-11-20 15:16:47,163 INFO  [main] com.example.App - Started in 3 ms'],
    patterns: [
      '%{TIME:_time} +%{LEVEL:level} +\\[%{THREAD:thread}\\] +%{LOGGER:logger}:? +-? ?%{MESSAGE:message}',
      '%{TIME:_time} +\\[%{THREAD:thread}\\] +%{LEVEL:level} +%{LOGGER:logger}(?:: | - )%{MESSAGE:message}',
    ],
  },
]

/** The format of other lines that begin with their time. */
export const TIMED_LINES: LineFormat = {
  name: 'text',
  title: 'lines that begin with a time, and perhaps a level',
  examples: ['2026-11-20T10:00:00Z ERROR connection lost'],
  patterns: [
    '[\\[(<"]{0,2}%{TIME:_time}[\\])>",|]{0,2}(?:[ \\t:|-]{1,8}%{MARKED_LEVEL})?[ \\t:|-]{0,8}%{MESSAGE:message}',
  ],
}
