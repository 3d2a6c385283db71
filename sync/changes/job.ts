/** A change about to be sent: the services that send it, and the read of the CRM before it is sent. */
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

/** One change about to be sent, with its record as it is on disk now. */
export interface Job extends AnyJob {
  record: PendingRecord
  change: AnyChange
}

/** Everything that one run of the push handler uses. */
export interface Work extends SenderParts, Sending {
  /** Changes that RxDB has pushed and that are not settled, by id. */
  pending: Map<string, ChangeRef>
  /** Ids of changes that are sent alone, because a call for several of them failed (RULES OR3). In memory only. */
  sentIndividually: Set<string>
}

/** The record as it was just read from the CRM; absent if it was not read. */
export type Read = { server?: NonNullable<PushableRecord['server']> }

/**
 * Reads the CRM before a change is sent: whether it already has the change after an ambiguous call (RULES OC3, OC6),
 * and the current state that an edit is merged with (MG3).
 * @param inDoubt true if an earlier call may have reached the CRM without an answer
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
  // a PUT replaces the whole record, so a 404 is believed only if a second read confirms it
  const now = first.kind === 'missing' ? await readNow() : first
  if (now.kind === 'failed') return now
  // the CRM will refuse the call itself, because the record does not exist
  if (now.kind === 'missing') return { kind: 'absent' }
  const { server, etag } = now
  const isThere = inDoubt && mergedEdit(edits, withServerState(record, server), change).changed.length === 0
  return isThere ? { kind: 'there', made: { id: serverId }, server } : { kind: 'absent', etag, server }
}
