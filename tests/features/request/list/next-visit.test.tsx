import { within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testClock } from '../../../support/render-feature.tsx'
import { ENTERED, LEFT, reportOn, requestOn, storeVisits } from '../../../support/visit-records.ts'

const DAY = '2026-11-20'
const BEFORE = '2026-11-19'
const at = (id: string, hour: string, over: Partial<RequestRecord> = {}, day = DAY) =>
  requestOn(id, day, {
    locationName: `現場${id}`,
    workingStartTime: `${day}T${hour}:00:00+09:00`,
    workingEndTime: `${day}T${String(Number(hour) + 2).padStart(2, '0')}:00:00+09:00`,
    ...over,
  })
const left = (id: string, day = DAY) => reportOn(id, { inTime: ENTERED, outTime: LEFT }, day)
const inside = (id: string, day = DAY) => reportOn(id, { inTime: ENTERED }, day)

interface Listed {
  time: string
  requests: readonly RequestRecord[]
  reports?: readonly QuickReportRecord[]
  select?: boolean
}

async function openList({ time, requests, reports = [], select = false }: Listed) {
  const db = await openTestDatabase()
  await storeVisits(db, requests, reports)
  const clock = testClock(() => Date.parse(`${DAY}T${time}:00+09:00`))
  return renderFeature(<RequestSearchScreen select={select} />, { path: '/request', db, services: { clock } })
}

const day = [at('1', '08'), at('2', '10'), at('3', '13'), at('4', '15'), at('5', '09', {}, '2026-11-21')]

const contactWith = (tel1: string) => {
  const nobody = { name: '防災', kana: null, section: null, class: null, staffName: null, means: null }
  return { ...nobody, email: null, tel1 }
}

const rowsOf = (screen: Awaited<ReturnType<typeof openList>>['screen']) =>
  screen.getAllByRole('link', { name: /現場/ }).map((row) => /現場\d/.exec(row.textContent)?.[0])

test('[decisions/screens] the list opens on today, the next one on top, those done folded', async () => {
  const { screen, user } = await openList({ time: '12:00', requests: day, reports: [left('1'), left('2')] })
  await screen.findByRole('link', { name: /現場3/ })
  expect(screen.getByRole('button', { name: '今日' }).getAttribute('aria-pressed')).toBe('true')
  expect(rowsOf(screen)).toEqual(['現場3', '現場4'])
  const fold = screen.getByRole('button', { name: '完了 2件' })
  expect(fold.getAttribute('aria-expanded')).toBe('false')
  await user.click(fold)
  expect(rowsOf(screen)).toEqual(['現場3', '現場4', '現場1', '現場2'])
  await user.click(screen.getByRole('button', { name: '完了 2件' }))
  expect(rowsOf(screen)).toEqual(['現場3', '現場4'])
  await user.click(screen.getByRole('button', { name: '今後7日間' }))
  expect(rowsOf(screen)).toEqual(['現場3', '現場4', '現場5'])
})

test('[decisions/screens] まとめて登録 keeps the order of the list, and shows those done as well', async () => {
  const reports = [left('1'), inside('4')]
  const { screen } = await openList({ time: '12:00', requests: day, reports, select: true })
  await screen.findByRole('checkbox', { name: '選択 R26-4' })
  const picks = screen.getAllByRole('checkbox').map((pick) => pick.getAttribute('aria-label'))
  expect(picks).toEqual(['4', '2', '3', '1'].map((id) => `選択 R26-${id}`))
})

test('[decisions/screens] who has left counts as left before the report itself is on the device: the row says so', async () => {
  const told = { id: 'q-1', inTime: ENTERED, outTime: LEFT, type: '1', editStatus: null }
  const [first, ...others] = [at('1', '08', { quickReport: told }), at('2', '10'), at('3', '13')]
  const { screen, db } = await openList({ time: '12:00', requests: [first, ...others] })
  await screen.findByRole('button', { name: '完了 1件' })
  expect(rowsOf(screen)).toEqual(['現場3', '現場2'])
  await db?.quickReports.insert(left('1'))
  expect(rowsOf(screen)).toEqual(['現場3', '現場2'])
})

