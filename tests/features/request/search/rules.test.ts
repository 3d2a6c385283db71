import { describe, expect, test } from 'vitest'
import { daysOf } from '#features/request/search/days.ts'
import { DEFAULT_CHOICE, filterOf } from '#features/request/search/filter.ts'
import { shownVisit } from '#data/visits/use-visits.ts'
import { noteListOf } from '#features/note-location-area/notes.ts'
import { registration } from '#data/resources/change-requests.ts'
import { statusLinks } from '#features/request/detail/status-links.ts'
import { notesPath } from '#features/request-form/notes-path.ts'
import { requestFacts, requestHead } from '#data/visits/request-facts.ts'
import { searchText } from '#schemas/text.ts'
import { CONTACT } from '../../../support/change-records.ts'
import { requestOn, visitOf } from '../../../support/visit-records.ts'

const DAY = '2026-11-20'

describe('[spec 2] which day of a request is shown', () => {
  const days = ['2026-11-18', '2026-11-20', '2026-11-23'].map((day) => visitOf(requestOn('1', day)))
  test.each([
    ['no day: the next from today on', undefined, '2026-11-19', '2026-11-20', false],
    ['no day: today', undefined, '2026-11-20', '2026-11-20', false],
    ['no day, all past: the last', undefined, '2026-12-01', '2026-11-23', false],
    ['the day asked for', '2026-11-18', DAY, '2026-11-18', false],
    ['a day the request does not have', '2026-11-19', DAY, undefined, false],
    ['no day at all', 'abc', DAY, '2026-11-20', true],
    ['a day that does not exist', '2026-02-30', DAY, '2026-11-20', true],
  ])('%s', (_, workingDate, today, shown, invalidDate) => {
    const result = shownVisit(days, workingDate, today)
    expect(result.visit?.request.workingDate).toBe(shown)
    expect(result.invalidDate).toBe(invalidDate)
  })

  test('no day on the device', () => {
    expect(shownVisit([], undefined, DAY)).toEqual({ visit: null, invalidDate: false })
  })
})

describe('[spec 2] the status links', () => {
  const request = requestOn('r 1', DAY, {
    customerLocationChangeStatus: '1',
    inLocationContactChangeStatus: '2',
    inLocationContactChangeRequestId: 'c1',
    outLocationContactChangeStatus: '3',
    noteLocationAreaStatus: '2',
    locationAreaId: 'a1',
  })

  test('未登録 leads to adding, 登録済 to the record, 登録不可 nowhere', () => {
    expect(statusLinks(request, true)).toEqual({
      customerLocation: { status: 'todo', path: '/customerLocationChangeRequest/add/r%201' },
      inContact: { status: 'done', path: '/locationContactChangeRequest/c1/type1' },
      outContact: { status: 'barred', path: null },
      note: { status: 'done', path: `/noteLocationArea/a1?type=1&requestId=r+1&workingDate=${DAY}` },
    })
  })

  test.each([
    ['with a location area', 'a1', { requestId: 'r 1', areaId: 'a1' }],
    ['without one', null, { requestId: 'r 1', areaId: null }],
  ])('[screens] 現場メモ一覧 of a request %s is opened by its own path', (_, locationAreaId, list) => {
    const url = new URL(notesPath({ ...request, locationAreaId }), 'http://phone')
    const otherId = decodeURIComponent(url.pathname.split('/')[2] ?? '')
    expect(noteListOf(otherId, Object.fromEntries(url.searchParams))).toMatchObject(list)
  })

  test('[spec 1] offline, 未登録 is plain and 登録済 still opens', () => {
    const links = statusLinks(request, false)
    expect(links.customerLocation).toEqual({ status: 'todo', path: null, closed: true })
    expect(links.inContact.path).toBe('/locationContactChangeRequest/c1/type1')
  })

  test('登録済 without an id is plain', () => {
    const links = statusLinks({ ...request, inLocationContactChangeRequestId: null }, true)
    expect(links.inContact).toEqual({ status: 'done', path: null })
  })
})

