/** What people do with a phone, and what befalls it. */
import { tokyoDay } from '#schemas/instant.ts'
import { pickOf } from '../random.ts'
import { USERS } from './crm-state.ts'
import type { Day } from './day.ts'
import { nearKey, photoSize, reportKey } from './near.ts'
import { rowsOn } from './on-disk.ts'
import type { AskedRecord, PageActs } from './page-port.ts'
import type { Phone } from './phone.ts'
import { isOfStorage } from './phone-disk.ts'
import type { Tab } from './tab.ts'
import { logIn } from './phone-keys.ts'
import type { Act } from './plan.ts'
import { lockAndOpen, lockMidway, newPassword, oldPassword, renewedPassword } from './sealed-acts.ts'

const MINUTE_MS = 60_000

export async function personActs(day: Day, phone: Phone, { what, chance }: Act): Promise<void> {
  const befalls = MISHAPS[what]
  if (befalls) return befalls(day, phone, chance)
  const page = phone.page()?.page
  const does = page && ACTS[what]
  if (!does) return
  day.world.note(`${phone.name} ${what}`)
  // what is done in a page that dies meanwhile never ends, and a full disk refuses it
  does(page.act, day, phone, chance).catch((error: unknown) => {
    day.world.note(`${phone.name} ${what}: ${String(error)}`)
    const isRefused =
      phone.full.isFull ||
      String(error).includes('Quota') ||
      isOfStorage(error) ||
      !phone.tabs.some((tab) => tab.page === page)
    if (!isRefused) day.world.witness.broken('SV1', `${phone.name} ${what}: ${String(error)}`)
  })
}

type Doing = (act: PageActs, day: Day, phone: Phone, chance: number) => Promise<unknown>

const again = (chance: number) => (chance * 13) % 1

const ACTS: Partial<Record<Act['what'], Doing>> = {
  enter: (act, _, phone, chance) => act.enter(nearKey(phone, chance)),
  leave: (act, { count }, phone, chance) => act.leave(reportKey(phone, chance), `退館 ${count()}`),
  note: (act, { count }, phone, chance) => act.note(nearKey(phone, chance), `メモ ${count()}`),
  photo(act, { count }, phone, chance) {
    const number = count()
    return act.photo(nearKey(phone, chance), `メモ ${number}`, photoSize(number))
  },
  emergency: (act, { count }, phone, chance) => act.emergency(nearKey(phone, chance), `緊急 ${count()}`),
  safety: (act, _, phone, chance) => act.safety(nearKey(phone, chance)),
  parking: (act, { count }, phone, chance) => act.parking(nearKey(phone, chance), `入口 ${count()}`),
  contact: (act, { count }, phone, chance) => act.contact(nearKey(phone, chance), `窓口 ${count()}`),
  draft: (act, _, phone, chance) => act.draft(pickOf(rowsOn(phone.disk(), 'requests'), chance)?.id ?? 'none'),
  async askDetail(act, { world }, _, chance) {
    const visit = pickOf([...world.state.visits.values()], chance)
    if (visit) await act.askDetail(visit.id, again(chance) < 0.8 ? visit.workingDate : '2026-01-01')
  },
  askSearch: (act, _, phone, chance) =>
    act.askSearch(
      tokyoDay(phone.now(), chance < 0.5 ? -30 : -1),
      tokyoDay(phone.now(), chance < 0.5 ? -2 : 5),
    ),
  async askList(act, { world }, phone, chance) {
    const request = pickOf(rowsOn(phone.disk(), 'requests'), chance)
    const device = world.state.visits.get(request?.key ?? '')?.devices[0]
    if (!request) return
    if (again(chance) < 0.4 && device) await act.askList('pastReports', device, request.id)
    else if (again(chance) < 0.7) await act.askList('emergencyReports', request.id, request.id)
    else await act.askList('noteLocationAreas', request.locationAreaId ?? '', request.id)
  },
  async askRecord(act, { world }, _, chance) {
    const kind = pickOf(ASKED, again(chance)) ?? 'quickReports'
    const row = pickOf([...world.state.of(kind).values()], chance)
    await act.askRecord(kind, row?.id ?? 'gone')
  },
  // the screen of a record shows its photos, and asks for the bytes of the first that it has not
  async askPhotos(act, { world }, phone, chance) {
    const shown = [
      ...rowsOn(phone.disk(), 'emergencyReports').map((row) => ['emergencyReports', row] as const),
      ...rowsOn(phone.disk(), 'noteLocationAreas').map((row) => ['noteLocationAreas', row] as const),
    ].toSorted(([, a], [, b]) => (a.key < b.key ? -1 : 1))
    const [resource, row] = pickOf(shown.slice(0, 2), chance) ?? []
    if (!resource || !row) return
    await act.askPhotos(resource, row.key, row.requestId)
    await world.time.sleep(3_000)
    const photo = rowsOn(phone.disk(), 'photos').find(
      ({ recordKey, size }) => recordKey === row.key && size === 0,
    )
    if (photo) await act.askPhotoBytes(photo.key)
  },
  askRefresh(act, { world }, phone) {
    phone.full.askedAt = world.time.now
    return act.askRefresh()
  },
}
const ASKED: readonly AskedRecord[] = [
  'quickReports',
  'emergencyReports',
  'noteLocationAreas',
  'customerLocationChangeRequests',
  'locationContactChangeRequests',
  'safetyMeasures',
]

type Mishap = (day: Day, phone: Phone, chance: number) => Promise<void> | void

