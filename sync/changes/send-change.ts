/**
 * Sends one change of a record with the steps of `attempt.ts`: reads the record before a PUT, merges the edit with
 * it, and puts other records of the same save into the same call.
 */
import { successTexts } from '#schemas/api-error.ts'
import type { PushableRecord, ReplacedValue } from '#schemas/change.ts'
import {
  isActionable,
  isCreating,
  isInDoubt,
  isSendable,
  PAUSED,
  queueOf,
  type QueueItem,
} from '#schemas/changes/change-queue.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { mergedEdit, withOthersEdits, withServerState } from '#sync/merge/merge.ts'
import { resourceOf } from '#sync/resources/resource-table.ts'
import type { Created } from '#sync/resources/resource.ts'
import type { Api } from '#sync/scheduler/api.ts'
import { PRECONDITION_FAILED } from '#sync/transport/outcome.ts'
import { attempt } from './attempt.ts'
import { readQueue, type ChangeRef, type QueueStore } from './change-store.ts'
import { afterRefusal, afterUnclear, isPaused } from './failure-attribution.ts'
import {
  DONE,
  type HandlerParts,
  type Plan,
  type ReadBack,
  type SendAdapter,
  type Sending,
  type Step,
} from './send-adapter.ts'

export interface SenderParts extends HandlerParts {
  store: QueueStore
  api: Api
  locks: Locks
  clock: { now(): number; stamp(): string }
  limitMs: number
  userId: string
  loginUserId: string
}

/** Everything that one run of the push handler uses. */
export interface Work extends SenderParts, Omit<Sending, 'store'> {
  /** Changes that RxDB has pushed and whose sending has not ended, by id. */
  pending: Map<string, ChangeRef>
  /** Ids of changes that are sent in calls of their own, because a call for several changes failed (RULES OR3). */
  sentIndividually: Set<string>
}

/** The record as it was just read from the CRM; undefined if no read was needed. */
type Read = PushableRecord['server']

/** How often one run merges and sends a PUT if the record keeps changing in the CRM (RULES MG4). */
const MERGE_TRIES = 3

const OK = 200

/** Sends a change. A PUT whose record has changed in the CRM is merged again, then waits (RULES MG4). */
export async function sendChange(work: Work, queued: QueueItem): Promise<Step> {
  const adapter = changeAdapter(work, queued)
  const attempted = async (): Promise<Step> => {
    const job = await loadJob(work, queued)
    const end = job ? await attempt(adapter, job) : DONE
    return end.kind === 'more' ? attempted() : end
  }
  for (let tries = 1; ; tries += 1) {
    const step = await attempted()
    const isStale = step.kind === 'blocked' && step.outcome.kind === 'stale'
    if (!isStale || tries === MERGE_TRIES) return step
  }
}

function changeAdapter(work: Work, { progress }: QueueItem): SendAdapter<QueueItem, Created> {
  /** ETags that the CRM answered with 412. */
  const staleTags = new Set<string>()
  let read: Read
  const readCrm = async (job: QueueItem, inDoubt?: boolean) => {
    const readBack = await readBeforeSend(work, job, inDoubt)
    read = readBack.server
    return readBack
  }
  return {
    work,
    needsSecondReadBack: (job) =>
      isInDoubt(job) &&
      isCreating(job.change) &&
      job.progress?.payload !== '' &&
      !resourceOf(job.record.resource).refusesSecond,
    readBack: (job) => readCrm(job),
    plan(job, { etag }) {
      // A CRM that handles If-Match wrongly would never accept the change, so a retry after a 412 does without.
      const isUseless = !etag || staleTags.has(etag) || progress?.status === PRECONDITION_FAILED
      return planCall(work, job, read, { etag: isUseless ? null : etag, staleTags })
    },
    async readBackAfterRefusal(job) {
      // The CRM may have the change, because an earlier call was sent or the browser sent this call twice (OC3).
      const wasSent = (job.progress?.payload ?? '') !== ''
      const mayBeThere = wasSent || (isCreating(job.change) && resourceOf(job.record.resource).isKnownAgain)
      return mayBeThere ? readCrm(job, true) : { kind: 'absent' }
    },
    sendIndividually(jobs) {
      for (const { change } of jobs) work.sentIndividually.add(change.id)
    },
    isSharedFailure: (items) => isSharedFailure(work, items),
    acceptedFacts(job, made) {
      const record = withServerState(job.record, read)
      const created = { ...made, id: record.serverId || made.id }
      const row = resourceOf(record.resource)
      const result = row.serverAfter({ record, change: job.change }, created, work.clock.stamp())
      return { serverId: created.id, result, replaced: othersIn(job, read) }
    },
  }
}

