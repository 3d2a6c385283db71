/** What happens in a run, decided by its seed before it begins: a list that can be printed, replayed and made shorter. */
import { STORINGS } from '../support/storings.ts'
import { deviceItems } from './device-plan.ts'
import { FAULTS, type FaultName } from './faults.ts'
import { outageDay, outageItems } from './outage-plan.ts'
import { photoItems, photoStory } from './photo-plan.ts'
import { ACTIONS, type ActionName, type OutageName, type Config, type Item, type Plan } from './plan-item.ts'
import { chanceAt, int, oneOf, pickOf, randomOf, type Random } from './random.ts'
import { recordItems, sameMeasure } from './record-plan.ts'
import { storyDay } from './story-day.ts'

/** How often each action is chosen: work first. */
const WEIGHTS: Partial<Record<ActionName, number>> = {
  entry: 12,
  entries: 3,
  exit: 10,
  edit: 5,
  bulkExit: 4,
  resend: 7,
  discard: 4,
  pull: 3,
  login: 4,
  switchUser: 2,
  radioOff: 2,
  radioOn: 4,
  closeTab: 2,
  crashDevice: 2,
  hang: 2,
}
const BAG = ACTIONS.flatMap((act) => Array.from({ length: WEIGHTS[act] ?? 1 }, () => act))

const HEARS_LATE_MS = [0, 0, 5, 20, 100]
const ETAGS = ['none', 'none', 'strong', 'strong', 'weak'] as const
const LATE_STREAM = 99
const STORING_STREAM = 97
const STORINGS_MOST = 4
const PHOTO_SEED = 7_000_000

export function planOf(seed: number): Plan {
  const alone = outageDay(seed) ?? storyDay(seed)
  if (alone) return alone
  const random = randomOf(seed)
  const config: Config = {
    devices: random() < 0.25 ? 2 : 1,
    tabs: random() < 0.5 ? 2 : 1,
    users: random() < 0.4 ? 2 : 1,
    allLead: random() < 0.2,
    honourIdempotency: random() < 0.3,
    tokenLifeMs: oneOf(random, [20_000, 120_000, 1_800_000]),
    poison: random() < 0.1,
    checkpointLies: random() < 0.5,
    hearsLateMs: pickOf(HEARS_LATE_MS, chanceAt(seed, LATE_STREAM, 0)) ?? 0,
    etags: pickOf(ETAGS, chanceAt(seed, LATE_STREAM, 3)) ?? 'none',
    filesDown: chanceAt(seed, LATE_STREAM, 1) < 0.08,
    ...(chanceAt(seed, LATE_STREAM, 5) < 0.08 && { poisonPhoto: true }),
    ...(chanceAt(seed, LATE_STREAM, 6) < 0.1 && { undated: true }),
    ...(chanceAt(seed, LATE_STREAM, 7) < 0.3 && { storings: storingsOf(seed) }),
  }
  const span = oneOf(random, [4_000, 30_000, 240_000])
  const isWild = random() < 0.5
  let last = 0
  const actions = Array.from({ length: int(random, 4, 24) }, (): Item => {
    // some follow so close on the one before that they meet in the middle of a write
    last = random() < 0.3 ? last + int(random, 0, 12) : int(random, 0, span)
    const act = oneOf(random, BAG as [ActionName, ...ActionName[]])
    const device = int(random, 0, config.devices - 1)
    return {
      kind: 'action',
      at: last,
      device,
      tab: int(random, 0, config.tabs - 1),
      act,
      chance: random(),
    }
  })
  const faults = Array.from({ length: int(random, 0, isWild ? 14 : 3) }, (): Item => ({
    kind: 'fault',
    call: int(random, 0, isWild ? 30 : 10),
    fault: oneOf(random, FAULTS),
    chance: random(),
  }))
  const strikes = Array.from({ length: int(random, 0, 3) }, (): Item => ({
    kind: 'strike',
    write: int(random, 0, 60),
    strike: oneOf(random, ['crashBefore', 'crashAfter', 'quota']),
    whole: random() < 0.6,
  }))
  const stories = [...storyOf(random, config, span), ...quickEdits(seed, span), ...outagesOf(seed, span)]
  const records = [...actions, ...faults, ...strikes, ...stories]
  // from chances of their own: what records do in a seed stays as it is
  const photoRandom = randomOf(seed + PHOTO_SEED)
  // on some days nothing else happens; those with two leading tabs are too rare to give away
  if (!config.allLead && chanceAt(seed, LATE_STREAM, 2) < 0.15)
    return { seed, config, items: photoStory(photoRandom, config, span) }
  const photos = photoItems(photoRandom, config, span)
  const others = [outageItems, recordItems, sameMeasure, deviceItems].flatMap((more) =>
    more(seed, config, span),
  )
  return { seed, config, items: [...records, ...photos, ...others] }
}

/** One to four spellings, composed in any order. */
function storingsOf(seed: number): string[] {
  const names = Object.keys(STORINGS)
  const count = 1 + Math.floor(chanceAt(seed, STORING_STREAM, 0) * STORINGS_MOST)
  const picked = Array.from(
    { length: count },
    (_, i) => pickOf(names, chanceAt(seed, STORING_STREAM, 1 + i)) ?? 'NFC',
  )
  return [...new Set(picked)]
}

const EDITS_SEED = 3_000_000

/**
 * One edit after another, the second while the first is on its way, and the office corrects the same report in between;
 * from chances of their own.
 */