test('[decisions/screens] 地図, 電話 and 入館 of the next one, and of no other; its extension is not dialled', async () => {
  const requests = [
    at('1', '13', {
      customerAddress: '東京都港区1-2',
      inLocationContact: contactWith('03-1234-5678（内線 12）'),
    }),
    at('2', '15'),
  ]
  const { screen } = await openList({ time: '12:00', requests })
  const actions = within(await screen.findByRole('group', { name: '次の現場' }))
  expect(actions.getByRole('link', { name: '地図' }).getAttribute('href')).toContain(
    encodeURIComponent('東京都港区1-2'),
  )
  expect(actions.getByRole('link', { name: '電話' }).getAttribute('href')).toBe('tel:0312345678')
  expect(actions.getByRole('link', { name: '入館' }).getAttribute('href')).toBe(
    `/request/1?workingDate=${DAY}&popup=entry`,
  )
  expect(screen.getAllByRole('link', { name: '入館' })).toHaveLength(1)
})

test.each([
  ['without a contact', {}],
  ['with a word in place of the number', { inLocationContact: contactWith('管理室へ') }],
])('[decisions/screens] %s 電話 stands there disabled, with its reason', async (_, more) => {
  const { screen } = await openList({ time: '12:00', requests: [at('1', '13', more)] })
  const call = await screen.findByRole('link', { name: '電話' })
  expect(call.getAttribute('aria-disabled')).toBe('true')
  expect(call.getAttribute('href')).toBeNull()
  const reason = document.getElementById(call.getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toBe('入館連絡先の電話番号がありません')
})

test('[decisions/screens] without a place 地図 stands there disabled, with its reason', async () => {
  const nowhere = { customerAddress: null, locationName: '' }
  const { screen } = await openList({ time: '12:00', requests: [at('1', '13', nowhere)] })
  const look = await screen.findByRole('link', { name: '地図' })
  expect(look.getAttribute('aria-disabled')).toBe('true')
  expect(look.getAttribute('href')).toBeNull()
  const reason = document.getElementById(look.getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toBe('住所と作業場所の名前がありません')
})

test('[decisions/screens] who is inside has 退館 in place of 入館, also where another one comes first', async () => {
  const { screen } = await openList({ time: '12:00', requests: day, reports: [inside('4')] })
  await screen.findByRole('link', { name: /現場4/ })
  expect(rowsOf(screen)[0]).toBe('現場4')
  const actions = within(screen.getByRole('group', { name: '作業中の現場' }))
  expect(actions.getByRole('link', { name: '退館' }).getAttribute('href')).toBe('/quickReport/add/q-4')
})

test('[spec 9] in the night the one of yesterday that somebody is inside is on top, under its day', async () => {
  const requests = [at('1', '09', {}, BEFORE), at('2', '20', {}, BEFORE), ...day]
  const { screen } = await openList({ time: '00:30', requests, reports: [inside('2', BEFORE)] })
  await screen.findByRole('link', { name: /現場2.*昨日から/ })
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toContain('昨日')
})

test('[spec 9] what was missed yesterday does not stand before what is next today', async () => {
  const { screen } = await openList({ time: '08:00', requests: [at('9', '13', {}, BEFORE), at('1', '08')] })
  await screen.findByRole('link', { name: /現場9/ })
  expect(rowsOf(screen)).toEqual(['現場1', '現場9'])
})

test('[decisions/screens] all done: nothing is next, and today says so', async () => {
  const { screen } = await openList({ time: '17:00', requests: [at('1', '08')], reports: [left('1')] })
  expect(await screen.findByRole('button', { name: '完了 1件' })).toBeTruthy()
  expect(screen.queryByRole('group', { name: /現場/ })).toBeNull()
  expect(screen.getByRole('heading', { name: /今日.*完了 1 \/ 1件/ })).toBeTruthy()
})

test('[decisions/screens] a search folds nothing', async () => {
  const { screen, user } = await openList({ time: '12:00', requests: day, reports: [left('1')] })
  await user.click(await screen.findByRole('button', { name: /変更/ }))
  const sheet = within(await screen.findByRole('dialog', { name: '検索条件' }))
  await user.type(sheet.getByRole('textbox', { name: '作業場所' }), '現場1')
  await user.click(sheet.getByRole('button', { name: '検索' }))
  expect(await screen.findByRole('link', { name: /現場1/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^完了/ })).toBeNull()
})
