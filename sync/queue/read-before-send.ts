/**
 * What is read before a change is sent: whether the CRM has it already, where nobody knows what became of an earlier call
 * (RULES OC3, OC6), and what an edit is to be merged with (MG3).
 */
import { CREATING_KINDS, isInDoubt } from '#schemas/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import { hasMovedOn, mergedEdit, movedOn, withHistory } from '../merge/merge-edit.ts'
import { withOthersEdits } from '../merge/others-edits.ts'
import { resourceOf } from '../resources/resource-table.ts'
import type { Created, Editable, ReadRequest } from '../resources/push-resource.ts'
import type { Look } from './send-adapter.ts'
import type { Job, SenderParts } from './job.ts'

/** @param inDoubt a call of it left before, and nobody knows what became of it */
export async function readBeforeSend(
  work: SenderParts,
  job: Job,
  inDoubt = isInDoubt(job.item),
): Promise<Look<Created>> {
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
  { store, clock }: SenderParts,
  { record, change }: Job,
  edits: Editable<PushableRecord>,
  read: ReadRequest,
  inDoubt: boolean,
): Promise<Look<Created>> {
  const readNow = () => edits.readNow(record, clock.stamp(), read)
  const first = await readNow()
  // a PUT to what is there all the same would be laid over nothing that was read: a second no is believed
  const now = first.kind === 'missing' ? await readNow() : first
  if (now.kind === 'failed') return now
  // a record that is gone: the call itself will be told so
  if (now.kind === 'missing') return { kind: 'absent' }
  if (hasMovedOn(record, now.server, edits.edited(change))) {
    const lost = await replacedInDoubt(store, record, change)
    const mayHaveArrived = inDoubt ? [...lost, change] : lost
    await store.modify(record.resource, record.key, (latest) => {
      const told = mayHaveArrived.reduce((each, sent) => withHistory(edits, each, sent), latest)
      return withOthersEdits(record.resource, latest, movedOn(told, now.server))
    })
  }
  const isThere = inDoubt && mergedEdit(edits, movedOn(record, now.server), change).changed.length === 0
  return isThere ? { kind: 'there', made: { id: record.serverId } } : { kind: 'absent', etag: now.etag }
}

/** Edits that this one replaced, and of whose calls nobody knows what became. */
async function replacedInDoubt(
  { ledger }: SenderParts['store'],
  { changes }: PushableRecord,
  { stamp }: AnyChange,
): Promise<AnyChange[]> {
  const earlier = changes.filter((each) => each.stamp < stamp && !CREATING_KINDS.includes(each.kind))
  const rows = await ledger.read(earlier.map(({ id }) => id))
  return earlier.filter(({ id }) => isInDoubt({ ledger: rows.get(id) }))
}
