/** A day of the pulling simulation as a value: what the office does, what people do, and what goes wrong. One seed, one plan. */
import { int, oneOf, randomOf, weighed, type Random } from '../random.ts'
import { isSealed, sealActs, type SealActName } from './plan-seal.ts'

const MINUTE_MS = 60_000

/** What the network or the CRM does instead of what it should. */
export type FaultKind =
  /** A page of a gateway, with `status`. */
  | 'page'
  /** The CRM's own JSON, with `status`. */
  | 'status'
  /** `status` 429 or 503, with `Retry-After` of so many seconds. */
  | 'retryAfter'
  /** The call is lost on the way there, or its answer on the way back. */
  | 'lost'
  | 'lostAnswer'
  /** Answered after longer than the time limit. */
  | 'slow'
  | 'portal'
  /** The API is down, and the probe is answered. */
  | 'apiDown'
  | 'ignoresOffset'
  | 'wrongTotal'
  | 'emptyWindow'
  /** Most rows of the window are left out, and the total says so. */
  | 'shortWindow'
  /** Rows that do not parse. */
  | 'poison'
  /** Only these paths. */
  | 'ownTrouble'
  /** Only writes of these paths, for so long that nobody would wait for it. */
  | 'blockedWrite'
  /** Whole and true, and far more than was asked for. */
  | 'heavy'

export interface Fault {
  kind: 'fault'
  at: number
  ms: number
  what: FaultKind
  status: number
  seconds: number
  /** Of calls that it may strike, this share. */
  share: number
  /** Part of the path that it strikes; '' for all. */
  path: string
}

export type ActName =
  | 'enter'
  | 'leave'
  | 'note'
  | 'emergency'
  | 'safety'
  | 'parking'
  | 'contact'
  | 'draft'
  | 'askDetail'
  | 'askSearch'
  | 'askList'
  | 'askRecord'
  | 'askRefresh'
  | 'offline'
  | 'hide'
  | 'close'
  | 'kill'
  | 'strike'
  | 'freeze'
  | 'fullDisk'
  | 'fullToEnd'
  | 'slowDisk'
  | 'brokenReads'
  | 'clock'
  | 'logout'
  | 'token'
  | SealActName
  | 'officeText'
  | 'officeGoods'
  | 'officeReport'
  | 'officeEmergency'
  | 'officeNote'
  | 'officeParking'
  | 'officeContact'
  | 'officeSafety'
  | 'officeRemoves'
  | 'reassign'
  | 'cancel'
  | 'newVisit'
  | 'askPhotos'
  | 'officePhoto'
  | 'officePhotoGone'
  | 'officeMoves'

export interface Act {
  kind: 'act'
  at: number
  what: ActName
  phone: number
  /** Decides what it is done to, and how long. */
  chance: number
}

export type Item = Fault | Act

export interface Config {
  visits: number
  /** Spread over so many days from yesterday on. */
  days: number
  phones: number
  tabs: number
  /** At the end the user asks for everything anew; else it has to come by itself. */
  asksAtEnd: boolean
  /** The CRM sends a `Date`, and strong tags. */
  dates: boolean
  etags: boolean
  /** Nothing goes wrong at all: then answers come within seconds. */
  calm: boolean
  /** So long the app stays hidden, or closed, before the end. */
  nightMs: number
  nightClosed: boolean
  /** The stores are sealed. */
  sealed: boolean
  /** A browser without Web Locks: one page at a time. */
  hasLocks: boolean
  /** The phone is full when its first page is open, and has room so much later. */
  fullAtStartMs: number
  /** Timers run a little before their time, as in a browser that rounds. */
  earlyTimers: boolean
}

export interface Plan {
  seed: number
  config: Config
  items: Item[]
}

const ACTS: readonly [ActName, number][] = [
  ['enter', 3],
  ['leave', 4],
  ['note', 2],
  ['emergency', 2],
  ['safety', 1],
  ['parking', 2],
  ['contact', 2],
  ['draft', 1],
  ['askDetail', 3],
  ['askSearch', 2],
  ['askList', 3],
  ['askRecord', 3],
  ['askRefresh', 1],
  ['officeText', 3],
  ['officeGoods', 2],
  ['officeReport', 4],
  ['officeEmergency', 2],
  ['officeNote', 2],
  ['officeParking', 2],
  ['officeContact', 1],
  ['officeSafety', 1],
  ['officeRemoves', 2],
  ['reassign', 2],
  ['cancel', 2],
  ['newVisit', 2],
]
const MISHAPS: readonly [ActName, number][] = [
  ['offline', 3],
  ['hide', 2],
  ['close', 2],
  ['kill', 2],
  ['strike', 3],
  ['freeze', 3],
  ['fullDisk', 2],
  ['clock', 3],
  ['logout', 1],
  ['token', 2],
]
const FAULTS: readonly FaultKind[] = [
  'page',
  'status',
  'status',
  'retryAfter',
  'lost',
  'lostAnswer',
  'slow',
  'portal',
  'apiDown',
  'ignoresOffset',
  'wrongTotal',
  'wrongTotal',
  'emptyWindow',
  'shortWindow',
  'poison',
  'ownTrouble',
]
/** What changes nothing that the window's rows tell. */
const SILENT: readonly ActName[] = ['officeGoods', 'officeEmergency']
/** On another phone of the user it is as silent. */
const SILENT_ELSEWHERE: readonly ActName[] = ['emergency', 'parking', 'contact']
/** What is wrong with what the CRM says of the window: said to each call while it lasts. */
export const OF_WINDOW: readonly FaultKind[] = [
  'ignoresOffset',
  'wrongTotal',
  'emptyWindow',
  'shortWindow',
  'poison',
]
const PATHS = [
  'request/search',
  'request/',
  'emergencyReport',
  'noteLocationArea',
  'quickReport',
  'report/',
  '',
]

