import { buffer } from 'node:stream/consumers'
import { isDatasetName } from '../../wire/dataset-name.js'
import { formatInOneUnit } from '../../wire/duration.js'
import type { Context } from '../context.js'
import { address, proxyAddress } from '../settings/address.js'
import { LOCAL_PROFILE } from '../settings/choice.js'
import { configPath, type Profile, readConfig } from '../settings/config.js'
import { withDefault, withProfile } from '../settings/edit-config.js'
import { checked } from '../settings/token.js'
import { UsageError } from '../usage-error.js'
import { changeConfig } from './change.js'
import { tellOfVariables } from './variables.js'

export interface AddFlags {
  readonly orgHeader?: string
  readonly tokenCommand?: string
  readonly tokenStdin?: boolean
}

/** `evq profile add`: the first profile becomes the default. */
export async function addProfile(name: string, flags: AddFlags, context: Context): Promise<void> {
  if (name === LOCAL_PROFILE || !isDatasetName(name)) {
    throw new UsageError(
      name === LOCAL_PROFILE
        ? '`local` always stands for the data directory; another name is needed.'
        : `\`${name}\` can't name a profile: letters, digits, \`_\`, \`.\` and \`-\` can.`,
    )
  }
  const profile = await profileOf(flags, context)
  await changeConfig(context, (text, { profiles }) => {
    const isFirst = Object.keys(profiles).length === 0
    const added = withProfile(text, name, profile)
    return isFirst ? withDefault(added, name) : added
  })
  const { default: chosen } = await readConfig(configPath(context.io.env))
  if (chosen === name) tellOfVariables(context)
  context.say(
    chosen === name
      ? `${name}: added, and the default`
      : `${name}: added; \`evq profile use ${name}\` makes it the default`,
  )
}

async function profileOf(
  { orgHeader, tokenCommand, tokenStdin }: AddFlags,
  context: Context,
): Promise<Profile> {
  const { url, ingestUrl, orgId, tokenFile, caFile, proxy, timeout } = context.flags()
  if (url === undefined) throw new UsageError('A profile needs an address: give `--url`.')
  const ways = [tokenFile, tokenCommand, tokenStdin].filter((way) => way !== undefined)
  if (ways.length > 1) {
    throw new UsageError('One of `--token-file`, `--token-command` and `--token-stdin` is enough.')
  }
  address({ value: url, origin: '`--url`' })
  if (ingestUrl !== undefined) address({ value: ingestUrl, origin: '`--ingest-url`' })
  if (proxy !== undefined) proxyAddress({ value: proxy, origin: '`--proxy`' })
  const token = tokenStdin
    ? checked((await buffer(context.io.stdin)).toString('utf8'), 'standard input')
    : undefined
  const values: { readonly [Key in keyof Profile]-?: string | undefined } = {
    url,
    ingest_url: ingestUrl,
    org_id: orgId,
    org_header: orgHeader,
    labels_header: undefined,
    csv_fields_header: undefined,
    batch_id_header: undefined,
    trace_id_header: undefined,
    token,
    token_file: tokenFile,
    token_command: tokenCommand,
    timeout: timeout === undefined ? undefined : formatInOneUnit(BigInt(Math.round(timeout * 1e6))),
    ca_file: caFile,
    proxy,
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
