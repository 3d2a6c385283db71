/** What is on a phone's disk, read past everything: the witness asks nobody. */
import type { CollectionName, Records } from '#schemas/collections.ts'
import type { StoredDoc } from './page-port.ts'

interface Internals {
  documents: Map<string, StoredDoc>
}

export type OnDisk<C extends CollectionName> = Records[C] & StoredDoc

/** Of one collection, what is not deleted. */
export function rowsOn<C extends CollectionName>(disk: Map<string, unknown>, name: C): OnDisk<C>[] {
  for (const [key, internals] of disk) {
    if (!key.includes(`--${name}--`)) continue
    // RxDB's memory storage keeps its documents there
    const { documents } = internals as Internals
    return [...documents.values()].filter((doc) => !doc._deleted) as OnDisk<C>[]
  }
  return []
}
