/** Photos whose upload arrived, and nobody knows: the faults that make one, and what hurries its end. */
import { photoItem } from '#schemas/changes/photo-queue.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { until, type Device } from './device.ts'
import { photoOf, photoRow, take } from './photos.ts'
import type { Replication } from './replication.ts'
import { patchRow } from './stored-views.ts'

const PRESS_EVERY_MS = 200

export async function itemOf(device: Device, key: string) {
  const photo = await photoOf(device, key)
  const item = photo && photoItem(photo)
  if (item) return item
  throw new Error('no photo')
}
export const wish = async (device: Device, id: string, what: 'resend' | 'discard') =>
  patchRow(device.db, id, { wish: what })
export const stateOf = async (device: Device, id: string) => (await photoRow(device, id))?.state

export function doubtOf(app: Replication) {
  const fault = (id: string, path: string, status: number, count: number | 'always') =>
    app.crm.faults.add({ id, kind: 'status', status, path, count })
  const lost = (path: string) => app.crm.faults.add({ id: 'lost', kind: 'lostAnswer', path, count: 1 })
  /** The file store does not say what is in a folder. */
  const silent = () => fault('silent', 'files/index', 503, 'always')
  return {
    fault,
    lost,
    silent,
    /** 今すぐ送信 ends each back-off; pressed now and then, for who hammers has used up the calls of the minute (OC10). */
    hurrying(device: Device, done: () => Promise<boolean>) {
      let pressedAt = 0
      return until(async () => {
        if (performance.now() - pressedAt > PRESS_EVERY_MS) {
          pressedAt = performance.now()
          await askRefresh(device.db, (app.phone.now += 1))
        }
        return done()
      }, 25_000)
    },
    /** A photo whose upload arrived, and nobody knows. */
    async inDoubt(device: Device) {
      await silent()
      await lost('files/upload')
      const key = await take(device, 'a.jpg', 1)
      await until(async () => (await stateOf(device, key)) === 'unknown')
      return key
    },
  }
}
