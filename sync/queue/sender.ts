/**
 * Sends the changes that RxDB's push gives: in the order of saving, one at a time over all resources (RULES OR1). How one
 * change goes is `attempt.ts`; here is what is of records alone: their order, their groups, and the state that a PUT is made
 * for.
 *
 *     push(rows) ─→ given ─→ gate ─→ in order: send ─┬─ all have ended, or are left ─→ RxDB may give the next
 *                              ↑                     └─ in the way of all ─┐
 *                              └────────── waits, unless something new was written
 *
 * Invariants: what was given and is not done is in `given`; the first call has all that is open on the device, so that it does
 * not matter where RxDB's checkpoint is (trap 3) nor what a killed handler had left. Saves made meanwhile end a wait: RxDB
 * gives them with the next call, which goes through all of it anew.
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
} from '#schemas/change-queue.ts'
import type { Change } from '#schemas/change.ts'
import { saidWithSuccess } from '#schemas/api-error.ts'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'
import { attempt } from './attempt.ts'
import { createDecisions } from './decisions.ts'
import { drained, type Step } from './drain.ts'
import type { Job, SenderParts, Work } from './job.ts'
import type { LedgerFacts } from './ledger.ts'
import { readBeforeSend, type Read } from './read-before-send.ts'
import { afterRefusal, createFaults, isPaused } from './own-fault.ts'
import type { Place } from './queue-store.ts'
import { resourceOf } from '../resources/resource-table.ts'
import type { Created } from '../resources/push-resource.ts'
import { createLooks } from './second-look.ts'
import type { Plan, SendAdapter } from './send-adapter.ts'
import { sendLock } from './send-lock.ts'
import { movedOn, replacedBy } from '../merge/merge-edit.ts'
import { withOthersEdits } from '../merge/others-edits.ts'
import { GateClosed, type Gate } from '../transport/gate.ts'
import { PRECONDITION_FAILED } from '../transport/strong-tag.ts'

export type { Step } from './drain.ts'

export interface Sender {
  /** RxDB's push gives these. Resolves once each of them has ended, or is left. */
  push(rows: readonly Place[]): Promise<void>
  /** What is open on the device is gone through, wherever RxDB's checkpoint is (RULES trap 3). */
  start(): void
  /** Something was saved or decided: RxDB gives it with its next call. */
  wrote(id: string): void
}

/** So often a PUT is merged anew within one run where somebody else is quicker each time (RULES MG4). */
const MERGE_TRIES = 3

const OK = 200

const DONE: Step = { kind: 'done' }

interface Ways {
  gate: Gate
  /** What is in the way of all before anything is sent (RULES EX3). */
  ageCheck: () => Promise<Step | null>
}

/** RxDB's own next call comes before it. */
const SOON_MS = 20

export function createSender(parts: SenderParts, { gate, ageCheck }: Ways): Sender {
  const { now } = parts.clock
  const wakes = createWakes(parts, () => push([]))
  const work = {
    ...parts,
    now,
    faults: createFaults(),
    looks: createLooks(parts.elapsed, parts.limitMs),
    alone: new Set<string>(),
    given: new Map<string, Place>(),
    ledger: parts.store.ledger,
    wake: wakes.after,
  }
  const decisions = createDecisions({ store: parts.store, locks: parts.locks, now })
  const news = createNews()
  const passed = oneWait(gate)
  let isFirst = true
  /** So often in a row the handler broke off. */
  let refusals = 0
  let turn: Promise<unknown> = Promise.resolve()

  async function take(rows: readonly Place[]): Promise<void> {
    if (isFirst) {
      const open = await parts.store.open()
      await inDoubtAfterStart(work, open)
      for (const change of open) work.given.set(change.id, change)
      isFirst = false
    }
    for (const row of rows) work.given.set(row.id, row)
    news.given(rows)
  }

  async function run(rows: readonly Place[]): Promise<void> {
    await take(rows)
    for (;;) {
      await decided(work, decisions)
      if (work.given.size === 0) return
      // what was saved meanwhile comes with the next call, and all that is left with it
      if (await news.before(passed())) return wakes.after(SOON_MS)
      const step = await sent(work, ageCheck).catch((error: unknown) => {
        // the device's own storage is in the way: that, too, is not tried again at once
        gate.failed()
        throw error
      })
      if (step.kind === 'done') return gate.succeeded()
      gate.failed(step.outcome.kind === 'throttled' ? step.outcome.retryAfterMs : 0)
    }
  }
  /** RxDB calls again at once: what the device refuses is written again after a back-off (RULES ST4). */
  async function runAgain(rows: readonly Place[]): Promise<void> {
    if (refusals > 0) await parts.wait(Math.min(RETRY_FIRST_MS * 2 ** (refusals - 1), RETRY_MAX_MS))
    try {
      await run(rows)
      refusals = 0
    } catch (error) {
      if (!(error instanceof GateClosed)) refusals += 1
      throw error
    }
  }
  function push(rows: readonly Place[]): Promise<void> {
    // a call before it that waits makes room
    for (const { id } of rows) news.wrote(id)
    const own = turn.then(() => runAgain(rows))
    turn = own.catch(() => undefined)
    return own
  }
  return { push, start: () => wakes.after(0), wrote: news.wrote }
}

