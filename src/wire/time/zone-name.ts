/**
 * The abbreviations of zones that mean one thing only, in hours east: those of RFC 2822 and of Europe
 * and Japan. `IST` and `BST` are not among them: half of those who write them mean another zone.
 */
export const ZONE_HOURS: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, JST: 9 },
}

/** Seconds east of Greenwich of a zone's abbreviation, of `GMT+3` or `+03`; undefined when it is not known. */
export function zoneSeconds(name: string): number | undefined {
  const hours = /^(?:GMT)?([+-]\d{1,2})$/.exec(name)?.[1]
  if (hours === undefined) {
    const known = Object.hasOwn(ZONE_HOURS, name) ? ZONE_HOURS[name] : undefined
    return known === undefined ? undefined : known * 3_600
  }
  return Math.abs(Number(hours)) <= 23 ? Number(hours) * 3_600 : undefined
}
