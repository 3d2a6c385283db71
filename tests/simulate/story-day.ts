/** Days on which one thing goes wrong, again and again, and nothing else happens: what chance alone seldom puts together. */
import type { ActionName, Config, Item, PhotoActionName, Plan } from './plan-item.ts'
import { int, randomOf, type Random } from './random.ts'

const SEED = 31_000_000
const ROUND_MS = 10_000
const HOUR_MS = 3_600_000

const CONFIG: Config = {
  devices: 1,
  tabs: 1,
  users: 1,
  allLead: false,
  honourIdempotency: false,
  tokenLifeMs: 1_800_000,
  poison: false,
  checkpointLies: false,
  hearsLateMs: 0,
  etags: 'none',
  filesDown: false,
}

const action = (at: number, act: ActionName | PhotoActionName, chance = 0): Item => ({
  kind: 'action',
  at,
  device: 0,
  tab: 0,
  act,
  chance,
})
const refused = (call: number): Item => ({ kind: 'fault', call, fault: '422', chance: 0.2 })

/** What was refused is thrown away, and saved anew at the same moment. */
const thrownAway = (random: Random): Item[] =>
  [0, 1, 2, 3].flatMap((round) => {
    const at = round * ROUND_MS
    const again = at + 3_000
    return [
      refused(2 * round),
      action(at, 'entry'),
      action(again, 'discard'),
      action(again + int(random, 1, 12), 'entry'),
    ]
  })

/** The CRM did it, answers 500, and refuses everyone who asks what became of it, until it is 失敗; then it is sent again. */
const sentAgain = (random: Random): Item[] => [
  { kind: 'fault', call: 0, fault: '500after', chance: 0.2 },
  ...[1, 2, 3, 4, 5, 6].map(refused),
  action(int(random, 0, 1_000), 'entry'),
  ...[120_000, 150_000].map((at) => action(at, 'resend')),
]

/** A day goes by without a signal, and nobody has looked what became of the call. */
const dayWithout = (random: Random): Item[] => [
  ...(random() < 0.5 ? [{ kind: 'fault', call: 0, fault: 'dropAfter', chance: 0.2 } as const] : []),
  action(1_000, 'entry'),
  action(1_200, 'radioOff'),
  action(1_400, 'entry', 0.5),
  action(int(random, 23, 26) * HOUR_MS, 'radioOn', 0.2),
  action(27 * HOUR_MS, 'resend'),
]

/** A colleague enters first; one's own entry is refused, theirs is pulled in its place, and the exit is saved on that (OR3). */
const colleagueFirst = (random: Random): Item[] => [
  action(1_000, 'radioOff'),
  action(1_500, 'entry'),
  action(2_000, 'otherEnters'),
  action(3_000, 'radioOn'),
  ...[30_000, 60_000].map((at) => action(at, 'pull')),
  action(int(random, 150_000, 200_000), 'exit'),
  ...(random() < 0.5 ? [action(230_000, 'discard')] : []),
]

/** Photos of records that the CRM has, and of one that waits without a signal, a day later: where they go was never said. */
const photosUntold = (random: Random): Item[] => [
  action(1_000, 'photoEntry'),
  action(20_000, 'photo'),
  ...(random() < 0.5 ? [action(30_000, 'radioOff'), action(31_000, 'photoEntry', 0.5)] : []),
  action(int(random, 25, 30) * HOUR_MS, 'radioOn'),
  action(31 * HOUR_MS, 'entry', 0.9),
]

/** @returns null for most seeds */
export function storyDay(seed: number): Plan | null {
  const random = randomOf(seed + SEED)
  const kind = random()
  if (kind >= 0.055) return null
  if (kind >= 0.05) return { seed, config: { ...CONFIG, untold: true }, items: photosUntold(random) }
  if (kind >= 0.045) return { seed, config: CONFIG, items: colleagueFirst(random) }
  if (kind >= 0.04) return { seed, config: CONFIG, items: dayWithout(random) }
  return { seed, config: CONFIG, items: kind < 0.03 ? thrownAway(random) : sentAgain(random) }
}
