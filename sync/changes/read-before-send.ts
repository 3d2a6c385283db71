/**
 * What is read before a change is sent: whether the CRM has it already, where nobody knows what became of an earlier call
 * (RULES OC3, OC6), and what an edit is to be merged with (MG3).
 */
import { CREATING_KINDS, isInDoubt } from '#schemas/changes/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { mergedEdit, withServerState } from '#sync/merge/merge-edit.ts'
import { resourceOf } from '#sync/resources/resource-table.ts'
import type { Created, Editable, ReadRequest } from '#sync/resources/push-resource.ts'
import type { ReadBack } from './send-adapter.ts'
import type { Job, SenderParts } from './job.ts'

/** What the CRM says of the record by now, where it was asked. */
export type Read = { server?: NonNullable<PushableRecord['server']> }

/** @param inDoubt a call of it left before, and nobody knows what became of it */
export async function readBeforeSend(
  work: SenderParts,
  job: Job,
  inDoubt = isInDoubt(job.item),
): Promise<ReadBack<Created> & Read> {
  const { resource, key, serverId } = job.record
  const { stamp } = job.change
  const row = resourceOf(resource)
  const read: ReadRequest = { ...work, takenIds: () => work.store.takenIds(resource, { key, stamp }) }
  if (CREATING_KINDS.includes(job.change.kind)) {
    if (!inDoubt) return { kind: 'absent' }
    const back = await row.readBack(job, read)
    return back.kind === 'ours' ? { kind: 'there', made: { id: back.serverId } } : back
  }
  return row.edits && serverId !== '' ? mergeFirst(work, job, row.edits, read, inDoubt) : { kind: 'absent' }
}

async function mergeFirst(
  { clock }: SenderParts,
  { record, change }: Job,
  edits: Editable<PushableRecord>,
  read: ReadRequest,
  inDoubt: boolean,
): Promise<ReadBack<Created> & Read> {
  const readNow = () => edits.readNow(record, clock.stamp(), read)
  const first = await readNow()
  // a PUT to what is there all the same would be laid over nothing that was read: a second no is believed
  const now = first.kind === 'missing' ? await readNow() : first
  if (now.kind === 'failed') return now
  // a record that is gone: the call itself will be told so
  if (now.kind === 'missing') return { kind: 'absent' }
  const { server } = now
  const moved = withServerState(record, server)
  const isThere = inDoubt && mergedEdit(edits, moved, change).changed.length === 0
  return isThere
    ? { kind: 'there', made: { id: record.serverId }, server }
    : { kind: 'absent', etag: now.etag, server }
}
