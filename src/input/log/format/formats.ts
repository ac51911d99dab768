import { CLOUD_FORMATS } from './cloud.js'
import { DATABASE_FORMATS } from './database.js'
import { GAME_FORMATS } from './game.js'
import { GENERAL_FORMATS } from './general.js'
import { JAVA_FORMATS } from './java.js'
import { LANGUAGE_FORMATS } from './languages.js'
import type { FormatsByName, LineFormat } from './line-format.js'
import { NETWORK_FORMATS } from './network.js'
import { PYTHON_FORMATS } from './python.js'
import { SECURITY_FORMATS } from './security.js'
import { SYSTEM_FORMATS } from './system.js'
import { TOOL_FORMATS } from './tool.js'
import { WEB_FORMATS } from './web.js'
import { XML_FORMATS } from './xml.js'

/** Formats of certain programs, by group, in the order of preference. */
const GROUPS: Readonly<Record<string, FormatsByName>> = {
  system: SYSTEM_FORMATS,
  cloud: CLOUD_FORMATS,
  'security and mail': SECURITY_FORMATS,
  web: WEB_FORMATS,
  database: DATABASE_FORMATS,
  java: JAVA_FORMATS,
  python: PYTHON_FORMATS,
  language: LANGUAGE_FORMATS,
  network: NETWORK_FORMATS,
  tool: TOOL_FORMATS,
  game: GAME_FORMATS,
  xml: XML_FORMATS,
}

/** Formats that are detected, in the order of preference. */
export const LINE_FORMATS: readonly LineFormat[] = [
  ...Object.values(GROUPS).flatMap((formats) => Object.values(formats)),
  ...GENERAL_FORMATS,
]

export function groupOf({ name }: Pick<LineFormat, 'name'>): string {
  return Object.keys(GROUPS).find((group) => Object.hasOwn(GROUPS[group]!, name)) ?? 'other'
}
