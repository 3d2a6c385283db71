/**
 * A start after ordinary use: a request was opened before, so that something was written since the start before. On sealed
 * devices, with few requests and with many, in turns: a start reads what it shows (decisions/speed).
 */
import { coldStart } from './app.mjs'
import { openDevice } from './device.mjs'
import { against } from './report.mjs'

const FEW = 260

/** Opens the first request of the list, as its user does. */
async function openRequest(context, { origin }) {
  const page = await context.newPage()
  await page.goto(`${origin}/request`)
  await page.getByRole('link', { name: /R26-/ }).first().click()
  await page.waitForURL(/\/request\/.+/)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.close()
}

export async function startSuite(context, folder, { large, rounds }) {
  const parts = { folder, entered: 1, isSealed: true }
  const devices = [
    await openDevice(context, { ...parts, requests: FEW }),
    await openDevice(context, { ...parts, requests: large }),
  ]
  const times = [[], []]
  await context.setOffline(true)
  try {
    for (let round = 0; round < rounds; round++)
      for (const [at, device] of devices.entries()) {
        await openRequest(context, device)
        const [first] = await coldStart(context, `${device.origin}/request`, 'app:first-rows')
        times[at].push(first)
      }
  } finally {
    await context.setOffline(false)
    for (const device of devices) device.close()
  }
  const what = `start after a request was opened → first rows, ${large} sealed requests (floor: with ${FEW})`
  return [against({ id: 'start', what, floor: times[0], app: times[1], target: 1.2 })]
}
