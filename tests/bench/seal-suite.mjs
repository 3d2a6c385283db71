/** What sealing costs (decision 0075): the same build on two devices with the same requests, one of them under a key, in turns. */
import { coldStart, saves, searches } from './app.mjs'
import { openDevice } from './device.mjs'
import { against } from './report.mjs'

/** More than any run saves. */
const ENTERED = 32

const ROWS = [
  ['first-rows', 'cold start offline → first rows', 1.15],
  ['operable', 'cold start offline → the list can be used', 1.25],
  ['save', 'save of an exit report', 1.3],
  ['search', 'search: rows and count', 1.05],
]

/** One round of all measures of one device. */
async function oneRound(context, device, times) {
  const [rows, operable] = await coldStart(
    context,
    `${device.origin}/request`,
    'app:first-rows',
    'app:operable',
  )
  times['first-rows'].push(rows)
  times['operable'].push(operable)
  times['save'].push(...(await saves(context, device, 1)).app)
  times['search'].push(...(await searches(context, device, 1, { withFloor: false })).app)
}

export async function sealSuite(context, folder, { large, rounds }) {
  const parts = { folder, requests: large, entered: ENTERED }
  const devices = [await openDevice(context, parts), await openDevice(context, { ...parts, isSealed: true })]
  const empty = () => Object.fromEntries(ROWS.map(([id]) => [id, []]))
  const [clear, sealed] = [empty(), empty()]
  await context.setOffline(true)
  try {
    for (let round = 0; round < rounds; round++) {
      await oneRound(context, devices[0], clear)
      await oneRound(context, devices[1], sealed)
    }
  } finally {
    await context.setOffline(false)
    for (const device of devices) device.close()
  }
  return ROWS.map(([id, what, target]) =>
    against({
      id: `seal-${id}`,
      what: `${what}, ${large} requests under a key (floor: the same in clear)`,
      floor: clear[id],
      app: sealed[id],
      target,
    }),
  )
}
