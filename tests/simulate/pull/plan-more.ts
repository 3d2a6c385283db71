/** What came to the plan later, by streams of their own: others' photos, heavy answers, no Web Locks, visits moved between pages. */
import { int, randomOf, weighed, type Random } from '../random.ts'
import { deviceItems } from './plan-device.ts'
import { fullAtStartMs, fullToEnd, storageItems } from './plan-storage.ts'
import { hasEarlyTimers, slowItems } from './plan-slow.ts'
import { usualPlanOf, type ActName, type Fault, type Plan } from './plan.ts'

/**
 * What came to be simulated later has a stream of its own: all else of a seed stays as it was.
 * @param sealed whether the stores are sealed on every day, not only on some
 */
export function planOf(seed: number, sealed = false): Plan {
  const { plan, end } = usualPlanOf(seed, sealed)
  const random = randomOf(seed * 6151 + 29)
  // a login and a logout take turns by a lock
  const hasLocks = plan.config.tabs > 1 || random() > 0.15 || plan.config.sealed
  const earlyTimers = hasEarlyTimers(seed)
  const config = { ...plan.config, hasLocks, earlyTimers, fullAtStartMs: fullAtStartMs(seed, plan.config) }
  const items = [...plan.items]
  const act = (what: ActName) =>
    items.push({ kind: 'act', at: int(random, 2_000, end), what, phone: 0, chance: random() })
  if (random() < 0.4) for (let left = int(random, 4, 9); left > 0; left -= 1) act(weighed(random, PHOTO_ACTS))
  if (!config.calm && random() < 0.3) items.push(heavyFault(random, end))
  const moving = randomOf(seed * 4099 + 53)
  if (moving() < 0.5)
    for (const what of ['officeMoves', 'askRefresh'] as const)
      items.push({ kind: 'act', at: int(moving, 2_000, end), what, phone: 0, chance: moving() })
  const later = [deviceItems, slowItems, storageItems, fullToEnd]
  items.push(...later.flatMap((itemsOf) => itemsOf(seed, end, config)))
  return { seed, config, items: items.toSorted((a, b) => a.at - b.at) }
}

const PHOTO_ACTS: readonly [ActName, number][] = [
  ['askPhotos', 4],
  ['officePhoto', 4],
  ['officePhotoGone', 1],
]

const heavyFault = (random: Random, end: number): Fault => ({
  kind: 'fault',
  at: int(random, 0, end),
  ms: int(random, 20, 90) * 1_000,
  what: 'heavy',
  status: 200,
  seconds: 0,
  share: 1,
  path: '',
})
