/** Interests by their keys: of the marks of lists (kind prefetch) there are thousands, of all others a few. */
import type { Interest } from '#schemas/interest.ts'
import { prefetchKey } from '#schemas/prefetch.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { readOnce } from '../storage/read-once.ts'

/** The marks' keys begin so; '`' is what sorts after '_'. */
const BESIDE_MARKS = [{ $lt: 'prefetch_' }, { $gte: 'prefetch`' }]

/** All but the marks. */
export async function interestsBesideMarks(db: SyncDatabase): Promise<Interest[]> {
  const found = await Promise.all(BESIDE_MARKS.map((key) => db.interests.find({ selector: { key } }).exec()))
  return found.flat().map((doc) => doc.toMutableJSON())
}

export const interestsOf = async (db: SyncDatabase, wanted: Exclude<Interest['kind'], 'prefetch'>) =>
  (await interestsBesideMarks(db)).filter(({ kind }) => kind === wanted)

/** The marks of one collection's lists. */
export function marksOf(db: SyncDatabase, collection: string): Promise<Interest[]> {
  const prefix = prefetchKey(collection, '')
  return readOnce(db.interests, { selector: { key: { $gte: prefix, $lt: `${prefix}\uffff` } } })
}
