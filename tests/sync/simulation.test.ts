import { expect, test } from 'vitest'
import { planOf } from '../simulate/plan.ts'
import { runPlan } from '../simulate/run.ts'

test('seeds', async () => {
  const bad: string[] = []
  const total = { saves: 0, calls: 0, accepted: 0, parked: 0, refusedThoughThere: 0 }
  const begin = performance.now()
  for (let seed = 1; seed <= 300; seed += 1) {
    const { violations, stats } = await runPlan(planOf(seed))
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += stats[key]
    if (violations.length > 0) bad.push(`${seed}: ${violations.slice(0, 2).join(' | ')}`)
  }
  console.log(total, performance.now() - begin, bad.length)
  expect(bad.slice(0, 40)).toEqual([])
}, 300000)
