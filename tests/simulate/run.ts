/** One run: a plan, the world it happens in, a time of quiet after it, and what the witness has to say. */
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { pushResources } from '#sync/resources/resource-table.ts'
import { CallBudget } from './call-budget.ts'
import type { Defect } from './defect.ts'
import { Device } from './device.ts'
import { createModelCrm, type Crm } from './model-crm.ts'
import { ModelFileStore } from './model-file-store.ts'
import { Network } from './network.ts'
import { act } from './person.ts'
import { FullDisk } from './full-disk.ts'
import { FailingCrm } from './failing-crm.ts'
import { PhotoWitness } from './photo-witness.ts'
import type { Config, Item, Plan } from './plan-item.ts'
import { Scheduler } from './scheduler.ts'
import { Strikes } from './strikes.ts'
import { Witness } from './witness.ts'
import type { World } from './world.ts'

/** Friday 2026-11-20, 10:00 in Tokyo. */
const START = Date.parse('2026-11-20T10:00:00+09:00')
const TODAY = '2026-11-20'
/** A queue that still moves so long after the last fault will never rest. */
const REST_MS = 2 * 3_600_000

/** Records go in this time, whatever becomes of photos. */
const PATIENCE_MS = 30 * 60_000

export interface RunOptions {
  defect?: Defect
  tracing?: boolean
  makeCrm?: CrmMaker
  /** It ends at the first rule that is broken: whether a defect is caught is all that is asked. */
  untilBroken?: boolean
}

/** Makes the CRM of a run, and names who may sign in. */
export type CrmMaker = (options: {
  time: Scheduler
  today: string
  honourIdempotency: boolean
  tokenLifeMs: number
  etags: Config['etags']
  storings: Config['storings']
}) => Promise<{ crm: Crm; users: readonly string[] }>

const modelCrm: CrmMaker = async ({ time, ...options }) => ({
  crm: createModelCrm({ ...options, now: () => time.now }),
  users: ['u1', 'u2'],
})

export interface RunResult {
  violations: string[]
  trace: string[]
  stats: Witness['stats'] & PhotoWitness['stats']
}

const itemsOf = <K extends Item['kind']>(plan: Plan, kind: K) =>
  plan.items.filter((item): item is Extract<Item, { kind: K }> => item.kind === kind)

export async function runPlan(plan: Plan, options: RunOptions = {}): Promise<RunResult> {
  const { defect = {}, tracing = false } = options
  const honest = { ...pushResources }
  plant(defect)
  try {
    return await runIn(await worldOf(plan, options, defect, tracing))
  } finally {
    Object.assign(pushResources, honest)
  }
}

function plant({ resource, others }: Defect): void {
  if (resource) pushResources.quickReports = resource(pushResources.quickReports)
  for (const name of others ? pushCollections : [])
    if (name !== 'quickReports') Object.assign(pushResources, { [name]: others?.(pushResources[name]) })
}

async function worldOf(plan: Plan, options: RunOptions, defect: Defect, tracing: boolean): Promise<World> {
  const { config, seed } = plan
  const { honourIdempotency, tokenLifeMs, poison, hearsLateMs, etags } = config
  const time = new Scheduler(START)
  const { healthy = false } = config
  const elapsed = () => time.now - START
  const witness = new Witness({
    honourIdempotency,
    tracing,
    hearsLateMs,
    severalTabs: config.tabs > 1,
    healthy,
    dated: !config.undated,
    start: START,
    now: elapsed,
  })
  if (options.untilBroken) time.isOver = () => witness.violations.length > 0
  const makeCrm = options.makeCrm ?? modelCrm
  const { crm, users } = await makeCrm({
    time,
    today: TODAY,
    honourIdempotency,
    tokenLifeMs,
    etags,
    storings: config.storings,
  })
  const now = () => time.now
  const files = new ModelFileStore({ now, tokenLifeMs })
  const photoWitness = new PhotoWitness({ files, now, broken: (rule, text) => witness.broken(rule, text) })
  const faults = itemsOf(plan, 'fault')
  const outages = itemsOf(plan, 'outage')
  const budget = new CallBudget((rule, text) => witness.broken(rule, text))
  const failing = new FailingCrm(itemsOf(plan, 'failing'), START)
  const watching = { witness, fileWitness: photoWitness, failing }
  const network = new Network({
    time,
    crm,
    files,
    seed,
    faults,
    outages,
    budget,
    honourIdempotency,
    poison,
    poisonPhoto: config.poisonPhoto ?? false,
    ...watching,
  })
  network.filesDown = config.filesDown
  const strikesOf = (lane?: 'photos') =>
    new Strikes(itemsOf(plan, 'strike').filter((item) => item.lane === lane))
  const [strikes, photoStrikes] = [strikesOf(), strikesOf('photos')]
  const witnesses = { witness, photoWitness }
  const parts = { plan, config, time, crm, files, network, ...witnesses, strikes, photoStrikes }
  const full = new FullDisk(itemsOf(plan, 'full'), elapsed, (rule, text) => witness.broken(rule, text))
  return { ...parts, failing, budget, full, defect, users, ids: 0, photos: 0 }
}

