/** What photos that wait are waiting for, on their card. */
import { expect, test } from 'vitest'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { FILES_REFUSED, withUnsent } from '#schemas/changes/photo-queue.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'

const photo = withUnsent({
  ...{ key: 'p1', resource: 'noteLocationAreas', recordKey: 'n1', requestId: '1', workingDate: '' },
  ...{ name: 'p1.jpg', placeInfo: '', createDate: '', size: 1, type: 'image/jpeg', wanted: 'kept' },
  ...{ fileSeq: '', folderId: '', storeName: '', bytesAsked: 'no', stamp: '1' },
  ...blankProgress('2026-11-20T00:00:00.000Z'),
  ...{ savedAt: '2026-11-20T00:00:00.000Z', userId: 'u6', offline: false, unsent: 'yes' },
})

test.each([
  ['[ST3] the file store does not answer', 502, [], '写真の保存先が応答していません。'],
  [
    '[C16] the file store takes no token',
    401,
    [FILES_REFUSED],
    'ファイル保管が認証を受け付けていません（401）。',
  ],
])('%s', async (_, status, reasons, text) => {
  const db = await openTestDatabase()
  await db.photos.insert({ ...photo, status, reasons })
  const { screen } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
  expect(await screen.findByText((content) => content.startsWith(text))).toBeDefined()
})
