import type { Corruption } from '../../engine/maintenance/corruption.js'

/** Returns the warning about corrupted files and the events missing because of them. */
export function damageWarning({ dataset, folders }: Corruption): string {
  const [first = ''] = folders
  const where =
    folders.length === 1 ? `\`${first}\`` : `\`${first}\` and ${folders.length - 1} more`
  return dataset === undefined
    ? `Files in which fields, saved queries and batch ids are noted are damaged: some may be missing. They were put aside: ${where}.`
    : `Files of the dataset \`${dataset}\` are damaged: their events are missing from every answer. They were put aside: ${where}.`
}