/**
 * Reads the CRM before a change is sent: whether it has the change of an ambiguous call (RULES OC3, OC6; `inDoubt`), and
 * the state that an edit is merged with (MG3).
 */
async function readBeforeSend(
  work: SenderParts,
  job: QueueItem,
  inDoubt = isInDoubt(job),
): Promise<ReadBack<Created> & { server?: NonNullable<Read> }> {
  const { record, change } = job
  const { resource, key, serverId } = record
  const row = resourceOf(resource)
  const read = { ...work, takenIds: () => work.store.takenIds(resource, { key, stamp: change.stamp }) }
  if (isCreating(change)) {
    if (!inDoubt) return { kind: 'absent' }
    const readBack = await row.readBack(job, read)
    return readBack.kind === 'ours' ? { kind: 'there', made: { id: readBack.serverId } } : readBack
  }
  const { edits } = row
  if (!edits || serverId === '') return { kind: 'absent' }
  const first = await edits.readNow(record, work.clock.stamp(), read)
  // A 404 is read again, because a PUT that is based on a wrong 404 would overwrite the whole record.
  const now = first.kind === 'absent' ? await edits.readNow(record, work.clock.stamp(), read) : first
  // Of a record that does not exist the call is sent, and the CRM refuses it.
  if (now.kind !== 'found') return now
  const { server, etag } = now
  const isThere = inDoubt && mergedEdit(edits, withServerState(record, server), change).changed.length === 0
  return isThere ? { kind: 'there', made: { id: serverId }, server } : { kind: 'absent', etag, server }
}

/** @param ifMatch the ETag for a PUT, and the set that collects those that the CRM answers with 412 */
async function planCall(
  work: Work,
  before: QueueItem,
  read: Read,
  { etag, staleTags }: { etag: string | null; staleTags: Set<string> },
): Promise<Plan<QueueItem, Created>> {
  // Another tab may have sent the change during the read-back.
  const loaded = await loadJob(work, before)
  if (!loaded || !isSendable(loaded)) return { kind: 'done' }
  if (isNewlyInDoubt(before, loaded)) return { kind: 'more' }
  const job = { ...loaded, record: withServerState(loaded.record, read) }
  const { record, change } = job
  const resource = resourceOf(record.resource)
  const group = [job, ...(await groupOf(work, job))]
  const plan = resource.plan(
    job,
    group.map((each) => each.record),
    work.loginUserId,
  )
  if (!plan) return { kind: 'park', as: 'refused', reasons: ['ec00013'] }
  const { call, recordKeys, isOfOne } = plan
  const others = othersIn(loaded, read)
  return {
    kind: 'call',
    jobs: group.filter((each) => recordKeys.includes(each.record.key)),
    payload: JSON.stringify(call.body),
    // Other people's values that the call replaces are stored before it, because its answer may be lost (RULES MG2).
    facts(item) {
      const edits = isCreating(item.change) ? undefined : resourceOf(item.record.resource).edits
      if (!edits) return {}
      const { replaced } = mergedEdit(edits, item.record, item.change)
      return { replaced: item.change === change ? [...replaced, ...others] : replaced }
    },
    async send(lease) {
      const outcome = await work.api.write({ ...call, ...(isOfOne && etag && { ifMatch: etag }) }, lease)
      if (outcome.kind === 'stale' && etag) staleTags.add(etag)
      if (outcome.kind !== 'accepted') return outcome
      const messages = outcome.status === OK ? successTexts(outcome.body) : []
      if (!call.idempotencyKey) return { kind: 'made', made: { id: record.serverId }, messages }
      const made = resource.created(outcome.body)
      // If the answer to a create has the id of another record on this device, the create is read back (RULES OC3).
      const searched = { key: record.key, stamp: change.stamp, id: made?.id ?? '' }
      const isUsable = made && !(await work.store.takenIds(record.resource, searched)).has(made.id)
      return isUsable ? { kind: 'made', made, messages } : { kind: 'unknown', status: outcome.status }
    },
  }
}

