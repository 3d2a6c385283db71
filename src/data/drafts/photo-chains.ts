/**
 * Stores one hash chain for each day, which reveals later edits of the day's photos (`lib/image/photo-chain.ts`), as
 * a draft, so that it is encrypted like a draft and deleted with the visits of the day.
 */
import { dayOfPhotoChain, photoChainDraft } from '#schemas/resources/visit-key.ts'
import type { Database } from '#data/database/database.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import { entriesIn, type StoredEntry } from '#lib/image/photo-chain.ts'
import { changeDraft } from './draft-rows.ts'
import { draftOf } from './drafts.ts'

/** Adds an entry to the hash chain of a day (`YYYY-MM-DD`). */
export const addToChain = (db: Database, day: string, entry: StoredEntry): Promise<void> =>
  changeDraft(db, photoChainDraft(day), (draft) => ({
    ...draft,
    values: JSON.stringify({ entries: [...entriesIn(draft.values), entry] }),
  }))

/** Puts the entries of another chain of the day before those of this one, which may have some of them already. */
export const joinChains = (db: Database, day: string, values: string): Promise<void> =>
  changeDraft(db, photoChainDraft(day), (draft) => {
    const own = entriesIn(draft.values)
    const others = entriesIn(values).filter((each) => own.every((entry) => !isSameJson(entry, each)))
    return { ...draft, values: JSON.stringify({ entries: [...others, ...own] }) }
  })

/** Adds a second entry for a photo, with the position, which was found only after the first entry. */
export async function placeInChain(db: Database, day: string, key: string, place: string): Promise<void> {
  const draft = await draftOf(db, photoChainDraft(day))
  const entry = entriesIn(draft?.values ?? '').findLast((each) => each.key === key)
  if (entry) await addToChain(db, day, { ...entry, place })
}

export async function chainsOf(db: Database): Promise<Map<string, StoredEntry[]>> {
  const drafts = await db.drafts.find().exec()
  return new Map(
    drafts.flatMap(({ key, values }) => {
      const day = dayOfPhotoChain(key)
      return day === null ? [] : [[day, entriesIn(values)]]
    }),
  )
}
