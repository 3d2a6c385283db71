/**
 * Nothing of one CRM ever gets to another, whatever `config.json` says next (decisions/config): by a simulation that is
 * checked.
 */
import { describe, expect, test } from 'vitest'
import { liveWith } from '../../simulate/crms/run.ts'
import { DEFECTS } from '../../simulate/crms/world.ts'

const SEEDS = process.env['SLOW'] ? 2_000 : 100
/** A defect is found well within them. */
const MOST = 200
const LIMIT_MS = 300_000

describe('[SV5] several CRMs on one phone', () => {
  test(
    `${SEEDS} lives, and nothing has crossed`,
    async () => {
      let sent = 0
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const life = await liveWith(seed)
        expect({ seed, crossings: life.crossings }).toEqual({ seed, crossings: [] })
        sent += life.sent
      }
      expect(sent).toBeGreaterThan(SEEDS)
    },
    LIMIT_MS,
  )

  test.each(Object.keys(DEFECTS))('a planted defect is told: %s', async (name) => {
    let seed = 1
    while (seed <= MOST && (await liveWith(seed, DEFECTS[name])).crossings.length === 0) seed += 1
    expect(seed).toBeLessThanOrEqual(MOST)
  })
})
