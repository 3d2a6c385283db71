/** The CRM's names of its codes (spec 3): what was read is shown under them, what was saved here under our own. */
import type { ReactNode } from 'react'
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { Declaration } from '#schemas/declare/declare.ts'
import { declared } from '#schemas/collections/declared.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { namesRead, optionsOf } from '#schemas/declare/form-values.ts'
import { fieldText } from '#data/resources/field-text.ts'
import type { Database } from '#data/database/database.ts'
import { CustomerLocationViewScreen } from '#features/customer-location-change-request/customer-location-view-screen.tsx'
import { EmergencyListScreen } from '#features/emergency-report/emergency-list-screen.tsx'
import { QuickReportViewScreen } from '#features/quick-report/quick-report-view-screen.tsx'
import { SafetySelectScreen } from '#features/safety-measure/safety-select-screen.tsx'
import { SafetyViewScreen } from '#features/safety-measure/safety-view-screen.tsx'
import { serverFromWire, withoutStaleCodeNames } from '#sync/wire/declared.ts'
import { openTestDatabase, renderFeature } from '../support/render-feature.tsx'
import { confirmed, DAY } from '../support/safety-records.ts'
import { ENTERED, LEFT, reportOn, requestOn, storeVisits } from '../support/visit-records.ts'
import { reportIn } from './emergency-report/open-emergency.tsx'
import { storeView } from '../support/stored-views.ts'

const ROW = { id: 'x1', requestId: '1', workingDate: DAY, safetyType: '3' }

/** The collections, each field of a code that the CRM names, and what it is called in the answers. */
const NAMED = Object.entries<Declaration>(declared).flatMap(([collection, declaration]) =>
  Object.entries(declaration.codeNames ?? {}).map(([field, name]) => ({
    collection,
    declaration,
    field,
    name,
  })),
)

test('every name of spec 3 that comes with a code is declared', () => {
  expect(NAMED.map(({ name }) => name).toSorted()).toEqual(
    [
      'correspondenceDateName',
      'emergencyContentsName',
      'parkingTypeName',
      'reason1Name',
      'reason2Name',
      'riskName',
      'ttsStaffContactName',
      'typeName',
      'typeName',
    ].toSorted(),
  )
})

const server = { parkingType: '7', parkingTypeName: '屋上駐車場', risk: ['3', '9'], riskName: '浸水、停電' }

describe('[spec 3] a code in words', () => {
  const { customerLocationChangeRequests: location, emergencyReports: emergency } = declared
  test.each([
    ['the CRM’s name', location, 'parkingType', '7', server, '屋上駐車場'],
    ['another code than the one it named', location, 'parkingType', '1', server, '現場駐車場'],
    ['no name', location, 'parkingType', '7', { parkingType: '7' }, '7'],
    ['an empty name', location, 'parkingType', '1', { parkingType: '1', parkingTypeName: ' ' }, '現場駐車場'],
    ['several, each its own', emergency, 'risk', ['3', '9'], server, '浸水、停電'],
    ['one of several', emergency, 'risk', ['9', '6'], server, '停電、断水'],
    [
      'names that cannot be parted',
      emergency,
      'risk',
      ['3', '9'],
      { ...server, riskName: '浸水ほか' },
      '浸水ほか',
    ],
    ['those, of other codes', emergency, 'risk', ['6'], { ...server, riskName: '浸水ほか' }, '断水'],
    ['a name with ・ in it', emergency, 'emergencyContents', ['4'], {}, '苦情・クレーム'],
  ] as const)('%s', (_, declaration, field, value, said, text) => {
    expect(fieldText(declaration, field, value, said)).toBe(text)
  })

  test('a form offers what it opens with under the CRM’s name', () => {
    const names = namesRead(location, 'parkingType', server)
    expect(optionsOf(location.fields.parkingType, '7', names).at(-1)).toEqual({
      code: '7',
      label: '屋上駐車場',
    })
  })
})

