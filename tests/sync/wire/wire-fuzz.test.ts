/** Thousands of answers to each resource with junk where a value should be: nothing throws, no good row is lost (PL2). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contactChangePull,
  customerLocationPull,
  notePull,
  safetyMeasurePull,
} from '#sync/resources/own-rules.ts'
import { pastReportPull, pullResources, supplierStaffPull } from '#sync/resources/resource-table.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { PullResource } from '#sync/resources/resource.ts'
import { limitedSize } from '#sync/transport/parse-json.ts'
import { changedRecords, parseRequestPage, parseRows } from '../../support/without-pauses.ts'

const TODAY = '2026-11-20'
/** Number of answers. All 10,000 take half a minute, so only `npm run test:slow` uses them. */
const ANSWERS = process.env['SLOW'] ? 10_000 : 600
const ROWS_MAX = 3
/** A new seed each time; a failure prints it, so that the case can be repeated. */
const seed = Date.now()

/** A row with the fields of every resource, filled like the CRM fills them. */
const good = {
  id: 'good',
  requestId: 'r1',
  requestCode: 'R26-1',
  locationAreaId: 'l1',
  workingDate: TODAY,
  workingStartTime: `${TODAY}T09:00:00+09:00`,
  workingEndTime: `${TODAY}T12:00:00Z`,
  occurrenceDate: TODAY,
  type: '1',
  safetyType: '1',
  needFlag: '1',
  name: '名',
  note: '注意',
  situation: '現況',
  createdAt: `${TODAY}T09:00:00+09:00`,
  quickReport: { id: 'q1', inTime: `${TODAY}T09:00:00+09:00` },
  inLocationContact: { name: '管理室', tel1: '03-1234-5678' },
  goods: [{ id: '1', name: '部品', goodsDetail: [{ itemName: '弁', quantity: '1' }] }],
  device: [{ deviceId: 'd1', deviceModel: 'm' }],
  safety: [{ id: 's1', safetyType: '1' }],
  emergencyReport: [{ id: 'e1' }],
  ttsOrder: { orderFlag: '1', locationArea: { id: 'l1', name: '地' }, customer: { city: '江東区' } },
  userFlag: '6',
}

const NASTY = [
  '<img src=x onerror=alert(1)>',
  '\u0000',
  '\uD800',
  'ア゙',
  '0',
  '-1',
  '2026-02-30',
  '9'.repeat(400),
]
const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom<unknown>(...NASTY, Number.MAX_VALUE, null, [], {}, [[]], { __proto__: null, id: {} }),
)
const fields = fc.constantFrom(...Object.keys(good), 'constructor', '__proto__', 'toString', 'extra')
const bad = fc
  .array(fc.tuple(fields, junk), { minLength: 1, maxLength: 3 })
  .map((changes) => ({ ...good, id: 'bad', ...Object.fromEntries(changes) }))
const hostile = fc.oneof({ weight: 9, arbitrary: bad }, { weight: 1, arbitrary: junk })
/** The hostile answers, created once for all resources. */
const answers = fc.sample(fc.array(hostile, { minLength: 1, maxLength: ROWS_MAX }), {
  numRuns: ANSWERS,
  seed,
})

/** Adds a good row before and after the hostile ones. @param read returns the ids of the rows that could be read */
function losesNone(read: (rows: unknown) => string[]): void {
  expect(answers).toHaveLength(ANSWERS)
  for (const [at, rows] of answers.entries()) {
    const answer = limitedSize([good, ...structuredClone(rows), { ...good, id: 'last' }]).body
    const ids = read(answer)
    if (!ids.includes('good') || !ids.includes('last'))
      expect.fail(`seed ${seed}, answer ${at}: ${JSON.stringify(rows)}`)
  }
}

const RESOURCES: [string, PullResource<LocalRecord>][] = [
  ['emergency reports', pullResources.emergencyReports],
  ['safety measures', safetyMeasurePull],
  ['contact change requests', contactChangePull],
  ['location change requests', customerLocationPull],
  ['notes', notePull],
  ['past reports', pastReportPull],
  ['staff', supplierStaffPull],
] as unknown as [string, PullResource<LocalRecord>][]

describe(`[PL2] whatever stands in a row, nothing throws and the good rows are read, in ${ANSWERS} answers`, () => {
  const list = { owner: `r1_${TODAY}`, requests: [] }

  test.each(RESOURCES)('of %s', (_, resource) => {
    expect(parseRows(resource, [good], list).rows).toHaveLength(1)
    losesNone((answer) => parseRows(resource, answer as unknown[], list).rows.map(({ id }) => id))
  })

  test('of requests', () => {
    expect(parseRequestPage([good]).rows).toHaveLength(1)
    const mark = { stamp: '1', at: `${TODAY}T00:00:00.000Z` }
    losesNone((answer) => changedRecords(parseRequestPage(answer).rows, new Map(), mark).map(({ id }) => id))
  })
})
