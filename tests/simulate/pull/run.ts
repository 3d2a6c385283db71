/** One run: a plan, the world it happens in, a time of quiet after it, and what the witness has to say. */
import { CallBudget } from '../call-budget.ts'
import { chanceAt, randomOf } from '../random.ts'
import { dependents } from './at-rest.ts'
import { CrmTokens } from './crm.ts'
import { CrmState, USERS } from './crm-state.ts'
import type { Day } from './day.ts'
import { night, quiet } from './end-of-day.ts'
import { Network } from './network.ts'
import { morning, officeActs } from './office.ts'
import { rowsOn } from './on-disk.ts'
import { fullAtStart, personActs } from './people.ts'
import { Phone } from './phone.ts'
import { isOfStorage } from './phone-disk.ts'
import { logIn, mayOpen } from './phone-keys.ts'
import type { Act, Fault, Plan } from './plan.ts'
import type { Slots } from './slots.ts'
import { VirtualTime } from './virtual-time.ts'
import { PullWitness } from './witness.ts'
import type { PullWorld } from './world.ts'

/** Friday 2026-11-20, 10:00 in Tokyo. */
const START = Date.parse('2026-11-20T10:00:00+09:00')
/** Stream of what timers are early by. */
const EARLY = 93
/** A browser that guards against fingerprinting rounds its clock to tenths of a second. */
const MOST_EARLY_MS = 60
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export interface RunResult {
  violations: string[]
  trace: string[]
  stats: { calls: number; answered: number; docs: number }
}

export interface RunOptions {
  slots: Slots
  plant?: string | null
  tracing?: boolean
  /** Ends with the first rule that is broken. */
  untilBroken?: boolean
}

export async function runPlan(
  plan: Plan,
  { slots, plant = null, tracing = false, untilBroken = false }: RunOptions,
): Promise<RunResult> {
  slots.begin(plant)
  const trace: string[] = []
  const time = new VirtualTime(START)
  const note = (text: string) => tracing && trace.push(`${String(time.now - START).padStart(9)} ${text}`)
  const { world, phones, day } = dayOf(plan, { slots, time, note })
  const uncaught = (error: unknown) => {
    // a page that began to lead, and died in the same moment: its collections are closed for it
    const isOfDead = Object(error).code === 'COL21' && phones.some(({ diedAt }) => diedAt === time.now)
    if (!isOfStorage(error) && !isOfDead) world.witness.broken('SV1', `nobody catches ${told(error)}`)
  }
  const docs = await listened(uncaught, () => lived({ world, phones, day, time, untilBroken }))
  const { violations, answered } = world.witness
  return { violations, trace, stats: { calls: world.network.calls, answered, docs } }
}

/** A planted day may end with an error: nobody listens for it after that. */
async function listened<T>(uncaught: (error: unknown) => void, run: () => Promise<T>): Promise<T> {
  process.on('unhandledRejection', uncaught)
  try {
    return await run()
  } finally {
    process.off('unhandledRejection', uncaught)
  }
}

interface Living extends ReturnType<typeof dayOf> {
  time: VirtualTime
  untilBroken: boolean
}

/** @returns how many requests are on the phones at its end */
async function lived({ world, phones, day, time, untilBroken }: Living): Promise<number> {
  let docs = 0
  try {
    const whole = live(day, phones)
    const end = untilBroken ? Promise.race([whole, world.witness.firstBroken]) : whole
    await time.runFor(end, 4 * 24 * HOUR_MS, 'the day')
    docs = phones.reduce((sum, phone) => sum + rowsOn(phone.disk(), 'requests').length, 0)
  } catch (error) {
    world.witness.broken('TB1', told(error))
  }
  const isCutShort = untilBroken && world.witness.violations.length > 0
  world.isOver = true
  if (isCutShort) await untilOpen(time, phones)
  for (const phone of phones) for (const tab of [...phone.tabs]) phone.kill(tab)
  // what RxDB's modules stand in line for passes before the next run
  if (isCutShort) await time.runUntil(time.now + MINUTE_MS)
  return docs
}

const told = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))

interface Making {
  slots: Slots
  time: VirtualTime
  note: (text: string) => void
}

