/** The photos that a record has, in its edit form and its view: also where the form was opened by its address and nothing was asked before. */
import { act, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { blankFacts, blankProgress } from '#schemas/changes/change-queue.ts'
import { PHOTOS, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { requestPhotos, photosRequestKey } from '#data/photos/photos.ts'
import { note, openEdit as openNote, openList as openNotes } from '../note-location-area/open-notes.tsx'
import {
  openEdit as openEmergency,
  openList as openReports,
  reportIn,
} from '../emergency-report/open-emergency.tsx'
import { openEdit as openSafety, openMeasure } from '../safety-measure/open-safety.tsx'
import { openTestDatabase } from '../../support/render-feature.tsx'
import { confirmed, DAY, saved } from '../../support/safety-records.ts'
import { storeFacts } from '../../support/stored-views.ts'

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
  ...blankProgress(''),
  stamp: '',
  savedAt: '',
  userId: 'u6',
  offline: false,
  unsent: 'no',
})

const refusedUpload = (key: string, reasons: string[]) => ({
  ...blankFacts({
    record: { resource: PHOTOS, key, requestId: '1', workingDate: '' },
    change: { id: key, stamp: key, savedAt: '', kind: 'upload' },
  }),
  state: 'refused' as const,
  status: 200,
  reasons,
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
        expect(
          (await db.interests.findOne(photosRequestKey(resource, key)).exec())?.toMutableJSON(),
        ).toMatchObject({
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

  test.each(forms)(
    '%s: when and where one was taken, as far as its name says so',
    async (_, resource, key, open) => {
      const { db, screen } = await open()
      const texts = () =>
        screen
          .queryAllByRole('listitem')
          .map(({ textContent }) => textContent ?? '')
          .filter((text) => text.includes('撮影日時'))
      const label = '35.649100_139.808300_20261120091204118.jpg'
      await db.photos.insert(inStore(resource, key))
      await db.photos.insert({ ...inStore(resource, key), key: 'store-2', fileSeq: 'f2', name: label })
      await db.photos.insert({ ...inStore(resource, key), key: 'store-3', fileSeq: 'f3', name: 'pit.jpg' })
      await waitFor(() => expect(texts()).toHaveLength(3))
      const by = (name: string) => texts().find((text) => text.includes(name))
      expect(by('118_pit.jpg')).toContain('撮影日時 11/20 09:12（ファイル名）位置情報 なし')
      expect(by(label)).toContain(
        '撮影日時 11/20 09:12（ファイル名）位置情報 35.6491, 139.8083（ファイル名）',
      )
      expect(by('不明')).toContain('撮影日時 不明位置情報 なし')
    },
  )

  test.each(forms)(
    '%s: one that was refused says why and what to do, as 送信状況 does',
    async (_, resource, key, open) => {
      const { db, screen } = await open()
      const unsent = { ...inStore(resource, key), key: 'p1', fileSeq: '', storeName: '' }
      await db.photos.insert(withUnsent(unsent))
      await storeFacts(db, refusedUpload('p1', ['disk quota exceeded']))
      expect(await screen.findByText(/CRMが受け付けませんでした（コード 200）。/)).toBeTruthy()
      expect(screen.getByText(/内容を確認して直すか、担当者にお問い合わせください。/)).toBeTruthy()
      expect(screen.queryByText(/disk quota/)).toBeNull()
    },
  )

  test.each(forms)('%s: without a signal it says that there may be more', async (_, resource, key, open) => {
    const { db, screen } = await open(false)
    expect(await screen.findByText(/登録済の写真は、電波の届く場所で/)).toBeDefined()
    expect(await db.interests.findOne(photosRequestKey(resource, key)).exec()).toBeNull()
  })
})

describe.each(forms)('[PL4] %s: photos that the file store could not give', (_, resource, key, open) => {
  test('are asked for again without leaving the form', async () => {
    const { db, screen, user } = await open()
    const asked = () => db.interests.findOne(photosRequestKey(resource, key)).exec()
    await waitFor(async () => expect((await asked())?.state).toBe('asked'))
    await act(async () => void (await (await asked())?.incrementalPatch({ state: 'failed' })))
    await user.click(await screen.findByRole('button', { name: '再読み込み' }))
    expect(await screen.findByText('登録済の写真を読み込み中')).toBeDefined()
    expect((await asked())?.state).toBe('asked')
  })
})

/** What stands in the place of the photos; an empty text: nothing, for a line that comes and goes moves a list. */
const views = [
  [
    '現場メモ一覧',
    'noteLocationAreas',
    'n1',
    (online: boolean) => openNotes({ notes: [note('n1')], online }),
    '',
    '',
  ],
  [
    '緊急報告一覧',
    'emergencyReports',
    'e1',
    (online: boolean) => openReports({ reports: [reportIn('e1')], online }),
    '',
    '',
  ],
  [
    '安全対策詳細',
    'safetyMeasures',
    SAFETY_KEY,
    (online: boolean) => openMeasure('s-4', { measures: [confirmed('4')], online }),
    '登録済の写真を読み込み中',
    '写真はありません',
  ],
] as const

describe.each(views)(
  '[PL4] %s: no photo is not there before they were read',
  (_, resource, key, open, reading, none) => {
    const WORDS = /登録済の写真[^。]*?(?:中|ます|した)|写真はありません/
    async function opened(online: boolean) {
      const { db: opening, screen, user } = await open(online)
      if (!opening) throw new Error('open')
      await screen.findAllByText(/メモ n1|2号機も過負荷|大西 修/)
      const answer = (state: 'answered' | 'failed') =>
        act(async () => {
          const asked = await waitFor(async () =>
            opening.interests.findOne(photosRequestKey(resource, key)).exec(true),
          )
          await asked.incrementalPatch({ state })
        })
      const expectText = (text: string) =>
        waitFor(() => expect(WORDS.exec(document.body.textContent ?? '')?.[0] ?? '').toBe(text))
      return { answer, expectText, user, screen }
    }

    test('asked, then read: there is none', async () => {
      const { answer, expectText } = await opened(true)
      await expectText(reading)
      await answer('answered')
      await expectText(none)
    })

    test('the file store could not give them', async () => {
      const { answer, expectText } = await opened(true)
      await answer('failed')
      await expectText('登録済の写真を読み込めませんでした')
    })

    test('and is asked again where it stands', async () => {
      const { answer, expectText, user, screen } = await opened(true)
      await answer('failed')
      await user.click(await screen.findByRole('button', { name: '再読み込み' }))
      await expectText(reading)
      await answer('answered')
      await expectText(none)
    })

    test('without a signal', async () => {
      const { expectText } = await opened(false)
      await expectText('登録済の写真は、電波の届く場所で開くと読み込みます')
    })
  },
)

test('[PL4] a measure that only this device has: nothing is asked for, nothing may be missing', async () => {
  const measure = saved('4')
  const { db, screen } = await openMeasure(measure.key, { measures: [measure], online: true })
  expect(await screen.findByText('写真はありません')).toBeTruthy()
  expect(await db.interests.findOne(photosRequestKey('safetyMeasures', measure.key)).exec()).toBeNull()
})

test('[PL8] records of two resources with one id are two questions for photos', async () => {
  const db = await openTestDatabase()
  const of = { recordKey: 'same', requestId: '1' }
  for (const resource of ['noteLocationAreas', 'emergencyReports', 'noteLocationAreas'])
    await requestPhotos(db, 0, { ...of, resource })
  const asked = (await db.interests.find().exec()).map(
    ({ resource, recordKey }) => `${resource} ${recordKey}`,
  )
  expect(asked.toSorted()).toEqual(['emergencyReports same', 'noteLocationAreas same'])
})
