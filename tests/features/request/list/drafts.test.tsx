/** Input that is not saved yet leads back to its form from the list, from the tab and from 依頼詳細. */
import { waitFor, within } from '@testing-library/react'
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { contactChangeKey } from '#schemas/resources/location-contact-change-request.ts'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { addDraftPhoto, dropDraft, storeValues } from '#data/drafts/drafts.ts'
import { draftForms$, typedForms$ } from '#data/drafts/draft-list.ts'
import { Frame } from '#app/shell/frame.tsx'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature } from '../../../support/render-feature.tsx'
import { reportOn, requestOn, ENTERED, LEFT, storeWindow } from '../../../support/visit-records.ts'
import { openSearch } from './open-search.tsx'
import { DAY, openView, whole } from '../detail/open-view.tsx'
import { storeView } from '../../../support/stored-views.ts'

const visit = visitKey('1', DAY)
const safety = safetyKey('1', DAY, '4')

/** One draft of each form: what it is called and where it opens. */
const FORMS: readonly [key: string, name: string, path: string][] = [
  [`quickReport/add/${visit}`, '退館報告登録', `/quickReport/add/${visit}`],
  [
    `quickReport/add/${visitKey('9', DAY)}/${visit}`,
    '退館報告登録（2件）',
    `/quickReport/add/9_${DAY}?other=${visit}`,
  ],
  [`quickReport/edit/${visit}`, '退館報告編集', '/quickReport/q-1/edit'],
  [`emergencyReport/add/${visit}`, '緊急報告登録', `/emergencyReport/add/1?workingDate=${DAY}`],
  ['emergencyReport/edit/e1', '緊急報告編集', '/emergencyReport/e1/edit'],
  [
    `safetyMeasure/add/${safety}`,
    '安全対策登録',
    `/safetyMeasure/add?requestId=1&safetyType=4&workingDate=${DAY}`,
  ],
  [
    'customerLocationChangeRequest/add/1',
    '入館・駐車場情報変更依頼登録',
    '/customerLocationChangeRequest/add/1',
  ],
  [
    'locationContactChangeRequest/add/1/02',
    '入館連絡先変更依頼登録',
    '/locationContactChangeRequest/add/1/type1',
  ],
  [
    `locationContactChangeRequest/edit/${contactChangeKey('1', '03')}`,
    '退館連絡先変更依頼編集',
    '/locationContactChangeRequest/1_03/edit/type2',
  ],
  ['noteLocationArea/add/1', '現場メモ登録', '/noteLocationArea/add/1'],
]

/** The record that an edit is of. */
const withRecords = async (db: Awaited<ReturnType<typeof openTestDatabase>>) => {
  const blank = { requestId: '1', workingDate: DAY, changes: [], server: { id: 'e1', stamp: '' } }
  await storeView(db, 'emergencyReports', { ...blank, key: 'e1', serverId: 'e1' } as never)
}

describe('[decisions/drafts] a draft is found again', () => {
  test.each(FORMS)('%s: its row of the list', async (key) => {
    const list = await openSearch({
      requests: [requestOn('1', DAY), requestOn('2', DAY)],
      reports: [reportOn('1', { inTime: ENTERED }, DAY)],
    })
    await withRecords(list.db)
    await storeValues(list.db, key, { note: '途中' })
    const row = await list.screen.findByRole('link', { name: /R26-1/ })
    await waitFor(() => expect(row.textContent).toContain('入力途中'))
    expect(list.screen.getByRole('link', { name: /R26-2/ }).textContent).not.toContain('入力途中')
  })

  test.each(FORMS)('%s: 依頼詳細 leads to %s', async (key, name, path) => {
    const view = await openView({ workingDate: DAY, reports: [reportOn('1', { inTime: ENTERED }, DAY)] })
    await withRecords(view.db)
    await storeValues(view.db, key, { note: '途中' })
    const section = await view.screen.findByRole('region', { name: '入力途中' })
    const link = within(section).getByRole('link', { name: new RegExp(`^${name}`) })
    expect(link.getAttribute('href')).toBe(path)
    expect(link.textContent).toContain('続きを入力')
    await dropDraft({ db: view.db, bytes: undefined as never }, key)
    await waitFor(() => expect(section.isConnected).toBe(false))
  })

  test('a photo alone is one; what was taken away again is none', async () => {
    const { screen, db } = await openSearch({ requests: [requestOn('1', DAY)] })
    const bytes = { put: async () => undefined, remove: async () => undefined } as never
    await storeValues(db, 'noteLocationArea/add/1', {})
    const row = await screen.findByRole('link', { name: /R26-1/ })
    expect(await firstValueFrom(draftForms$(db))).toEqual([])
    expect(row.textContent).not.toContain('入力途中')
    const photo = {
      key: 'p1',
      name: 'a.jpg',
      placeInfo: '',
      takenAt: '',
      size: 1,
      type: 'image/jpeg',
    } as const
    await addDraftPhoto({ db, bytes }, 'noteLocationArea/add/1', photo, {
      bytes: new ArrayBuffer(1),
      thumb: undefined,
    })
    await waitFor(() => expect(row.textContent).toContain('入力途中'))
  })

  test('behind the line 完了 too, and of yesterday no row is needed: the tab says it', async () => {
    const db = await openTestDatabase()
    await storeWindow(db, [requestOn('1', DAY)], [reportOn('1', { inTime: ENTERED, outTime: LEFT }, DAY)])
    await storeValues(db, `quickReport/edit/${visit}`, { note: '途中' })
    await storeValues(db, 'noteLocationArea/add/404', { note: '途中' })
    const { screen } = await renderFeature(<RequestSearchScreen select={false} />, {
      path: '/request',
      db,
      services: { Frame },
    })
    expect(await screen.findByText('入力途中 1件')).toBeTruthy()
    const tab = await screen.findByRole('link', { name: /^送信状況/ })
    await waitFor(() => expect(tab.textContent).toContain('入力途中 2件'))
  })

  test('typing in a form draws no list anew', async () => {
    const db = await openTestDatabase()
    const seen: number[] = []
    const watched = draftForms$(db).subscribe((forms) => seen.push(forms.length))
    await storeValues(db, 'noteLocationArea/add/1', { note: 'a' })
    await waitFor(() => expect(seen.at(-1)).toBe(1))
    const before = seen.length
    for (const note of ['ab', 'abc']) {
      await storeValues(db, 'noteLocationArea/add/1', { note })
      await waitFor(async () =>
        expect((await firstValueFrom(typedForms$(db)))[0]?.values).toBe(JSON.stringify({ note })),
      )
    }
    expect(seen).toHaveLength(before)
    watched.unsubscribe()
  })
})

test('a request with a draft stays in the list after 24 hours: EX1', async () => {
  const db = await openTestDatabase()
  await storeWindow(db, [requestOn('1', DAY, { ...whole, confirmedAt: '2026-11-18T00:00:00+09:00' })], [])
  const { screen } = await renderFeature(<RequestSearchScreen select={false} />, { path: '/request', db })
  await screen.findByRole('heading', { name: '依頼検索' })
  expect(screen.queryByRole('link', { name: /R26-1/ })).toBeNull()
  await storeValues(db, 'noteLocationArea/add/1', { note: '途中' })
  expect(await screen.findByRole('link', { name: /R26-1/ })).toBeTruthy()
})
