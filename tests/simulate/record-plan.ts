/**
 * What is saved of all resources beside quick reports, and what the office makes of it meanwhile, from chances of its own: what
 * else happens in a seed stays as it is.
 */
import { RECORD_ACTIONS, type Config, type Item, type RecordActionName } from './plan-item.ts'
import { int, oneOf, pickOf, randomOf, type Random } from './random.ts'

const SEED = 17_000_000

type Act = RecordActionName | 'officeEdits' | 'confirms' | 'removes' | 'radioOff' | 'radioOn'

const action = (
  random: Random,
  { devices, tabs }: Config,
  act: Act,
  at: number,
  chance = random(),
): Extract<Item, { kind: 'action' }> => ({
  kind: 'action',
  at,
  device: int(random, 0, devices - 1),
  tab: int(random, 0, tabs - 1),
  act,
  chance,
})

/** Two phones register the same measure, one as 要 and one as 不要, and what the second is answered says nothing. */
export function sameMeasure(seed: number, config: Config, span: number): Item[] {
  const random = randomOf(seed + 2 * SEED)
  if (config.devices < 2 || random() > 0.4) return []
  const at = int(random, 0, span)
  // the same request and type; the last digit says which of the two
  const saved = (device: number, chance: number): Item => ({
    ...action(random, config, 'safety', at + device * int(random, 200, 3_000), chance),
    device,
  })
  const fault = oneOf(random, ['503', 'dropBefore', 'dropAfter', '429', '502after'] as const)
  const lost: Item = { kind: 'fault', call: int(random, 1, 6), fault, chance: random() }
  return [saved(0, 0.1), saved(1, 0.105), lost]
}

/** In some days something else is saved than reports; in some the same record again and again, and the office edits it, too. */
export function recordItems(seed: number, config: Config, span: number): Item[] {
  const random = randomOf(seed + SEED)
  const kind = random()
  if (kind < 0.45) return []
  if (kind < 0.75)
    return Array.from({ length: int(random, 1, 8) }, () =>
      action(random, config, oneOf(random, [...RECORD_ACTIONS, 'officeEdits']), int(random, 0, span)),
    )
  return overAndOver(random, config, span)
}

/** One record, saved anew and anew, without a signal for a while; it may be closed or taken away in the end. */
function overAndOver(random: Random, config: Config, span: number): Item[] {
  const act = oneOf<RecordActionName>(random, ['parking', 'contact', 'emergency', 'note', 'parking'])
  // so the same request, the same type and, of what may be there several times, an edit of the first
  const chance = () => 0.1 + int(random, 0, 6) / 500 + (act === 'parking' ? 0 : 0.001)
  let at = int(random, 0, span)
  const step = (what: Act, ms: number, where = chance()): Item => {
    at += Math.round(ms * (0.3 + random()))
    return action(random, config, what, at, where)
  }
  const rounds = Array.from({ length: int(random, 2, 4) }, () => [
    step(act, 1_500),
    ...(random() < 0.6 ? [step(act, 300)] : []),
    ...(random() < 0.7 ? [step('officeEdits', 300, random())] : []),
    ...(random() < 0.2 ? [step('radioOff', 100, 0.2), step(act, 2_000), step('radioOn', 3_000, 0.2)] : []),
  ]).flat()
  const end = pickOf(['confirms', 'removes', null, null, null] as const, random())
  return end ? [...rounds, step(end, 500, 0.1), step(act, 500)] : rounds
}
