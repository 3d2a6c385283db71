/** How many runs go beside each other: reads of details, uploads (PL5, OR1). */
import { expect, test } from 'vitest'
import { limitConcurrency } from '#sync/lib/limit-concurrency.ts'

test.each([1, 3])(
  '[PL5][OR1] no more than %i go at once, in the order they came, also after one failed',
  async (limit) => {
    const inTurn = limitConcurrency(limit)
    const begun: number[] = []
    const ends: ((how: 'done' | 'failed') => void)[] = []
    const runs = [0, 1, 2, 3, 4].map((n) =>
      inTurn(async () => {
        begun.push(n)
        const how = await new Promise((resolve) => void (ends[n] = resolve))
        if (how === 'failed') throw new Error(`${n}`)
      }).catch(() => undefined),
    )
    for (let ended = 0; ended < runs.length; ended += 1) {
      expect(begun).toEqual([0, 1, 2, 3, 4].slice(0, ended + limit))
      ends[ended]?.(ended === 0 ? 'failed' : 'done')
      await runs[ended]
    }
  },
)
