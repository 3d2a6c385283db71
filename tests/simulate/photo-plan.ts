/** What happens to photos in a run, decided before it begins: beside what records do, from chances of its own. */
import { FAULTS, type FaultName } from './faults.ts'
import { PHOTO_ACTIONS, type Config, type Item, type PhotoActionName, type StrikeName } from './plan-item.ts'
import { int, oneOf, type Random } from './random.ts'

const WEIGHTS: Partial<Record<PhotoActionName, number>> = {
  photo: 4,
  photos: 3,
  photoEntry: 4,
  resendPhoto: 3,
}
const BAG = PHOTO_ACTIONS.flatMap((act) =>
  Array.from({ length: WEIGHTS[act] ?? 2 }, () => act),
) as unknown as readonly [PhotoActionName, ...PhotoActionName[]]
const FILE_FAULTS: readonly [FaultName, ...FaultName[]] = ['refusal', 'dropAfter', 'refusal', ...FAULTS]
const STRIKES: readonly [StrikeName, ...StrikeName[]] = ['crashBefore', 'crashAfter', 'quota']

export function photoItems(random: Random, config: Config, span: number): Item[] {
  if (random() < 0.3) return []
  const isWild = random() < 0.5
  let last = 0
  const actions = Array.from({ length: int(random, 2, 9) }, (): Item => {
    last = random() < 0.3 ? last + int(random, 0, 40) : int(random, 0, span)
    return {
      kind: 'action',
      at: last,
      device: int(random, 0, config.devices - 1),
      tab: int(random, 0, config.tabs - 1),
      act: oneOf(random, BAG),
      chance: random(),
    }
  })
  const faults = Array.from({ length: int(random, 0, isWild ? 10 : 3) }, (): Item => ({
    kind: 'fault',
    lane: 'files',
    call: int(random, 0, isWild ? 24 : 6),
    fault: oneOf(random, FILE_FAULTS),
    chance: random(),
  }))
  const strikes = Array.from({ length: int(random, 0, 3) }, (): Item => ({
    kind: 'strike',
    lane: 'photos',
    write: int(random, 0, 50),
    strike: oneOf(random, STRIKES),
    whole: random() < 0.6,
  }))
  return [...actions, ...faults, ...strikes, ...photoStory(random, config, span)]
}

type ActionName = Extract<Item, { kind: 'action' }>['act']

/** So many milliseconds after the step before, more or less. */
type Step = [ms: number, act: ActionName, chance?: number, tab?: number]

/** What chance alone seldom puts together. */
export function photoStory(random: Random, config: Config, span: number): Item[] {
  const kind = random()
  let at = int(random, 0, span)
  const told = (steps: Step[]) =>
    steps.map(([ms, act, chance = random(), tab = 0]): Item => {
      at += Math.round(ms * (0.5 + random()))
      return { kind: 'action', at, device: 0, tab, act, chance }
    })
  const fault = (name: FaultName, call = int(random, 1, 4)): Item => ({
    kind: 'fault',
    lane: 'files',
    call,
    fault: name,
    chance: 0.2,
  })
  // the answer to an upload is lost, and a day goes by before anyone looked what became of it
  if (kind < 0.12)
    return [
      fault('dropAfter'),
      fault('500after'),
      ...told([
        [0, 'photoEntry'],
        [2_500, 'radioOff'],
        [600, 'clock', 0.9],
        [1_000, 'radioOn'],
        [3_000, 'discardPhoto', 0.2],
      ]),
    ]
  // the answer never comes, and the photo is given up before anyone could look
  if (kind < 0.26)
    return [
      ...[1, 2].map((call) => ({ ...fault('dropAfter', call), chance: 0.7 })),
      ...told([
        [0, 'photoEntry', 0.2],
        [6_000, 'radioOff'],
        [90_000, random() < 0.7 ? 'discardPhoto' : 'deletePhoto', 0.9],
        [70_000, 'radioOn'],
      ]),
    ]
  // a photo gets another name while it is on its way out
  if (kind < 0.34)
    return told([
      [0, 'photoEntry', 0.2],
      [5_000, 'photo', 0.9],
      [150, 'renamePhoto', 0.99],
    ])
  // the phone changes hands while photos go
  if (kind < 0.52 && config.users > 1)
    return told([
      [0, 'photoEntry'],
      [1_500, 'photos'],
      [600, 'switchUser'],
      [400, 'photoEntry'],
      [3_000, 'photos'],
      [1_500, 'switchUser'],
    ])
  // a change that was refused is taken back in the moment that another one is made
  if (kind < 0.63)
    return [
      fault('refusal', int(random, 2, 5)),
      ...told([
        [0, 'photoEntry'],
        [4_000, random() < 0.5 ? 'renamePhoto' : 'deletePhoto', 0.1],
        [2_000, 'discardPhoto', 0.1],
        [20, random() < 0.5 ? 'renamePhoto' : 'deletePhoto', 0.1],
      ]),
    ]
  // a photo is given up while it is on its way out
  if (kind < 0.73)
    return told([
      [0, 'photoEntry'],
      [2_500, 'photos', 0.9],
      [300, random() < 0.5 ? 'discardPhoto' : 'deletePhoto', 0.9],
      [100, 'renamePhoto'],
    ])
  // the record is thrown away while its photos wait for it
  if (kind < 0.81)
    return [
      { kind: 'fault', call: 0, fault: '422', chance: 0.2 },
      ...told([
        [0, 'photoEntry', 0.1],
        [1_500, 'photo', 0.1],
        [600, 'discard', 0.1],
        [600, 'resendPhoto'],
      ]),
    ]
  // the tab that sends stands still while it sends, longer than a lock may be held
  if (kind < 0.97 && config.tabs > 1)
    return told([
      [0, 'photoEntry'],
      [2_200, 'hang', 0.9],
      [1_000, 'photos', random(), 1],
      [90_000, 'renamePhoto', random(), 1],
    ])
  return []
}
