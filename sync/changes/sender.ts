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
import { isSendable } from '#schemas/changes/change-queue.ts'
import type { Change } from '#schemas/change.ts'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from '#schemas/limits.ts'
import { createDecisions } from './requested.ts'
import { sendQueue, type Step } from './send-queue.ts'
import { readQueue } from './given.ts'
import type { SenderParts, Work } from './job.ts'
import { createFaults } from './failure-attribution.ts'
import type { Place } from './change-store.ts'
import { createLateChecks } from './late-arrival-check.ts'
import { sendChange } from './send-change.ts'
import { sendLock } from './send-lock.ts'
import { GateClosed, type Gate } from '#sync/scheduler/gate.ts'

export type { Step } from './send-queue.ts'

export interface Sender {
  /** RxDB's push gives these. Resolves once each of them has ended, or is left. */
  push(rows: readonly Place[]): Promise<void>
  /** What is open on the device is gone through, wherever RxDB's checkpoint is (RULES trap 3). */
  start(): void
  /** Something was saved or decided: it is gone through with what is left, also before RxDB has given it. */
  wrote(place: Place): void
}

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
    looks: createLateChecks(parts.elapsed, parts.limitMs),
    alone: new Set<string>(),
    given: new Map<string, Place>(),
    states: parts.store.states,
    wake: wakes.after,
  }
  const decisions = createDecisions({ store: parts.store, locks: parts.locks, now })
  const news = createNews()
  const passed = oneWait(gate)
  let isFirst = true
  let turn: Promise<unknown> = Promise.resolve()

  async function take(rows: readonly Place[]): Promise<void> {
    if (isFirst) await takeOpen(work)
    isFirst = false
    // a save that came back from 封印中 may be older than what is left (RULES OR1)
    for (const row of [...rows, ...news.taken()]) work.given.set(row.id, row)
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
  const runAgain = afterRefusals(parts, run)
  function push(rows: readonly Place[]): Promise<void> {
    // a call before it that waits makes room
    for (const row of rows) news.wrote(row)
    const own = turn.then(() => runAgain(rows))
    turn = own.catch(() => undefined)
    return own
  }
  return { push, start: () => wakes.after(0), wrote: news.wrote }
}

/** RxDB calls again at once: what the device refuses is written again after a back-off (RULES ST4). */
function afterRefusals({ wait }: SenderParts, run: (rows: readonly Place[]) => Promise<void>) {
  /** So often in a row the handler broke off. */
  let refusals = 0
  return async (rows: readonly Place[]): Promise<void> => {
    if (refusals > 0) await wait(Math.min(RETRY_FIRST_MS * 2 ** (refusals - 1), RETRY_MAX_MS))
    try {
      await run(rows)
      refusals = 0
    } catch (error) {
      if (!(error instanceof GateClosed)) refusals += 1
      throw error
    }
  }
}

/** What is open on the device comes first. */
async function takeOpen(work: Work): Promise<void> {
  const open = await work.store.open()
  await inDoubtAfterStart(work, open)
  for (const change of open) work.given.set(change.id, change)
}

/** Whoever ends waiting leaves the wait to who comes next: each would take a turn at the circuit. */
function oneWait(gate: Gate): () => Promise<void> {
  let waiting: Promise<void> | null = null
  return () => {
    waiting ??= gate.passed().finally(() => (waiting = null))
    return waiting
  }
}

/** What was written since the handler was called. */
function createNews() {
  let written: Place[] = []
  let told: () => void = () => undefined
  return {
    wrote(place: Place) {
      written.push(place)
      told()
    },
    taken(): readonly Place[] {
      const all = written
      written = []
      return all
    },
    /** @returns whether something is written before this resolves; it is asked for once */
    async before(wait: Promise<void>): Promise<boolean> {
      const isFirst = new Promise<boolean>((resolve) => (told = () => resolve(true)))
      if (written.length > 0) told()
      return Promise.race([isFirst, wait.then(() => false)])
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
    const { states } = store.within(hold)
    for (const { id } of sending) await states.doubt(id)
  })
}

/** What the user has decided of what was given comes first: it needs no signal. */
async function decided({ store, given }: Work, decisions: ReturnType<typeof createDecisions>): Promise<void> {
  const rows = await store.states.read([...given.keys()])
  const wished = [...rows.values()].filter(({ wish }) => wish !== 'none')
  if (wished.length > 0) await decisions.grant(wished)
}

/** Goes through what was given, in the order of saving. */
async function sent(work: Work, ageCheck: Ways['ageCheck']): Promise<Step> {
  const late = await ageCheck()
  if (late) return late
  return sendQueue({
    queue: async () => (await readQueue(work)).filter(isSendable),
    send: (item) =>
      work.locks.request(sendLock(work.store), (hold) => {
        const store = work.store.within(hold)
        return sendChange({ ...work, hold, store, states: store.states }, item)
      }),
    faults: work.faults,
    leave: () => work.wake(RETRY_MAX_MS),
  })
}
