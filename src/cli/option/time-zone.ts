import { Option } from 'commander'
import { suggestion } from '../../text/suggest.js'
import { timeZone } from '../../wire/time/time-zone.js'
import { UsageError } from '../error/usage-error.js'

/** Returns an option, `-z` by default, that takes an IANA name, an offset, `local` or `UTC`. */
export function timeZoneOption(description: string, flags = '-z, --timezone <zone>'): Option {
  const option = new Option(flags, description)
  return option.argParser((value: string) => {
    const name = value === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : value
    const zone = timeZone(name)
    if (zone !== undefined) return zone
    const some = `\`${option.long}\` takes \`Europe/Berlin\`, \`+02:00\`, \`local\` or \`UTC\`.`
    const help = suggestion(value, Intl.supportedValuesOf('timeZone'), some)
    throw new UsageError(`Unknown time zone \`${value}\`. ${help}`)
  })
}
