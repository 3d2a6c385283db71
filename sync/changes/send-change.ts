/**
 * Sends one change of a record with the steps of `attempt.ts`: reads the record before a PUT, merges the edit with
 * it, and puts other records of the same save into the same call.
 */
import {
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
import { readBeforeSend, type Read, type Job, type SenderParts, type Work } from './job.ts'
import type { StatedItem, StateFacts } from './send-states.ts'
import { afterRefusal, isPaused } from './failure-attribution.ts'
import { DONE, type Plan, type SendAdapter, type Step } from './send-adapter.ts'
import { mergedEdit, withServerState, withOthersEdits } from '#sync/merge/merge.ts'
import type { Created } from '#sync/resources/resource.ts'
import { resourceOf } from '#sync/resources/resource-table.ts'
import { PRECONDITION_FAILED } from '#sync/transport/outcome.ts'

/** How often one run merges and sends a PUT if the record keeps changing in the CRM (RULES MG4). */
const MERGE_TRIES = 3

const OK = 200

/**
 * Sends a change. A PUT whose record has changed in the CRM is merged again up to three times, then waits (RULES
 * MG4).
 */
export async function sendChange(work: Work, queued: QueueItem): Promise<Step> {
  const adapter = changeAdapter(work, queued)
  const attempted = async (): Promise<Step> => {
    const job = await loadJob(work, queued)
    const end = job ? await attempt(adapter, job) : DONE
    return end.kind === 'more' ? attempted() : end
  }
  let step = await attempted()
  const isStale = () => step.kind === 'blocked' && step.outcome.kind === 'stale'
  for (let tries = 1; isStale() && tries < MERGE_TRIES; tries += 1) step = await attempted()
  return step
}

function changeAdapter(work: Work, { progress }: QueueItem): SendAdapter<Job, Created> {
  /** ETags that the CRM answered with 412. */
  const staleTags = new Set<string>()
  /** The record as it was last read from the CRM. */
  let read: Read['server']
  const readCrm = async (job: Job, inDoubt?: boolean) => {
    const readBack = await readBeforeSend(work, job, inDoubt)
    read = readBack.server
    return readBack
  }
  return {
    work,
    needsSecondReadBack: ({ item, change, record }) =>
      isInDoubt(item) &&
      isCreating(change) &&
      item.progress?.payload !== '' &&
      !resourceOf(record.resource).refusesSecond,
    readBack: (job) => readCrm(job),
    plan(job, { etag }) {
      // If-Match is left out where the CRM answered it with 412, because a CRM that handles it wrongly would never
      // accept the change.
      const isUseless = !etag || staleTags.has(etag) || progress?.status === PRECONDITION_FAILED
      return planCall(work, { job, read, ifMatch: isUseless ? null : etag, staleTags })
    },
    readBackAfterRefusal: async (job) => (mayBeThere(job) ? readCrm(job, true) : { kind: 'absent' }),
    sendIndividually(jobs) {
      for (const { change } of jobs) work.sentIndividually.add(change.id)
    },
    isSharedFailure: (items) => isSharedFailure(work, items),
    acceptedFacts: (job, made) => ({
      ...resultOf(work, onServerState(job, read), made),
      ...othersIn(job, read),
    }),
  }
}

const onServerState = (job: Job, read: Read['server']): Job =>
  read ? { ...job, record: withServerState(job.record, read) } : job

function resultOf({ clock }: SenderParts, { record, change }: Job, made: Created): StateFacts {
  const serverId = record.serverId || made.id
  const row = resourceOf(record.resource)
  return { serverId, result: row.serverAfter({ record, change }, { ...made, id: serverId }, clock.stamp()) }
}

/**
 * True if the CRM may have a change that it has just refused, because an earlier call was sent or the browser sent
 * this call twice (RULES OC3).
 */
const mayBeThere = ({ item, change, record }: Job): boolean =>
  (item.progress?.payload ?? '') !== '' || (isCreating(change) && resourceOf(record.resource).isKnownAgain)

interface PlanInput {
  job: Job
  read: Read['server']
  /** The value of If-Match; null for a PUT without a condition. */
  ifMatch: string | null
  /** Collects the ETags that the CRM answers with 412. */
  staleTags: Set<string>
}

async function planCall(
  work: Work,
  { job: before, read, ifMatch, staleTags }: PlanInput,
): Promise<Plan<Job, Created>> {
  // Another tab may have sent the change during the read-back.
  const loaded = await loadJob(work, before.item)
  if (!loaded || !isSendable(loaded.item)) return { kind: 'done' }
  if (isNewlyInDoubt(before, loaded)) return { kind: 'more' }
  const job = onServerState(loaded, read)
  const resource = resourceOf(job.record.resource)
  const group = [job, ...(await groupOf(work, job))]
  const records = group.map(({ record }) => record)
  const plan = resource.plan(job, records, work.loginUserId)
  if (!plan) return { kind: 'park', as: 'refused', reasons: ['ec00013'] }
  const { call } = plan
  const condition = plan.isOfOne && ifMatch ? { ifMatch } : {}
  return {
    kind: 'call',
    jobs: group.filter(({ record }) => plan.recordKeys.includes(record.key)),
    payload: JSON.stringify(call.body),
    facts: replacedIn(group, othersIn(loaded, read)),
    async send(lease) {
      const outcome = await work.api.write({ ...call, ...condition }, lease)
      if (outcome.kind === 'stale' && ifMatch) staleTags.add(ifMatch)
      if (outcome.kind !== 'accepted') return outcome
      const made = call.idempotencyKey ? resource.created(outcome.body) : { id: job.record.serverId }
      // If the answer to a create has the id of another record on this device, the create is read back (RULES OC3).
      const isUsable = made && (!call.idempotencyKey || !(await isTaken(work, job, made)))
      if (!isUsable) return { kind: 'unknown', status: outcome.status }
      const messages = outcome.status === OK ? successTexts(outcome.body) : []
      return { kind: 'made', made, messages }
    },
  }
}

/** True if another record of the device already has this id. */
async function isTaken({ store }: Work, { record, change }: Job, { id }: Created): Promise<boolean> {
  const taken = await store.takenIds(record.resource, { key: record.key, stamp: change.stamp, id })
  return taken.has(id)
}

/** The values that others have changed since the record was last read (RULES MG5). */
function othersIn({ record }: Job, read: Read['server']): Pick<StateFacts, 'replaced'> {
  if (!read) return {}
  const { history = [] } = withOthersEdits(record.resource, record, withServerState(record, read))
  const replaced = history.filter((entry) => !record.history?.includes(entry))
  return replaced.length > 0 ? { replaced } : {}
}

/**
 * Returns other people's values that a change of the call replaces. They are stored before the call, because its
 * answer may be lost (RULES MG2).
 * @param others values that others have changed in the first record of the call
 */
const replacedIn =
  (group: readonly Job[], others: Pick<StateFacts, 'replaced'>) =>
  ({ change: { id } }: StatedItem): StateFacts => {
    const job = group.find(({ change }) => change.id === id)
    const edits = job && !isCreating(job.change) ? resourceOf(job.record.resource).edits : undefined
    if (!job || !edits) return {}
    const read = job === group[0] ? (others.replaced ?? []) : []
    return { replaced: [...mergedEdit(edits, job.record, job.change).replaced, ...read] }
  }

/**
 * True if another tab sent the change while this tab read it back. The read-back may then be older than that call
 * (OC3).
 */
const isNewlyInDoubt = (before: Job, now: Job): boolean => isInDoubt(now.item) && !isInDoubt(before.item)

/** @returns true if many changes in a row were refused without a reason. All of them then wait again (RULES OC7). */
async function isSharedFailure(
  { faults, store: { states }, pending }: Work,
  items: QueueItem[],
): Promise<boolean> {
  const ids = items.map(({ change }) => change.id)
  const next = afterRefusal(faults.now, ids)
  if (isPaused(next) && !isPaused(faults.now)) {
    const others = faults.now.refused.flat().filter((id) => !ids.includes(id))
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
  // Changes that depend on a record's unsent create are sent after it (RULES OR2).
  const [first] = open
  const isEarly =
    first !== undefined && first !== item && isCreating(first.change) && !isIndependent(first, item)
  return item && !isEarly ? { record, change, item } : null
}

/** True if the create has ended as 失敗 or 期限切れ and the change does not depend on it (RULES OR3). */
const isIndependent = (creating: QueueItem, item: QueueItem | undefined): boolean =>
  !isActionable(creating) && item?.blockedBy === undefined

/** The changes of other records that fit into the same call. Each job has its record as just read from the CRM. */
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
  // A change whose record cannot be read, or that the CRM already has, is sent in its own call later.
  const ready = alike.map(async (job) => {
    const readBack = await readBeforeSend(work, job)
    if (readBack.kind !== 'absent') return null
    const now = await loadJob(work, job.item)
    return now && !isNewlyInDoubt(job, now) ? onServerState(now, readBack.server) : null
  })
  return (await Promise.all(ready)).filter((job) => job !== null)
}

/**
 * If reading took this long, the page was frozen and the result may mix old and new rows, so the queue is read again
 * (RULES OR1).
 */
const READ_ANEW_MS = 10_000

/** The pending changes in the order of saving. Changes whose sending has ended are removed from `pending`. */
export async function readQueue({ store, pending, elapsed }: Work): Promise<QueueItem[]> {
  if (pending.size === 0) return []
  const begun = elapsed()
  // The pending changes are listed before the read, so that a change saved during the read stays pending.
  const refs = [...pending.values()]
  const read = () => store.records(refs)
  const first = await read()
  const records = elapsed() - begun < READ_ANEW_MS ? first : await read()
  const open = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  for (const { id } of refs) if (!open.has(id)) pending.delete(id)
  return queueOf(records, entriesOf(records)).filter(({ change }) => pending.has(change.id))
}
