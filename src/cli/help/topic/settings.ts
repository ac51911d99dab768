import { HEADER_KEYS } from '../../settings/config.js'
import { connectionSettings } from '../../settings/connection-settings.js'
import { blocksOf } from '../block.js'

const headers = Object.keys(HEADER_KEYS).filter((key) => key !== 'org_header')
const OTHER_HEADERS = new Intl.ListFormat('en-GB').format(headers.map((key) => `\`${key}\``))

export const SETTINGS = blocksOf(`
A flag takes precedence over the environment, the environment over a profile, and a profile over the local data directory. A
profile named on the command line takes precedence over the environment. \`-v\` shows where each value came from.

${connectionSettings.map(([, { entry }]) => entry.join(' :: ')).join('\n')}
-P, --profile, EVQ_PROFILE :: a deployment by its name in the configuration; \`local\` is the data directory
--timeout :: how long an attempt waits for a response (5m), and for each 4 KiB of it (2m)
--data-dir, EVQ_DATA_DIR :: the local data directory
--keep-warm, EVQ_KEEP_WARM :: the time for which a local service keeps running for later commands; 0s for no service

## Profiles

    evq profile add prod --url https://logs.example.com \\
      --token-file ~/.evq-token
    evq profile use prod

names a deployment in \`$XDG_CONFIG_HOME/evq/config.toml\` and makes it the default; \`list\` lists profiles, \`remove\` removes one.
\`--token-command 'pass show evq'\` runs a program that prints the token, \`--token-stdin\` keeps the token in the file (mode 0600;
refused when others can read it), and \`--org-header\` names the organization header of that deployment. In the file a profile may
also have ${OTHER_HEADERS}. A profile's token is never sent to an
address that was given without the profile.

## Output

\`-q\` prints no summaries, \`-v\` more, \`-vv\` each HTTP exchange. \`--color auto|always|never\`, \`NO_COLOR\` and \`FORCE_COLOR\` control
colors. \`--json-errors\` prints a failure as one JSON object on standard error. \`--debug\` prints stack traces. \`PAGER\`
shows results that are longer than the screen.

## Secrets

Tokens and proxy passwords never appear in messages, even when a service or proxy repeats them: they are replaced by \`…\` in
everything except the rows of a result, even percent-encoded or in base64. evq warns when a token is sent over \`http://\` to another
host.

## Files

$XDG_CONFIG_HOME/evq/config.toml :: profiles
$XDG_CONFIG_HOME/evq/formats.json :: formats of log lines
$XDG_DATA_HOME/evq :: the data directory of the local service
$XDG_STATE_HOME/evq :: checkpoints, and the history of the prompt
`)
