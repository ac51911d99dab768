import type { Context } from '../context.js'
import { LOCAL_PROFILE } from '../settings/choice.js'
import {
  type Config,
  configPath,
  decodeConfig,
  readConfig,
  readConfigText,
  writeConfigText,
} from '../settings/config.js'
import { withDefault, withoutProfile } from '../settings/edit-config.js'
import { unknownProfile } from '../settings/unknown-profile.js'
import { tellOfVariables } from './variables.js'

/** `evq profile use`: makes one the default. */
export async function useProfile(name: string, context: Context): Promise<void> {
  await changeConfig(context, (text, { profiles }, path) => {
    if (name !== LOCAL_PROFILE && !Object.hasOwn(profiles, name)) {
      throw unknownProfile(name, Object.keys(profiles), path)
    }
    return withDefault(text, name)
  })
  tellOfVariables(context)
  context.say(`${name}: the default`)
}

/** `evq profile remove`: the default is none then, if it was this one. */
export async function removeProfile(name: string, context: Context): Promise<void> {
  await changeConfig(context, (text, { profiles, default: chosen }, path) => {
    if (!Object.hasOwn(profiles, name)) throw unknownProfile(name, Object.keys(profiles), path)
    const rest = withoutProfile(text, name)
    return chosen === name ? withDefault(rest, undefined) : rest
  })
  context.say(`${name}: removed`)
}

/** Changes the configuration; a change that would break it is not made. */
export async function changeConfig(
  { io }: Context,
  edit: (text: string, config: Config, path: string) => string,
): Promise<void> {
  const path = configPath(io.env)
  const config = await readConfig(path)
  const text = edit(await readConfigText(path), config, path)
  await decodeConfig(path, text)
  await writeConfigText(path, text)
}
