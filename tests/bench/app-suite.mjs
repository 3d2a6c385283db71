/** All measures of the app on two devices, one with few requests and one with many. */
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { coldStarts, heap, longestFrame, opens, saves, searches } from './app.mjs'
import { deepLinks, LINKS } from './deep-links.mjs'
import { openDevice } from './device.mjs'
import { firstUses } from './first-use.mjs'
import { idleTaps, journey } from './journey.mjs'
import { against, limited, median, percentile, under, within } from './report.mjs'
import { orSaid } from './or-said.mjs'
import { layoutShifts } from './shifts.mjs'

const root = resolve(import.meta.dirname, '../..')
/** More than any run saves, and fewer than a day has. */
const ENTERED = 32
const MB = 1_000_000

/** @returns `measure(ids)`: the rows of these ids, or of all */
export async function appSuite(context, folder, { small, large, rounds }) {
  const parts = { folder, entered: ENTERED }
  const devices = {
    small: await openDevice(context, { ...parts, requests: small }),
    large: await openDevice(context, { ...parts, requests: large }),
  }
  const rest = { context, devices, small, large, rounds }
  return {
    async measure(ids) {
      const unknown = ids?.find((id) => !MEASURES.some(([covers]) => covers.includes(id)))
      if (unknown)
        throw new Error(`no row "${unknown}": ${MEASURES.flatMap(([covers]) => covers).join(', ')}`)
      await context.setOffline(true)
      const rows = []
      for (const [covers, measure] of MEASURES)
        if (!ids || covers.some((id) => ids.includes(id)))
          rows.push(...(await orSaid(covers.join(', '), () => alone(context, () => measure(rest)))))
      await context.setOffline(false)
      return rows
    },
    close() {
      devices.small.close()
      devices.large.close()
    },
  }
}

/** Closes what a measure that failed left open: a page that is slowed takes CPU even when it is idle. */
async function alone(context, measure) {
  const before = new Set(context.pages())
  try {
    return await measure()
  } finally {
    for (const page of context.pages()) if (!before.has(page)) await page.close()
  }
}

const MEASURES = [
  [['cold-start', 'cold-start-many', 'operable', 'operable-many'], cold],
  [['deep-links'], links],
  [['search'], search],
  [['save'], save],
  [['open-request'], open],
  [['first-use'], firstUse],
  [['inp'], interactions],
  [['shifts'], shifts],
  [['scroll'], scroll],
  [['heap'], heaps],
  [['js', 'css'], bytes],
]

async function cold({ context, devices, small, large, rounds }) {
  const times = await coldStarts(context, devices, rounds)
  return [
    against({
      id: 'cold-start',
      what: `cold start offline → first rows, ${small} requests (floor: 20 static cards)`,
      floor: times.floor,
      app: times.small,
      target: 3.6,
    }),
    against({
      id: 'cold-start-many',
      what: `the same with ${large} (floor: with ${small})`,
      floor: times.small,
      app: times.large,
      target: 1.2,
    }),
    against({
      id: 'operable',
      what: `cold start offline → the list can be used, ${small} requests (floor: 20 static cards)`,
      floor: times.floor,
      app: times.operable,
      target: 3.6,
    }),
    against({
      id: 'operable-many',
      what: `the same with ${large} (floor: with ${small})`,
      floor: times.operable,
      app: times.operableMany,
      target: 1.2,
    }),
  ]
}

async function links({ context, devices, rounds }) {
  const times = await deepLinks(context, devices.small, rounds)
  return Object.entries(LINKS).flatMap(([name, [title]]) => [
    against({
      id: `link-${name}`,
      what: `cold start offline at the address of ${title} → it can be used (floor: 20 static cards)`,
      floor: times.floor,
      app: times[name],
      target: 3,
    }),
    against({
      id: `link-${name}-paint`,
      what: `the same → first paint, the skeleton at the latest (floor: first paint of the static page)`,
      floor: times.paint.floor,
      app: times.paint[name],
      target: 1.5,
    }),
  ])
}

