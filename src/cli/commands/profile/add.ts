import { buffer } from 'node:stream/consumers'
import { isDatasetName } from '../../../wire/http/dataset-name.js'
import { formatInOneUnit } from '../../../wire/time/duration.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { address, proxyAddress } from '../../settings/address.js'
import { LOCAL_PROFILE } from '../../settings/choice.js'
import type { Profile } from '../../settings/config.js'
import { withDefault, withProfile } from '../../settings/edit-config.js'
import { checked } from '../../settings/token.js'
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
  const given = await profileOf(flags, context)
  const { before, chosen } = await keep(name, given, context)
  if (chosen === name) tellOfVariables(context)
  if (before !== undefined) tellOfReplaced(name, { before, given }, context)
  const done = before === undefined ? 'added' : 'replaced'
  context.say(
    chosen === name
      ? `${name}: ${done}, and the default`
      : `${name}: ${done}; \`evq profile use ${name}\` makes it the default`,
  )
}

/** Writes a profile into the configuration; returns the earlier one of that name, and the default. */
async function keep(name: string, given: Profile, context: Context) {
  let before: Profile | undefined
  let chosen: string | undefined
  await changeConfig(context, (text, { profiles, default: earlier }) => {
    before = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    const profile = { ...given, ...(before && keptToken(before, given)) }
    const isFirst = Object.keys(profiles).length === 0
    chosen = isFirst ? name : earlier
    const added = withProfile(text, name, profile)
    return {
      text: isFirst ? withDefault(added, name) : added,
      config: { profiles: { ...profiles, [name]: profile }, ...(chosen && { default: chosen }) },
    }
  })
  return { before, chosen }
}

const TOKEN_KEYS = ['token', 'token_file', 'token_command'] as const

/** The token setting of an earlier profile, where no flag gives another. */
function keptToken(before: Profile, given: Profile): Pick<Profile, (typeof TOKEN_KEYS)[number]> {
  const key = TOKEN_KEYS.find((one) => before[one] !== undefined)
  if (key === undefined || TOKEN_KEYS.some((one) => given[one] !== undefined)) return {}
  return { [key]: before[key] }
}

interface Replaced {
  readonly before: Profile
  readonly given: Profile
}

function tellOfReplaced(name: string, { before, given }: Replaced, { note }: Context): void {
  const [kept] = Object.keys(keptToken(before, given))
  if (kept !== undefined) {
    const where = before.url === given.url ? '' : `, which now goes to \`${given.url}\``
    note(
      `\`${name}\` keeps its \`${kept}\`${where}. \`evq profile remove ${name}\` first drops it.`,
    )
  }
  const dropped = (Object.keys(before) as (keyof Profile)[]).filter(
    (key) => key !== kept && given[key] === undefined,
  )
  if (dropped.length > 0) {
    note(`\`${name}\` no longer has ${dropped.map((key) => `\`${key}\``).join(', ')}.`)
  }
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
