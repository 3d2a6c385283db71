import 'temporal-polyfill/global'
import { planOf } from './plan.ts'
import { told } from './shrink.ts'
for (const s of process.argv.slice(2)) console.log(await told(Number(s), planOf(Number(s))))
