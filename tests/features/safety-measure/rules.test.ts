import { describe, expect, test } from 'vitest'
import { SafetyType } from '#schemas/codes.ts'
import type { StoredState } from '#schemas/change.ts'
import { safetyMeasureDraft } from '#schemas/resources/safety-measure-checks.ts'
import { COMMON_CHECKS, SAFETY_CHECKS } from '#schemas/resources/safety-measure.ts'
import { checklists, commonChecks } from '#features/safety-measure/checklists.ts'
import {
  addTarget,
  safetyInputOf,
  openChecks,
  safetyPhotoProblem,
  startsOf,
} from '#features/safety-measure/rules.ts'
import { safetyMeasureView, safetyRows, safetyStatus } from '#data/resources/safety-measures.ts'
import { i18n } from '../../support/i18n.ts'
import { requestOn } from '../../support/visit-records.ts'
import { confirmed, DAY, ledgerOf, saved } from '../../support/safety-records.ts'

const types = SafetyType.options.map(({ code }) => code)

describe('[spec 3] the checklists', () => {
  test.each(types)('type %s has as many items in each list as the schema asks for', (type) => {
    expect(checklists[type].map(({ items }) => items.length)).toEqual(SAFETY_CHECKS[type])
  })

  test('three checks are common to all', () => expect(commonChecks.items).toHaveLength(COMMON_CHECKS))

  test('each sentence is one, and no two of a type are the same', () => {
    for (const type of types) {
      const items = [...checklists[type], commonChecks].flatMap((list) => list.items)
      const texts = items.map((item) => i18n._(item))
      expect(new Set(texts).size).toBe(texts.length)
      for (const text of texts) expect(text).toMatch(/^[^。]{5,45}$/)
    }
  })
})

describe('[spec 5] what a form starts with', () => {
  test.each(types)('type %s: nothing ticked is not enough, everything ticked is', (type) => {
    const draft = safetyMeasureDraft(type)
    expect(draft.allows(safetyInputOf(type, false))).toBe(false)
    expect(draft.allows(safetyInputOf(type, true))).toBe(true)
    expect(openChecks(safetyInputOf(type, true))).toBe(0)
  })

  test('the lists of 地下ピット lie one after the other', () => {
    expect(startsOf('1')).toEqual([0, 13])
    expect(startsOf('3')).toEqual([0])
    expect(openChecks(safetyInputOf('1', false))).toBe(23)
  })
})

test.each([
  ['one photo', { items: [1] }, undefined],
  ['none', {}, 'ec00001'],
  ['one that is being read', { loading: [1] }, undefined],
  ['those in the file store were not read', { rest: 'absent' }, undefined],
  ['one of them could not be sent', { items: [1, 2], failed: true }, 'ec00001'],
])('[spec 5] 安全対策写真: %s', (_, over, problem) => {
  expect(safetyPhotoProblem({ items: [], loading: [], rest: null, failed: false, ...over })).toBe(problem)
})

const address = { requestId: '1', safetyType: '3', workingDateType: '1', workingDate: DAY }

test.each([
  ['whole', {}, true],
  ['no kind of day: the request may leave it out', { workingDateType: undefined }, true],
  ['no request', { requestId: undefined }, false],
  ['no type', { safetyType: undefined }, false],
  ['a type there is not', { safetyType: '6' }, false],
  ['a full-width type', { safetyType: '３' }, false],
  ['a type with a mark that turns the direction', { safetyType: '\u202E3' }, false],
  ['script for a type', { safetyType: '<script>' }, false],
  ['no day', { workingDate: undefined }, false],
  ['a day that is none', { workingDate: '2026-02-30' }, false],
  ['a blank day', { workingDate: ' ' }, false],
  ['10,000 letters for a day', { workingDate: '1'.repeat(10_000) }, false],
  ['an emoji for a day', { workingDate: '🏗️' }, false],
])('[spec 2] the address of 安全対策登録: %s', (_, over, opens) => {
  expect(addTarget({ ...address, ...over }) !== null).toBe(opens)
})

