/** Loads a change that is about to be sent, and reads the CRM before the change is sent. */
import { type PendingRecord, isCreating, isInDoubt } from '#schemas/changes/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { Job as AnyJob, Sending, ReadBack } from './send-adapter.ts'
import type { ChangeRef, QueueStore } from './change-store.ts'
import type { HandlerParts } from './push-handler.ts'
import type { Api } from '#sync/scheduler/api.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { mergedEdit, withServerState } from '#sync/merge/merge.ts'
import { resourceOf } from '#sync/resources/resource-table.ts'
import type { Created, ReadRequest } from '#sync/resources/resource.ts'

export interface SenderParts extends HandlerParts {
  store: QueueStore
  api: Api
  locks: Locks
  clock: { now(): number; stamp(): string }
  /** Time limit of one call, in milliseconds. */
  limitMs: number
  userId: string
  /** `loginUserId` of the calls (crm-contract 2). */
  loginUserId: string
}

export interface Job extends AnyJob {
  record: PendingRecord
  change: AnyChange
}

/** Everything that one run of the push handler uses. */
export interface Work extends SenderParts, Sending {
  /** Changes that RxDB has pushed and whose sending has not ended, by id. */
  pending: Map<string, ChangeRef>
  /** Ids of changes that are sent in calls of their own, because a call for several changes failed (RULES OR3). */
  sentIndividually: Set<string>
}

/** `server`: the record as it was just read from the CRM; absent if no read was needed. */
export type Read = { server?: NonNullable<PushableRecord['server']> }

/**
 * Reads the CRM before a change is sent. After an ambiguous call the read shows whether the CRM has the change (RULES
 * OC3, OC6). Before a PUT it gives the state that the edit is merged with (MG3).
 * @param inDoubt true if an earlier call may have reached the CRM
 */
export async function readBeforeSend(
  work: SenderParts,
  job: Job,
  inDoubt = isInDoubt(job.item),
): Promise<ReadBack<Created> & Read> {
  const { record, change } = job
  const { resource, key, serverId } = record
  const row = resourceOf(resource)
  const takenIds = () => work.store.takenIds(resource, { key, stamp: change.stamp })
  const read: ReadRequest = { ...work, takenIds }
  if (isCreating(change)) {
    if (!inDoubt) return { kind: 'absent' }
    const readBack = await row.readBack(job, read)
    return readBack.kind === 'ours' ? { kind: 'there', made: { id: readBack.serverId } } : readBack
  }
  const { edits } = row
  if (!edits || serverId === '') return { kind: 'absent' }
  const readNow = () => edits.readNow(record, work.clock.stamp(), read)
  const first = await readNow()
  // A 404 is read again, because a PUT that is based on a wrong 404 would overwrite the whole record.
  const now = first.kind === 'missing' ? await readNow() : first
  if (now.kind === 'failed') return now
  // The record does not exist, so the call is sent and the CRM refuses it.
  if (now.kind === 'missing') return { kind: 'absent' }
  const { server, etag } = now
  const isThere = inDoubt && mergedEdit(edits, withServerState(record, server), change).changed.length === 0
  return isThere ? { kind: 'there', made: { id: serverId }, server } : { kind: 'absent', etag, server }
}
