import 'temporal-polyfill/global'
import { planOf } from './plan.ts'
import { runPlan } from './run.ts'
const n = Number(process.argv[2] ?? 150)
const t=performance.now()
for (let s=1;s<=n;s+=1) { const a=performance.now(); const r=await runPlan(planOf(s)); const b=performance.now()-a; if(b>300) console.log(s,b|0, r.stats.calls); if(r.violations.length) console.log(s, r.violations[0]) }
console.log('total',performance.now()-t)
