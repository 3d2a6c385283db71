/**
 * Removes CRM data a day after the CRM last confirmed it (RULES EX1), unless unsent work or a draft depends on it.
 * The pull passes expired documents to RxDB as deleted, also while the CRM cannot be reached.
 */
import { firstValueFrom, from, map, race, timer } from 'rxjs'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import type { LocalRecord } from '../merge/merge-rows.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { visitIn, visitKey, visitOfDraft } from '#schemas/resources/visit-key.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { openChanges, pulledCollection } from '#sync/changes/change-store.ts'

/** The first check comes early. When one document expires, documents that depend on it can expire next. */
const FIRST_CHECK_MS = 1_000
const CHECK_EVERY_MS = 10 * 60_000

/** ISO 8601 time. Data that the CRM confirmed before this time has expired. */
export const expiredBefore = (now: number): string => new Date(now - EXPIRY_MS).toISOString()

/** True if a stamp is more than a day old. Stamps begin with the time in milliseconds. */
export const isOlder = (stamp: string, now: number) => Number.parseInt(stamp, 10) < now - EXPIRY_MS

/**
 * True for a record without local changes that the CRM confirmed more than a day ago. A stamp far in the future
 * counts as expired too, because a wrong clock made it (RULES EX3).
 */
export function isExpiredRecord(
  { server, changes = [] }: LocalRecord,
  clock: Pick<PullClock, 'now' | 'expiryNow'>,
): boolean {
  const stamp = server?.stamp ?? '0'
  const isUndated = !isOlder(stamp, Math.max(clock.now(), clock.expiryNow()) + 2 * EXPIRY_MS)
  return changes.length === 0 && (isOlder(stamp, clock.expiryNow()) || isUndated)
}

export type EachOnce = ReturnType<typeof eachOnce>

/**
 * Creates a filter that lets each document pass once, until `again` is called. RxDB calls the pull before it has
 * written the pull's last result. A removal that is returned twice would repeat the pull forever (RULES traps 8, 14).
 */
export function eachOnce() {
  const returned = new Set<string>()
  return {
    only: <T extends { key: string }>(docs: readonly T[]): T[] =>
      docs.filter(({ key }) => !returned.has(key) && returned.add(key)),
    /** Lets every document pass once more. */
    again: () => returned.clear(),
  }
}

/**
 * Waits until the gate opens or documents expire.
 * @returns the expired documents; [] if the gate opened first
 */
export async function passedOr<T>(gate: Gate, expired: () => Promise<T[]>): Promise<T[]> {
  const passed$ = from(gate.passed()).pipe(map(() => true))
  for (let wait = FIRST_CHECK_MS; ; wait = Math.min(2 * wait, CHECK_EVERY_MS)) {
    const isOpen = await firstValueFrom(race(passed$, timer(wait).pipe(map(() => false))))
    const docs = isOpen ? [] : await expired()
    if (isOpen || docs.length > 0) return docs
  }
}

/** @returns tests for documents that must stay because unsent work or a draft depends on them (SV3, EX1) */
export async function dependentsOf(db: SyncDatabase) {
  const changes = await openChanges(db)
  const photos = await db.photos.find({ selector: { unsent: 'yes' } }).exec()
  const drafted = await draftedIds(db)
  const edited = drafted.size > 0 ? await recordsOf(db, drafted) : []
  const all = [...changes, ...photos, ...edited]
  return {
    onRequest: ({ id, workingDate }: { id: string; workingDate: string }): boolean =>
      drafted.has(id) ||
      drafted.has(visitKey(id, workingDate)) ||
      all.some(({ requestId, workingDate: day }) => requestId === id && (day === '' || day === workingDate)),
    /** True if the record has unsent changes, unsent photos or a draft. */
    onRecord: (resource: string, { key, serverId = '' }: { key: string; serverId?: string }): boolean =>
      drafted.has(key) ||
      changes.some((change) => change.resource === resource && change.recordKey === key) ||
      (serverId !== '' && drafted.has(serverId)) ||
      photos.some((photo) => photo.resource === resource && photo.recordKey === key),
  }
}

/**
 * Ids and keys of the requests and records that drafts belong to. A draft's key is built like a URL, for example
 * `noteLocationArea/add/<id>`, so each of its parts may be one. A safety measure's key begins with the key of its
 * visit, which is returned too.
 */
async function draftedIds(db: SyncDatabase): Promise<Set<string>> {
  const drafts = (await db.drafts.find().exec()).filter(({ key }) => visitOfDraft(key) === null)
  const named = drafts.flatMap(({ key, recordKey }) => [...key.split('/'), recordKey]).filter(Boolean)
  const visits = named.flatMap((part) => {
    const visit = visitIn(part)
    return visit ? visitKey(visit.requestId, visit.workingDate) : []
  })
  return new Set([...named, ...visits])
}

async function recordsOf(db: SyncDatabase, ids: ReadonlySet<string>) {
  const inCollection = async (name: (typeof pushCollections)[number]) =>
    (await pulledCollection(db, name).find().exec()).filter(
      ({ key, serverId }) => ids.has(key) || ids.has(serverId),
    )
  return (await Promise.all(pushCollections.map(inCollection))).flat()
}
