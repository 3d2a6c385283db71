/** How many files a folder of the product may have. */
import { posix } from 'node:path'

export const roomLimit = 20

/** Folders that are not cut into rooms yet, each with the files it may have. */
const NOT_IN_ROOMS: Readonly<Record<string, number>> = {
  'src/demo-crm': 21,
}

/** @param paths of files of code @returns a line for each folder with too many files directly in it */
export function tooFull(paths: readonly string[]): string[] {
  const files = new Map<string, number>()
  for (const path of paths) files.set(posix.dirname(path), (files.get(posix.dirname(path)) ?? 0) + 1)
  return [...files]
    .filter(([folder, count]) => count > (NOT_IN_ROOMS[folder] ?? roomLimit))
    .map(([folder, count]) => `${folder} has ${count} files`)
}