/** Something that ends by itself after so long. */
const passing =
  (
    begin: (phone: Phone, chance: number) => void,
    end: (phone: Phone) => void,
    leastMs: number,
    mostMs: number,
  ): Mishap =>
  ({ world }, phone, chance) => {
    const ms = Math.floor(leastMs + chance * (mostMs - leastMs))
    begin(phone, chance)
    world.disturbed(world.time.now + ms)
    world.time.after(ms, () => {
      end(phone)
      world.disturbed()
    })
  }

/** It has no room when its first page is open, and some later. */
export function fullAtStart({ world }: Day, phone: Phone): void {
  const until = world.time.now + world.plan.config.fullAtStartMs
  phone.takes('none')
  world.disturbed(until)
  world.time.after(until - world.time.now, () => {
    phone.takes('free')
    world.disturbed()
  })
}

const reopened = async ({ world, open }: Day, phone: Phone, ms: number) => {
  world.disturbed(world.time.now + ms)
  await world.time.sleep(ms)
  await open(phone)
  world.disturbed()
}
const tabOf = (phone: Phone, chance: number): Tab | undefined => pickOf(phone.tabs, again(chance))

const MISHAPS: Partial<Record<Act['what'], Mishap>> = {
  offline: passing(
    (phone) => phone.online(false),
    (phone) => phone.online(true),
    2_000,
    6 * MINUTE_MS,
  ),
  hide: passing(
    (phone) => phone.show(false),
    (phone) => phone.show(true),
    2_000,
    8 * MINUTE_MS,
  ),
  fullDisk: passing(
    // a nearly full one takes what is small
    (phone, chance) => phone.takes(again(chance) < 0.4 ? 'small' : 'none'),
    (phone) => phone.takes('free'),
    5_000,
    3 * MINUTE_MS,
  ),
  // until there is room before the night, or before the end
  fullToEnd({ world }, phone, chance) {
    phone.takes(again(chance) < 0.4 ? 'small' : 'none')
    world.disturbed()
  },
  brokenReads: passing(
    (phone, chance) => void (phone.full.breaksReads = again(chance) < 0.5 ? 'notes' : 'all'),
    (phone) => void (phone.full.breaksReads = 'none'),
    1_000,
    2 * MINUTE_MS,
  ),
  slowDisk({ world }, phone, chance) {
    const ms = 30_000 + Math.floor(again(chance) * 120_000)
    phone.full.writeMs = 1_000 + Math.floor(chance * 3_000)
    world.note(`${phone.name} takes ${phone.full.writeMs} ms for a write`)
    // what failed is tried again all the same (PL8)
    world.disturbed(world.time.now + ms, false)
    world.time.after(ms, () => {
      phone.full.writeMs = 0
      world.disturbed(undefined, false)
    })
  },
  freeze({ world }, phone, chance) {
    const tab = tabOf(phone, chance)
    if (!tab) return
    const isAwake = (other: Tab) => other !== tab && other.thawsAt <= world.time.now
    const isLong = phone.tabs.some(isAwake) && chance > 0.4
    const ms = isLong ? 20 * MINUTE_MS : 3_000 + Math.floor(chance * 120_000)
    tab.thawsAt = world.time.now + ms
    world.witness.pageLeft(phone)
    world.note(`${tab.name} stands still for ${ms} ms`)
    // where there is another page, that one takes over
    world.disturbed(isLong ? undefined : tab.thawsAt)
    if (isLong) world.time.after(MINUTE_MS, () => void phone.page()?.page?.act.askRefresh())
  },
  async close(day, phone, chance) {
    const tab = tabOf(phone, chance)
    if (!tab || tab.thawsAt > day.world.time.now || !tab.page) return
    day.world.disturbed()
    await phone.close(tab)
    await reopened(day, phone, Math.floor(chance * 60_000))
  },
  kill(_, phone, chance) {
    const tab = tabOf(phone, chance)
    if (tab?.page) phone.kill(tab)
  },
  strike({ world }, phone, chance) {
    const tab = tabOf(phone, chance)
    if (!tab?.page) return
    tab.strikeIn = 1 + Math.floor(chance * 120)
    world.note(`${tab.name} dies in ${tab.strikeIn} steps`)
  },
  clock({ world }, phone, chance) {
    const hours = [-30, -3, 2, 26, 49, 400][Math.floor(chance * 6)] ?? 2
    world.note(`${phone.name} clock ${hours} h`)
    phone.ahead += hours * 60 * MINUTE_MS
    phone.wasSetBack ||= hours < 0
    world.disturbed()
    world.time.after(MINUTE_MS * (1 + Math.floor(again(chance) * 10)), () => {
      phone.ahead = 0
      world.disturbed()
    })
  },
  async logout(day, phone, chance) {
    const [first, second] = USERS
    if (phone.seal?.wantsLock || phone.seal?.isBusy) return
    if (!first || !second || phone.tabs.some((tab) => tab.thawsAt > day.world.time.now || !tab.page)) return
    day.world.disturbed()
    await Promise.all([...phone.tabs].map((tab) => phone.close(tab)))
    await logIn(phone, second)
    await reopened(day, phone, 1_000)
    await day.world.time.sleep(20_000 + Math.floor(chance * 60_000))
    if (phone.seal?.wantsLock || phone.seal?.isBusy) return
    if (phone.tabs.some((tab) => tab.thawsAt > day.world.time.now || !tab.page)) return
    await Promise.all([...phone.tabs].map((tab) => phone.close(tab)))
    await logIn(phone, first)
    await reopened(day, phone, 1_000)
  },
  lock: lockAndOpen,
  lockMidway,
  newPassword,
  renewedPassword,
  oldPassword,
  token({ world }, phone) {
    if (!phone.session) return
    phone.session = { ...phone.session, accessToken: 'ended' }
    world.note(`${phone.name} token ends`)
  },
}
