/** What befalls a phone whose stores are sealed: its screen is locked, at any moment, and passwords are changed. */
import { pickOf } from '../random.ts'
import type { Day } from './day.ts'
import type { Phone } from './phone.ts'
import type { Tab } from './tab.ts'
import { nearKey, photoSize, reportKey } from './near.ts'
import { keysBy, logIn, logOut } from './phone-keys.ts'
import { databaseOf, type Armed } from './phone-seal.ts'

const MOST_TO_CLOSE_S = 60
const again = (chance: number) => (chance * 13) % 1

/** The screen is locked, and after a while opened with the password, sometimes after wrong ones. */
export async function lockAndOpen(day: Day, phone: Phone, chance: number): Promise<void> {
  const { seal } = phone
  const { world } = day
  const tab = pickOf(
    phone.tabs.filter(({ page, thawsAt }) => page && thawsAt <= world.time.now),
    again(chance),
  )
  if (!seal || !tab || seal.wantsLock || seal.isBusy) return
  world.note(`${phone.name} is locked by ${tab.name}`)
  world.disturbed(world.time.now + 10 * 60_000)
  const pages = phone.tabs.flatMap((one) => (one.page?.sealed ? { one, sealed: one.page.sealed } : []))
  const locked = seal.lockBegins()
  // what is shown closes at once, whatever the rest takes; some die over it
  if (chance < 0.2) tab.strikeIn = 1 + Math.floor(chance * 40)
  void keysBy(phone, tab)
    .lock()
    .then(() => seal.locked())
  void closed(day, phone, tab)
  await locked
  for (const other of [...phone.tabs]) if (other !== tab) void closed(day, phone, other)
  await shut(day, phone)
  // who has forgotten it reads the disk for it, which a page that is gone never does
  const noKey = () => world.time.sleep(1).then(() => false)
  // one that has died has no memory
  for (const { one, sealed } of pages)
    if (!one.alive && !one.isDead && (await Promise.race([sealed.hasKey(), noKey()])))
      world.witness.broken('SV6', `${one.name} still has a key in memory`)
  await world.time.sleep(1_000 + Math.floor(again(chance) * 40_000))
  await opened(phone, chance)
  world.note(`${phone.name} is opened`)
  await day.open(phone)
  world.disturbed()
}

async function closed(day: Day, phone: Phone, tab: Tab): Promise<void> {
  const { time } = day.world
  await time.sleep(2)
  while (tab.alive && (tab.thawsAt > time.now || !tab.page)) await time.sleep(100)
  if (!tab.alive || tab.isStopping) return
  await phone.close(tab)
  // it was asleep, and the phone was opened meanwhile
  await day.open(phone)
}

async function shut({ world }: Day, phone: Phone): Promise<void> {
  const { time, witness } = world
  const isOpen = () => phone.tabs.some(({ thawsAt }) => thawsAt <= time.now)
  for (let tries = 0; isOpen(); tries += 1) {
    if (tries === MOST_TO_CLOSE_S)
      return witness.broken('SV6', `${phone.name} does not close what was locked`)
    await time.sleep(1_000)
  }
  if (!phone.seal) return
  phone.seal.isShut = true
  phone.seal.checkLocked('a lock')
}

async function opened(phone: Phone, chance: number): Promise<void> {
  const { seal, world, user } = phone
  const keys = keysBy(phone, null)
  const name = databaseOf(user.id)
  for (let tries = Math.floor(chance * 4); tries > 0; tries -= 1)
    if (await keys.unlock(name, 'wrong'))
      world.witness.broken('SV6', `${phone.name} is opened by a wrong password`)
  const password = phone.openedWith.get(user.id) ?? ''
  if (!(await keys.unlock(name, password)))
    world.witness.broken('SV6', `${phone.name} is not opened by the password`)
  seal?.opened()
}

const KINDS: readonly Armed['at'][] = ['step', 'send', 'read']

