import type { ListenAddress } from '../../../local/serve.js'
import type { ConvertSyslog } from '../../../service/syslog/messages.js'
import { datasetNameError, isDatasetName } from '../../../wire/http/dataset-name.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { UsageError } from '../../error/usage-error.js'

export interface SyslogFlags {
  readonly listen?: string
  readonly idle?: number
  readonly syslog?: readonly string[]
  readonly syslogDataset?: string
  /** The zone of times without a zone. */
  readonly syslogTimezone?: TimeZone
  readonly defaultDataset?: string
}

const ADDRESS = { flag: '--syslog', example: '127.0.0.1:5514' }

/** Returns where syslog messages are received and stored; undefined without `--syslog`. Throws a `UsageError`. */
export function syslogOptions(
  flags: SyslogFlags,
): { readonly addresses: readonly ListenAddress[]; readonly dataset: string } | undefined {
  const { listen, idle, syslog, syslogDataset, syslogTimezone, defaultDataset } = flags
  if (syslogDataset !== undefined && !isDatasetName(syslogDataset)) {
    throw new UsageError(`\`--syslog-dataset\`: ${datasetNameError(syslogDataset)}`)
  }
  if (syslog === undefined) {
    const flag = syslogDataset === undefined ? '--syslog-timezone' : '--syslog-dataset'
    if ((syslogDataset ?? syslogTimezone) === undefined) return undefined
    throw new UsageError(`\`${flag}\` needs \`--syslog\`.`)
  }
  const addresses = syslog.map((text) => parseAddress(text, ADDRESS))
  const dataset = syslogDataset ?? defaultDataset
  if (dataset === undefined) {
    throw new UsageError('`--syslog` needs `--syslog-dataset`, the dataset of its messages.')
  }
  if (listen === 'none') throw new UsageError('`--syslog` does not work with `--listen none`.')
  // The service would stop while messages arrive.
  if (idle !== undefined) throw new UsageError('`--syslog` does not work with `--idle`.')
  return { addresses, dataset }
}

/** Returns a function that loads the parser of syslog messages. */
export function syslogLoader({ syslogTimezone: zone }: SyslogFlags): () => Promise<ConvertSyslog> {
  return async () => {
    const { convertMessages } = await import('../../../input/log/syslog/convert-messages.js')
    return (messages, now) => convertMessages(messages, now, zone)
  }
}

/** Parses `host:port`, `:port` or `[v6]:port`. Throws a `UsageError` for any other string. */
export function parseAddress(
  text: string,
  { flag, example }: { readonly flag: string; readonly example: string },
): { readonly host: string; readonly port: number } {
  const [, v6, name, digits] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535) {
    throw new UsageError(
      `\`${flag}\` takes a host and a port such as \`${example}\`, not \`${text}\`.`,
    )
  }
  return { host: v6 ?? (name || '127.0.0.1'), port }
}
