/** On which days what lies on a phone is sealed, and what befalls it then: of a stream of chances of its own. */
import { chanceAt, int, weighed } from '../random.ts'

export type SealActName = 'photo' | 'lock' | 'lockMidway' | 'newPassword' | 'renewedPassword' | 'oldPassword'

interface SealAct {
  kind: 'act'
  at: number
  what: SealActName
  phone: number
  chance: number
}

const SEAL = 90
const SEAL_ACTS: readonly [SealActName, number][] = [
  ['lock', 3],
  ['lockMidway', 4],
  ['newPassword', 2],
  ['renewedPassword', 1],
  ['oldPassword', 2],
]

export const isSealed = (seed: number): boolean => chanceAt(seed, SEAL, 0) < 0.25

export function sealActs(seed: number, end: number, phones: number): SealAct[] {
  let draws = 0
  const random = () => chanceAt(seed, SEAL, (draws += 1))
  const act = (what: () => SealActName): SealAct => ({
    kind: 'act',
    at: int(random, 3_000, end),
    what: what(),
    phone: int(random, 0, phones - 1),
    chance: random(),
  })
  const acts = Array.from({ length: int(random, 2, 6) }, () => act(() => weighed(random, SEAL_ACTS)))
  return [...acts, ...Array.from({ length: int(random, 0, 3) }, () => act(() => 'photo'))]
}
