/**
 * Where time itself is in the way, by streams of their own: timers that run a little early, a disk whose writes take longer
 * than the first waits of what failed, and a list that fails for minutes while a screen asks for it.
 */
import { chanceAt, int, randomOf, type Random } from '../random.ts'
import type { ActName, Config, Fault, Item } from './plan.ts'

const TIMERS = 92

export const hasEarlyTimers = (seed: number): boolean => chanceAt(seed, TIMERS, 0) < 0.15

/** The lists of emergency reports, and the chance of the act that asks for one (`people.ts`). */
const PATH = 'emergencyReport/request/'
const OF_EMERGENCY = 0.55

/** @param end until when what is planned begins */
export function slowItems(seed: number, end: number, { calm }: Config): Item[] {
  const random = randomOf(seed * 4337 + 61)
  const [isSlow, isFailing] = [random() < 0.2, random() < 0.25]
  if (calm) return []
  const at = int(random, 5_000, end)
  const slow = act(at, 'slowDisk', random())
  const failing = failingList(random, at)
  return [...(isSlow ? [slow] : []), ...(isFailing ? failing : [])]
}

const act = (at: number, what: ActName, chance: number): Item => ({ kind: 'act', at, what, phone: 0, chance })

/** The CRM takes all other calls meanwhile: what people save goes, and the window is read. */
function failingList(random: Random, at: number): Item[] {
  const ms = int(random, 20, 200) * 1_000
  const fault: Fault = {
    kind: 'fault',
    at,
    ms,
    what: 'ownTrouble',
    status: 500,
    seconds: 0,
    share: 1,
    path: PATH,
  }
  // of thirteen places one, and there the list of that path
  const asks = () => act(at + 1_000, 'askList', (int(random, 0, 12) + OF_EMERGENCY) / 13)
  return [
    fault,
    asks(),
    asks(),
    act(at + 1_500, 'askRefresh', random()),
    act(at + 4_000, 'parking', random()),
  ]
}
