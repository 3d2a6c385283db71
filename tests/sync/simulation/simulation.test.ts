/**
 * The sending engine in a simulated world: see decisions/proof. `npm run simulate -- --seed N --trace` tells what
 * happened in a seed that fails here.
 */
import { describe, expect, test } from 'vitest'
import { CAUGHT_BY } from '../../simulate/caught-by.ts'
import { defects } from '../../simulate/defects.ts'
import { demoWitness } from '../../simulate/demo-witness.ts'
import { planOf } from '../../simulate/plan.ts'
import { runPlan, type RunOptions } from '../../simulate/run.ts'
import { told } from '../../simulate/shrink.ts'

const SLOW = Boolean(process.env['SLOW'])
const SEEDS = SLOW ? 500 : 40
const DEMO_SEEDS = SLOW ? 20 : 3
/** Within these a planted defect is to be caught. */
const PLANTED_SEEDS = 500
/** Far above what it takes: CI runs what ends at its limit once more, from its start. */
const LIMIT_MS = 900_000

/** Runs seeds from 1 on. @returns the story of the first that breaks a rule, or null */
async function firstBroken(seeds: number, options: RunOptions = {}): Promise<string | null> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violations } = await runPlan(planOf(seed), options)
    if (violations.length > 0) return told(seed, planOf(seed), options)
  }
  return null
}

async function isCaught(name: string, options: RunOptions): Promise<boolean> {
  const all = Array.from({ length: PLANTED_SEEDS }, (_, at) => at + 1)
  for (const seed of [CAUGHT_BY[name] ?? 1, ...all])
    if ((await runPlan(planOf(seed), { ...options, untilBroken: true })).violations.length > 0) return true
  return false
}

describe('[SV2][SV3][SV4][OR1][OR2][OR3][OC1][OC6][ST1][TB2] the sending engine, photos and all', () => {
  test(
    `keeps every rule in ${SEEDS} simulated days`,
    async () => {
      expect(await firstBroken(SEEDS)).toBeNull()
    },
    LIMIT_MS,
  )

  test(
    `keeps every rule in ${DEMO_SEEDS} of them against the demo CRM`,
    async () => {
      expect(await firstBroken(DEMO_SEEDS, { makeCrm: demoWitness })).toBeNull()
    },
    LIMIT_MS,
  )
})

describe('the simulation', () => {
  test('a seed always tells the same story', async () => {
    const tell = async () => (await runPlan(planOf(7), { tracing: true })).trace
    const trace = await tell()
    expect(trace.length).toBeGreaterThan(5)
    expect(await tell()).toEqual(trace)
  })

  test('does send: most of what was saved reaches the CRM', async () => {
    const { stats } = await runPlan({ ...planOf(3), items: [saving(1_000)] })
    expect(stats).toMatchObject({ saves: 1, accepted: 1, parked: 0 })
  })

  test('does send photos, once their record is there', async () => {
    const { stats } = await runPlan({ ...planOf(3), items: [saving(1_000, 'photoEntry')] })
    expect(stats).toMatchObject({ saves: 1, accepted: 1, photos: 1, photosThere: 1, photosParked: 0 })
  })

  test.each(defects.filter(({ slow }) => !slow || SLOW))(
    'catches: $name',
    async ({ name, defect }) => expect(await isCaught(name, { defect })).toBe(true),
    LIMIT_MS,
  )
})

const saving = (at: number, act: 'entry' | 'photoEntry' = 'entry') =>
  ({ kind: 'action', at, device: 0, tab: 0, act, chance: 0 }) as const
