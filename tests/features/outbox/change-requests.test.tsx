import { within, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Database } from '#data/database/database.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { CONTACT, LOCATION, storeContact, storeLocation } from '../../support/change-records.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { requestOn } from '../../support/visit-records.ts'

const saved = { saved: LOCATION }
const contact = { saved: CONTACT }
const refused = { progress: { state: 'refused', status: 422 } } as const
const expired = { progress: { state: 'expired' } } as const

const location = '/customerLocationChangeRequest'
const contacts = '/locationContactChangeRequest'

describe('[screens /outbox] change requests: what, for which request, and 内容を開く', () => {
  test.each<[name: string, fill: (db: Database) => Promise<void>, href: string]>([
    ['入館・駐車場情報変更依頼登録', (db) => storeLocation(db, saved), `${location}/1/edit`],
    [
      '入館・駐車場情報変更依頼登録',
      (db) => storeLocation(db, { ...saved, ...refused }),
      `${location}/add/1`,
    ],
    [
      '入館・駐車場情報変更依頼登録',
      (db) => storeLocation(db, { ...saved, ...expired }),
      `${location}/add/1`,
    ],
    [
      '入館・駐車場情報変更依頼編集',
      (db) => storeLocation(db, { ...saved, ...refused, server: LOCATION }),
      `${location}/c1/edit`,
    ],
    ['入館連絡先変更依頼登録', (db) => storeContact(db, '02', contact), `${contacts}/1_02/edit/type1`],
    [
      '入館連絡先変更依頼登録',
      (db) => storeContact(db, '02', { ...contact, ...refused }),
      `${contacts}/add/1/type1`,
    ],
    [
      '退館連絡先変更依頼登録',
      (db) => storeContact(db, '03', { ...contact, ...refused }),
      `${contacts}/add/1/type2`,
    ],
    [
      '退館連絡先変更依頼編集',
      (db) => storeContact(db, '03', { ...contact, server: CONTACT }),
      `${contacts}/k03/edit/type2`,
    ],
  ])('%s: %#', async (name, fill, target) => {
    const db = await openTestDatabase()
    await db.requests.insert(requestOn('1', '2026-11-20'))
    await fill(db)
    const { screen, user, href } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
    const job = await screen.findByRole('article', { name })
    expect(job.textContent).toContain('R26-1')
    expect(job.textContent).toContain('ベイサイド東雲 A棟 地下ピット')
    await user.click(within(job).getByRole('button', { name: '内容を開く' }))
    await waitFor(() => expect(href()).toBe(target))
  })
})