describe.each(NAMED)('[PL2] $collection: $name', ({ declaration, field, name }) => {
  const read = (over: object) => serverFromWire(declaration, wireOf(declaration).assert({ ...ROW, ...over }))

  test('is read, and of a row without one nothing is made up', () => {
    expect(read({ [name]: '呼び名' })).toMatchObject({ [name]: '呼び名' })
    for (const over of [{}, { [name]: null }, { [name]: '' }]) expect(name in read(over)).toBe(false)
  })

  test('goes with its code: what is saved over it has none until it is read', () => {
    const state = { ...read({ [name]: '呼び名' }), [field]: '1' }
    expect(withoutStaleCodeNames(declaration, state, { ...state })).toHaveProperty(name)
    expect(withoutStaleCodeNames(declaration, state, { ...state, [field]: '2' })).not.toHaveProperty(name)
  })
})

const CHANGE_REQUEST = {
  key: '1',
  requestId: '1',
  workingDate: '',
  serverId: 'c1',
  unsent: 'no' as const,
  changes: [],
  server: {
    id: 'c1',
    detailed: true,
    stamp: '1',
    parkingType: '1',
    parkingTypeName: '地下駐車場',
    parkingMethod: null,
    inMethod: '裏口',
    editStatus: 'OK',
  },
}

const report = reportOn('1', { inTime: ENTERED, outTime: LEFT, type: '2', reason1: '4' })
const measure = confirmed('3')

interface Screen {
  of: string
  ui: ReactNode
  at: NonNullable<Parameters<typeof renderFeature>[1]>
  fill: (db: Database) => Promise<unknown>
  texts: string[]
}

const SCREENS: Screen[] = [
  {
    of: '入館・駐車場情報変更依頼詳細',
    ui: <CustomerLocationViewScreen id="c1" />,
    at: { path: '/customerLocationChangeRequest/$id', href: '/customerLocationChangeRequest/c1' },
    fill: (db) => storeView(db, 'customerLocationChangeRequests', CHANGE_REQUEST),
    texts: ['地下駐車場'],
  },
  {
    of: '退館報告詳細',
    ui: <QuickReportViewScreen id="q-1" />,
    at: { path: '/quickReport/$id', href: '/quickReport/q-1' },
    fill: (db) =>
      storeVisits(
        db,
        [],
        [
          {
            ...report,
            ...(report.server && {
              server: { ...report.server, typeName: '残あり', reason1Name: '開始の遅れ' },
            }),
          },
        ],
      ),
    texts: ['残あり', '開始の遅れ'],
  },
  {
    of: '緊急報告一覧',
    ui: <EmergencyListScreen requestId="1" workingDate={DAY} />,
    at: { path: '/emergencyReport/$id', href: '/emergencyReport/1' },
    fill: (db) =>
      storeView(
        db,
        'emergencyReports',
        reportIn('e1', {
          emergencyContentsName: 'ポンプ、転落',
          riskName: '浸水、停電',
          correspondenceDateName: '今日中',
          ttsStaffContactName: '済',
        }),
      ),
    texts: ['ポンプ', '転落', '浸水、停電', '今日中', '済'],
  },
  {
    of: '安全対策詳細',
    ui: <SafetyViewScreen id="s-3" />,
    at: { path: '/safetyMeasure/$id', href: '/safetyMeasure/s-3' },
    fill: (db) =>
      storeView(db, 'safetyMeasures', { ...measure, server: { ...measure.server, typeName: '高所作業' } }),
    texts: ['高所作業'],
  },
  {
    of: '安全対策選択',
    ui: <SafetySelectScreen requestId="1" workingDate={DAY} workingDateType="1" />,
    at: { path: '/safetyMeasure/select/$requestId', href: '/safetyMeasure/select/1' },
    fill: (db) =>
      storeView(db, 'safetyMeasures', { ...measure, server: { ...measure.server, typeName: '高所作業' } }),
    texts: ['高所作業'],
  },
]

test.each(SCREENS)(
  '[spec 3] $of shows what was read under the CRM’s names',
  async ({ ui, at, fill, texts }) => {
    const db = await openTestDatabase()
    await storeVisits(db, [requestOn('1', DAY)])
    await fill(db)
    await renderFeature(ui, { ...at, db })
    for (const text of texts) expect(await screen.findByText(text)).toBeTruthy()
  },
)