/**
 * @param sealed whether the stores are sealed on every day, not only on some
 * @returns the plan, and until when something of it begins
 */
export function usualPlanOf(seed: number, sealed: boolean): { plan: Plan; end: number } {
  const random = randomOf(seed * 7919 + 17)
  const calm = random() < 0.15
  const asksAtEnd = random() < 0.6
  const config: Config = {
    visits: random() < 0.25 ? int(random, 9, 16) : int(random, 3, 6),
    days: random() < 0.5 ? 3 : 12,
    phones: random() < 0.12 ? 2 : 1,
    tabs: random() < 0.3 ? 2 : 1,
    asksAtEnd,
    dates: random() < 0.85,
    etags: random() < 0.4,
    calm,
    nightMs: random() < 0.12 ? int(random, 20, 27) * 60 * MINUTE_MS : 0,
    nightClosed: random() < 0.7,
    // of a stream of its own: the other days stay as they are
    sealed: sealed || isSealed(seed),
    hasLocks: true,
    fullAtStartMs: 0,
    earlyTimers: false,
  }
  const end = int(random, 3, 12) * MINUTE_MS
  const items: Item[] = []
  for (let left = int(random, 4, 14); left > 0; left -= 1) {
    const what = weighed(random, ACTS)
    const act = { kind: 'act', at: int(random, 2_000, end), what, phone: 0, chance: random() } as const
    if (config.phones > 1) Object.assign(act, { phone: int(random, 0, 1) })
    const isSilent = SILENT.includes(what) || (SILENT_ELSEWHERE.includes(what) && config.phones > 1)
    if (asksAtEnd || !isSilent) items.push(act)
  }
  const wrong = calm ? [] : faults(random, end).map((fault) => told(fault, asksAtEnd))
  if (!calm) items.push(...mishaps(random, end, config), ...wrong)
  // what is wrong with what the CRM says of the window shows where it is read
  for (const { what, at, ms } of wrong)
    if (OF_WINDOW.includes(what) && random() < 0.7)
      items.push({ kind: 'act', at: at + Math.floor(ms / 3), what: 'askRefresh', phone: 0, chance: random() })
  if (config.sealed && !calm) items.push(...sealActs(seed, end, config.phones))
  return { plan: { seed, config, items }, end }
}

/** A list with a row that does not parse counts as read until its life is over: by itself only the window comes in time. */
const told = (fault: Fault, asksAtEnd: boolean): Fault =>
  fault.what === 'poison' && !asksAtEnd ? { ...fault, path: 'request/search' } : fault

const mishaps = (random: Random, end: number, { phones }: Config): Act[] =>
  Array.from({ length: int(random, 1, 5) }, () => ({
    kind: 'act',
    at: int(random, 500, end),
    what: weighed(random, MISHAPS),
    phone: int(random, 0, phones - 1),
    chance: random(),
  }))

const faults = (random: Random, end: number): Fault[] =>
  Array.from({ length: int(random, 1, 4) }, () => {
    const what = oneOf(random, FAULTS as [FaultKind, ...FaultKind[]])
    const isOwn = what === 'ownTrouble'
    return {
      kind: 'fault',
      at: int(random, 0, end),
      ms: random() < 0.3 ? int(random, 60, 240) * 1_000 : int(random, 1, 40) * 1_000,
      what,
      status: statusOf(random, what),
      seconds: int(random, 5, 120),
      share: random() < 0.5 ? 1 : 0.4,
      path: isOwn
        ? oneOf(random, PATHS as [string, ...string[]]) || 'request/'
        : random() < 0.3
          ? oneOf(random, PATHS as [string, ...string[]])
          : '',
    }
  })

function statusOf(random: Random, what: FaultKind): number {
  if (what === 'page') return oneOf(random, [403, 404, 500, 502, 504])
  if (what === 'retryAfter') return oneOf(random, [429, 503])
  if (what === 'ownTrouble') return 500
  return oneOf(random, [400, 403, 404, 409, 500, 503])
}