/** What others have changed since the record was last read (RULES MG5). */
function othersIn({ record }: QueueItem, read: Read): ReplacedValue[] {
  if (!read) return []
  const { history = [] } = withOthersEdits(record.resource, record, withServerState(record, read))
  return history.filter((entry) => !record.history?.includes(entry))
}

/** True if another tab sent the change while this tab read it back. The read-back may be older than that call. */
const isNewlyInDoubt = (before: QueueItem, now: QueueItem): boolean => isInDoubt(now) && !isInDoubt(before)

/** @returns true if many changes in a row were refused without a reason. All of them then wait again (RULES OC7). */
async function isSharedFailure(
  { faults, store, pending }: Work,
  items: readonly QueueItem[],
): Promise<boolean> {
  const ids = items.map(({ change }) => change.id)
  const next = afterRefusal(faults.now, ids)
  if (isPaused(next) && !isPaused(faults.now)) {
    const others = faults.now.refused.flat().filter((id) => !ids.includes(id))
    for (const id of others) await store.reopen(id, PAUSED)
    for (const [id, row] of await store.sendFacts(others)) pending.set(id, row)
    faults.now = afterUnclear(faults.now, others)
  }
  faults.now = afterRefusal(faults.now, ids)
  return isPaused(faults.now)
}

async function loadJob({ store }: Work, queued: QueueItem): Promise<QueueItem | null> {
  const record = await store.record(queued.record.resource, queued.record.key)
  if (!record) return null
  const open = queueOf([record])
  const item = open.find(({ change: { id } }) => id === queued.change.id)
  // Changes that depend on a record's unsent create are sent after it (RULES OR2). A create that has ended as 失敗 or
  // 期限切れ holds back only what depends on it (OR3).
  const [first] = open
  const isHeldBack = first && (isActionable(first) || item?.blockedBy !== undefined)
  const isEarly = isHeldBack && first !== item && isCreating(first.change)
  return item && !isEarly ? item : null
}

/** The changes of other records that fit into the same call. Each job has its record as just read from the CRM. */
async function groupOf(work: Work, { record, change }: QueueItem): Promise<QueueItem[]> {
  const { sentIndividually } = work
  if (!change.group || sentIndividually.has(change.id)) return []
  const isMember = (item: QueueItem) =>
    item.change.group === change.group &&
    item.record.key !== record.key &&
    !sentIndividually.has(item.change.id)
  const members = (await readQueue(work)).filter((item) => isMember(item) && isSendable(item))
  // A change whose record cannot be read, or that the CRM already has, is sent in its own call later.
  const ready = members.map(async (member) => {
    const job = await loadJob(work, member)
    if (!job || job.record.serverId === '' || job.change.kind !== change.kind) return null
    const { kind, server } = await readBeforeSend(work, job)
    const now = kind === 'absent' ? await loadJob(work, job) : null
    return now && !isNewlyInDoubt(job, now) ? { ...now, record: withServerState(now.record, server) } : null
  })
  return (await Promise.all(ready)).filter((job) => job !== null)
}
