/** 破棄 and 削除 in 送信状況, pressed twice: done once, offered back once, and what came back is whole. */
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { withUnsent } from '#schemas/changes/photo-queue.ts'
import { addDraftPhoto, draftOf, storeValues } from '#data/drafts/drafts.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { jpegFile } from '../../support/image-files.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { requestOn } from '../../support/visit-records.ts'
import { rowIn } from '../../support/stored-views.ts'

const DAY = '2026-11-20'
const KEY = 'noteLocationArea/add/1'
const taken = { placeInfo: '', size: 68, type: 'image/jpeg' as const }

async function open() {
  const db = await openTestDatabase()
  await db.requests.insert(requestOn('1', DAY))
  const opened = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
  const { bytes } = opened
  if (!bytes) throw new Error('no bytes')
  const offers = () => opened.services.flash.get().filter(({ act }) => act !== undefined)
  return { ...opened, db, bytes, offers }
}

test('[hands 3] 削除 of what is half typed: what came back keeps its photo', async () => {
  const { screen, user, db, bytes, services, offers } = await open()
  await storeValues(db, KEY, { note: '途中' })
  const photo = { key: 'p1', name: 'p1.jpg', takenAt: `${DAY}T09:00:00+09:00`, ...taken }
  await addDraftPhoto({ db, bytes }, KEY, photo, { bytes: jpegFile({ bytes: 68 }).buffer, thumb: undefined })
  await user.dblClick(await screen.findByRole('button', { name: '入力途中の「現場メモ登録」を削除' }))
  await waitFor(async () => expect(await draftOf(db, KEY)).toBeNull())
  await waitFor(() => expect(offers().length).toBeGreaterThan(0))
  offers()[0]?.act?.run()
  await waitFor(async () => expect((await draftOf(db, KEY))?.photos).toHaveLength(1))
  services.flash.clear()
  await screen.findByRole('region', { name: '入力途中' })
  expect((await draftOf(db, KEY))?.photos).toHaveLength(1)
  expect(await bytes.get('p1')).toBeDefined()
})

test('[SV2] 破棄 of photos: one way back, so that none comes back twice', async () => {
  const { screen, user, db, bytes, offers } = await open()
  await bytes.put('p1', jpegFile({ bytes: 68 }).buffer)
  const saved = { stamp: '0900-0000-p1', savedAt: `${DAY}T09:00:00+09:00`, userId: 'u6' }
  const there = { fileSeq: '', folderId: '', storeName: '', bytesAsked: 'no', wanted: 'kept' } as const
  const of = { resource: 'noteLocationAreas', recordKey: 'n1', requestId: '1', workingDate: '' }
  const named = { key: 'p1', name: 'p1.jpg', createDate: `${DAY}T09:00:00+09:00` }
  await db.photos.insert(
    withUnsent({
      ...{ ...named, ...of, ...taken, ...saved, ...there, ...blankProgress(saved.savedAt) },
      ...{ offline: true, unsent: 'yes' },
    }),
  )
  const card = await screen.findByRole('article')
  await user.dblClick(within(card).getByRole('button', { name: '破棄' }))
  await waitFor(async () => expect((await rowIn(db, 'p1'))?.wish).toBe('discard'))
  await waitFor(() => expect(offers().length).toBeGreaterThan(0))
  // the copy for the way back, and the photo itself
  await waitFor(async () => expect(await bytes.keys(Infinity)).toHaveLength(2))
  expect(offers()).toHaveLength(1)
})
