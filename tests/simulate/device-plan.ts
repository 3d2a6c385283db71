/** What goes wrong with a phone: its clock is set, its disk is full. From chances of its own. */
import type { Config, Item } from './plan-item.ts'
import { int, oneOf, randomOf, type Random } from './random.ts'

const SEED = 23_000_000

export function deviceItems(seed: number, config: Config, span: number): Item[] {
  const random = randomOf(seed + SEED)
  const kind = random()
  if (kind < 0.1) return [fullDisk(random, span)]
  return kind < 0.3 ? clockSet(random, config, span) : []
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
