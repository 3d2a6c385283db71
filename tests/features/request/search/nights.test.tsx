import { act, waitFor, within } from '@testing-library/react'
import { viewOf } from '#data/changes/record-views.ts'
import { describe, expect, test } from 'vitest'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { searchText } from '#schemas/text.ts'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import { daysOf } from '#features/request/search/days.ts'
import { carriedInto, DEFAULT_CHOICE, filterOf, type FilterChoice } from '#features/request/search/filter.ts'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { iconsIn } from '../../../support/icons.ts'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../../support/render-feature.tsx'
import { reportOn, requestOn, storeVisits } from '../../../support/visit-records.ts'
import { deviceIn, ZONES } from '../../../support/zones.ts'
import { DAY, openView, whole, type Options } from '../detail/open-view.tsx'

const BEFORE = '2026-11-19'

interface Listed {
  at: string
  requests: readonly RequestRecord[]
  reports?: readonly QuickReportRecord[]
}

async function openList({ at, requests, reports = [] }: Listed) {
  const db = await openTestDatabase()
  await storeVisits(db, requests, reports)
  const clock = testClock(() => Date.parse(at))
  return renderFeature(<RequestSearchScreen select={false} />, { path: '/request', db, services: { clock } })
}

const site = (id: string, day: string, over: Partial<RequestRecord> = {}) =>
  requestOn(id, day, { locationName: `現場${id}`, ...over })

/** Of yesterday: 1 not entered, 2 inside, 3 left; of today 4. */
const night = {
  requests: [site('1', BEFORE), site('2', BEFORE), site('3', BEFORE), site('4', DAY)],
  reports: [
    reportOn('2', { inTime: `${BEFORE}T22:00:00+09:00` }, BEFORE),
    reportOn('3', { inTime: `${BEFORE}T09:00:00+09:00`, outTime: `${BEFORE}T11:00:00+09:00` }, BEFORE),
  ],
}

// the rules themselves are tried in every zone (lib/time/working-day, request/entry-time)
const [, NEW_YORK, HONOLULU] = ZONES

describe('[spec 9] the list over a night, on a device in Honolulu', () => {
  deviceIn(...HONOLULU)

  test.each([
    ['今日', '00:01', true],
    ['今日', '11:59', true],
    ['今日', '12:01', false],
    ['今後7日間', '00:01', true],
    ['今後7日間', '12:01', false],
  ] as const)('%s at %s shows what yesterday has not finished: %s', async (range, time, isKept) => {
    const { screen, user } = await openList({ at: `${DAY}T${time}:00+09:00`, ...night })
    await user.click(await screen.findByRole('button', { name: range }))
    expect(await screen.findByRole('link', { name: /現場4/ })).toBeTruthy()
    const [waiting, inside] = [/現場1/, /現場2/].map((name) => screen.queryByRole('link', { name }))
    expect([waiting !== null, inside !== null]).toEqual([isKept, isKept])
    expect(waiting?.textContent?.includes('昨日から') ?? false).toBe(isKept)
    expect(screen.queryByRole('link', { name: /現場3/ })).toBeNull()
    expect(screen.getByRole('link', { name: /現場4/ }).textContent).not.toContain('昨日から')
  })

  test('under its own day, and counted', async () => {
    const { screen } = await openList({ at: `${DAY}T00:01:00+09:00`, ...night })
    expect(await screen.findByRole('heading', { name: /11月19日（木）.*昨日.*2件/ })).toBeTruthy()
    expect(screen.getByRole('heading', { name: /11月20日（金）.*今日.*完了 0 \/ 1件/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: /3件（昨日から2件）.*種別 すべて/ })).toBeTruthy()
  })

  test.each<[string, Partial<FilterChoice>, string[]]>([
    ['種別', { orderFlags: ['1'] }, ['1']],
    ['緊出のみ', { emergencyOnly: true }, ['2']],
    ['作業場所', { locationName: '現場1' }, ['1']],
    ['契約先', { customerName: '管理' }, ['2']],
    ['種別, 今後7日間', { quick: 'week', orderFlags: ['1'] }, ['1']],
    ['種別, 明日', { quick: 'tomorrow', orderFlags: ['1'] }, []],
    ['種別, days that were typed', { quick: '', from: DAY, to: DAY, orderFlags: ['1'] }, []],
  ])('under a condition: what of it meets that: %s', (_, over, kept) => {
    const rows = [
      requestOn('1', BEFORE, { locationName: '現場1', orderFlag: '1', customerName: null }),
      requestOn('2', BEFORE, {
        locationName: '現場2',
        orderFlag: '2',
        emergency: true,
        customerName: '管理組合',
      }),
      requestOn('3', BEFORE, {
        locationName: '現場1',
        orderFlag: '1',
        emergency: true,
        customerName: '管理組合',
      }),
    ].map((row) => ({ ...row, needs: null, devices: [], address: null, tel: null }))
    const choice = { ...DEFAULT_CHOICE, ...over }
    const carried = carriedInto(choice, Date.parse(`${DAY}T00:01:00+09:00`))
    const stateOf = ({ id }: { id: string }) => (id === '3' ? 'out' : ('none' as const))
    const days = daysOf({ rows, fold: searchText, stateOf }, filterOf(choice, DAY), carried)
    expect(days.flatMap((day) => day.rows.map(({ id }) => id))).toEqual(kept)
  })

  test('明日 has nothing of yesterday, 昨日 has all of it at any time', async () => {
    const { screen, user } = await openList({ at: `${DAY}T23:59:00+09:00`, ...night })
    await user.click(await screen.findByRole('button', { name: '明日' }))
    expect(screen.queryByRole('link')).toBeNull()
    await user.click(screen.getByRole('button', { name: '昨日' }))
    expect(await screen.findAllByRole('link', { name: /現場[123]/ })).toHaveLength(3)
    expect(screen.queryByRole('link', { name: /現場4/ })).toBeNull()
  })

  test.each([
    ['2026-12-01T00:01:00+09:00', '2026-11-30'],
    ['2027-01-01T00:01:00+09:00', '2026-12-31'],
  ])('at %s what is left of %s is there', async (at, day) => {
    const { screen } = await openList({ at, requests: [site('1', day, { confirmedAt: at })] })
    expect((await screen.findByRole('link', { name: /現場1/ })).textContent).toContain('昨日から')
  })
})

