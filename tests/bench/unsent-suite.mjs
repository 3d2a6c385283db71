/** Beside the same device with few unsent changes: a phone with 2,000 opens, and saves, in turns. */
import { coldList, saves } from './app.mjs'
import { openDevice } from './device.mjs'
import { against } from './report.mjs'

const REQUESTS = 2_600
const FEW = 10
const MANY = 2_000
/** More than any run saves. */
const ENTERED = 30

export async function unsentSuite(context, folder, { rounds }) {
  const device = (unsent) =>
    openDevice(context, {
      folder,
      requests: REQUESTS,
      entered: ENTERED,
      rest: { notes: 0, photos: 0, unsent },
    })
  const devices = [await device(FEW), await device(MANY)]
  const times = devices.map(() => ({ rows: [], operable: [], save: [] }))
  await context.setOffline(true)
  try {
    for (let round = 0; round < rounds; round++)
      for (const [at, device] of devices.entries()) {
        const { rows, operable } = await coldList(context, device)
        times[at].rows.push(rows)
        times[at].operable.push(operable)
        times[at].save.push(...(await saves(context, device, 1)).app)
      }
  } finally {
    await context.setOffline(false)
    for (const device of devices) device.close()
  }
  const [few, many] = times
  const row = (name, what, target) =>
    against({
      id: `unsent-${name}`,
      what: `${what}, ${MANY} unsent (floor: ${FEW})`,
      floor: few[name],
      app: many[name],
      target,
    })
  return [
    row('rows', 'cold start offline → first rows', 1.2),
    row('operable', 'the same → the list can be used', 1.2),
    row('save', 'save of an exit report', 1.2),
  ]
}
