import { describe, expect, test } from 'vitest'
import { requestRecord, requestWire, SORT_KEY_MAX } from '#schemas/resources/request.ts'
import { digest, toRequestRecord } from '#sync/wire/request.ts'

const mark = { stamp: '1-0000-phone', at: '2026-11-20T01:00:00.000Z' }
const later = { stamp: '2-0000-phone', at: '2026-11-20T02:00:00.000Z' }
const raw = {
  id: 'r1',
  requestCode: 'R26-1',
  workingDate: '2026-11-20',
  workingStartTime: '2026-11-20T09:00:00+09:00',
  inLocationContactChangeRequest: { id: 'cc-1' },
  inLocationContact: {
    name: '管理室',
    class: '室長',
    tel1: '03-0000-0000',
  },
  quickReport: {
    id: 'q1',
    inTime: '2026-11-20T08:56:00+09:00',
  },
  ttsOrder: {
    orderFlag: '7',
    emergencyFlag: '1',
    locationArea: {
      id: 'l1',
      name: '第一ビル',
    },
    customer: {
      name: '株式会社甲',
      prefectureName: '東京都',
      city: '港区',
      address1: '1-1',
      address2: null,
    },
    salesMearge: { name: '営業 太郎' },
  },
}
const details = {
  goods: [
    { id: 'g1', name: 'ポンプ', goodsDetail: [{ id: 'd1', itemName: '軸', quantity: 2, model: null }] },
  ],
  device: [{ deviceId: 'd-1', deviceModel: 'P-1' }],
  safety: [{ id: 's1', safetyType: '1', needFlag: 1 }],
  underPitSurvey: [{ site: 1, depth: '2' }],
}
const record = (change: object = {}, ...rest: [Parameters<typeof toRequestRecord>[1]?, typeof mark?]) =>
  toRequestRecord(requestWire.assert({ ...raw, ...change }), rest[0], rest[1] ?? mark)

test('[contract 4] a row in clean names', () => {
  expect(record()).toMatchObject({
    key: 'r1_2026-11-20',
    orderFlag: '7',
    emergency: true,
    locationAreaId: 'l1',
    locationName: '第一ビル',
    customerName: '株式会社甲',
    customerAddress: '東京都 港区 1-1',
    salesName: '営業 太郎',
    inLocationContactChangeRequestId: 'cc-1',
    outLocationContact: null,
    noteLocationAreaCount: 0,
    inLocationContact: {
      name: '管理室',
      class: '室長',
      tel1: '03-0000-0000',
      email: null,
    },
    quickReport: {
      id: 'q1',
      inTime: '2026-11-20T08:56:00+09:00',
      outTime: null,
      type: null,
      editStatus: null,
    },
    readStamp: mark.stamp,
    confirmedAt: mark.at,
  })
})

test('the least and the fullest row are records the device can hold', () => {
  const least = { id: 'x'.repeat(64), requestCode: 'R', workingDate: '2026-11-20', ttsOrder: {} }
  for (const row of [least, raw, { ...raw, ...details }]) {
    const made = toRequestRecord(requestWire.assert(row), undefined, mark)
    expect(requestRecord.assert(made)).toEqual(made)
    expect(made.sortKey.length).toBeLessThanOrEqual(SORT_KEY_MAX)
  }
})

test('[contract 2] null and absent make the same record', () => {
  const nulls = { situation: null, outLocationContact: null, safetyStatus: null, noteLocationAreaCount: null }
  expect(record(nulls)).toEqual(record())
})

test('[contract 2] an empty text says as little as null: no screen shows a label with nothing beside it', () => {
  const row = (text: string | null) => {
    const contact = Object.fromEntries(
      ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email', 'tel1'].map((name) => [name, text]),
    )
    return {
      ...{ situation: text, messageTts: text, safetyDirectionName: text, emergencyReportFolderId: text },
      noteLocationAreaCount: text,
      inLocationContact: contact,
      goods: [
        { id: text, name: text, goodsDetail: [{ id: text, itemName: text, quantity: text, model: text }] },
      ],
      device: [{ deviceId: 'd-1', deviceModel: text, site1: text, site2: text }],
      safety: [],
      underPitSurvey: [],
      ttsOrder: {
        ...{ parkingMethod: text, inMethod: text, locationArea: { id: 'l1', name: text } },
        customer: { name: text, prefectureName: text, city: text, address1: text, address2: text },
        salesMearge: { name: text },
      },
    }
  }
  expect(record(row(''))).toEqual(record(row(null)))
})

