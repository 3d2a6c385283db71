/** `npm run simulate -- --pull`: the pulling half, on real RxDB in virtual time (decisions/proof). */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { caughtBy, planOf, plants, runPlan, Slots, told, type Plan, type RunResult } from './engine.ts'

const MOST_TOLD = 3

/** Part of what is to be run, for one of two workers. */
interface Share {
  first: number
  step: number
  /** The last seed; of planted defects, so many for each. */
  seeds: number
  /** Planted defects instead, each until it is caught. */
  planted: boolean
  /** Only planted defects whose name has this in it; '' for all. */
  only: string
  /** The stores are sealed on every day. */
  sealed: boolean
}

interface Tally {
  failed: number[]
  sum: RunResult['stats']
  /** What each planted defect was caught by. */
  table: { name: string; by: string | null }[]
}

const HONEST = 'page.js'
const PLANTED = 'page-planted.js'
const slotsOf = (file: string) => new Slots(import.meta.dirname, file)

async function runSeeds({ first, seeds, step, sealed }: Share): Promise<Tally> {
  const slots = slotsOf(HONEST)
  const failed: number[] = []
  const sum: RunResult['stats'] = { calls: 0, answered: 0, docs: 0 }
  for (let seed = first; seed <= seeds; seed += step) {
    const { violations, stats } = await runPlan(planOf(seed, sealed), { slots })
    if (violations.length > 0) failed.push(seed)
    sum.calls += stats.calls
    sum.answered += stats.answered
    sum.docs += stats.docs
  }
  return { failed, sum, table: [] }
}

/** With none of them switched on, nothing is to be caught: else all would be, by how they are put in. */
async function plantedHonestly(): Promise<void> {
  const { violations } = await runPlan(planOf(1), { slots: slotsOf(PLANTED) })
  if (violations[0]) throw new Error(`the build with plants breaks a rule without any: ${violations[0]}`)
}

async function runPlants({ first, seeds, step, only }: Share): Promise<Tally> {
  await plantedHonestly()
  const failed: number[] = []
  const table: Tally['table'] = []
  const meant = plants.filter(({ name }) => name.includes(only))
  for (let at = first - 1; at < meant.length; at += step) {
    const plant = meant[at]
    if (!plant) break
    // of its own: a day that was cut short leaves collections open, and RxDB's count of them is the realm's (trap 10)
    // no honest day ends with an error: one that does tells
    const caught = await caughtBy(slotsOf(PLANTED), plant, seeds).catch(
      (error: unknown) => `the day ends: ${String(error).slice(0, 60)}`,
    )
    if (!caught) failed.push(at)
    table.push({ name: plant.name, by: caught })
  }
  return { failed, sum: { calls: 0, answered: 0, docs: 0 }, table }
}

const inWorker = (share: Share) =>
  new Promise<Tally>((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

function printPlants(table: Tally['table'], seeds: number, asJson: boolean): void {
  const inOrder = table.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (asJson) return inOrder.forEach((row) => console.log(JSON.stringify(row)))
  for (const { name, by } of inOrder) console.log(`${name.padEnd(58)} ${by ?? `not within ${seeds}`}`)
  const caught = table.filter(({ by }) => by !== null).length
  console.log(`${caught} of ${table.length} planted defects caught`)
}

type Many = Omit<Share, 'step'> & { asJson: boolean }

async function runMany({ seeds, first: from, planted, only, sealed, asJson }: Many): Promise<void> {
  const begin = performance.now()
  const step = Math.min(2, availableParallelism())
  const shares = Array.from({ length: step }, (_, i) => ({
    first: from + i,
    seeds: planted ? seeds : from + seeds - 1,
    step,
    planted,
    only,
    sealed,
  }))
  const tallies = await Promise.all(shares.map(inWorker))
  const seconds = (performance.now() - begin) / 1000
  const failed = tallies.flatMap((tally) => tally.failed).toSorted((a, b) => a - b)
  if (failed.length > 0) process.exitCode = 1
  const table = tallies.flatMap((tally) => tally.table)
  if (planted) return printPlants(table, seeds, asJson)
  const slots = slotsOf(HONEST)
  for (const seed of failed.slice(0, MOST_TOLD)) console.log(await told(slots, planOf(seed, sealed)), '\n')
  const total = (name: keyof RunResult['stats']) => tallies.reduce((sum, tally) => sum + tally.sum[name], 0)
  console.log(
    `${total('calls')} calls, ${total('answered')} questions answered, ${total('docs')} requests on devices`,
  )
  console.log(`${seeds} seeds in ${seconds.toFixed(1)} s (${Math.round((seeds / seconds) * 60)} a minute)`)
  console.log(failed.length > 0 ? `${failed.length} failed: ${failed.slice(0, 30).join(' ')}` : 'none failed')
}

async function runOne(plan: Plan, tracing: boolean): Promise<void> {
  const slots = slotsOf(HONEST)
  const { violations, trace } = await runPlan(plan, { slots, tracing })
  for (const line of trace) console.log(line)
  console.log(violations.length > 0 ? await told(slots, plan) : `seed ${plan.seed}: no rule broken`)
  if (violations.length > 0) process.exitCode = 1
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      sealed: { type: 'boolean', default: false },
      defects: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
    },
  })
  const { seed, seeds, from, trace, sealed, defects, only, json } = values
  if (seed !== undefined) return runOne(planOf(Number(seed), sealed), trace)
  return runMany({
    seeds: Number(seeds ?? (defects ? 60 : 500)),
    first: Number(from ?? 1),
    planted: defects,
    only,
    sealed,
    asJson: json,
  })
}

if (isMainThread) await main()
else {
  const share = workerData as Share
  parentPort?.postMessage(await (share.planted ? runPlants(share) : runSeeds(share)))
}
