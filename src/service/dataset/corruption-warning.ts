import type { Corruption } from '../../engine/maintenance/corruption.js'

/** Returns the warning about corrupted files and the events missing because of them. */
export function corruptionWarning({ dataset, folders }: Corruption): string {
  const [first = ''] = folders
  const where =
    folders.length === 1 ? `\`${first}\`` : `\`${first}\` and ${folders.length - 1} more`
  return dataset === undefined
    ? `Metadata files are corrupted: fields, saved queries or batch ids may be missing. The files were moved to ${where}.`
    : `Files of the dataset \`${dataset}\` are corrupted: their events are missing from all results. The files were moved to ${where}.`
}