describe('[ec00026] the link of a contact leads to adding exactly where one may be added', () => {
  const contact = { ...CONTACT, class: null }
  const cells = ['02', '03'].flatMap((type) =>
    ['1', '2', '3', null].flatMap((status) =>
      [contact, null].map((has) => [type, status, has === null ? 'no contact' : 'a contact', has] as const),
    ),
  )
  test.each(cells)('%s, status %s, %s', (type, status, _, has) => {
    const [side, which] = type === '02' ? (['in', 'inContact'] as const) : (['out', 'outContact'] as const)
    const request = requestOn('1', DAY, {
      [`${side}LocationContact`]: has,
      [`${side}LocationContactChangeStatus`]: status,
      [`${side}LocationContactChangeRequestId`]: status === '2' ? 'c1' : null,
    })
    const isOpen = registration(request, type === '02' ? '02' : '03', undefined).status === '1'
    const link = statusLinks(request, true)[which]
    expect(isOpen).toBe(status === '1' && has !== null)
    expect(link.path?.includes('/add/') ?? false).toBe(isOpen)
    expect(link.status).toBe(isOpen ? 'todo' : status === '2' ? 'done' : 'barred')
  })
})

test('[spec 3] the map is asked for the address', () => {
  const { mapHref, address } = requestFacts(
    requestOn('1', DAY, { customerAddress: '東京都 江東区 東雲1-9-14' }),
  )
  expect(address).toBe('東京都 江東区 東雲1-9-14')
  expect(mapHref).toContain(encodeURIComponent('東京都 江東区 東雲1-9-14'))
})

test.each([
  ['neither address nor place', null, '', false],
  ['blank ones', ' ', '　', false],
  ['a place', null, '東雲', true],
  ['an address', '江東区', '', true],
])(
  '[spec 3] a map is offered where there is a place to look for: %s',
  (_, customerAddress, locationName, isOffered) => {
    const { mapHref } = requestFacts(requestOn('1', DAY, { customerAddress, locationName }))
    expect(mapHref !== null).toBe(isOffered)
  },
)

test.each([
  ['2026-11-20T10:00:00+09:00', '2026-11-20T11:30:00+09:00', '10:00〜11:30'],
  ['2026-11-20T23:00:00+09:00', '2026-11-21T04:00:00+09:00', '23:00〜11/21 04:00'],
  ['2026-11-21T01:00:00+09:00', '2026-11-21T04:00:00+09:00', '11/21 01:00〜11/21 04:00'],
  ['2026-11-21T01:00:00+09:00', null, '11/21 01:00〜'],
])('[spec 3] 断水時間 of another day than the working day says which: %s, %s', (start, end, text) => {
  const request = requestOn('1', DAY, { noWaterStartTime: start, noWaterEndTime: end })
  expect(requestFacts(request).noWater).toBe(text)
})

test('[look] a request in words; what it does not say is empty', () => {
  const request = requestOn('1', DAY, {
    customerAddress: '東京都江東区東雲1-9-14',
    notificationDistributionDate: '2026-11-17',
    notificationDistributionName: '2',
    parkingType: '1',
    parkingMethod: '搬入口B横の2番',
  })
  expect(requestFacts(request)).toMatchObject({
    day: '2026年11月20日（金）',
    time: '09:00〜12:00',
    noWater: '',
    notice: { by: '協力業者', day: '2026年11月17日（火）' },
    parking: '現場駐車場　搬入口B横の2番',
    inContact: null,
    safety: [],
  })
  expect(requestFacts(request).mapHref).toContain(encodeURIComponent('東京都江東区東雲1-9-14'))
  expect(requestHead({ ...request, workingStartTime: null, orderFlag: null })).toMatchObject({
    start: '',
    order: null,
  })
})

test.each([
  ['1', 'repair', '修理'],
  ['2', 'replace', '取替'],
  ['3', 'build', '工事'],
  ['4', 'survey', '調査'],
  ['7', 'maint', '保守'],
  ['8', 'maint', '保守（請求）'],
  ['99', 'survey', '99'],
])('[spec 3] order flag %s is %s %s', (orderFlag, tone, label) => {
  expect(requestHead(requestOn('1', DAY, { orderFlag })).order).toEqual({ tone, label })
})

test('[look] days in order, each with its requests', () => {
  const requests = [
    requestOn('1', DAY),
    requestOn('2', DAY),
    requestOn('3', '2026-11-21'),
    requestOn('4', '2026-11-28'),
  ]
  const rows = requests.map((request) => ({ ...request, needs: null, devices: [], address: null, tel: null }))
  const days = daysOf({ rows, fold: searchText }, filterOf({ ...DEFAULT_CHOICE, quick: 'week' }, DAY))
  expect(days.map((day) => [day.date, day.rows.map(({ id }) => id)])).toEqual([
    [DAY, ['1', '2']],
    ['2026-11-21', ['3']],
  ])
})
