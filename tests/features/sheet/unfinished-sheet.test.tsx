/** A sheet that no picture shows yet is half typed: 依頼詳細, the row and 送信状況 lead back to it. */
import { waitFor, within } from '@testing-library/react'
import { firstValueFrom } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { typedForms$ } from '#data/drafts/draft-list.ts'
import { storeValues } from '#data/drafts/drafts.ts'
import { OutboxScreen } from '#features/outbox/outbox-screen.tsx'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { storeView } from '../../support/stored-views.ts'
import { requestOn } from '../../support/visit-records.ts'
import { DAY, openView } from '../request/detail/open-view.tsx'

const visit = visitKey('1', DAY)
const KEY = `sheet/ky/${visit}`
const safety = `safetyMeasure/add/${safetyKey('1', DAY, '4')}`
const ADD = `/safetyMeasure/add?requestId=1&safetyType=4&workingDate=${DAY}`
const sheetOf = (form: string, pictures: string[] = []) => ({
  fields: { leader: '大西 修' },
  rows: [{ danger: '墜落' }],
  pictures,
  form,
})

describe('[issue 54][decisions/drafts] an unfinished sheet', () => {
  test.each([
    [safety, '安全対策登録', `${ADD}&sheet=ky`],
    [`emergencyReport/add/${visit}`, '緊急報告登録', `/emergencyReport/add/1?workingDate=${DAY}&sheet=ky`],
  ])('of %s: 依頼詳細 leads back to it, until a picture shows it', async (form, name, path) => {
    const { screen, db } = await openView({ workingDate: DAY })
    await storeValues(db, KEY, sheetOf(form))
    const section = await screen.findByRole('region', { name: '入力途中' })
    const link = within(section).getByRole('link', { name: new RegExp(`^${name}`) })
    expect(link.getAttribute('href')).toBe(path)
    await storeValues(db, KEY, sheetOf(form, ['p1']))
    await waitFor(() => expect(section.isConnected).toBe(false))
  })

  test('送信状況 names no hour for it, which stays as long as its visit; 削除 takes the sheet', async () => {
    const db = await openTestDatabase()
    await db.requests.insert(requestOn('1', DAY))
    await storeValues(db, KEY, sheetOf(safety))
    const { screen, user } = await renderFeature(<OutboxScreen />, { path: '/outbox', db })
    const section = await screen.findByRole('region', { name: '入力途中' })
    const link = within(section).getByRole('link', { name: /^安全対策登録.*R26-1/ })
    expect(link.textContent).not.toContain('まで')
    await user.click(within(section).getByRole('button', { name: /を削除$/ }))
    await waitFor(() => expect(section.isConnected).toBe(false))
    expect(await firstValueFrom(typedForms$(db))).toEqual([])
  })

  test('is listed with its form once: not beside the form, nor after the form was saved without it', async () => {
    const db = await openTestDatabase()
    const listed = async () => (await firstValueFrom(typedForms$(db))).map(({ key }) => key)
    await storeValues(db, KEY, sheetOf(safety))
    await waitFor(async () => expect(await listed()).toEqual([KEY]))
    await storeValues(db, safety, { checks: [true] })
    await waitFor(async () => expect(await listed()).toEqual([safety]))
    await db.drafts.findOne(safety).remove()
    await waitFor(async () => expect(await listed()).toEqual([KEY]))
    const key = safetyKey('1', DAY, '4')
    const blank = { requestId: '1', workingDate: DAY, changes: [], workingDateType: null, safetyType: '4' }
    await storeView(db, 'safetyMeasures', {
      ...blank,
      key,
      serverId: key,
      server: { id: key, stamp: '' },
    } as never)
    await waitFor(async () => expect(await listed()).toEqual([]))
  })

  test('is none without the form that it was opened from', async () => {
    const db = await openTestDatabase()
    for (const values of [{ ...sheetOf(''), form: undefined }, sheetOf('unknown/add/1'), { pictures: 'p1' }])
      await storeValues(db, KEY, values)
    expect(await firstValueFrom(typedForms$(db))).toEqual([])
  })
})
