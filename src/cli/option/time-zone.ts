import { Option } from 'commander'
import { suggestion } from '../../text/suggest.js'
import { timeZone } from '../../wire/time/time-zone.js'
import { UsageError } from '../error/usage-error.js'

/** Returns an option, `-z` by default, that takes an IANA name, an offset, `local` or `UTC`. */
export function timeZoneOption(description: string, flags = '-z, --timezone <zone>'): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string) => {
    const zone = timeZone(value === 'local' ? localZone() : value)
    if (zone !== undefined) return zone
    const some = `\`${option.long}\` takes \`Europe/Berlin\`, \`+02:00\`, \`local\` or \`UTC\`.`
    const help = suggestion(value, Intl.supportedValuesOf('timeZone'), some)
    throw new UsageError(`Unknown time zone \`${value}\`. ${help}`)
  })
}

/** Returns the zone of the system; as in the C library, UTC when `TZ` is empty or not the name of a zone. */
function localZone(): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone
  return name === undefined || name === 'Etc/Unknown' ? 'UTC' : name
}
