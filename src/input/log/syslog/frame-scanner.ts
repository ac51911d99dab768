import { isBlank, LESS_THAN, LINE_FEED, NINE, SPACE, ZERO } from '../../../text/bytes.js'
import { MAX_LENGTH_DIGITS } from '../../../wire/octet-count.js'
import type { InputEnding, Scanner, ScanRange, ScanResult } from '../../framing.js'

type FrameState = 'start' | 'count' | 'after count' | 'line' | 'frame'

/** Finds the ends of records as `findFrame` does, in bytes that arrive in chunks. */
export class FrameScanner implements Scanner {
  private place: FrameState = 'start'
  private count = 0
  private digits = 0
  /** True when the current line contains more than white space. */
  private hasContent = false
  /** Line ends within the current frame. */
  private lines = 0

  scan(bytes: Buffer, { from, to, maxEvents }: ScanRange): ScanResult {
    const view = bytes.subarray(0, to)
    let at = from
    let end = -1
    let events = 0
    let lines = 0
    while (at < to && events < maxEvents) {
      if (this.place === 'frame') {
        at = this.frame(view, at)
        if (this.count > 0) break
        events += 1
        lines += this.lines
        end = at
        this.begin()
      } else if (this.place === 'line' || !this.head(view[at]!)) {
        const newline = view.indexOf(LINE_FEED, at)
        const stop = newline === -1 ? to : newline
        this.hasContent ||= !isBlank(view, at, stop)
        if (newline === -1) {
          this.place = 'line'
          at = to
          break
        }
        if (this.hasContent) events += 1
        lines += 1
        at = end = newline + 1
        this.begin()
      } else {
        at += 1
      }
    }
    return { next: at, end, events, lines }
  }

  finish(): InputEnding {
    if (this.place !== 'frame') return { events: this.hasContent ? 1 : 0 }
    return {
      events: 0,
      problem: 'the input ends in the middle of its last message',
    }
  }

  /** Handles a byte that may belong to the length before a frame; returns false when it does not. */
  private head(byte: number): boolean {
    if (byte >= ZERO && byte <= NINE && this.place !== 'after count') {
      if (this.place === 'start' && byte === ZERO) return this.isLine()
      if (this.digits === MAX_LENGTH_DIGITS) return this.isLine()
      this.place = 'count'
      this.hasContent = true
      this.digits += 1
      this.count = this.count * 10 + byte - ZERO
      return true
    }
    if (byte === SPACE && this.place === 'count') {
      this.place = 'after count'
      return true
    }
    if (byte === LESS_THAN && this.place === 'after count') {
      this.place = 'frame'
      this.count -= 1
      return true
    }
    return this.isLine()
  }

  private isLine(): false {
    this.place = 'line'
    return false
  }

  private frame(bytes: Buffer, from: number): number {
    const stop = Math.min(bytes.length, from + this.count)
    for (let at = bytes.indexOf(LINE_FEED, from); at !== -1 && at < stop; ) {
      this.lines += 1
      at = bytes.indexOf(LINE_FEED, at + 1)
    }
    this.count -= stop - from
    return stop
  }

  private begin(): void {
    this.place = 'start'
    this.count = this.digits = this.lines = 0
    this.hasContent = false
  }
}