describe('[spec 4] 退館していません', () => {
  const inside = [reportOn('1', { inTime: `${DAY}T08:56:00+09:00` })]
  const cases = [
    ['2026-11-20T12:00:00+09:00', false],
    ['2026-11-20T12:01:00+09:00', true],
    ['2026-11-20T23:59:00+09:00', true],
  ] as const

  test.each(cases)('in the list at %s: %s', async (at, isLate) => {
    const { screen } = await openList({ at, requests: [site('1', DAY)], reports: inside })
    const row = await screen.findByRole('link', { name: /現場1/ })
    expect(row.textContent?.includes('退館していません')).toBe(isLate)
  })

  test.each(cases)('in 依頼詳細 at %s: %s', async (at, isLate) => {
    const { screen } = await openView({ at, reports: inside })
    await screen.findByRole('link', { name: '退館報告' })
    const line = screen.queryByText('退館していません。作業の予定は12:00までです。')
    expect(line !== null).toBe(isLate)
  })

  test('who has left, or not entered, is not inside', async () => {
    const left = reportOn('1', { inTime: `${DAY}T08:56:00+09:00`, outTime: `${DAY}T11:42:00+09:00` })
    const { screen } = await openList({
      at: '2026-11-20T18:00:00+09:00',
      requests: [site('1', DAY), site('2', DAY)],
      reports: [left],
    })
    await screen.findByRole('link', { name: /現場2/ })
    expect(screen.queryByText('退館していません')).toBeNull()
  })
})

describe('[ec00022, ec00023] 入館登録 over a night, on a device in New York', () => {
  deviceIn(...NEW_YORK)

  const openEntry = async (options: Options) => {
    const opened = await openView({ requests: [requestOn('1', DAY, whole)], workingDate: DAY, ...options })
    const { screen, user } = opened
    await user.click(await screen.findByRole('button', { name: '入館登録' }))
    const sheet = within(await screen.findByRole('dialog', { name: '入館登録' }))
    const answer = async (name: string) =>
      user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }))
    const saved = async () => (await viewOf(opened.db, 'quickReports', `1_${DAY}`))?.changes[0]?.fields.inTime
    return { ...opened, sheet, answer, saved }
  }

  test.each([
    ['2026-11-19T12:01:00+09:00', '現在時刻（11月19日（木）12:01）で入館登録します。よろしいですか？'],
    ['2026-11-19T23:59:00+09:00', '現在時刻（11月19日（木）23:59）で入館登録します。よろしいですか？'],
    ['2026-11-20T00:01:00+09:00', '現在時刻（00:01）で入館登録します。よろしいですか？'],
    ['2026-11-21T00:01:00+09:00', '現在時刻（11月21日（土）00:01）で入館登録します。よろしいですか？'],
    ['2026-11-21T11:59:00+09:00', '現在時刻（11月21日（土）11:59）で入館登録します。よろしいですか？'],
  ])('現在時刻 at %s', async (at, question) => {
    const { screen, user, sheet, answer, saved } = await openEntry({ at })
    expect(sheet.getByRole<HTMLInputElement>('radio', { name: '現在時刻' }).checked).toBe(true)
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    await answer('はい')
    await screen.findByRole('alertdialog', { name: question })
    await answer('はい')
    await waitFor(async () => expect(await saved()).toBe(at))
  })

  test('after midnight a time is of the day that is chosen with it', async () => {
    const { screen, user, sheet, answer, saved } = await openEntry({ at: '2026-11-21T00:30:00+09:00' })
    await user.click(sheet.getByRole('radio', { name: '時刻を指定' }))
    const day = sheet.getByLabelText<HTMLSelectElement>('入館日')
    expect([...day.options].map(({ text }) => text)).toEqual([
      '11月19日（木）　作業日の前日',
      '11月20日（金）　作業日',
      '11月21日（土）　作業日の翌日',
    ])
    const time = sheet.getByLabelText('入館時刻')
    await user.clear(time)
    await user.type(time, '23:50')
    await user.click(sheet.getByRole('button', { name: '登録' }))
    expect(await screen.findByText('入館時刻に未来の時刻は指定できません')).toBeTruthy()
    await user.selectOptions(day, '11月20日（金）　作業日')
    await user.click(sheet.getByRole('button', { name: '登録' }))
    await answer('はい')
    await answer('はい')
    await screen.findByRole('alertdialog', { name: '23:50で入館登録します。よろしいですか？' })
    await answer('はい')
    await waitFor(async () => expect(await saved()).toBe(`${DAY}T23:50:00+09:00`))
  })

  test('beyond the span a time is refused with the span', async () => {
    const { screen, user, sheet } = await openEntry({ at: '2026-11-21T12:01:00+09:00' })
    expect(sheet.getByRole<HTMLInputElement>('radio', { name: '現在時刻' }).disabled).toBe(true)
    expect(sheet.getByLabelText<HTMLInputElement>('入館時刻').value).toBe('')
    await user.selectOptions(sheet.getByLabelText('入館日'), '11月21日（土）　作業日の翌日')
    await user.type(sheet.getByLabelText('入館時刻'), '12:01')
    await user.click(sheet.getByRole('button', { name: '登録' }))
    expect(
      await screen.findByText(
        '入館時刻は11月19日（木）12:00から11月21日（土）12:00までの時刻を指定してください',
      ),
    ).toBeTruthy()
  })

  test('what is too early says from when it can be done', async () => {
    const { sheet } = await openEntry({ at: '2026-11-19T11:59:00+09:00' })
    expect(sheet.getByText('まだ入館登録できません。11月19日（木）12:00から登録できます。')).toBeTruthy()
    expect(sheet.queryByRole('button', { name: '登録' })).toBeNull()
    expect(sheet.queryByLabelText('入館時刻')).toBeNull()
  })
})

