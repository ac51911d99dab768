import { expect, it } from 'vitest'
import { viewTarget } from '../../../../src/cli/commands/view/target.js'
import { silentContext } from '../../../support/fake-io.js'
import { temporaryDirectory } from '../../../support/temporary.js'

it('names the files of a directory, which is not read as a whole', async () => {
  const directory = temporaryDirectory()
  const named = viewTarget({ names: [`${directory}/`] }, silentContext())
  await expect(named).rejects.toThrow(`Name its files: \`evq view '${directory}/*'\`.`)
  const several = viewTarget({ names: [import.meta.filename, directory] }, silentContext())
  await expect(several).rejects.toThrow(`\`${directory}\` is a directory.`)
})
