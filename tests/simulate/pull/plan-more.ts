/**
 * What came to the plan later. Each part has a stream of chances of its own, so that all else of a seed stays as it was:
 * others' photos, heavy answers, no Web Locks, visits moved between pages; slow timers, disks and lists; the device's own
 * storage in the way; and what chance alone seldom puts together on a phone.
 */
import { chanceAt, int, oneOf, randomOf, weighed, type Random } from '../random.ts'
import { usualPlanOf, type ActName, type Config, type Fault, type Item, type Plan } from './plan.ts'

/** @param sealed whether the stores are sealed on every day, not only on some */
export function planOf(seed: number, sealed = false): Plan {
  const { plan, end } = usualPlanOf(seed, sealed)
  const random = randomOf(seed * 6151 + 29)
  // a login and a logout take turns by a lock
  const hasLocks = plan.config.tabs > 1 || random() > 0.15 || plan.config.sealed
  const earlyTimers = chanceAt(seed, TIMERS, 0) < 0.15
  const config = { ...plan.config, hasLocks, earlyTimers, fullAtStartMs: fullAtStartMs(seed, plan.config) }
  const items = [...plan.items]
  const acts = (of: Random, what: ActName) => items.push(act(int(of, 2_000, end), what, of()))
  if (random() < 0.4)
    for (let left = int(random, 4, 9); left > 0; left -= 1) acts(random, weighed(random, PHOTO_ACTS))
  if (!config.calm && random() < 0.3)
    items.push(fault(int(random, 0, end), int(random, 20, 90) * 1_000, 'heavy', 200))
  const moving = randomOf(seed * 4099 + 53)
  if (moving() < 0.5) for (const what of ['officeMoves', 'askRefresh'] as const) acts(moving, what)
  const later = [deviceItems, slowItems, storageItems, fullToEnd]
  items.push(...later.flatMap((itemsOf) => itemsOf(seed, end, config)))
  return { seed, config, items: items.toSorted((a, b) => a.at - b.at) }
}

const act = (at: number, what: ActName, chance: number): Item => ({ kind: 'act', at, what, phone: 0, chance })

const fault = (at: number, ms: number, what: Fault['what'], status: number, path = ''): Fault => ({
  kind: 'fault',
  at,
  ms,
  what,
  status,
  seconds: 0,
  share: 1,
  path,
})

const PHOTO_ACTS: readonly [ActName, number][] = [
  ['askPhotos', 4],
  ['officePhoto', 4],
  ['officePhotoGone', 1],
]

const TIMERS = 92
/** The lists of emergency reports, and the chance of the act that asks for one (`people.ts`). */
const PATH = 'emergencyReport/request/'
const OF_EMERGENCY = 0.55

/**
 * Where time itself is in the way: a disk whose writes take longer than the first waits of what failed, and a list that
 * fails for minutes while a screen asks for it.
 * @param end until when what is planned begins
 */
function slowItems(seed: number, end: number, { calm }: Config): Item[] {
  const random = randomOf(seed * 4337 + 61)
  const [isSlow, isFailing] = [random() < 0.2, random() < 0.25]
  if (calm) return []
  const at = int(random, 5_000, end)
  const slow = act(at, 'slowDisk', random())
  const failing = failingList(random, at)
  return [...(isSlow ? [slow] : []), ...(isFailing ? failing : [])]
}

/** The CRM takes all other calls meanwhile: what people save goes, and the window is read. */
function failingList(random: Random, at: number): Item[] {
  // of thirteen places one, and there the list of that path
  const asks = () => act(at + 1_000, 'askList', (int(random, 0, 12) + OF_EMERGENCY) / 13)
  return [
    fault(at, int(random, 20, 200) * 1_000, 'ownTrouble', 500, PATH),
    asks(),
    asks(),
    act(at + 1_500, 'askRefresh', random()),
    act(at + 4_000, 'parking', random()),
  ]
}

const STORAGE = 94
const MOST_FULL_MS = 240_000

/** @returns how long a phone has no room from the start, so that nothing RxDB notes finds any (RULES trap 21 to 23); else 0 */
function fullAtStartMs(seed: number, { calm }: Pick<Config, 'calm'>): number {
  const isFull = !calm && chanceAt(seed, STORAGE, 0) < 0.12
  return isFull ? 3_000 + Math.floor(chanceAt(seed, STORAGE, 1) * MOST_FULL_MS) : 0
}

/** Of each kind it may be the only one of the day: what is saved of another one later would take it along. */
const SAVED: readonly [ActName, ...ActName[]] = ['safety', 'contact', 'parking', 'note', 'emergency', 'enter']