async function search({ context, devices, large, rounds }) {
  const times = await searches(context, devices.large, rounds)
  const what = `search over ${large}: rows and count (floor: raw IndexedDB filter and count)`
  return [against({ id: 'search', what, ...times, target: 0.05 })]
}

async function save({ context, devices, rounds }) {
  const times = await saves(context, devices.small, rounds)
  const what = 'save of an exit report'
  return [
    against({ id: 'save', what: `${what} (floor: read, check and put, strict)`, ...times, target: 3 }),
    limited({ id: 'save-ms', what: `${what}, CPU 4× slowed`, values: times.app, limit: 25 }),
  ]
}

async function open({ context, devices, rounds }) {
  const times = await opens(context, devices.small, rounds)
  const what = 'tap → request view painted (floor: the same from memory)'
  return [against({ id: 'open-request', what, ...times, target: 1.3 })]
}

/** Milliseconds from tap to paint at the first use in a session, at full speed and on a slow phone. */
const FIRST_USE = { 1: 100, 4: 200 }
const FIRST_USE_ROUNDS = 5

/** On the large device, as `interactions`. */
async function firstUse({ context, devices, rounds }) {
  const names = { entry: '入館登録', exit: '退館報告', save: '保存' }
  const rows = []
  for (const [rate, limit] of Object.entries(FIRST_USE)) {
    const times = await firstUses(context, devices.large, Math.min(rounds, FIRST_USE_ROUNDS), Number(rate))
    for (const [what, name] of Object.entries(names))
      rows.push(
        under({
          id: `first-use-${what}-${rate}`,
          what: `tap → next paint, first ${name} of a session, CPU ${rate}× (floor: the second)`,
          ...times[what],
          limit,
        }),
      )
  }
  return rows
}

const INP_ROUNDS = 3

/** On the large device: of the small one's requests of today hardly any has no entry. */
async function interactions({ context, devices, rounds }) {
  const all = { app: [], floor: [] }
  for (let round = 0; round < Math.min(rounds, INP_ROUNDS); round++) {
    const { durations, slowest } = await journey(context, devices.large)
    all.app.push(...durations)
    all.floor.push(...(await idleTaps(context, devices.large)))
    for (const [ms, what] of slowest) console.log(`journey ${round + 1}: ${ms} ms ${what}`)
  }
  const value = percentile(all.app, 0.98)
  return [
    {
      ...within({
        id: 'inp',
        what: `INP over the day's journey, p98 of ${all.app.length} interactions, CPU 4× slowed (floor: a page that does nothing); of them the median ${median(all.app)} ms`,
        value,
        limit: 100,
        unit: 'ms',
      }),
      floor: percentile(all.floor, 0.98),
      p95: percentile(all.app, 0.95),
    },
  ]
}

async function shifts({ context, devices }) {
  const { floor, found } = await layoutShifts(context, devices.small)
  for (const [address, sum] of found) if (sum > 0) console.log(`layout shift ${sum.toFixed(4)} ${address}`)
  const what = `layout shift, the worst of ${found.length} screens opened cold by their address (${found[0][0]})`
  return [{ ...within({ id: 'shifts', what, value: found[0][1], limit: 0.02, unit: '' }), floor }]
}

async function scroll({ context, devices, large }) {
  const frames = await longestFrame(context, devices.large)
  const what = `longest frame while scrolling ${large} rows, full speed`
  return [within({ id: 'scroll', what, value: Math.max(...frames), limit: 50, unit: 'ms' })]
}

async function heaps({ context, devices, small, large }) {
  const [few, many] = [await heap(context, devices.small), await heap(context, devices.large)]
  const what = `JS heap with ${large} over that with ${small}`
  return [within({ id: 'heap', what, value: (many - few) / MB, limit: 25, unit: 'MB' })]
}

function bytes() {
  const printed = execFileSync('node', [join(root, 'tests/size.mjs'), '--json'], { encoding: 'utf8' })
  const sizes = JSON.parse(printed.trim().split('\n').at(-1))
  return ['js', 'css'].map((kind) => {
    const { value, limit } = sizes[kind]
    return within({ id: kind, what: `${kind} of the first screen, gzip`, value, limit, unit: 'kB' })
  })
}
