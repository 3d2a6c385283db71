/** What is on a phone's disk, read past everything: the witness asks nobody. */
import type { Records, RecordViews } from '#schemas/collections/collections.ts'
import { isPushCollection, type PushCollection } from '#schemas/collections/push-collections.ts'
import { recordViews } from '#schemas/changes/record-view.ts'
import { isSharedKind, sharedKinds, type KindRecords } from '#schemas/collections/shared.ts'
import type { StoredDoc } from './stored-doc.ts'

interface Internals {
  documents: Map<string, StoredDoc>
}

type Held = Omit<Records, 'own' | 'lookups'> & KindRecords
export type OnDisk<C extends keyof Held> = (C extends PushCollection ? RecordViews[C] : Held[C]) & StoredDoc

/** What a row of a collection is: of a shared one, its kind. */
export const kindOf = (collection: string, { rowKey }: StoredDoc): string =>
  typeof rowKey === 'string' ? rowKey.slice(0, rowKey.indexOf('/')) : collection

/** Of one collection, or kind, what is not deleted; records with what was saved here. */
export function rowsOn<C extends keyof Held>(disk: Map<string, unknown>, name: C): OnDisk<C>[] {
  const rows = documentsOn(disk, name)
  if (!isPushCollection(name)) return rows as OnDisk<C>[]
  const changes = documentsOn(disk, 'changes').filter(({ resource }) => resource === name)
  return [...recordViews(rows as never, changes as never).values()] as unknown as OnDisk<C>[]
}

function documentsOn(disk: Map<string, unknown>, name: keyof Held): StoredDoc[] {
  const collection = isSharedKind(name) ? sharedKinds[name].in : name
  for (const [key, internals] of disk) {
    if (!key.includes(`--${collection}--`)) continue
    // RxDB's memory storage keeps its documents there
    const { documents } = internals as Internals
    const rows = [...documents.values()].filter((doc) => !doc._deleted)
    return rows.filter((doc) => kindOf(collection, doc) === name)
  }
  return []
}
