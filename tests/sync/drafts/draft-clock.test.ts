/** What is typed while a phone's clock is behind is there when it is set right (EX3), on the real database. */
import { afterAll, expect, test, vi } from 'vitest'
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { until } from '../../support/device.ts'
import { NOW, todayScene } from '../../support/replication.ts'

const DAY = 24 * 3_600_000
const KEY = 'emergencyReport/add/r1'
const TYPED = { emergencyContentsDetails: '満水' }

// RxDB's own time never goes back: it must not have seen the machine's
vi.hoisted(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-16T10:00:00+09:00') }))
afterAll(() => void vi.useRealTimers())

const app = todayScene()

/** The phone's clock, RxDB's too. */
function setClock(now: number) {
  app.phone.now = now
  vi.useFakeTimers({ toFake: ['Date'], now })
}

test('[EX3] a clock four days behind, without signal, then set right: the draft of ten minutes ago stays', async () => {
  // an earlier run, by a clock that was right
  app.phone.storage.memory.set('time', JSON.stringify({ now: NOW, crmTime: NOW, since: NOW, lead: 0 }))
  setClock(NOW - 4 * DAY)
  const underground = await app.open({ online: false })
  await storeValues(underground.db, KEY, TYPED)
  await app.close(underground)
  setClock(NOW + 10 * 60_000)
  app.crmNow = app.phone.now
  const device = await app.open()
  await app.freeRequests(device)
  // it tidies up five seconds after a start: what was asked long ago goes then
  const long = '2026-11-01T00:00:00.000Z'
  const old = { kind: 'detail' as const, requestId: 'old', state: 'answered' as const, total: 0 }
  await device.db.interests.insert({ ...old, key: 'detail/old', askedAt: long, answeredAt: long })
  await until(async () => (await device.db.interests.findOne('detail/old').exec()) === null)
  expect((await draftOf(device.db, KEY))?.values).toBe(JSON.stringify(TYPED))
})
