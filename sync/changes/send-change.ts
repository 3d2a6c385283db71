/**
 * Sends one change of a record (`attempt.ts`): its group, the read before it, and the state that its PUT is based on.
 */
import {
  CREATING_KINDS,
  entriesOf,
  isActionable,
  isCreating,
  isInDoubt,
  isSendable,
  PAUSED,
  queueOf,
  type QueueItem,
} from '#schemas/changes/change-queue.ts'
import { successTexts } from '#schemas/api-error.ts'
import { attempt } from './attempt.ts'
import type { Step } from './send-queue.ts'
import { readBeforeSend, type Read, type Job, type SenderParts, type Work } from './job.ts'
import type { StateFacts } from './send-states.ts'
import { afterRefusal, isPaused } from './failure-attribution.ts'
import type { Plan, SendAdapter } from './send-adapter.ts'
import { withServerState, replacedBy } from '#sync/merge/merge.ts'
import { withOthersEdits } from '#sync/merge/others-edits.ts'
import type { Created } from '#sync/resources/resource.ts'
import { resourceOf } from '#sync/resources/resource-table.ts'
import { PRECONDITION_FAILED } from '#sync/transport/outcome.ts'

/** Number of merges of a PUT in one run if the record changes in the CRM each time (RULES MG4). */
const MERGE_TRIES = 3

const OK = 200

const DONE: Step = { kind: 'done' }

/**
 * Sends a change. If the record changed in the CRM, it is read and merged again a few times, then waits (RULES MG4).
 */
export async function sendChange(work: Work, queued: QueueItem): Promise<Step> {
  const adapter = changeAdapter(work, queued)
  const attempted = async (): Promise<Step> => {
    const end = await attempt(work, adapter)
    return end.kind === 'more' ? attempted() : end
  }
  let step = await attempted()
  const isStale = () => step.kind === 'blocked' && step.outcome.kind === 'stale'
  for (let tries = 1; isStale() && tries < MERGE_TRIES; tries += 1) step = await attempted()
  return step
}

/** The send adapter of a change. It always loads the change as it is on disk by then. */
function changeAdapter(work: Work, queued: QueueItem): SendAdapter<Job, Created> {
  /** ETags that the CRM answered with 412. */
  const stale = new Set<string>()
  /** The record as it was last read from the CRM. */
  let read: Read['server']
  const readCrm = async (job: Job, inDoubt?: boolean) => {
    const readBack = await readBeforeSend(work, job, inDoubt)
    read = readBack.server
    return readBack
  }
  return {
    async load() {
      const job = await loadJob(work, queued)
      return job ? { kind: 'due', job } : DONE
    },
    isInDoubt: ({ item }) => isInDoubt(item),
    needsSecondReadBack: ({ item, change, record }) =>
      isInDoubt(item) &&
      CREATING_KINDS.includes(change.kind) &&
      item.progress?.payload !== '' &&
      !resourceOf(record.resource).refusesSecond,
    readBack: (job) => readCrm(job),
    wake: (_, ms) => work.wake(ms),
    plan: (job, { etag }) => planCall(work, { job, read, ifMatch: ifMatchOf(queued, etag, stale) }),
    readBackAfterRefusal: async (job) => (mayBeThere(job) ? readCrm(job, true) : { kind: 'absent' }),
    sendIndividually(jobs) {
      for (const { change } of jobs) work.sentIndividually.add(change.id)
    },
    isSharedFailure: (items) => isSharedFailure(work, items),
    acceptedFacts: (job, made) => ({
      ...resultOf(work, onServerState(job, read), made),
      ...othersIn(job, read),
    }),
    settle: async () => DONE,
  }
}

/** The job with its record in the state that was just read from the CRM. */
const onServerState = (job: Job, read: Read['server']): Job =>
  read && read.stamp > (job.record.server?.stamp ?? '')
    ? { ...job, record: withServerState(job.record, read) }
    : job

