/** `npm run simulate -- --pull`: the pulling half, on real RxDB in virtual time. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { planOf, runPlan, Slots, told, type RunResult } from './engine.ts'

const MOST_TOLD = 3

interface Share {
  first: number
  seeds: number
  step: number
}

async function runShare({ first, seeds, step }: Share) {
  const slots = new Slots(import.meta.dirname, 'page.js')
  const failed: number[] = []
  const sum: RunResult['stats'] = { calls: 0, answered: 0, docs: 0 }
  for (let seed = first; seed <= seeds; seed += step) {
    const { violations, stats } = await runPlan(planOf(seed), { slots })
    if (violations.length > 0) failed.push(seed)
    sum.calls += stats.calls
    sum.answered += stats.answered
    sum.docs += stats.docs
  }
  return { failed, sum }
}

async function runMany(seeds: number): Promise<void> {
  const begin = performance.now()
  const workers = Math.min(2, availableParallelism())
  const shares = Array.from({ length: workers }, (_, i) => ({ first: i + 1, seeds, step: workers }))
  const tallies = await Promise.all(
    shares.map(
      (share) =>
        new Promise<Awaited<ReturnType<typeof runShare>>>((resolve, reject) => {
          const worker = new Worker(new URL(import.meta.url), { workerData: share })
          worker.once('message', resolve)
          worker.once('error', reject)
        }),
    ),
  )
  const seconds = (performance.now() - begin) / 1000
  const failed = tallies.flatMap((tally) => tally.failed).toSorted((a, b) => a - b)
  const slots = new Slots(import.meta.dirname, 'page.js')
  for (const seed of failed.slice(0, MOST_TOLD)) console.log(await told(slots, seed), '\n')
  const total = (name: keyof RunResult['stats']) => tallies.reduce((sum, tally) => sum + tally.sum[name], 0)
  console.log(`${total('calls')} calls, ${total('answered')} questions answered, ${total('docs')} requests on devices`)
  console.log(`${seeds} seeds in ${seconds.toFixed(1)} s (${Math.round((seeds / seconds) * 60)} a minute)`)
  console.log(failed.length > 0 ? `${failed.length} failed: ${failed.slice(0, 30).join(' ')}` : 'none failed')
  if (failed.length > 0) process.exitCode = 1
}

async function runOne(seed: number, tracing: boolean): Promise<void> {
  const slots = new Slots(import.meta.dirname, 'page.js')
  const { violations, trace, stats } = await runPlan(planOf(seed), { slots, tracing })
  for (const line of trace) console.log(line)
  for (const line of violations) console.log(line)
  console.log(JSON.stringify(stats))
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      pull: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      told: { type: 'string' },
    },
  })
  if (values.told) console.log(await told(new Slots(import.meta.dirname, 'page.js'), Number(values.told)))
  else if (values.seed !== undefined) await runOne(Number(values.seed), values.trace)
  else if (values.pull) await runMany(Number(values.seeds ?? 500))
}

if (isMainThread) await main()
else if (workerData) parentPort?.postMessage(await runShare(workerData as Share))
