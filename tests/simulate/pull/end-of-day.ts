/** How a run ends: a night without signal in some, then a time of quiet, in which each phone comes to have what the CRM has. */
import { checkAtRest, checkRefused, dependents } from './at-rest.ts'
import { USERS } from './crm-state.ts'
import type { Day } from './day.ts'
import { rowsOn } from './on-disk.ts'
import type { Phone } from './phone.ts'
import { logIn } from './phone-keys.ts'
import { allOpened } from './sealed-acts.ts'
import type { PullWorld } from './world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Nobody looks at the phone, and there is no signal. */
export async function night({ world, open }: Day, phones: Phone[]): Promise<void> {
  const { time, plan, witness } = world
  const { nightMs, nightClosed } = plan.config
  const until = time.now + nightMs
  world.note('night')
  world.disturbed(until)
  for (const phone of phones) {
    phone.takes('free')
    phone.online(false)
    phone.show(false)
    if (nightClosed)
      await Promise.all([...phone.tabs].filter(({ page }) => page).map((tab) => phone.close(tab)))
  }
  await time.sleep(until - time.now)
  for (const phone of phones) {
    await open(phone)
    phone.show(true)
  }
  await time.sleep(15 * MINUTE_MS)
  for (const phone of phones) {
    const kept = dependents(phone)
    for (const { key, id } of nightClosed ? [] : rowsOn(phone.disk(), 'requests')) {
      const served = witness.servedAt(phone, 'request', `${phone.user.staff} ${key}`)
      if (time.now - served > 25 * HOUR_MS && !kept.has(id))
        witness.broken('EX1', `${phone.name} has request ${key} a day after it was confirmed, without signal`)
    }
    phone.online(true)
  }
  world.disturbed()
}

/** No more faults: each phone is open, online and in sight, and in the end has what the CRM has. */
export async function quiet(day: Day, phones: Phone[]): Promise<void> {
  const { world, open } = day
  const { time, network, plan, witness, state } = world
  const { calm, asksAtEnd, dates, nightClosed } = plan.config
  const [user] = USERS
  await settledDown(world, phones)
  network.faultsOn = false
  world.note('quiet')
  for (const phone of phones) {
    phone.takes('free')
    Object.assign(phone.full, { writeMs: 0, breaksReads: 'none' })
    phone.ahead = 0
    phone.online(true)
    phone.show(true)
    if (user && (phone.user !== user || !phone.session || phone.session.expired)) {
      phone.full.refusedRows.clear()
      await Promise.all([...phone.tabs].map((tab) => phone.close(tab)))
      await logIn(phone, user)
    }
    await open(phone)
    await allOpened(day, phone)
  }
  world.disturbed()
  await time.sleep(calm ? MINUTE_MS : 6 * MINUTE_MS)
  for (const phone of phones) checkRefused({ phone, state, witness, now: time.now }, phone.full.refusedRows)
  // what could not be read at all is asked for once more after a while
  for (let rounds = asksAtEnd ? 2 : 0; rounds > 0; rounds -= 1) {
    await Promise.all(phones.map(async (phone) => phone.page()?.page?.act.askRefresh()))
    await time.sleep(2 * MINUTE_MS)
  }
  if (!asksAtEnd) await time.sleep(67 * MINUTE_MS)
  for (const phone of phones) {
    witness.finish(phone)
    phone.full.finish(phone.isOpen)
    checkAtRest({
      phone,
      state,
      witness,
      now: time.now,
      isTimeBorneOut: !phone.wasSetBack && (dates || !nightClosed),
    })
    await Promise.all([...phone.tabs].map((tab) => phone.close(tab)))
  }
  await time.sleep(MINUTE_MS)
}

/** What began of itself has its end first: pages that stand still, those that are about to open. */
async function settledDown({ time }: PullWorld, phones: Phone[]): Promise<void> {
  const isBusy = () =>
    phones.some(
      ({ seal, tabs }) => seal?.wantsLock === true || tabs.some((tab) => !tab.page || tab.thawsAt > time.now),
    )
  await time.sleep(25_000)
  for (let tries = 0; isBusy() && tries < 60; tries += 1) await time.sleep(5_000)
  for (const phone of phones) {
    if (phone.seal) phone.seal.armed = null
    for (const tab of phone.tabs) tab.strikeIn = 0
  }
}
