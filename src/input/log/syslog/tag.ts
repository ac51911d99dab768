import { matchAt } from '../../../text/match-at.js'
/** The prefix of a message: the program and perhaps its process id. */
export interface Tag {
  readonly app: string
  readonly pid: string
  /** The position after the tag. */
  readonly end: number
}

const TAG =
  /(?!%|\{"|\d+:|[\w-]{1,40},[\da-f]{12},\S{1,40}: )([^\s:[\]]+)(?:\[([^\s\]]*)\](?::|(?=[ (]|$))|:? \[(\d+)\]:(?= )|:(?= |$))/y

/** The category of Cisco ISE or ACS. */
const CATEGORY = /((?:CISE|CSCOacs)_\w{3,60})(?= \d{10} )/y

/**
 * Reads the tag `app[pid]:`, or `app[pid]` or `app:` before a space or at the end of the line, SOGo's `app [pid]: `, Heartbeat's
 * `app: [pid]: `, and the category of Cisco ISE or ACS. A level in parentheses may follow. `%ASA-6-302013:` is not a tag, but the
 * id of a message, `35:` is a sequence number, and the access points of UniFi write a colon after their model, address and version.
 */
export function tagAt(line: string, from: number): Tag | undefined {
  const match = matchAt(TAG, line, from) ?? matchAt(CATEGORY, line, from)
  if (match === null) return undefined
  const [found, app = '', pid, spacedPid = ''] = match
  return { app, pid: pid ?? spacedPid, end: from + found.length }
}

/** Reads the program of RFC 5424 if it is a tag of RFC 3164, as the templates of some senders have it. */
export function programTag(program: string): Tag | undefined {
  return program.endsWith(':') || program.endsWith(']') ? tagAt(program, 0) : undefined
}

const OBJECT_TAG = /(?:([\w.-]{1,60}) )?(?=\{")/y

/** Reads the program in front of an object, which may be missing: `app {"`; its name is then empty. */
export function objectTagAt(line: string, from: number): Tag | undefined {
  const match = matchAt(OBJECT_TAG, line, from)
  return match === null ? undefined : { app: match[1] ?? '', pid: '', end: OBJECT_TAG.lastIndex }
}