function dayOf(plan: Plan, { slots, time, note }: Making): { world: PullWorld; phones: Phone[]; day: Day } {
  const { seed, config, items } = plan
  const state = new CrmState(() => time.now)
  const witness = new PullWitness({ time, state, note, dependents, dates: config.dates })
  const tokens = new CrmTokens({ now: () => time.now, lifeMs: 30 * MINUTE_MS })
  const faults = items.filter((item): item is Fault => item.kind === 'fault')
  const budget = new CallBudget(witness.broken)
  const { broken } = witness
  const network = new Network({
    seed,
    start: START,
    time,
    state,
    tokens,
    faults,
    config,
    budget,
    broken,
    note,
  })
  let timers = 0
  const world: PullWorld = {
    plan,
    start: START,
    time,
    state,
    tokens,
    network,
    witness,
    note,
    early: config.earlyTimers ? () => MOST_EARLY_MS * chanceAt(seed, EARLY, (timers += 1)) : () => 0,
    isOver: false,
    disturbed: (until, hinders) => witness.disturbed(until, hinders),
    died(name, wasStopped) {
      const phone = phones.find((one) => one.name === name)
      if (!phone || wasStopped || world.isOver) return
      const ms = 200 + Math.floor(phone.chance() * 20_000)
      witness.disturbed(time.now + ms)
      time.after(ms, () => void open(phone))
    },
  }
  const user = USERS[0]
  if (!user) throw new Error('nobody')
  const phones = Array.from({ length: config.phones }, (_, number) => {
    const { phoneKeys } = slots.at(number * 2)
    return new Phone(world, number, user, phoneKeys)
  })
  const slotOf = (phone: Phone, tab: number) => slots.at(phones.indexOf(phone) * 2 + tab)
  const open = async (phone: Phone) => {
    if (world.isOver || !(await mayOpen(phone))) return
    for (let tab = 0; tab < config.tabs; tab += 1) {
      const slot = slotOf(phone, tab)
      if (!phone.tabs.some((one) => one.slot === slot)) await phone.open(slot)
    }
    witness.disturbed()
  }
  let count = 0
  morning(state, config, randomOf(seed * 31 + 5), START)
  return { world, phones, day: { world, open, count: () => (count += 1) } }
}

async function live(day: Day, phones: Phone[]): Promise<void> {
  const { world } = day
  const { time, plan, state } = world
  const { items, config } = plan
  for (const item of items) if (item.kind === 'fault') announce(world, item)
  const act = (item: Act) => {
    const now = time.now
    const isOffice = officeActs(item.what, { state, config, now, chance: item.chance, count: day.count() })
    if (isOffice) return world.note(`office ${item.what}`)
    const phone = phones[item.phone]
    if (phone) void personActs(day, phone, item)
  }
  for (const phone of phones) {
    await logIn(phone, phone.user)
    if (config.fullAtStartMs > 0) fullAtStart(day, phone)
    await day.open(phone)
  }
  for (const item of items) if (item.kind === 'act') time.after(START + item.at - time.now, () => act(item))
  const last = Math.max(0, ...items.map(({ at }) => at))
  await time.sleep(START + last + 5_000 - time.now)
  if (config.nightMs > 0) await night(day, phones)
  await quiet(day, phones)
}

/** A page that dies while it opens would leave its collections open, and RxDB allows 13 of them (trap 10). */
async function untilOpen(time: VirtualTime, phones: Phone[]): Promise<void> {
  const isOpening = () => phones.some(({ tabs }) => tabs.some(({ page, isStopping }) => !page && !isStopping))
  for (let tries = 0; isOpening() && tries < 30 * 60; tries += 1) await time.runUntil(time.now + 1_000)
}

/** Something is in the way while a fault may strike, and what it asked for after it. */
function announce({ time, disturbed, witness }: PullWorld, { at, ms, what, seconds }: Fault): void {
  // a write that is blocked stands in the way of nothing that is read; where reads fail, too, they take turns
  if (what === 'blockedWrite') witness.blocked(START + at + ms)
  if (what === 'blockedWrite') return void time.after(at, () => disturbed())
  const until =
    at + ms + (what === 'retryAfter' ? seconds * 1_300 + 5_000 : 0) + (what === 'slow' ? 25_000 : 0)
  // what only some paths suffer is tried again all the while (PL8)
  const hinders = what !== 'ownTrouble'
  time.after(at, () => disturbed(START + until, hinders))
  time.after(until, () => disturbed(undefined, hinders))
}