function quickEdits(seed: number, span: number): Item[] {
  const random = randomOf(seed + EDITS_SEED)
  if (random() > 0.35) return []
  let at = int(random, 0, span)
  const step = (ms: number, act: ActionName, variant: number): Item => {
    at += Math.round(ms * (0.5 + random()))
    return { kind: 'action', at, device: 0, tab: 0, act, chance: 0.12 + variant / 1000 }
  }
  const pair = () => {
    // what became of the work, or when it ended: the office corrects the same
    const variant = int(random, 1, 2)
    return [
      step(1_500, 'edit', variant),
      step(350, 'edit', 0),
      step(150, 'otherEdits', random() < 0.7 ? variant - 1 : int(random, 0, 7)),
    ]
  }
  /** The office writes between the read and the PUT. */
  const race = () => [step(1_500, 'edit', int(random, 0, 2)), step(200, 'otherEdits', int(random, 0, 7))]
  return [step(0, 'entry', 0), step(1_500, 'exit', 0), ...pair(), ...race(), ...pair(), ...race(), ...pair()]
}

const OUTAGES: readonly OutageName[] = [
  '503',
  '503 Retry-After',
  '429 Retry-After',
  '500',
  '502 page',
  'reset',
]
const OUTAGE_STREAM = 98

/** From chances of their own. While the CRM is down, people go on working, and wish. */
function outagesOf(seed: number, span: number): Item[] {
  const chance = (part: number) => chanceAt(seed, OUTAGE_STREAM, part)
  if (chance(0) > 0.3) return []
  const at = Math.round(chance(1) * span * 0.7)
  const ms = Math.round(5_000 + chance(2) * 300_000)
  const wishes = Array.from({ length: Math.round(chance(3) * 8) }, (_, i): Item => ({
    kind: 'action',
    at: at + Math.round(chance(10 + i) * Math.min(ms, 90_000)),
    device: 0,
    tab: 0,
    act: pickOf(['resend', 'resend', 'entry', 'radioOn'] as const, chance(20 + i)) ?? 'resend',
    chance: chance(30 + i),
  }))
  const lane = chance(4) < 0.25 ? ({ lane: 'files' } as const) : {}
  // it lives, and takes nobody for who they are
  const answer = chance(6) < ('lane' in lane ? 0.3 : 0.05) ? '401' : (pickOf(OUTAGES, chance(5)) ?? '503')
  return [{ kind: 'outage', ...lane, at, ms, answer }, ...wishes]
}

/** So many milliseconds after the step before, more or less. */
type Step = [ms: number, act: ActionName, chance?: number, tab?: number]

/** What chance alone seldom puts together. */
function storyOf(random: Random, config: Config, span: number): Item[] {
  const kind = random()
  let at = int(random, 0, span)
  const told = (steps: Step[]) =>
    steps.map(([ms, act, chance = random(), tab = 0]): Item => {
      at += Math.round(ms * (0.5 + random()))
      return { kind: 'action', at, device: 0, tab, act, chance }
    })
  const fault = (name: FaultName): Item => ({
    kind: 'fault',
    call: int(random, 0, 4),
    fault: name,
    chance: 0.2,
  })
  const which = random()
  // the CRM did it, answers 500, and refuses everyone who asks, until the change has had its say
  if (kind < 0.05)
    return [
      { kind: 'fault', call: 0, fault: '500after', chance: 0.2 },
      ...[1, 2, 3, 4, 5, 6].map((call): Item => ({ kind: 'fault', call, fault: '422', chance: 0.2 })),
      ...told([
        [0, 'entry', which],
        [60_000, 'resend'],
        [6_000, 'resend'],
      ]),
    ]
  // an answer is lost, and a day goes by before anyone looked what became of the call
  if (kind < 0.14)
    return [
      fault('dropAfter'),
      ...told([
        [0, 'entry'],
        [300, 'radioOff'],
        [600, 'clock', 0.9],
        [1_000, 'radioOn'],
        [4_000, 'resend'],
      ]),
    ]
  // the phone changes hands in the middle of a queue
  if (kind < 0.24 && config.users > 1)
    return told([
      [0, 'entries'],
      [20, 'entries'],
      [300, 'switchUser'],
      [600, 'entry'],
      [3_000, 'switchUser'],
    ])
  // what was refused is thrown away, and saved anew at the same moment
  if (kind < 0.36)
    return [
      fault('404'),
      fault('422'),
      ...told([
        [0, 'entry', which],
        [900, 'discard', 0.3],
        [12, 'entry', which],
      ]),
    ]
  // what was just saved is thrown away while it is on its way out
  if (kind < 0.56)
    return [
      // where the CRM refuses it, the wish is all there is
      ...(which < 0.5 ? [{ kind: 'fault', call: 0, fault: '422', chance: 0.2 } as const] : []),
      ...told([
        [0, 'entry'],
        [14, 'discard', 0.9],
      ]),
    ]
  // another company edits what is edited here
  if (kind < 0.7)
    return told([
      [0, 'entry', 0.1],
      [1_500, 'exit', 0.1],
      [1_500, which < 0.5 ? 'radioOff' : 'pull'],
      [300, 'otherEdits', 0.1],
      [300, 'edit', 0.1],
      [2_000, 'radioOn'],
    ])
  // the tab that sends stands still while it sends, longer than a lock may be held
  if (kind < 0.85 && config.tabs > 1)
    return told([
      [0, 'entry'],
      [30, 'hang', 0.9],
      [1_000, 'entry', random(), 1],
      [20_000, 'exit', random(), 1],
    ])
  return []
}
