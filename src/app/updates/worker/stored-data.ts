/**
 * What the service worker of a new version does with what the device has stored, before it takes over from the one before
 * (decisions/updates): nobody is left with an app that cannot open its stores.
 *
 *     install: every document through the steps, nothing written ─→ fails: not installed, the version before stays
 *     「更新する」: migrate, alone ─→ fails: the version before goes on, with all that was
 */
import { aloneWithData, type DataLocks } from '#data/data-lock.ts'
import { migrate, rehearse } from '#data/layout/migrate.ts'
import { standingOf, storedLayout } from '#data/layout/stored-layout.ts'
import type { Layout } from '#data/layout/ways.ts'
import type { CodecFor } from '#data/storage/row-codec.ts'
import { usersNamed } from '#data/user-names.ts'

export interface StoredData {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  locks: DataLocks
  /** `navigator.storage`; missing in some browsers. */
  room: Pick<StorageManager, 'estimate'> | undefined
  layout: Layout
  durable: readonly string[]
  /** How rows of a user lie on the disk; null where they are sealed, and nobody is signed in who could open them. */
  codecFor: (user: string) => Promise<CodecFor | null>
}

type LayoutStanding = 'same' | 'older' | 'newer'

/** Beside what is copied: indexes, and what is written meanwhile. */
const SPARE_BYTES = 5_000_000

/** Firefox before 126 does not tell: there the app finds out when it opens them. */
async function users({ indexedDB }: StoredData): Promise<string[]> {
  const databases = 'databases' in indexedDB ? await indexedDB.databases() : []
  return usersNamed(databases.flatMap(({ name }) => name ?? []))
}

const standing = async ({ indexedDB, layout }: StoredData, database: string): Promise<LayoutStanding> =>
  standingOf(await storedLayout(indexedDB, database), layout.schemas)

/** Of all users on the device. */
export async function standingOfAll(parts: StoredData): Promise<LayoutStanding> {
  const found = await Promise.all((await users(parts)).map((database) => standing(parts, database)))
  return found.find((each) => each === 'newer') ?? found.find((each) => each === 'older') ?? 'same'
}

/** @throws where this version could not take over what is stored */
export async function rehearseAll(parts: StoredData): Promise<void> {
  let needed = 0
  for (const database of await users(parts)) {
    const stands = await standing(parts, database)
    if (stands === 'newer') throw new Error('the stores are of a later version')
    const codecFor = await parts.codecFor(database)
    // what is locked moves at its user's next login (`open-stores.ts`)
    if (stands === 'older' && codecFor) needed += await rehearse({ ...parts, database, codecFor })
  }
  if (needed === 0) return
  const { quota = Infinity, usage = 0 } = (await parts.room?.estimate?.()) ?? {}
  // text is stored in two bytes a character at most, and stands there twice until the switch
  if (quota - usage < 2 * needed + SPARE_BYTES) throw new Error('no room for a migration')
}

/** @throws where one fails, or a tab has the stores open: what was there is as it was, or as it is to be */
export async function migrateAll(parts: StoredData, patienceMs: number): Promise<void> {
  for (const database of await users(parts)) {
    const codecFor = await parts.codecFor(database)
    if (codecFor && (await standing(parts, database)) === 'older')
      await aloneWithData(parts.locks, database, () => migrate({ ...parts, database, codecFor }), {
        waits: () => undefined,
        patienceMs,
      })
  }
}
