/** What goes wrong with a phone: its clock is set, its disk is full. From chances of its own. */
import type { Config, Item } from './plan-item.ts'
import { int, oneOf, randomOf, type Random } from './random.ts'

const SEED = 23_000_000
const WAITING_SEED = 29_000_000

export function deviceItems(seed: number, config: Config, span: number): Item[] {
  const waiting = fullWhileWaiting(randomOf(seed + WAITING_SEED), config, span)
  const random = randomOf(seed + SEED)
  const kind = random()
  if (kind < 0.1) return [...waiting, fullDisk(random, span)]
  return kind < 0.3 ? [...waiting, ...clockSet(random, config, span)] : waiting
}

/** What was saved without a signal is to leave when it comes back, and the disk, full since, does not take that it begins. */
function fullWhileWaiting(random: Random, { devices, tabs }: Config, span: number): Item[] {
  if (random() > 0.06) return []
  const begin = int(random, 0, span)
  const [device, tab] = [int(random, 0, devices - 1), int(random, 0, tabs - 1)]
  const step = (after: number, act: 'entry' | 'parking' | 'radioOff' | 'radioOn', chance: number): Item => {
    return { kind: 'action', at: begin + after, device, tab, act, chance }
  }
  return [
    step(0, 'radioOff', 0),
    step(200, 'entry', random()),
    step(400, 'parking', random()),
    { kind: 'full', at: begin + 1_500, ms: oneOf(random, [20_000, 300_000]) },
    step(2_500, 'radioOn', random()),
    // they go on with their work, and nothing is saved
    step(12_000, 'entry', random()),
  ]
}

const fullDisk = (random: Random, span: number): Item => ({
  kind: 'full',
  at: int(random, 0, span),
  ms: oneOf(random, [2_000, 20_000, 300_000]),
})

/** The clock is set ahead or back, while there is no signal or while something is sent, and perhaps set right later. */
function clockSet(random: Random, { devices, tabs }: Config, span: number): Item[] {
  const device = int(random, 0, devices - 1)
  let at = int(random, 0, span)
  const step = (
    ms: number,
    act: 'entry' | 'parking' | 'clock' | 'radioOff' | 'radioOn',
    chance = random(),
  ): Item => {
    at += Math.round(ms * (0.3 + random()))
    return { kind: 'action', at, device, tab: int(random, 0, tabs - 1), act, chance }
  }
  const isOffline = random() < 0.5
  return [
    ...(isOffline ? [step(100, 'radioOff')] : []),
    step(300, oneOf(random, ['entry', 'parking'])),
    step(200, 'clock'),
    step(2_000, oneOf(random, ['entry', 'parking'])),
    ...(random() < 0.5 ? [step(5_000, 'clock', 0.4)] : []),
    ...(isOffline ? [step(1_000, 'radioOn', 0.2)] : []),
    step(1_000, 'entry'),
  ]
}
