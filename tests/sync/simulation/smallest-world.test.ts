/**
 * Every reachable state of the smallest world: one record, two phones, a crash before every write, lost answers
 * (decisions/proof).
 * `npm run simulate -- --smallest` prints it. All of it with SLOW=1.
 */
import { describe, expect, test } from 'vitest'
import { SMALL, WORLDS } from '../../simulate/smallest/command.ts'
import { smallestDefects } from '../../simulate/smallest/defects.ts'
import { explore } from '../../simulate/smallest/explore.ts'

const isSlow = process.env['SLOW'] === '1'
const LIMIT_MS = isSlow ? 3_600_000 : 120_000

describe('[SV2][SV3][OC3][OC6][PL3][MG2][ST1] the smallest world', () => {
  test.each(isSlow ? WORLDS : [SMALL])(
    'no state breaks a law, nor does it once all is calm: $calls calls, $reads lists',
    async (world) => {
      const { states, broken } = await explore(world)
      expect(broken).toBeNull()
      expect(states).toBeGreaterThan(800)
    },
    LIMIT_MS,
  )

  test.each(smallestDefects)(
    'finds: $name',
    async ({ planted }) => expect((await explore(SMALL, planted)).broken).not.toBeNull(),
    LIMIT_MS,
  )
})