test('the list goes by start, whatever the offset, and what has no start comes last', () => {
  const at = (workingStartTime: string | null) => record({ workingStartTime }).sortKey
  expect(at('2026-11-20T00:00:00Z')).toBe(at('2026-11-20T09:00:00+09:00'))
  expect(at('2026-11-20T08:30:00+09:00') < at('2026-11-20T00:00:00Z')).toBe(true)
  expect(at(null) > at('2026-11-20T23:59:00+09:00')).toBe(true)
  expect(at(null) < record({ workingDate: '2026-11-21' }).sortKey).toBe(true)
})

describe('[contract 4] details, which a search row may leave out', () => {
  const whole = record(details)

  test('a row with all of them is whole', () => {
    expect(whole.detail).toMatchObject({
      goods: [{ id: 'g1', details: [{ itemName: '軸', quantity: '2' }] }],
      devices: [{ deviceId: 'd-1', deviceModel: 'P-1', site1: null }],
      safety: [{ id: 's1', safetyType: '1', needFlag: '1', workingDate: null }],
      underPitSurvey: [{ site: '1', depth: '2' }],
    })
    expect(whole.detailConfirmedAt).toBe(mark.at)
  })

  test('a new row without them has none yet', () => {
    expect(record()).toMatchObject({ detail: null, detailConfirmedAt: '' })
  })

  test.each<[string, object]>([
    ['leaves them out', {}],
    ['says null of them', { goods: null, device: null, safety: null, underPitSurvey: null }],
    ['has the safety measures only', { safety: details.safety }],
    ['has the goods only', { goods: [] }],
  ])('[PL4] a row that %s keeps those known', (_, change) => {
    expect(record(change, whole, later)).toMatchObject({
      detail: whole.detail,
      detailConfirmedAt: mark.at,
      confirmedAt: later.at,
    })
  })

  const PARTS = ['goods', 'device', 'safety', 'underPitSurvey'] as const
  const subsets = Array.from({ length: 2 ** PARTS.length }, (_, bits) =>
    PARTS.filter((_part, at) => (bits >> at) % 2 === 1),
  )

  describe.each(subsets.map((left) => ({ left })))('a search row without $left', ({ left }) => {
    const absent = { ...details, ...Object.fromEntries(left.map((part) => [part, undefined])) }
    const nulls = { ...details, ...Object.fromEntries(left.map((part) => [part, null])) }
    test.each([absent, nulls])(
      '[PL4][contract 2] erases none of what is known, and confirms only a whole row',
      (row) => {
        const known = record(row, whole, later)
        expect(known.detail).toEqual(whole.detail)
        expect(known.detailConfirmedAt).toBe(left.length === 0 ? later.at : mark.at)
      },
    )
  })

  test('[PL5] a row that changed keeps them, and has them read again', () => {
    const changed = record({ situation: '水漏れ' }, whole, later)
    expect(changed).toMatchObject({ detail: whole.detail, detailConfirmedAt: '' })
  })

  test('the single read is whole: what it leaves out there is none of', () => {
    const row = requestWire.assert({ ...raw, goods: details.goods })
    expect(toRequestRecord(row, whole, later, 'single')).toMatchObject({
      detail: { goods: [{ id: 'g1' }], devices: [], safety: [], underPitSurvey: [] },
      detailConfirmedAt: later.at,
    })
  })
})

describe('[PL5] a row that changed is told by its digest', () => {
  test.each<[string, object]>([
    ['its start', { workingStartTime: '2026-11-20T09:30:00+09:00' }],
    ['its report', { quickReport: { ...raw.quickReport, outTime: '2026-11-20T11:00:00+09:00' } }],
    ['that the report is gone', { quickReport: null }],
    ['a contact', { inLocationContact: { ...raw.inLocationContact, tel1: '03-1' } }],
    ['the number of notes', { noteLocationAreaCount: 1 }],
    ['the safety status', { safetyStatus: '3' }],
    ['the order', { ttsOrder: { ...raw.ttsOrder, parkingType: '2' } }],
  ])('%s', (_, change) => expect(record(change).rowDigest).not.toBe(record().rowDigest))

  test.each<[string, object]>([
    ['when it was read', {}],
    ['unknown fields', { somethingNew: 1 }],
    ['the details, which only some reads have', details],
  ])('not by %s', (_, change) => expect(record(change, undefined, later).rowDigest).toBe(record().rowDigest))

  test('the digest itself is short, and told apart by one letter', () => {
    const texts = Array.from({ length: 2_000 }, (_, i) => digest({ text: `行 ${i}`, list: [i] }))
    expect(new Set(texts).size).toBe(texts.length)
    expect(digest({ a: 1 })).toBe(digest({ a: 1 }))
    expect(digest('a'.repeat(100_000)).length).toBeLessThan(20)
    expect(digest('ab')).not.toBe(digest('ba'))
  })
})