/** The record as the CRM has it after accepting this change. */
function resultOf({ clock }: SenderParts, { record, change }: Job, made: Created): StateFacts {
  const serverId = record.serverId || made.id
  const row = resourceOf(record.resource)
  return { serverId, result: row.serverAfter({ record, change }, { ...made, id: serverId }, clock.stamp()) }
}

/** True if the CRM may have a refused change: an earlier call left, or the browser has sent this one twice (RULES OC3). */
const mayBeThere = ({ item, change, record }: Job): boolean =>
  (item.progress?.payload ?? '') !== '' || (isCreating(change) && resourceOf(record.resource).isKnownAgain)

/**
 * The precondition of a PUT.
 * @returns null if the PUT goes without If-Match: there is no ETag, or the CRM answered 412 to the current one. So a
 * CRM without working preconditions still gets every change.
 */
const ifMatchOf = ({ progress }: QueueItem, etag: string | undefined, stale: Set<string>): IfMatch =>
  etag === undefined || stale.has(etag) || progress?.status === PRECONDITION_FAILED ? null : { etag, stale }

/** The ETag that a PUT depends on, and the set that remembers it after a 412. Null for a PUT without a condition. */
type IfMatch = { etag: string; stale: Set<string> } | null

interface PlanInput {
  job: Job
  read: Read['server']
  ifMatch: IfMatch
}

async function planCall(work: Work, { job: before, read, ifMatch }: PlanInput): Promise<Plan<Job, Created>> {
  // the job as it is on disk: another tab may have settled it during the read-back
  const loaded = await loadJob(work, before.item)
  if (!loaded || !isSendable(loaded.item)) return { kind: 'done' }
  if (isNewlyInDoubt(before, loaded)) return { kind: 'more' }
  const job = onServerState(loaded, read)
  const resource = resourceOf(job.record.resource)
  const group = [job, ...(await groupOf(work, job))]
  const records = group.map(({ record }) => record)
  const plan = resource.plan(job, records, work.loginUserId)
  if (!plan) return { kind: 'park', as: 'refused', reasons: ['ec00013'] }
  const condition = plan.isOfOne && ifMatch ? { ifMatch: ifMatch.etag } : {}
  return {
    kind: 'call',
    jobs: group.filter(({ record }) => plan.recordKeys.includes(record.key)),
    payload: JSON.stringify(plan.call.body),
    facts: replacedIn(group, { key: loaded.record.key, others: othersIn(loaded, read) }),
    async send(lease) {
      const outcome = await work.api.write({ ...plan.call, ...condition }, lease)
      if (outcome.kind === 'stale') ifMatch?.stale.add(ifMatch.etag)
      if (outcome.kind !== 'accepted') return outcome
      const { serverId } = job.record
      const made = plan.call.idempotencyKey ? resource.created(outcome.body) : { id: serverId }
      if (!made || (plan.call.idempotencyKey && (await belongsToAnother(work, job, made))))
        return { kind: 'unknown', status: outcome.status }
      const messages = outcome.status === OK ? successTexts(outcome.body) : []
      return { kind: 'made', made, messages }
    },
  }
}

/** True if the create was answered with the id of another record of the device: its own is read back (RULES OC3). */
async function belongsToAnother({ store }: Work, { record, change }: Job, { id }: Created): Promise<boolean> {
  const taken = await store.takenIds(record.resource, { key: record.key, stamp: change.stamp, id })
  return taken.has(id)
}

/** Values that others have changed since the record was last read (RULES MG5). */
function othersIn({ record }: Job, read: Read['server']): Pick<StateFacts, 'replaced'> {
  if (!read) return {}
  const { history = [] } = withOthersEdits(record.resource, record, withServerState(record, read))
  const replaced = history.filter((entry) => !record.history?.includes(entry))
  return replaced.length > 0 ? { replaced } : {}
}

interface Seen {
  /** Key of the record that was read. */
  key: string
  others: Pick<StateFacts, 'replaced'>
}

