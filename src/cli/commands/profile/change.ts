import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.js'
import { CommandError } from '../../error/command-error.js'
import { UsageError } from '../../error/usage-error.js'
import { LOCAL_PROFILE } from '../../settings/choice.js'
import {
  type Config,
  configPath,
  decodeConfig,
  readConfig,
  readConfigText,
  writeConfigText,
} from '../../settings/config.js'
import { withDefault, withoutProfile } from '../../settings/edit-config.js'
import { unknownProfile } from '../../settings/unknown-profile.js'
import { tellOfVariables } from './variables.js'

/** `evq profile use`: makes one the default. */
export async function useProfile(name: string, context: Context): Promise<void> {
  await changeConfig(context, (text, { profiles }, path) => {
    if (name !== LOCAL_PROFILE && !Object.hasOwn(profiles, name)) {
      throw unknownProfile(name, Object.keys(profiles), path)
    }
    return { text: withDefault(text, name), config: { profiles, default: name } }
  })
  tellOfVariables(context)
  context.say(`${name}: the default`)
}

/** `evq profile remove`: the default is none then, if it was this one. */
export async function removeProfile(name: string, context: Context): Promise<void> {
  await changeConfig(context, (text, { profiles, default: chosen }, path) => {
    if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles), path)
    const { [name]: _, ...others } = profiles
    const rest = withoutProfile(text, name)
    return chosen === name
      ? { text: withDefault(rest, undefined), config: { profiles: others } }
      : { text: rest, config: { profiles: others, ...(chosen && { default: chosen }) } }
  })
  context.say(`${name}: removed`)
}

/** The text of the configuration after a change, and what it has to mean. */
interface Change {
  readonly text: string
  readonly config: Config
}

/** Changes the configuration. A change that does not come out as intended is not made. */
export async function changeConfig(
  { io }: Context,
  edit: (text: string, config: Config, path: string) => Change,
): Promise<void> {
  const path = configPath(io.env)
  const config = await readConfig(path)
  const wanted = edit(await readConfigText(path), config, path)
  if (!(await means(wanted, path))) {
    throw new CommandError(
      `\`${path}\` can't be changed automatically as it is written, and stays as it was. Edit it by hand.`,
    )
  }
  await writeConfigText(path, wanted.text)
}

async function means({ text, config }: Change, path: string): Promise<boolean> {
  try {
    return isDeepStrictEqual(plain(await decodeConfig(path, text)), plain(config))
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

/** Only what is in the file: without prototypes and undefined members. */
function plain(config: Config): unknown {
  return JSON.parse(JSON.stringify(config))
}