describe('[ST1] a measure as a person sees it', () => {
  const seen = (state: StoredState | null) => {
    const record = saved('4')
    const progress = state && ledgerOf(record, { state })
    return safetyMeasureView(record, {
      progress: new Map(progress ? [[progress.id, progress]] : []),
      photos: [],
    })
  }

  test.each([
    [null, 'waiting'],
    ['waiting', 'waiting'],
    ['sending', 'sending'],
    ['unknown', 'waiting'],
    ['refused', 'failed'],
    ['expired', 'expired'],
  ] as const)('saved here, in the ledger %s: %s', (state, shown) => {
    expect(seen(state)).toMatchObject({ id: `1_${DAY}_4`, need: '1', state: shown })
  })

  test('given up: there is none', () => expect(seen('discarded')).toBeNull())

  test('what the CRM has counts, whatever was saved here', () => {
    const record = { ...saved('4', '2'), ...confirmed('4'), changes: saved('4', '2').changes }
    const progress = new Map([['c-4', ledgerOf(record, { state: 'refused' })]])
    expect(safetyMeasureView(record, { progress, photos: [] })).toMatchObject({
      id: 's-4',
      need: '1',
      state: null,
    })
  })
})

describe('[spec 4] the types in their order', () => {
  const detail = {
    goods: [],
    devices: [],
    underPitSurvey: [],
    safety: [
      { id: 's1', needFlag: '1', safetyType: '1', workingDate: DAY },
      { id: 's2', needFlag: '2', safetyType: '3', workingDate: null },
      { id: 's3', needFlag: '1', safetyType: '4', workingDate: '2026-11-19' },
    ],
  }
  const request = requestOn('1', DAY, {
    safetyStatus: '1',
    safetyDirectionName: '高所;酸欠；地下ピット; 不明',
    detail,
  })
  const viewOf = (record: ReturnType<typeof saved>, state: StoredState = 'waiting') => {
    const view = safetyMeasureView(record, {
      progress: new Map([[`c-${record.safetyType}`, ledgerOf(record, { state })]]),
      photos: [],
    })
    if (!view) throw new Error('no measure')
    return view
  }

  test('pit, oxygen, height, parking machine, entanglement; with what the request’s row says of the day', () => {
    const rows = safetyRows(request, [])
    expect(rows.map(({ type }) => type)).toEqual(['1', '4', '3', '2', '5'])
    expect(rows.map(({ named }) => named)).toEqual([true, true, true, false, false])
    expect(rows.map(({ measure }) => measure?.need ?? null)).toEqual(['1', null, '2', null, null])
  })

  test('a record of the device goes before the row, unless it was refused', () => {
    const [pit] = safetyRows(request, [viewOf(saved('1', '2'))])
    expect(pit?.measure).toMatchObject({ need: '2', state: 'waiting' })
    const [there] = safetyRows(request, [viewOf(saved('1', '2'), 'refused')])
    expect(there?.measure).toMatchObject({ id: 's1', need: '1', state: null })
  })

  const whole = { ...request, detail: { ...detail, safety: [] } }
  test.each([
    ['nothing registered here', '1', [], '1'],
    ['one of three waits', '1', [viewOf(saved('1'))], '2'],
    ['all three wait', '2', ['1', '3', '4'].map((type) => viewOf(saved(type))), '3'],
    ['the one was refused', '1', [viewOf(saved('1'), 'refused')], '1'],
    ['the one expired', '1', [viewOf(saved('1'), 'expired')], '1'],
    ['one that the request does not name', '1', [viewOf(saved('5'))], '1'],
    ['the CRM says 登録済', '3', [], '3'],
    ['the CRM asks for none', '0', [], '0'],
    ['the CRM asks for none, and one is registered all the same', '0', [viewOf(saved('4', '1'))], '3'],
    ['the CRM asks for none, and 不要 is registered', '0', [viewOf(saved('4', '2'))], '0'],
    ['the CRM asks for none, and refused the one there was', '0', [viewOf(saved('4', '1'), 'refused')], '0'],
  ])('the status: %s', (_, said, measures, status) => {
    const asked = { ...whole, safetyStatus: said }
    expect(safetyStatus(asked, safetyRows(asked, measures))).toBe(status)
  })
})
