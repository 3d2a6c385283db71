/** The photos that a record has, in its edit form: also where the form was opened by its address and nothing was asked before. */
import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { PhotoRecord } from '#schemas/photo.ts'
import { photosInterest } from '#data/photos.ts'
import { note, openEdit as openNote } from '../note-location-area/open-notes.tsx'
import { openEdit as openEmergency, reportIn } from '../emergency-report/open-emergency.tsx'
import { openEdit as openSafety } from '../safety-measure/open-safety.tsx'
import { confirmed, DAY } from '../../support/safety-records.ts'

const SAFETY_KEY = `1_${DAY}_4`

/** As the folder's index tells of it: a file, and nothing else. */
const inStore = (resource: string, recordKey: string): PhotoRecord => ({
  key: 'store-1',
  resource,
  recordKey,
  requestId: '1',
  workingDate: '',
  name: '20261120091204118_pit.jpg',
  placeInfo: '',
  createDate: '',
  size: 0,
  type: '',
  wanted: 'kept',
  fileSeq: 'f1',
  folderId: 'd1',
  storeName: '20261120091204118_pit.jpg',
  bytesAsked: 'no',
  changeId: '',
  stamp: '',
  savedAt: '',
  userId: 'u6',
  offline: false,
  unsent: 'no',
})

const forms = [
  ['現場メモ', 'noteLocationAreas', 'n1', (online = true) => openNote('n1', { notes: [note('n1')], online })],
  [
    '緊急報告',
    'emergencyReports',
    'e1',
    (online = true) => openEmergency('e1', { reports: [reportIn('e1')], online }),
  ],
  [
    '安全対策',
    'safetyMeasures',
    SAFETY_KEY,
    (online = true) => openSafety('s-4', { measures: [confirmed('4')], online }),
  ],
] as const

describe('[PL9] an edit form shows the photos that exist', () => {
  test.each(forms)(
    '%s: asks for them, shows them, and they can be deleted',
    async (_, resource, key, open) => {
      const { db, screen, user } = await open()
      await waitFor(async () =>
        expect((await db.interests.findOne(photosInterest(key)).exec())?.toMutableJSON()).toMatchObject({
          kind: 'photos',
          resource,
          recordKey: key,
          requestId: '1',
          state: 'asked',
        }),
      )
      await db.photos.insert(inStore(resource, key))
      const remove = await screen.findByRole('button', { name: /pit\.jpgを削除/ })
      // its thumbnail is made of its bytes, which lie in the file store only
      await waitFor(async () => expect((await db.photos.findOne().exec())?.bytesAsked).toBe('yes'))
      // its name says when it was taken
      expect(screen.getByText('撮影日時 11/20 09:12')).toBeDefined()
      await user.click(remove)
      await waitFor(() => expect(screen.queryByRole('button', { name: /pit\.jpgを削除/ })).toBeNull())
    },
  )

  test.each(forms)('%s: without a signal it says that there may be more', async (_, _resource, key, open) => {
    const { db, screen } = await open(false)
    expect(await screen.findByText(/登録済の写真は、電波の届く場所で/)).toBeDefined()
    expect(await db.interests.findOne(photosInterest(key)).exec()).toBeNull()
  })
})
