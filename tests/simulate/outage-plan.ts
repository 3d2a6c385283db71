/** Days on which the CRM is not there for a while, from chances of their own: what else happens in a seed stays as it is. */
import { FAILINGS, type FailingName } from './faults.ts'
import {
  RECORD_ACTIONS,
  type ActionName,
  type Config,
  type Item,
  type Plan,
  type RecordActionName,
} from './plan-item.ts'
import { int, oneOf, randomOf, type Random } from './random.ts'

const SEED = 11_000_000
type Work = ActionName | RecordActionName

const WORK: readonly [Work, ...Work[]] = [
  'entry',
  'entry',
  'entries',
  'exit',
  'exit',
  'edit',
  ...RECORD_ACTIONS,
  'note',
  'emergency',
  'bulkExit',
  'radioOff',
  'radioOn',
  'closeTab',
  'crashDevice',
]
/** A refusal in JSON is believed at first: what these do to healthy work is seen elsewhere. */
const HEALTHY: readonly [FailingName, ...FailingName[]] = [
  '400page',
  '403page',
  '404page',
  '409page',
  '422page',
  '500page',
  '502page',
  '503page',
  '504page',
  'tardy',
  '502after',
  '500',
  'write500',
  'slow',
  'slow',
]

const action = (random: Random, { devices, tabs }: Config, act: Work, at: number): Item => ({
  kind: 'action',
  at,
  device: int(random, 0, devices - 1),
  tab: int(random, 0, tabs - 1),
  act,
  chance: random(),
})

const outage = (random: Random, what: FailingName, span: number): Item => ({
  kind: 'failing',
  at: int(random, 0, span),
  ms: oneOf(random, [5_000, 20_000, 60_000, 600_000]),
  what,
})

/** In some days notes and emergency reports are written, and in some the CRM is away for a while. */
export function outageItems(seed: number, config: Config, span: number): Item[] {
  const random = randomOf(seed + SEED)
  const notes = random() < 0.3 ? int(random, 1, 4) : 0
  const outages = random() < 0.2 ? int(random, 1, 2) : 0
  return [
    ...Array.from({ length: notes }, () =>
      action(random, config, oneOf(random, ['note', 'note', 'emergency']), int(random, 0, span)),
    ),
    ...Array.from({ length: outages }, () => outage(random, oneOf(random, FAILINGS), span)),
  ]
}

/** A day on which nothing is wrong but the CRM; null for most seeds. */
export function outageDay(seed: number): Plan | null {
  const random = randomOf(seed + 2 * SEED)
  if (random() >= 0.12) return null
  const config: Config = {
    devices: 1,
    tabs: random() < 0.5 ? 2 : 1,
    users: 1,
    allLead: false,
    honourIdempotency: false,
    tokenLifeMs: oneOf(random, [120_000, 1_800_000]),
    poison: false,
    checkpointLies: random() < 0.5,
    hearsLateMs: 0,
    filesDown: false,
    etags: 'none',
    healthy: true,
  }
  const span = oneOf(random, [30_000, 240_000])
  const items = Array.from({ length: int(random, 5, 14) }, () =>
    action(random, config, oneOf(random, WORK), int(random, 0, span)),
  )
  const outages = Array.from({ length: int(random, 1, 2) }, () =>
    outage(random, oneOf(random, HEALTHY), span),
  )
  return { seed, config, items: [...items, ...outages] }
}
