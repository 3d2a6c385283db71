/**
 * `npm run simulate -- --seeds 10000`     that many seeds, on two workers; `--from 5001` begins there
 * `npm run simulate -- --seed 7 --trace`  one seed, with everything that happened
 * `npm run simulate -- --smallest`        every state of the smallest world, and what each defect breaks in it
 * `npm run simulate -- --defects`         how many seeds each deliberate defect survives; `--only probe` those so named,
 *                                         `--json` for `npm run plants`
 * `npm run simulate -- --fleet 10000`     when so many devices call, as a table (docs/fleet.md)
 */
import 'temporal-polyfill/global'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { defects } from './defects.ts'
import { fleetTable, runFleetShare, type FleetShare } from './fleet/command.ts'
import { planOf } from './plan.ts'
import { runPlan, type RunResult } from './run.ts'
import { told } from './shrink.ts'
import { smallestDefectsAsJson, smallestTable, WORLDS } from './smallest/command.ts'

interface Share {
  first: number
  last: number
  step: number
}

interface Tally {
  failed: number[]
  stats: RunResult['stats']
}

const MOST_TOLD = 3
const NOTHING: RunResult['stats'] = {
  saves: 0,
  calls: 0,
  accepted: 0,
  parked: 0,
  refusedThoughThere: 0,
  photos: 0,
  photosThere: 0,
  photosParked: 0,
}

const STATS = Object.keys(NOTHING) as (keyof RunResult['stats'])[]

const added = (a: RunResult['stats'], b: RunResult['stats']): RunResult['stats'] =>
  STATS.reduce((sum, name) => ({ ...sum, [name]: a[name] + b[name] }), NOTHING)

async function runShare({ first, last, step }: Share): Promise<Tally> {
  const tally: Tally = { failed: [], stats: NOTHING }
  for (let seed = first; seed <= last; seed += step) {
    const { violations, stats } = await runPlan(planOf(seed))
    if (violations.length > 0) tally.failed.push(seed)
    tally.stats = added(tally.stats, stats)
  }
  return tally
}

const inWorker = <T>(share: Share | FleetShare) =>
  new Promise<T>((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

async function runMany(seeds: number, from: number): Promise<void> {
  const begin = performance.now()
  const workers = Math.min(2, availableParallelism())
  const shares = Array.from({ length: workers }, (_, i) => ({
    first: from + i,
    last: from + seeds - 1,
    step: workers,
  }))
  const tallies = await Promise.all(shares.map((share) => inWorker<Tally>(share)))
  const failed = tallies.flatMap((tally) => tally.failed).toSorted((a, b) => a - b)
  for (const seed of failed.slice(0, MOST_TOLD)) console.log(await told(seed, planOf(seed)), '\n')
  const seconds = (performance.now() - begin) / 1000
  const { saves, calls, accepted, parked, refusedThoughThere, ...rest } = tallies
    .map(({ stats }) => stats)
    .reduce(added)
  console.log(
    `${saves} saves, ${calls} writing calls, ${accepted} accepted, ${parked} left visible (of these ${refusedThoughThere} are in the CRM)`,
  )
  const { photos, photosThere, photosParked } = rest
  console.log(`${photos} photos, ${photosThere} in the file store, ${photosParked} left visible`)
  console.log(`${seeds} seeds in ${seconds.toFixed(1)} s (${Math.round((seeds / seconds) * 60)} a minute)`)
  console.log(failed.length > 0 ? `${failed.length} failed: ${failed.slice(0, 30).join(' ')}` : 'none failed')
  if (failed.length > 0) process.exitCode = 1
}

function fails(text: string): void {
  console.log(text)
  process.exitCode = 1
}

async function runOne(seed: number, tracing: boolean): Promise<void> {
  const { violations, trace } = await runPlan(planOf(seed), { tracing })
  if (violations.length > 0) return fails(await told(seed, planOf(seed)))
  for (const line of trace) console.log(line)
  console.log(`seed ${seed}: no rule broken`)
}

async function runDefects(seeds: number, only: string, asJson: boolean): Promise<void> {
  for (const { name, defect } of defects.filter((each) => each.name.includes(only))) {
    let caught: string | null = null
    for (let seed = 1; seed <= seeds && caught === null; seed += 1) {
      const [violation] = (await runPlan(planOf(seed), { defect, untilBroken: true })).violations
      if (violation) caught = `seed ${seed}: ${violation}`
    }
    if (asJson) console.log(JSON.stringify({ name, by: caught }))
    else console.log(`${name.padEnd(48)} ${caught ?? `not within ${seeds}`}`)
    if (caught === null) process.exitCode = 1
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      defects: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      fleet: { type: 'string' },
      smallest: { type: 'boolean', default: false },
      calls: { type: 'string' },
      reads: { type: 'string', default: '0' },
    },
  })
  if (values.fleet !== undefined) {
    if (!(await fleetTable(Number(values.fleet), inWorker))) process.exitCode = 1
    return
  }
  if (values.smallest && values.defects) return console.log(await smallestDefectsAsJson())
  if (values.smallest) {
    const one = { calls: Number(values.calls), reads: Number(values.reads) }
    if (!(await smallestTable(values.calls === undefined ? WORLDS : [one]))) process.exitCode = 1
    return
  }
  if (values.defects) return runDefects(Number(values.seeds ?? 500), values.only ?? '', values.json)
  if (values.seed !== undefined) return runOne(Number(values.seed), values.trace)
  return runMany(Number(values.seeds ?? 1000), Number(values.from ?? 1))
}

if (isMainThread) await main()
else {
  const share = workerData as Share | FleetShare
  parentPort?.postMessage('fleet' in share ? runFleetShare(share) : await runShare(share))
}
