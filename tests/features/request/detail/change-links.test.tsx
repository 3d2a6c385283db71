import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import { requestNotes } from '#data/resources/note-location-area-count.ts'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { LOCATION, storeContact, storeLocation, CONTACT } from '../../../support/change-records.ts'
import { openTestDatabase, renderFeature, testValue } from '../../../support/render-feature.tsx'
import { requestOn } from '../../../support/visit-records.ts'
import { storeFacts, storeView } from '../../../support/stored-views.ts'

const NAME = '入館・駐車場情報変更依頼'
const unregistered: Partial<RequestRecord> = {
  customerLocationChangeStatus: '1',
  outLocationContactChangeStatus: '1',
  outLocationContact: CONTACT,
}

async function openLinks(
  fill: (db: Database) => Promise<unknown>,
  over: Partial<RequestRecord> = {},
  online = true,
) {
  const db = await openTestDatabase()
  await db.requests.insert(requestOn('1', '2026-11-20', { ...unregistered, ...over }))
  await fill(db)
  const { screen } = await renderFeature(<RequestViewScreen id="1" workingDate={undefined} />, {
    path: '/request/$id',
    href: '/request/1',
    db,
    services: { online: testValue(online) },
  })
  const row = async (name: string) => {
    const text = await screen.findByText(name)
    const item = text.closest('li')
    if (!item) throw new Error(`${name} is no row`)
    return item
  }
  return { screen, row }
}

test('[spec 4] one that was made here counts as registered: it opens, and says that it waits', async () => {
  const { row, screen } = await openLinks((db) => storeLocation(db, { saved: LOCATION }), {}, false)
  await screen.findByText('待機')
  const link = within(await row(NAME)).getByRole('link')
  expect(link.getAttribute('href')).toBe('/customerLocationChangeRequest/1')
  expect(link.textContent).toContain('登録済')
})

test('[ST1] it stays 登録済 once the CRM has answered', async () => {
  const { row } = await openLinks((db) =>
    storeLocation(db, { saved: LOCATION, progress: { state: 'accepted', serverId: 'c1' } }),
  )
  const link = await waitFor(async () => within(await row(NAME)).getByRole('link', { name: /登録済/ }))
  expect(link.getAttribute('href')).toBe('/customerLocationChangeRequest/c1')
})

test('[ST1] one that the CRM refused does not count', async () => {
  const { row, screen } = await openLinks((db) =>
    storeContact(db, '03', { saved: CONTACT, progress: { state: 'refused' } }),
  )
  await screen.findByText('失敗')
  const link = within(await row('退館連絡先変更依頼')).getByRole('link')
  expect(link.getAttribute('href')).toBe('/locationContactChangeRequest/add/1/type2')
  expect(link.textContent).toContain('未登録')
})

test('[spec 4] a later read of the request has the last word', async () => {
  const { row } = await openLinks((db) => storeLocation(db, { server: LOCATION }), { readStamp: '9' })
  expect(within(await row(NAME)).getByRole('link').textContent).toContain('未登録')
})

test('[spec 4] offline, 未登録 is no link, and the section says why', async () => {
  const { row, screen } = await openLinks(async () => undefined, {}, false)
  expect(
    within(await row(NAME))
      .getByRole('link')
      .getAttribute('aria-disabled'),
  ).toBe('true')
  expect(screen.getByText('オフライン中は登録・編集できません')).toBeTruthy()
})

const noteMade = (over: Partial<NoteRecord> = {}): NoteRecord => ({
  key: 'n1',
  requestId: '1',
  workingDate: '',
  locationAreaId: 'a1',
  noteType: '1',
  serverId: '',
  unsent: 'yes',
  changes: [
    {
      id: 'n1',
      stamp: '1100-0000-test',
      savedAt: '2026-11-20T11:00:00+09:00',
      userId: 'u6',
      offline: true,
      kind: 'create',
      fields: { note: '台車は搬入口Bから。' },
    },
  ],
  ...over,
})
const place = { locationAreaId: 'a1', noteLocationAreaStatus: '1', noteLocationAreaCount: 0 }

test('[ST1] a note saved offline counts, and its link says 登録済 and that it waits', async () => {
  const { screen } = await openLinks((db) => storeView(db, 'noteLocationAreas', noteMade()), place, false)
  // The handover above has the note, too.
  const link = await screen.findByRole('link', { name: /現場メモ.*登録済/ })
  expect(link.textContent).toContain('待機')
  expect(link.getAttribute('href')).toContain('/noteLocationArea/a1')
  expect(screen.getByRole('link', { name: '現場メモ一覧（1）' })).toBeTruthy()
})

test('[ST1] a note that was refused does not count', async () => {
  const { row, screen } = await openLinks(async (db) => {
    const record = noteMade()
    const [change] = record.changes
    if (!change) throw new Error('saved')
    const item = { record: { resource: 'noteLocationAreas', ...record }, change }
    await storeView(db, 'noteLocationAreas', record)
    await storeFacts(db, { ...blankFacts(item), state: 'refused' })
  }, place)
  await screen.findByText('失敗')
  expect(within(await row('現場メモ')).getByRole('link').textContent).toContain('未登録')
  expect(screen.getByRole('link', { name: '現場メモ一覧（0）' })).toBeTruthy()
})

test.each<[string, number, NoteRecord[], number]>([
  ['the row says more than was read', 3, [], 3],
  ['one waits', 3, [noteMade()], 4],
  ['read since, the row is older', 0, [inCrm('a'), inCrm('b')], 2],
  ['both', 2, [inCrm('a'), inCrm('b'), noteMade()], 3],
  ['an edit of one that is there counts once', 1, [{ ...noteMade(), ...inCrm('n1') }], 1],
])('[ST1] how many notes: %s', (_, said, records, count) => {
  const request = requestOn('1', '2026-11-20', { ...place, noteLocationAreaCount: said })
  expect(requestNotes(request, records, { queue: [], photos: [], progress: new Map() }).count).toBe(count)
})

function inCrm(key: string): NoteRecord {
  const server = {
    id: key,
    detailed: true,
    stamp: '',
    note: null,
    openFlag: null,
    createdAt: null,
    createdDisplayName: null,
    loginUserId: null,
    filePath: null,
    name: null,
    noteLocationFolderId: null,
  }
  return { ...noteMade({ key }), serverId: key, server, changes: [], unsent: 'no' }
}