/** Whoever ends waiting leaves the wait to who comes next: each would take a turn at the circuit. */
function oneWait(gate: Gate): () => Promise<void> {
  let waiting: Promise<void> | null = null
  return () => {
    waiting ??= gate.passed().finally(() => (waiting = null))
    return waiting
  }
}

/** What was written since the handler was called, and RxDB has not given yet. */
function createNews() {
  const written = new Set<string>()
  let told: () => void = () => undefined
  return {
    wrote(id: string) {
      written.add(id)
      told()
    },
    given(rows: readonly Place[]) {
      for (const { id } of rows) written.delete(id)
    },
    /** @returns whether something is written before this resolves; it is asked for once */
    async before(wait: Promise<void>): Promise<boolean> {
      const isFirst = new Promise<boolean>((resolve) => (told = () => resolve(true)))
      if (written.size > 0) told()
      const isNews = await Promise.race([isFirst, wait.then(() => false)])
      if (isNews) written.clear()
      return isNews
    },
  }
}

/** What is left is gone through again after a while: one timer, the earliest. */
function createWakes({ elapsed, wait, failed }: SenderParts, run: () => Promise<void>) {
  let next = Infinity
  const after = (ms: number): void => {
    const at = elapsed() + ms
    if (at >= next) return
    next = at
    const come = async () => {
      await wait(ms)
      if (next === at) next = Infinity
      await run()
    }
    come().catch((error: unknown) => {
      if (error instanceof GateClosed) return
      failed(error)
      after(RETRY_MAX_MS)
    })
  }
  return { after }
}

/** After a start: a `sending` that a crash left is in doubt (RULES OC3). */
async function inDoubtAfterStart({ store, locks }: SenderParts, open: readonly Change[]): Promise<void> {
  const sending = open.filter(({ state }) => state === 'sending')
  if (sending.length === 0) return
  await locks.request(sendLock(store), async (hold) => {
    const { ledger } = store.within(hold)
    for (const { id } of sending) await ledger.doubt(id)
  })
}

/** What the user has decided of what was given comes first: it needs no signal. */
async function decided({ store, given }: Work, decisions: ReturnType<typeof createDecisions>): Promise<void> {
  const rows = await store.ledger.read([...given.keys()])
  const wished = [...rows.values()].filter(({ wish }) => wish !== 'none')
  if (wished.length > 0) await decisions.grant(wished)
}

/** Goes through what was given, in the order of saving. */
async function sent(work: Work, ageCheck: Ways['ageCheck']): Promise<Step> {
  const late = await ageCheck()
  if (late) return late
  return drained({
    queue: async () => (await readQueue(work)).filter(isSendable),
    send: (item) =>
      work.locks.request(sendLock(work.store), (hold) => {
        const store = work.store.within(hold)
        return sendChange({ ...work, hold, store, ledger: store.ledger }, item)
      }),
    faults: work.faults,
    leave: () => work.wake(RETRY_MAX_MS),
  })
}

/** A page that is frozen in the middle of a read has some of it from before, and may not know what came first (RULES OR1). */
const READ_ANEW_MS = 10_000

