/** 破棄 on a device that has no room for what the way back would need. */
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { withUnsent } from '#schemas/changes/photo-queue.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { requestRecord } from '../../support/device-records.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { uncaughtIn } from '../../support/uncaught.ts'
import { rowsIn } from '../../support/stored-views.ts'

const DAY = '2026-11-20'

const photo = withUnsent({
  key: 'a',
  resource: 'quickReports',
  recordKey: visitKey('1', DAY),
  requestId: '1',
  workingDate: DAY,
  name: 'a.jpg',
  placeInfo: '',
  createDate: `${DAY}T09:00:00+09:00`,
  size: 68,
  type: 'image/jpeg',
  wanted: 'kept',
  fileSeq: '',
  folderId: '',
  storeName: '',
  bytesAsked: 'no',
  ...blankProgress(`${DAY}T09:00:00+09:00`),
  stamp: '0900-0000-a',
  savedAt: `${DAY}T09:00:00+09:00`,
  userId: 'u6',
  offline: true,
  unsent: 'yes',
})

test('[SV1] 破棄 of photos that finds no room for a copy is left to the one place that says it', async () => {
  const db = await openTestDatabase()
  await db.requests.insert(requestRecord('1'))
  await db.photos.insert(photo)
  const { screen, user, bytes } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
  await bytes?.put('a', new ArrayBuffer(68))
  const full = new DOMException('no room', 'QuotaExceededError')
  const uncaught = await uncaughtIn(async () => {
    const put = vi.spyOn(Object(bytes), 'put').mockRejectedValue(full)
    await user.click(await screen.findByRole('button', { name: '破棄' }))
    await waitFor(() => expect(put).toHaveBeenCalled())
  })
  expect(uncaught).toEqual([full])
  expect(await rowsIn(db, { wish: 'discard' })).toEqual([])
})