/** The values of others that each change replaces. They are stored before the call, which may get no answer (RULES MG2). */
const replacedIn =
  (group: readonly Job[], { key, others }: Seen) =>
  ({ change: { id } }: QueueItem): StateFacts => {
    const job = group.find(({ change }) => change.id === id)
    const edits = job && !isCreating(job.change) ? resourceOf(job.record.resource).edits : undefined
    if (!job || !edits) return {}
    const seen = job.record.key === key ? (others.replaced ?? []) : []
    return { replaced: [...replacedBy(edits, job.record, job.change), ...seen] }
  }

/** True if another tab's call became known only after the read-back, which therefore says nothing about it (RULES OC3). */
const isNewlyInDoubt = (before: Job, now: Job): boolean => isInDoubt(now.item) && !isInDoubt(before.item)

/** @returns true if too many changes in a row were refused without a reason: all of them wait again (RULES OC7) */
async function isSharedFailure(
  { faults, store: { states }, pending }: Work,
  items: QueueItem[],
): Promise<boolean> {
  const ids = items.map(({ change }) => change.id)
  const next = afterRefusal(faults.now, ids)
  if (isPaused(next) && !isPaused(faults.now)) {
    const others = faults.now.refused.flat().filter((id) => !ids.includes(id))
    // if the device cannot store this, the next refusal counts as the third one again
    for (const id of others) await states.reopen(id, PAUSED)
    for (const [id, row] of await states.read(others)) pending.set(id, row)
    faults.unclear(others)
  }
  faults.fold((state) => afterRefusal(state, ids))
  return isPaused(faults.now)
}

async function loadJob({ store }: Work, queued: QueueItem): Promise<Job | null> {
  const { resource, key } = queued.record
  const record = await store.record(resource, key)
  const change = record?.changes.find(({ id }) => id === queued.change.id)
  if (!record || !change) return null
  const open = queueOf([record], entriesOf([record]))
  const item = open.find(({ change: { id } }) => id === change.id)
  // a change that depends on an unsettled create is not due yet (RULES OR2)
  const [first] = open
  const isEarly =
    first !== undefined && first !== item && isCreating(first.change) && !isIndependent(first, item)
  return item && !isEarly ? { record, change, item } : null
}

/** True if the create is no longer sent automatically and this change does not depend on it (RULES OR3). */
const isIndependent = (creating: QueueItem, item: QueueItem | undefined): boolean =>
  !isActionable(creating) && item?.blockedBy === undefined

/** Other records of the same save that fit into the same call, each in the state that was just read from the CRM. */
async function groupOf(work: Work, { record, change }: Job): Promise<Job[]> {
  if (!change.group || work.sentIndividually.has(change.id)) return []
  const isMember = (item: QueueItem) =>
    item.change.group === change.group &&
    item.record.key !== record.key &&
    !work.sentIndividually.has(item.change.id)
  const members = (await readQueue(work)).filter((item) => isMember(item) && isSendable(item))
  const jobs = await Promise.all(members.map((item) => loadJob(work, item)))
  const alike = jobs
    .filter((job) => job !== null)
    .filter((job) => job.record.serverId !== '' && job.change.kind === change.kind)
  // a record that cannot be read now, or already has its change, is sent on its own later
  const ready = alike.map(async (job) => {
    const readBack = await readBeforeSend(work, job)
    if (readBack.kind !== 'absent') return null
    const now = await loadJob(work, job.item)
    return now && !isNewlyInDoubt(job, now) ? onServerState(now, readBack.server) : null
  })
  return (await Promise.all(ready)).filter((job) => job !== null)
}

/** A page frozen for this long during a read may have mixed old and new results, so it reads again (RULES OR1). */
const READ_ANEW_MS = 10_000

/** The pending changes in the order of saving. Settled changes are removed from the pending ones. */
export async function readQueue({ store, pending, elapsed }: Work): Promise<QueueItem[]> {
  if (pending.size === 0) return []
  const begun = elapsed()
  // changes saved during the read are not in its result
  const refs = [...pending.values()]
  const read = () => store.records(refs)
  const first = await read()
  const records = elapsed() - begun < READ_ANEW_MS ? first : await read()
  const open = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  for (const { id } of refs) if (!open.has(id)) pending.delete(id)
  return queueOf(records, entriesOf(records)).filter(({ change }) => pending.has(change.id))
}