async function runIn(world: World): Promise<RunResult> {
  const { plan, config, time, witness, photoWitness } = world
  const devices = Array.from({ length: config.devices }, (_, number) => new Device(world, number))
  for (const device of devices) {
    await device.signIn(world.users[0] ?? '')
    for (let tab = 0; tab < config.tabs; tab += 1) device.openTab()
  }
  const actions = itemsOf(plan, 'action')
  for (const action of actions) {
    const device = devices[action.device]
    if (device) time.after(action.at, () => act(world, device, action))
  }
  const last = Math.max(0, ...actions.map(({ at }) => at))
  await time.runUntil(START + last + 5_000)
  if (!time.isOver()) await quiet(world, devices)
  if (!time.isOver()) {
    witness.finish(disksOf(devices), await world.network.held())
    photoWitness.finish()
  }
  const stats = { ...witness.stats, ...photoWitness.stats }
  return { violations: witness.violations, trace: witness.trace, stats }
}

const disksOf = (devices: readonly Device[]) => devices.flatMap(({ disks }) => [...disks.values()])

/** No more faults; each user signs in once more, and everything comes to rest. */
async function quiet(world: World, devices: Device[]): Promise<void> {
  const { time, network, strikes, photoStrikes, witness, config } = world
  witness.note('quiet')
  network.faultsOn = false
  world.failing.on = false
  strikes.on = false
  world.full.on = false
  photoStrikes.on = false
  network.radioOff.clear()
  if (network.filesDown) await withoutFiles(world, devices)
  for (const user of [...world.users, ...world.users])
    for (const device of devices) {
      if (time.isOver() || !device.disks.has(device.userIdOf(user))) continue
      await device.signIn(user)
      let rests = await time.runUntil(time.now + REST_MS)
      if (!rests && (config.poison || config.poisonPhoto)) rests = await mended(world, device)
      if (!rests) return void witness.violations.push(`[OC4] ${device.name} of ${user} does not come to rest`)
    }
}

/** What the CRM answers 5xx alone may wait, and goes by itself once it takes it. @returns whether it comes to rest */
async function mended(
  { network, time, witness, photoWitness, config }: World,
  device: Device,
): Promise<boolean> {
  const { id } = device.session?.userInfo ?? { id: '' }
  if (!config.allLead) witness.ownFaultsCalled(device.name, device.disks.get(id))
  if (config.poisonPhoto) photoWitness.othersWent(device.disks.get(id))
  network.mended = true
  return time.runUntil(time.now + REST_MS)
}

/** The file store answers nobody: what records wait for is not that (RULES OR1). */
async function withoutFiles({ users, time, witness, network }: World, devices: Device[]): Promise<void> {
  network.mended = true
  for (const user of users)
    for (const device of devices) {
      if (time.isOver() || !device.disks.has(device.userIdOf(user))) continue
      await device.signIn(user)
      await time.runUntil(time.now + PATIENCE_MS)
      const disk = device.disks.get(device.userIdOf(user))
      if (disk) witness.atRest(disk)
    }
  network.filesDown = false
}
