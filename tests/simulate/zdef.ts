import 'temporal-polyfill/global'
import { defects } from './defects.ts'
import { planOf } from './plan.ts'
import { runPlan } from './run.ts'
const want = new RegExp(process.argv[2] ?? '.')
for (const { name, defect } of defects.filter((d) => want.test(d.name))) {
  let caught = ''
  for (let seed = 1; seed <= 500 && caught === ''; seed += 1) {
    const [violation] = (await runPlan(planOf(seed), { defect })).violations
    if (violation) caught = `${String(seed).padStart(4)}  ${violation}`
  }
  console.log(name.padEnd(60), caught || 'NOT CAUGHT')
}
