/** What a test and the command line need of the pulling simulation; bundled, for the test runner would be slower at it. */
import type { Item, Plan } from './plan.ts'
import { planOf } from './plan-more.ts'
import { runPlan, type RunResult } from './run.ts'
import { plants, type Plant } from './plants.mjs'
import { Slots } from './slots.ts'

export { planOf, plants, runPlan, Slots, type Plan, type RunResult }

/** @returns the seed that catches a planted defect, and by which rule; null where none of so many does */
export async function caughtBy(
  slots: Slots,
  { name, seed: known }: Plant,
  seeds: number,
): Promise<string | null> {
  const others = Array.from({ length: seeds }, (_, at) => at + 1).filter((seed) => seed !== known)
  for (const seed of [known, ...others]) {
    const [violation] = (await runPlan(planOf(seed), { slots, plant: name, untilBroken: true })).violations
    if (violation !== undefined) return `seed ${seed}: ${violation.split('\n')[0]?.slice(0, 120)}`
  }
  return null
}

/** Leaves out of a failing plan whatever it fails without. */
async function shrunk(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let items: Item[] = plan.items
  for (let at = 0; at < items.length;) {
    const fewer = items.filter((_, place) => place !== at)
    if (await fails({ ...plan, items: fewer })) items = fewer
    else at += 1
  }
  return { ...plan, items }
}

export async function told(slots: Slots, plan: Plan): Promise<string> {
  const [first = ''] = (await runPlan(plan, { slots })).violations
  const rule = first.slice(0, first.indexOf(']'))
  const small = await shrunk(plan, async (each) =>
    (await runPlan(each, { slots })).violations.some((text) => text.startsWith(rule)),
  )
  const { violations } = await runPlan(small, { slots })
  const lines = [
    `seed ${plan.seed}: ${JSON.stringify(small.config)}`,
    ...small.items.map((item) => JSON.stringify(item)),
  ]
  return [...lines, ...violations.slice(0, 6)].join('\n  ')
}
