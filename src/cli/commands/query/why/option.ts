import { Option } from 'commander'

/** Returns `--why`, which explains a result without rows. */
export function whyOption(): Option {
  return new Option('--why', 'explain why there are no rows; automatic on a terminal')
}
