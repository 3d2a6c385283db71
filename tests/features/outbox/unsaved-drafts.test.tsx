import { waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { contactChangeKey } from '#schemas/resources/location-contact-change-request.ts'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { draftOf, dropDraft, storeValues } from '#data/drafts/drafts.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { uncaughtIn } from '../../support/uncaught.ts'
import { requestOn } from '../../support/visit-records.ts'
import { storeView } from '../../support/stored-views.ts'

const DAY = '2026-11-20'
const visit = visitKey('1', DAY)

async function openWith(...keys: string[]) {
  const db = await openTestDatabase()
  await db.requests.insert(requestOn('1', DAY))
  for (const key of keys) await storeValues(db, key, { note: '途中' })
  return { ...(await renderFeature(<OutboxScreen />, { path: '/outbox', db })), db }
}

describe('[decisions/drafts] 送信状況 lists what is half typed', () => {
  test.each<[key: string, name: string, path: string, hasCode: boolean]>([
    [`quickReport/add/${visit}`, '退館報告登録', `/quickReport/add/${visit}`, true],
    [
      `quickReport/add/${visit}/${visitKey('2', DAY)}/${visitKey('3/4', DAY)}`,
      '退館報告登録（3件）',
      `/quickReport/add/${visit}?other=2_${DAY}%2C3%2F4_${DAY}`,
      true,
    ],
    [`quickReport/edit/${visit}`, '退館報告編集', `/quickReport/${visit}/edit`, false],
    [`emergencyReport/add/${visit}`, '緊急報告登録', `/emergencyReport/add/1?workingDate=${DAY}`, true],
    ['emergencyReport/edit/e 1', '緊急報告編集', '/emergencyReport/e%201/edit', false],
    [
      `safetyMeasure/add/${safetyKey('1', DAY, '4')}`,
      '安全対策登録',
      `/safetyMeasure/add?requestId=1&safetyType=4&workingDate=${DAY}`,
      true,
    ],
    [
      `safetyMeasure/edit/${safetyKey('1', DAY, '4')}`,
      '安全対策編集',
      `/safetyMeasure/1_${DAY}_4/edit`,
      false,
    ],
    [
      'customerLocationChangeRequest/add/1',
      '入館・駐車場情報変更依頼登録',
      '/customerLocationChangeRequest/add/1',
      true,
    ],
    [
      'customerLocationChangeRequest/edit/1',
      '入館・駐車場情報変更依頼編集',
      '/customerLocationChangeRequest/1/edit',
      true,
    ],
    [
      'locationContactChangeRequest/add/1/02',
      '入館連絡先変更依頼登録',
      '/locationContactChangeRequest/add/1/type1',
      true,
    ],
    [
      `locationContactChangeRequest/edit/${contactChangeKey('1', '03')}`,
      '退館連絡先変更依頼編集',
      '/locationContactChangeRequest/1_03/edit/type2',
      true,
    ],
    ['noteLocationArea/add/1', '現場メモ登録', '/noteLocationArea/add/1', true],
    ['noteLocationArea/edit/n1', '現場メモ編集', '/noteLocationArea/n1/edit', false],
  ])('%s', async (key, name, path, hasCode) => {
    const { screen } = await openWith(key)
    const section = await screen.findByRole('region', { name: '入力途中' })
    const link = within(section).getByRole('link', { name: new RegExp(`^${name}`) })
    expect(link.getAttribute('href')).toBe(path)
    expect(link.textContent?.includes('R26-1')).toBe(hasCode)
    expect(link.textContent).toMatch(/\d\d\/\d\d \d\d:\d\d まで/)
    expect(section.textContent).toContain('最後の入力から24時間で、写真とともに端末から消えます。')
  })

  test.each(['customerLocationChangeRequests', 'noteLocationAreas', 'emergencyReports'] as const)(
    '[PL3] the form of an edit is that of its record, where the CRM has another one by the id that is its key: %s',
    async (resource) => {
      const slug = { customerLocationChangeRequests: 'customerLocationChangeRequest' }[String(resource)]
      const of = slug ?? resource.slice(0, -1)
      const db = await openTestDatabase()
      const blank = { requestId: '1', workingDate: DAY, changes: [] }
      const more = { locationAreaId: 'a', noteType: '1' }
      for (const [key, serverId] of [
        ['1', '4'],
        ['7', '1'],
      ])
        await storeView(db, resource, {
          ...blank,
          ...(resource === 'noteLocationAreas' && more),
          ...{ key, serverId, server: { id: serverId, stamp: '' } },
        } as never)
      await storeValues(db, `${of}/edit/1`, { note: '途中' })
      const { screen } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
      const section = await screen.findByRole('region', { name: '入力途中' })
      expect(within(section).getByRole('link').getAttribute('href')).toBe(`/${of}/4/edit`)
    },
  )

  test.each([
    ['quickReports', `quickReport/edit/${visit}`, visit],
    ['emergencyReports', 'emergencyReport/edit/e1', 'e1'],
    ['safetyMeasures', `safetyMeasure/edit/${safetyKey('1', DAY, '4')}`, safetyKey('1', DAY, '4')],
    ['noteLocationAreas', 'noteLocationArea/edit/n1', 'n1'],
  ] as const)('the form of an edit names the request of its record: %s', async (resource, draft, key) => {
    const db = await openTestDatabase()
    await db.requests.insert(requestOn('1', DAY))
    const server = { id: 's1', stamp: '' }
    const blank = { key, serverId: 's1', server, requestId: '1', workingDate: DAY, changes: [] }
    const more = { workingDateType: null, safetyType: '4', locationAreaId: 'a', noteType: '1' }
    await storeView(db, resource, { ...blank, ...more } as never)
    await storeValues(db, draft, { note: '途中' })
    const { screen } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
    const section = await screen.findByRole('region', { name: '入力途中' })
    await waitFor(() => expect(within(section).getByRole('link').textContent).toContain('R26-1'))
  })

  test('nothing half typed: no section; what is dropped goes', async () => {
    const { screen, db, bytes } = await openWith('noteLocationArea/add/1', 'unknown/add/1', 'settings')
    const section = await screen.findByRole('region', { name: '入力途中' })
    expect(within(section).getAllByRole('link')).toHaveLength(1)
    if (!bytes) throw new Error('open')
    await dropDraft({ db, bytes }, 'noteLocationArea/add/1')
    expect(await screen.findByRole('heading', { name: '未送信の変更はありません' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: '入力途中' })).toBeNull()
  })

  test.each<[key: string, values: object, texts: string[]]>([
    ['noteLocationArea/add/1', { note: '段差あり' }, ['段差あり']],
    [`quickReport/add/${visit}`, { type: '2', reason1: '4', reportContent: '部品待ち' }, ['部品待ち']],
    [
      `emergencyReport/add/${visit}`,
      { risk: ['3'], emergencyContentsDetails: '2号機が停止\n応急の処置済' },
      ['2号機が停止\n応急の処置済'],
    ],
    [
      'locationContactChangeRequest/add/1/02',
      { kana: 'ｻﾄｳ', name: '佐藤', tel1: '03-5550-0000' },
      ['佐藤', 'ｻﾄｳ', '03-5550-0000'],
    ],
    ['customerLocationChangeRequest/add/1', { parkingType: '1', inMethod: '裏口' }, ['裏口']],
    [`safetyMeasure/add/${safetyKey('1', DAY, '4')}`, { checks: [true, false] }, []],
    ['noteLocationArea/add/1', { note: ' ' }, []],
  ])('[SV1] the texts of %s can be read where they stand', async (key, values, texts) => {
    const db = await openTestDatabase()
    await storeValues(db, key, values)
    const { screen } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
    const section = await screen.findByRole('region', { name: '入力途中' })
    await within(section).findByRole('link')
    const shown = [...section.querySelectorAll('details p')].map(({ textContent }) => textContent)
    expect(shown).toEqual(texts)
    expect(within(section).queryByText('入力した文を見る') !== null).toBe(texts.length > 0)
  })

  test('what was typed and taken away again is nothing half typed', async () => {
    const key = 'noteLocationArea/add/1'
    const { screen, db } = await openWith(key)
    await screen.findByRole('region', { name: '入力途中' })
    await storeValues(db, key, {})
    expect(await screen.findByRole('heading', { name: '未送信の変更はありません' })).toBeTruthy()
    expect(screen.queryByRole('region', { name: '入力途中' })).toBeNull()
  })

  test('[SV1] what a save that failed on the device has left is listed', async () => {
    const key = 'noteLocationArea/add/1'
    const { screen, db } = await openWith(key)
    await screen.findByRole('region', { name: '入力途中' })
    const draft = await db.drafts.findOne(key).exec(true)
    const target = {
      resource: 'noteLocationAreas',
      recordKey: 'n1',
      requestId: '1',
      saving: '1-0-cut',
    } as const
    await draft.incrementalPatch(target)
    // the list has heard of it once this one has come
    await storeValues(db, 'noteLocationArea/add/2', { note: '途中' })
    await waitFor(() => expect(screen.getAllByRole('link', { name: /^現場メモ登録/ })).toHaveLength(2))
  })

  test('[hands 3] 削除 acts at once, and what was typed can be had back', async () => {
    const key = 'noteLocationArea/add/1'
    const { screen, db, user, services } = await openWith(key)
    await user.click(await screen.findByRole('button', { name: '入力途中の「現場メモ登録」を削除' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: '入力途中' })).toBeNull())
    expect(await draftOf(db, key)).toBeNull()
    services.flash.get()[0]?.act?.run()
    expect(await screen.findByRole('region', { name: '入力途中' })).toBeTruthy()
    expect((await draftOf(db, key))?.values).toBe(JSON.stringify({ note: '途中' }))
  })

  test('[SV1] 元に戻す that the device did not take is left to the one place that says it', async () => {
    const key = 'noteLocationArea/add/1'
    const { screen, db, user, services } = await openWith(key)
    await user.click(await screen.findByRole('button', { name: '入力途中の「現場メモ登録」を削除' }))
    await waitFor(() => expect(services.flash.get()[0]?.act).toBeDefined())
    const full = new DOMException('no room', 'QuotaExceededError')
    const uncaught = await uncaughtIn(async () => {
      const insert = vi.spyOn(db.drafts, 'insertIfNotExists').mockRejectedValue(full)
      services.flash.get()[0]?.act?.run()
      await waitFor(() => expect(insert).toHaveBeenCalled())
    })
    expect(uncaught).toEqual([full])
    // and can be tried again, once there is room
    vi.restoreAllMocks()
    await waitFor(() => expect(services.flash.get()[0]?.act).toBeDefined())
    services.flash.get()[0]?.act?.run()
    await waitFor(async () => expect((await draftOf(db, key))?.values).toBe(JSON.stringify({ note: '途中' })))
  })
})