/** In the middle of a save, of a send, of a read: after so many steps, or calls. */
export function lockMidway(day: Day, phone: Phone, chance: number): void {
  const { seal } = phone
  const at = pickOf(KINDS, chance)
  if (!seal || !at || seal.armed) return
  const left = 1 + Math.floor(again(chance) * (at === 'step' ? 30 : 3))
  const wait = at === 'step' ? 0 : Math.floor(again(chance) * 200)
  const run = () => void day.world.time.after(wait, () => void lockAndOpen(day, phone, again(chance)))
  seal.armed = { at, left, run }
}

/** Changed while nobody was signed in: what was saved before is 封印中. */
export async function newPassword(day: Day, phone: Phone, chance: number): Promise<void> {
  const { seal, user } = phone
  const { time, note } = day.world
  if (!seal || !isQuiet(phone, time.now)) return
  const above = await underground(day, phone, chance)
  if (!isQuiet(phone, time.now)) return above()
  await closeAll(phone)
  note(`${phone.name} ${user.id} has another password`)
  await logOut(phone)
  seal.changePassword(user.id)
  await logIn(phone, user)
  await day.open(phone)
  above()
}

const NO_SIGNAL_MS = 60_000

/** Nobody else has what is saved there: a photo, and what the CRM's own records are to be. @returns what brings it up again */
async function underground({ world, count }: Day, phone: Phone, chance: number): Promise<() => void> {
  const { time, note, disturbed } = world
  note(`${phone.name} is underground`)
  phone.online(false)
  disturbed(time.now + NO_SIGNAL_MS)
  const act = phone.page()?.page?.act
  const key = nearKey(phone, chance)
  const [first, last] = [count(), count()]
  const acts = act
    ? [
        act.photo(key, `メモ ${first}`, photoSize(first)),
        act.leave(reportKey(phone, again(chance)), `退館 ${last}`),
      ]
    : []
  // a page that dies meanwhile never comes to an end, and a full disk takes nothing
  await Promise.race([Promise.allSettled(acts), time.sleep(5_000)])
  return () => {
    // at night there is none, and whoever is away has it on the way back
    time.after(phone.isVisible ? 0 : NO_SIGNAL_MS, () => {
      if (!phone.isVisible) return
      phone.online(true)
      disturbed()
    })
  }
}

/** Changed while signed in, and asked for when the session had ended: the same key goes under it. */
export async function renewedPassword(day: Day, phone: Phone): Promise<void> {
  const { seal, user } = phone
  if (!seal || !isQuiet(phone, day.world.time.now)) return
  day.world.note(`${phone.name} ${user.id} has another password, signed in`)
  seal.changePassword(user.id)
  await logIn(phone, user)
}

/** 封印を開く, with one that may be the right one; what was saved since is unsent, too. */
export async function oldPassword(day: Day, phone: Phone, chance: number): Promise<void> {
  const { world } = day
  const { seal, user } = phone
  if (!seal || !phone.page()?.page?.sealed) return
  const above = await underground(day, phone, chance)
  above()
  const sealed = phone.page()?.page?.sealed
  if (!sealed) return
  const password = pickOf(seal.passwordsOf(user.id), chance) ?? ''
  world.note(`${phone.name} opens what is locked`)
  // a page that dies or is locked meanwhile
  await sealed.lockedData.open(password).catch((error: unknown) => world.note(String(error)))
}

/** All passwords that ever were: nothing is 封印中 any more (SV3). */
export async function allOpened({ world }: Day, phone: Phone): Promise<void> {
  const { seal, user } = phone
  const lockedData = phone.page()?.page?.sealed?.lockedData
  if (!seal || !lockedData) return
  for (const password of seal.passwordsOf(user.id)) await lockedData.open(password)
  if (lockedData.get() > 0)
    world.witness.broken('SV3', `${phone.name}: ${lockedData.get()} that no password opens are left locked`)
}

const isQuiet = (phone: Phone, now: number): boolean =>
  phone.seal?.wantsLock !== true &&
  phone.seal?.isBusy !== true &&
  phone.tabs.length > 0 &&
  phone.tabs.every(({ page, thawsAt, isStopping }) => page && thawsAt <= now && !isStopping)

async function closeAll(phone: Phone): Promise<void> {
  await Promise.all([...phone.tabs].map((tab) => phone.close(tab)))
}