/** A disk that is full until the end, and what it refuses: visits of any day, which the user asks for. */
function fullToEnd(seed: number, end: number, { calm }: Config): Item[] {
  const random = randomOf(seed * 2713 + 71)
  if (random() > 0.2 || calm) return []
  const later = (ms: number, what: ActName) => act(end + ms, what, random())
  const visits = Array.from({ length: int(random, 1, 3) }, () => later(0, 'newVisit'))
  const asked = [1_000, int(random, 2_000, 60_000)].map((ms) => later(ms, 'askRefresh'))
  return [...visits, later(500, 'fullToEnd'), ...asked]
}

/** Reads that the browser breaks off for a while, just as something is saved and asked for. */
function storageItems(seed: number, end: number, { calm }: Config): Item[] {
  const random = randomOf(seed * 3571 + 67)
  if (random() > 0.25 || calm) return []
  const at = int(random, 20_000, 20_000 + end)
  const later = (ms: number, what: ActName) => act(at + ms, what, random())
  // the same chance: they are of one request, or of its neighbours
  return [
    later(0, 'brokenReads'),
    later(200, oneOf(random, SAVED)),
    ...(random() < 0.5 ? [later(300, 'askList'), later(400, 'askDetail')] : []),
    ...(random() < 0.5 ? [later(900, 'officeText'), later(1_000, 'askRefresh')] : []),
  ]
}

/** Of an act that is passing, so small that it is over at once. */
const SHORT = 0.002
/** The clock two hours ahead, and right again a minute later (`people.ts`). */
const TWO_HOURS_FOR_A_MINUTE = 0.388

const MINUTE_MS = 60_000

type Step = [at: number, what: ActName, chance?: number]

/**
 * A disk that fills while there is something to write, a question that outlives its page, a clock that was ahead when
 * something was read, a write that is blocked.
 */
function deviceItems(seed: number, end: number, { calm, asksAtEnd }: Config): Item[] {
  const random = randomOf(seed * 5303 + 43)
  const stories: { steps: Step[]; fault?: Fault }[] = [
    ...(random() < 0.35 ? [{ steps: fullDisk(random) }] : []),
    ...(random() < 0.2 ? [{ steps: questionOutlivesPage(random) }] : []),
    // what no row tells is there by itself where the user asks for all (PL5)
    ...(random() < 0.25 && asksAtEnd ? [{ steps: readByClockAhead() }] : []),
    ...(random() < 0.15 ? [blockedWrite(random)] : []),
  ]
  if (calm) return []
  return stories.flatMap(({ steps, fault: trouble }) => {
    const begin = int(random, 5_000, end)
    const acts = steps.map(([at, what, chance = random()]) => act(begin + at, what, chance))
    return trouble ? [{ ...trouble, at: begin }, ...acts] : acts
  })
}

/** It is full, or nearly, for a minute and more, and the office has just changed what the next round brings. */
function fullDisk(random: Random): Step[] {
  const round: Step[] = [
    [300, 'officeText'],
    [350, 'officeReport'],
    [400, 'newVisit'],
    [500, 'hide', SHORT],
    [6_000, 'askRefresh'],
  ]
  const later = round.map(([at, ...what]): Step => [at + 40_000, ...what])
  return [
    [0, 'fullDisk', 0.5 + random() / 2],
    ...round,
    ...(random() < 0.5 ? later : [[20_000, 'close', SHORT] as Step, ...later]),
  ]
}

/** Without a signal; the page dies, and the next one tidies up before it is answered. */
const questionOutlivesPage = (random: Random): Step[] => [
  [0, 'offline', 0.5 + random() / 2],
  [1_000, 'askSearch'],
  [1_200, 'askList'],
  [1_400, 'askDetail'],
  [4_000, 'kill'],
]

/** Then the office changes what no row tells. */
const readByClockAhead = (): Step[] => [
  [0, 'clock', TWO_HOURS_FOR_A_MINUTE],
  [10_000, 'askRefresh'],
  [80_000, 'officeGoods'],
  [80_500, 'officeGoods'],
  [81_000, 'officeEmergency'],
]

const BLOCKED: readonly [[ActName, string], ...[ActName, string][]] = [
  ['emergency', 'emergencyReport/'],
  ['note', 'noteLocationArea/'],
  ['enter', 'quickReport/'],
  ['parking', 'customerLocationChangeRequest/'],
]

/** Its kind's lists and records are asked for meanwhile. */
function blockedWrite(random: Random): { steps: Step[]; fault: Fault } {
  const [what, path] = oneOf(random, BLOCKED)
  const ms = 17 * MINUTE_MS
  const steps: Step[] = [
    [1_000, what],
    ...Array.from({ length: 4 }, (_, at): Step => [20_000 + at * 9_000, at % 2 ? 'askList' : 'askRecord']),
    [ms, 'officeText'],
  ]
  return { steps, fault: fault(0, ms, 'blockedWrite', 503, path) }
}