test('[spec 2] a time of another day is shown with its day', async () => {
  const { screen } = await openList({
    at: '2026-11-20T06:00:00+09:00',
    requests: [site('1', BEFORE)],
    reports: [reportOn('1', { inTime: `${DAY}T00:05:00+09:00` }, BEFORE)],
  })
  expect((await screen.findByRole('link', { name: /現場1/ })).textContent).toContain('入館 11/20 00:05')
})

describe('[spec 9] a device whose clock is a day off', () => {
  const DAY_MS = 86_400_000

  test.each([
    ['ahead', DAY_MS, '進んで'],
    ['behind', -DAY_MS, '遅れて'],
  ])('%s: 入館登録 takes the CRM’s time, and says so', async (_, off, word) => {
    const device = Date.parse('2026-11-20T12:00:00+09:00') + off
    const { screen, user, db } = await openView({
      at: new Date(device).toISOString(),
      crmClock: { offMs: -off, at: device },
    })
    await user.click(await screen.findByRole('button', { name: '入館登録' }))
    const sheet = within(await screen.findByRole('dialog', { name: '入館登録' }))
    const warning = sheet.getByText(
      `この端末の時計は約1日${word}います。CRMの時刻で登録します。端末の日時の設定を確認してください。`,
    )
    expect(iconsIn(warning.parentElement ?? warning)).toEqual(['clock-alert'])
    expect(sheet.getByRole<HTMLInputElement>('radio', { name: '現在時刻' }).checked).toBe(true)
    await user.click(sheet.getByRole('button', { name: '登録' }))
    for (const question of [
      /連絡先を確認しましたか/,
      /注意事項を確認しましたか/,
      '現在時刻（12:00）で入館登録します。よろしいですか？',
    ]) {
      const dialog = await screen.findByRole('alertdialog', { name: question })
      await user.click(within(dialog).getByRole('button', { name: 'はい' }))
    }
    await waitFor(async () => {
      const record = await viewOf(db, 'quickReports', `1_${DAY}`)
      expect(record?.changes[0]?.fields.inTime).toBe(`${DAY}T12:00:00+09:00`)
    })
  })

  test('the list shows the CRM’s day as soon as it is told', async () => {
    const crmClock = testValue<ClockReading | null>(null)
    const device = Date.parse('2026-11-21T09:00:00+09:00')
    const db = await openTestDatabase()
    await storeVisits(db, [site('1', DAY)])
    const services = { clock: testClock(() => device), crmClock }
    const { screen } = await renderFeature(<RequestSearchScreen select={false} />, {
      path: '/request',
      db,
      services,
    })
    expect(await screen.findByRole('heading', { name: /11月20日（金）.*昨日/ })).toBeTruthy()
    act(() => crmClock.set({ offMs: -DAY_MS, at: device }))
    expect(await screen.findByRole('heading', { name: /11月20日（金）.*今日/ })).toBeTruthy()
  })
})