/** What was given and is not done, in the order of saving; what is done is forgotten. */
async function readQueue({ store, given, elapsed }: Work): Promise<QueueItem[]> {
  if (given.size === 0) return []
  const begun = elapsed()
  const read = () => store.records(given.values())
  const first = await read()
  const records = elapsed() - begun < READ_ANEW_MS ? first : await read()
  const open = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  for (const id of given.keys()) if (!open.has(id)) given.delete(id)
  return queueOf(records, entriesOf(records)).filter(({ change }) => given.has(change.id))
}

/** Where somebody else was quicker than a PUT: read, merged, and again; then it waits (RULES MG4). */
async function sendChange(work: Work, queued: QueueItem): Promise<Step> {
  const adapter = changeAdapter(work, queued)
  const attempted = async (): Promise<Step> => {
    const went = await attempt(work, adapter)
    return went.kind === 'more' ? attempted() : went
  }
  let step = await attempted()
  const isStale = () => step.kind === 'blocked' && step.outcome.kind === 'stale'
  for (let tries = 1; isStale() && tries < MERGE_TRIES; tries += 1) step = await attempted()
  return step
}

/** How a change of a record is sent. What is loaded is that of the queue's item as it is by then. */
function changeAdapter(work: Work, queued: QueueItem): SendAdapter<Job, Created> {
  /** ETags that a 412 was answered to. */
  const stale = new Set<string>()
  /** What the CRM was just read to say of the record. */
  let read: Read['server']
  const looked = async (job: Job, inDoubt?: boolean) => {
    const look = await readBeforeSend(work, job, inDoubt)
    read = look.server
    return look
  }
  return {
    async load() {
      const job = await loadJob(work, queued)
      return job ? { kind: 'due', job } : DONE
    },
    isInDoubt: ({ item }) => isInDoubt(item),
    isMadeTwice: ({ item, change, record }) =>
      isInDoubt(item) &&
      CREATING_KINDS.includes(change.kind) &&
      item.ledger?.payload !== '' &&
      !resourceOf(record.resource).refusesSecond,
    look: (job) => looked(job),
    wake: (_, ms) => work.wake(ms),
    plan: (job, { etag }) => planned(work, { job, read, ifMatch: usable(queued, etag, stale) }),
    lookAfterRefusal: async (job) => (mayBeThere(job) ? looked(job, true) : { kind: 'absent' }),
    apart(jobs) {
      for (const { change } of jobs) work.alone.add(change.id)
    },
    isNobodysFault: (items) => isNobodysFault(work, items),
    madeOf: (job, made) => ({ ...resultOf(work, over(job, read), made), ...othersIn(job, read) }),
    settle: async () => DONE,
  }
}

/** A job on the state that the CRM was just read to have. */
const over = (job: Job, read: Read['server']): Job =>
  read && read.stamp > (job.record.server?.stamp ?? '') ? { ...job, record: movedOn(job.record, read) } : job

/** The record as the CRM has it once it accepted this. */
function resultOf({ clock }: SenderParts, { record, change }: Job, made: Created): LedgerFacts {
  const serverId = record.serverId || made.id
  const row = resourceOf(record.resource)
  return { serverId, result: row.serverAfter({ record, change }, { ...made, id: serverId }, clock.stamp()) }
}

/** Though it was refused: an earlier call of it has left, or the browser has sent this one twice by itself (RULES OC3). */
const mayBeThere = ({ item, change, record }: Job): boolean =>
  (item.ledger?.payload ?? '') !== '' || (isCreating(change) && resourceOf(record.resource).isKnownAgain)

/** A CRM that cannot be asked this way loses nothing: where a tag is stale and still the latest, or all were, it goes without. */
const usable = ({ ledger }: QueueItem, etag: string | undefined, stale: Set<string>): IfMatch =>
  etag === undefined || stale.has(etag) || ledger?.status === PRECONDITION_FAILED ? null : { etag, stale }

/** The state that a PUT is made for, and where it is kept should that be another one by then. */
type IfMatch = { etag: string; stale: Set<string> } | null

interface Looked {
  job: Job
  read: Read['server']
  ifMatch: IfMatch
}

