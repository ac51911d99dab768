// Requests a data directory and prints whether a process was asked to leave it; offers it with the argument `offer`, until it is
// ended. Uses the output of `npm run build`.
import { offerDirectory, requestDirectory } from '../../dist/local/offered-directory.js'

const [, , directory, role] = process.argv
if (role === 'offer') {
  await offerDirectory(directory)
  console.log('offered')
  setInterval(() => {}, 1e9)
} else {
  console.log(await requestDirectory(directory))
}
