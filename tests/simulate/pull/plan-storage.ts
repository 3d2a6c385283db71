/**
 * The device's own storage in the way, by a stream of its own: reads that the browser breaks off for a while, just as something
 * is saved and asked for; and a phone without room when it begins, so that nothing RxDB notes of a replication finds any (RULES
 * trap 21 to 23).
 */
import { chanceAt, int, oneOf, randomOf } from '../random.ts'
import type { ActName, Config, Item } from './plan.ts'

const STORAGE = 94
const MOST_FULL_MS = 240_000

/** @returns 0 where there is room from the start */
export function fullAtStartMs(seed: number, { calm }: Pick<Config, 'calm'>): number {
  const isFull = !calm && chanceAt(seed, STORAGE, 0) < 0.12
  return isFull ? 3_000 + Math.floor(chanceAt(seed, STORAGE, 1) * MOST_FULL_MS) : 0
}

/** Of each kind it may be the only one of the day: what is saved of another one later would take it along. */
const SAVED: readonly [ActName, ...ActName[]] = ['safety', 'contact', 'parking', 'note', 'emergency', 'enter']

/** A disk that is full until the end, and what it refuses: visits of any day, which the user asks for. */
export function fullToEnd(seed: number, end: number, { calm }: Config): Item[] {
  const random = randomOf(seed * 2713 + 71)
  if (random() > 0.2 || calm) return []
  const act = (ms: number, what: ActName): Item => ({
    kind: 'act',
    at: end + ms,
    what,
    phone: 0,
    chance: random(),
  })
  const visits = Array.from({ length: int(random, 1, 3) }, () => act(0, 'newVisit'))
  const asked = [1_000, int(random, 2_000, 60_000)].map((ms) => act(ms, 'askRefresh'))
  return [...visits, act(500, 'fullToEnd'), ...asked]
}

/** @param end until when what is planned begins */
export function storageItems(seed: number, end: number, { calm }: Config): Item[] {
  const random = randomOf(seed * 3571 + 67)
  if (random() > 0.25 || calm) return []
  const at = int(random, 20_000, 20_000 + end)
  const act = (ms: number, what: ActName): Item => ({
    kind: 'act',
    at: at + ms,
    what,
    phone: 0,
    chance: random(),
  })
  // the same chance: they are of one request, or of its neighbours
  return [
    act(0, 'brokenReads'),
    act(200, oneOf(random, SAVED)),
    ...(random() < 0.5 ? [act(300, 'askList'), act(400, 'askDetail')] : []),
    ...(random() < 0.5 ? [act(900, 'officeText'), act(1_000, 'askRefresh')] : []),
  ]
}