async function planned(work: Work, { job: looked, read, ifMatch }: Looked): Promise<Plan<Job, Created>> {
  // as it is on disk: another tab may have come to its end while it was looked for
  const loaded = await loadJob(work, looked.item)
  if (!loaded || !isSendable(loaded.item)) return { kind: 'done' }
  if (isNewlyInDoubt(looked, loaded)) return { kind: 'more' }
  const job = over(loaded, read)
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
    async send(hold) {
      const outcome = await work.api.write({ ...plan.call, ...condition }, hold)
      if (outcome.kind === 'stale') ifMatch?.stale.add(ifMatch.etag)
      if (outcome.kind !== 'accepted') return outcome
      const { serverId } = job.record
      const made = plan.call.idempotencyKey ? resource.created(outcome.body) : { id: serverId }
      if (!made) return { kind: 'unknown', status: outcome.status }
      const said = outcome.status === OK ? saidWithSuccess(outcome.body) : []
      return { kind: 'made', made, said }
    },
  }
}

/** What others have changed since the record was read before (RULES MG5). */
function othersIn({ record }: Job, read: Read['server']): Pick<LedgerFacts, 'replaced'> {
  if (!read) return {}
  const { history = [] } = withOthersEdits(record.resource, record, movedOn(record, read))
  const replaced = history.filter((entry) => !record.history?.includes(entry))
  return replaced.length > 0 ? { replaced } : {}
}

interface Seen {
  /** Of the record that was read. */
  key: string
  others: Pick<LedgerFacts, 'replaced'>
}

/** What of others each of them replaces: known before the call leaves, for it may arrive without an answer (RULES MG2). */
const replacedIn =
  (group: readonly Job[], { key, others }: Seen) =>
  ({ change: { id } }: QueueItem): LedgerFacts => {
    const job = group.find(({ change }) => change.id === id)
    const edits = job && !isCreating(job.change) ? resourceOf(job.record.resource).edits : undefined
    if (!job || !edits) return {}
    const seen = job.record.key === key ? (others.replaced ?? []) : []
    return { replaced: [...replacedBy(edits, job.record, job.change), ...seen] }
  }

/** Another tab's call of it was heard of only after it had been looked for: it was not held against that (RULES OC3). */
const isNewlyInDoubt = (looked: Job, now: Job): boolean => isInDoubt(now.item) && !isInDoubt(looked.item)

/** Too many in a row were refused without a reason: those before wait again, like this one (RULES OC7). */
async function isNobodysFault({ faults, ledger, given }: Work, items: QueueItem[]): Promise<boolean> {
  const ids = items.map(({ change }) => change.id)
  const next = afterRefusal(faults.now, ids)
  if (isPaused(next) && !isPaused(faults.now)) {
    const others = faults.now.refused.flat().filter((id) => !ids.includes(id))
    // where the device does not take that, the next refusal is the third one again
    for (const id of others) await ledger.reopen(id, PAUSED)
    for (const [id, row] of await ledger.read(others)) given.set(id, row)
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
  // what it hangs on is not done yet (RULES OR2)
  const [first] = open
  const isEarly = first !== undefined && first !== item && isCreating(first.change) && !isFree(first, item)
  return item && !isEarly ? { record, change, item } : null
}

/** What was to create the record goes no more by itself, and this one does not need it (RULES OR3). */
const isFree = (creating: QueueItem, item: QueueItem | undefined): boolean =>
  !isActionable(creating) && item?.heldBy === undefined

/** The other records of the same save that can go with it in one call, each on the state that it was just read to have. */
async function groupOf(work: Work, { record, change }: Job): Promise<Job[]> {
  if (!change.group || work.alone.has(change.id)) return []
  const isMember = (item: QueueItem) =>
    item.change.group === change.group && item.record.key !== record.key && !work.alone.has(item.change.id)
  const members = (await readQueue(work)).filter((item) => isMember(item) && isSendable(item))
  const jobs = await Promise.all(members.map((item) => loadJob(work, item)))
  const alike = jobs
    .filter((job) => job !== null)
    .filter((job) => job.record.serverId !== '' && job.change.kind === change.kind)
  // one that cannot be read now, or is there already, has its own turn
  const looked = alike.map(async (job) => {
    const look = await readBeforeSend(work, job)
    if (look.kind !== 'absent') return null
    const now = await loadJob(work, job.item)
    return now && !isNewlyInDoubt(job, now) ? over(now, look.server) : null
  })
  return (await Promise.all(looked)).filter((job) => job !== null)
}
