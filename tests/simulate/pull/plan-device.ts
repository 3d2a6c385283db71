/**
 * What chance alone seldom puts together on a phone, by a stream of its own: a disk that fills while there is something to
 * write, a question that outlives its page, a clock that was ahead when something was read, a write that is blocked.
 */
import { int, oneOf, randomOf, type Random } from '../random.ts'
import type { ActName, Config, Fault, Item } from './plan.ts'

/** Of an act that is passing, so small that it is over at once. */
const SHORT = 0.002
/** The clock two hours ahead, and right again a minute later (`people.ts`). */
const TWO_HOURS_FOR_A_MINUTE = 0.388

const MINUTE_MS = 60_000

type Step = [at: number, what: ActName, chance?: number]

/** @param end until when what is planned begins */
export function deviceItems(seed: number, end: number, { calm, asksAtEnd }: Config): Item[] {
  const random = randomOf(seed * 5303 + 43)
  const stories: { steps: Step[]; fault?: Fault }[] = [
    ...(random() < 0.35 ? [{ steps: fullDisk(random) }] : []),
    ...(random() < 0.2 ? [{ steps: questionOutlivesPage(random) }] : []),
    // what no row tells is there by itself where the user asks for all (PL5)
    ...(random() < 0.25 && asksAtEnd ? [{ steps: readByClockAhead() }] : []),
    ...(random() < 0.15 ? [blockedWrite(random)] : []),
  ]
  if (calm) return []
  return stories.flatMap(({ steps, fault }) => {
    const begin = int(random, 5_000, end)
    const acts = steps.map(([at, what, chance = random()]): Item => {
      return { kind: 'act', at: begin + at, what, phone: 0, chance }
    })
    return fault ? [{ ...fault, at: begin }, ...acts] : acts
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
  const fault = {
    kind: 'fault',
    at: 0,
    ms,
    what: 'blockedWrite',
    status: 503,
    seconds: 0,
    share: 1,
    path,
  } as const
  const steps: Step[] = [
    [1_000, what],
    ...Array.from({ length: 4 }, (_, at): Step => [20_000 + at * 9_000, at % 2 ? 'askList' : 'askRecord']),
    [ms, 'officeText'],
  ]
  return { steps, fault }
}
