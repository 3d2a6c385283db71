/**
 * Random days of a shared phone whose stores are sealed, on real RxDB: logins, logouts, passwords that are changed (and changed
 * back) while nobody is signed in or while somebody is, no signal, killed apps, wrong passwords, another user. The laws (SV3, SV4):
 *
 *     after a logout no key is usable and nothing typed can be read on the disk
 *     what was typed is in its stores or 封印中, and once all passwords were given it is in its stores
 *     what lies sealed in another row's place is no row of it
 */
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { resultOf } from '#data/storage/idb.ts'
import { collectionStores } from '#data/database/collection-stores.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { pickOf, randomOf } from '../simulate/random.ts'
import { rowStoreOf } from './row-store.ts'
import { sealedUser, type PlantedSeal } from './sealed-user.ts'
import { dumpStorage } from './storage-dump.ts'

const STEPS = 16
const USERS = ['demo5', 'demo6']
const PASSWORDS = ['one', 'two', 'three'] as const
const ACTS = [
  'login',
  'login',
  'login',
  'type',
  'type',
  'logout',
  'logout',
  'change',
  'change',
  'crash',
  'open',
  'timeout',
] as const
const KEEP_ALL = { drafts: 0, bytes: 0 }

type Device = ReturnType<typeof sealedUser>
type Opened = Awaited<ReturnType<Device['open']>>

interface Person {
  device: Device
  /** What the CRM takes. */
  password: (typeof PASSWORDS)[number]
  typed: Map<string, string>
}

/** Who is signed in on the phone, with the stores open. */
interface SignedIn {
  who: Person
  opened: Opened
}

interface Phone {
  people: readonly Person[]
  at: SignedIn | null
  random: () => number
}

/** On the global `indexedDB`. @returns what broke a law first, with its step; null where nothing did */
export async function sealedDays(seed: number, planted?: PlantedSeal): Promise<string | null> {
  const random = randomOf(seed)
  let ids = 0
  const newId = () => `k-${(ids += 1)}`
  const people = USERS.map((userName, n): Person => {
    const device = sealedUser({ user: `genba-${n}`, userName, newId, ...(planted && { planted }) })
    return { device, password: 'one', typed: new Map() }
  })
  const phone: Phone = { people, at: null, random }
  for (let step = 0; step < STEPS; step += 1) {
    const act = pickOf(ACTS, random()) ?? 'type'
    const broken = await acted(phone, act, `${seed}-${step}`).catch(String)
    if (broken !== null) return `${step} ${act}: ${broken}`
  }
  await phone.at?.opened.close()
  for (const who of people) {
    const broken = await endOf(who).catch(String)
    if (broken !== null) return `end: ${broken}`
  }
  return null
}

/** @returns what it breaks */
async function acted(phone: Phone, act: (typeof ACTS)[number], id: string): Promise<string | null> {
  const { random, people } = phone
  if (act === 'login') return phone.at ? null : loggedIn(phone, pickOf(people, random()) ?? aPerson(people))
  const { at } = phone
  if (act === 'change') {
    const who = at?.who ?? pickOf(people, random()) ?? aPerson(people)
    who.password = pickOf(PASSWORDS, random()) ?? who.password
    return null
  }
  if (!at) return null
  const { who, opened } = at
  switch (act) {
    case 'type':
      await typeOf(at, id)
      return lostOf(at)
    case 'timeout':
      // the session has ended and nobody logged out: the same key goes under the password of now
      await who.device.login(who.password)
      return null
    case 'crash':
      await opened.close()
      phone.at = { who, opened: await who.device.open() }
      return lostOf(phone.at)
    case 'open':
      await opened.lockedData.open(pickOf(PASSWORDS, random()) ?? 'wrong')
      return lostOf(at)
    case 'logout':
      await opened.close()
      phone.at = null
      return leftOf(who)
  }
}

async function loggedIn(phone: Phone, who: Person): Promise<string | null> {
  await who.device.login(who.password)
  phone.at = { who, opened: await who.device.open() }
  return lostOf(phone.at)
}

function aPerson([first]: readonly Person[]): Person {
  if (!first) throw new Error('nobody')
  return first
}

const textOf = (key: string) => `秘密の内容 ${key}`

async function typeOf({ who, opened }: SignedIn, id: string): Promise<void> {
  const key = `emergencyReport/add/${id}`
  who.typed.set(key, textOf(id))
  await storeValues(opened.db, key, { text: textOf(id) })
}

/** What is neither in the stores nor 封印中. */
async function lostOf({ who, opened }: SignedIn): Promise<string | null> {
  const there = await Promise.all([...who.typed].map(([key, text]) => isThere(opened, key, text)))
  const missing = there.filter((is) => !is).length
  return missing === opened.lockedData.get()
    ? null
    : `${missing} are not there, ${opened.lockedData.get()} are locked`
}

const isThere = async ({ db }: Opened, key: string, text: string) =>
  (await draftOf(db, key))?.values === JSON.stringify({ text })

/** The logout, and what a finder of the phone reads then. */
async function leftOf({ device }: Person): Promise<string | null> {
  await device.logout()
  await leaveUnsentOnly(indexedDB, device.user, KEEP_ALL)
  const keys = (await device.keys.record(device.user))?.keys ?? []
  if (keys.some(({ usable, opener }) => usable ?? opener)) return 'a key is usable after the logout'
  return (await dumpStorage(indexedDB)).includes('秘密の内容') ? 'readable after the logout' : null
}

/** The password is changed to each in turn, and back; then all are given: all is there, and each row in its own place only. */
async function endOf(who: Person): Promise<string | null> {
  const { device } = who
  for (const password of PASSWORDS) {
    await device.logout()
    await device.login(password)
    const opened = await device.open()
    const lost = await lostOf({ who, opened })
    await opened.close()
    if (lost !== null) return lost
  }
  await device.logout()
  await device.login(PASSWORDS[0])
  const opened = await device.open()
  for (const password of PASSWORDS) await opened.lockedData.open(password)
  const lost = await lostOf({ who, opened })
  const lockedData = opened.lockedData.get()
  const moved = await movedOf(opened)
  await opened.close()
  await device.logout()
  return lost ?? (lockedData > 0 ? `${lockedData} are opened by no password` : moved)
}

/** One row's content in the place of another's. */
async function movedOf({ db: { name }, codecFor }: Opened): Promise<string | null> {
  const store = (await collectionStores(indexedDB, name)).find(({ collection }) => collection === 'own')
  if (!store) return null
  const db = await resultOf(indexedDB.open(store.name))
  const rows = (await resultOf(db.transaction('docs').objectStore('docs').getAll())) as Row[]
  const codec = codecFor(rowStoreOf(name, store, db))
  db.close()
  const [one, other] = rows.filter((row) => row[SEALED])
  if (!one || !other || !codec) return null
  const read = await codec.decode([{ ...one, [SEALED]: other[SEALED] }])
  return read.length > 0 ? 'a row is read in the place of another' : null
}
