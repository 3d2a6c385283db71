import { waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/request.ts'
import type { Database } from '#data/database.ts'
import { RequestViewScreen } from '#features/request/request-view-screen.tsx'
import { LOCATION, storeContact, storeLocation, CONTACT } from '../../support/change-records.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { requestOn } from '../../support/visit-records.ts'

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

test('[ST1] it stays 登録済 between the answer of the CRM and what the record then says', async () => {
  const { row } = await openLinks((db) =>
    storeLocation(db, { saved: LOCATION, ledger: { state: 'accepted', serverId: 'c1' } }),
  )
  const link = await waitFor(async () => within(await row(NAME)).getByRole('link', { name: /登録済/ }))
  expect(link.getAttribute('href')).toBe('/customerLocationChangeRequest/1')
})

test('[ST1] one that the CRM refused does not count', async () => {
  const { row, screen } = await openLinks((db) =>
    storeContact(db, '03', { saved: CONTACT, ledger: { state: 'refused' } }),
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
  expect(within(await row(NAME)).queryByRole('link')).toBeNull()
  expect(screen.getByText('オフライン中は登録・編集できません')).toBeTruthy()
})
