/** Every how many events have a stack trace. */
const TRACE_EVERY = 7
/** Every how many of these have one that exceeds the limits of an event. */
const LARGE_EVERY = 400

/** The limits of an event, with the line ends of all its lines but the last. */
const MAX_LINES = 1000
const MAX_BYTES = 64 * 1024

const DAY = Date.UTC(2026, 1, 3)
const LEVELS = ['INFO', 'DEBUG', 'WARN', 'ERROR']

/** Writes the log of a Java program: each event has another time and text. */
export class LogWriter {
  private readonly random: () => number
  private readonly lineEnd: string
  private count = 0

  constructor(random: () => number) {
    this.random = random
    this.lineEnd = random() < 0.5 ? '\n' : '\r\n'
  }

  /** Returns events of one or more lines. */
  events(count: number): string {
    return Array.from({ length: count }, () => this.event()).join('')
  }

  /** Returns lines of a stack trace. */
  lines(count: number): string {
    this.count += 1
    return this.text([`java.lang.Error: added ${this.count}`, ...this.frames(count)])
  }

  private event(): string {
    this.count += 1
    const n = this.count
    const time = new Date(DAY + n * 37).toISOString().slice(0, -1).replace('T', ' ')
    const first = `${time.replace('.', ',')} ${LEVELS[n % 4]} [worker-${n % 8}] com.example.Job - é ${n}`
    if (n % TRACE_EVERY !== 0) return this.text([first])
    const cause = `java.lang.IllegalStateException: ${n}`
    const large = Math.floor(n / TRACE_EVERY) % LARGE_EVERY
    if (large === 1) return this.text([first, cause, ...this.frames(2500)])
    if (large === 2) return this.text([first, cause, ...this.frames(80, 'x'.repeat(1500))])
    if (large === 3) return this.text([first, 'y'.repeat(100_000), ...this.frames(3)])
    return this.text([first, cause, ...this.frames(2 + Math.floor(this.random() * 38))])
  }

  private frames(count: number, pad = ''): readonly string[] {
    return Array.from(
      { length: count },
      (_, i) => `\tat com.example.C${this.count}${pad}.run(A.java:${i})`,
    )
  }

  private text(lines: readonly string[]): string {
    return lines.map((line) => line + this.lineEnd).join('')
  }
}

const FIRST_LINE = /^(\S+) (\S+),(\d+) \w+ \[\S+\] com\.example\.Job - (.*)$/s

/**
 * Splits a log into its events and returns the time in RFC 3339 and the message of each, as they must be stored. What
 * exceeds the limits of an event has no time.
 */
export function storedOf(log: string): readonly string[] {
  const events: string[][] = []
  let bytes = 0
  for (const line of log.split('\n').slice(0, -1)) {
    const length = Buffer.byteLength(line)
    const current = events.at(-1)
    const isFull = current?.length === MAX_LINES || bytes + length >= MAX_BYTES
    if (current === undefined || isFull || FIRST_LINE.test(line)) {
      events.push([line])
      bytes = 0
    } else {
      current.push(line)
    }
    bytes += length + 1
  }
  return events.map((lines) => {
    const text = lines.join('\n').replaceAll('\r', '')
    const [, day, clock, fraction, message] = FIRST_LINE.exec(text) ?? []
    if (message === undefined) return ` ${text}`
    return `${day}T${clock}.${fraction}Z ${message}`
  })
}
