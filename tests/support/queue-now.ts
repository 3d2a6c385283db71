import { filter, firstValueFrom, timeout } from 'rxjs'
import { effectiveChanges, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Change } from '#schemas/change.ts'
import { byRecord } from '#schemas/changes/record-view.ts'
import type { Database } from '#data/database/database.ts'
import { outbox$, type Outbox } from '#data/outbox/outbox.ts'
import { openChanges } from '#sync/changes/change-store.ts'

/** What 送信状況 shows, once it shows what is on the disk. */
export async function queueNow(db: Database): Promise<QueueItem[]> {
  const open = await openChanges(db)
  const isShown = ({ progress, queue }: Outbox) =>
    open.every(({ id, state }) => progress.get(id)?.state === state) &&
    effectiveIds(open).every((id) => queue.some(({ change }) => change.id === id))
  const shown$ = outbox$(db).pipe(filter(isShown), timeout({ first: SHOWN_MS, with: () => outbox$(db) }))
  return (await firstValueFrom(shown$)).queue
}

const SHOWN_MS = 500

/** Of each record, those that count. */
const effectiveIds = (open: readonly Change[]): string[] =>
  [...byRecord(open).values()].flatMap((own) => effectiveChanges(own).map(({ id }) => id))
