/** The smallest part of a failing plan that still fails with the same rule, found by leaving out one item at a time. */
import type { Plan } from './plan-item.ts'
import { runPlan, type RunOptions } from './run.ts'

const ruleOf = (violation: string | undefined) => violation?.slice(0, violation.indexOf(']') + 1)

async function shrunk(plan: Plan, options: RunOptions = {}): Promise<Plan> {
  const { violations } = await runPlan(plan, options)
  const rule = ruleOf(violations[0])
  const stillFails = async (items: Plan['items']) =>
    (await runPlan({ ...plan, items }, options)).violations.some((violation) => ruleOf(violation) === rule)
  let { items } = plan
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.floor(size / 2))
    for (let from = 0; from < items.length;) {
      const fewer = [...items.slice(0, from), ...items.slice(from + size)]
      if (await stillFails(fewer)) items = fewer
      else from += size
    }
  return { ...plan, items }
}

/** A failing seed, told so that a person can follow it. */
export async function told(seed: number, plan: Plan, options: RunOptions = {}): Promise<string> {
  const small = await shrunk(plan, options)
  const { trace, violations } = await runPlan(small, { ...options, tracing: true })
  return [
    `seed ${seed}: ${violations.join('\n  ')}`,
    JSON.stringify(small.config),
    ...small.items.map((item) => `  ${JSON.stringify(item)}`),
    ...trace,
  ].join('\n')
}
