import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { SafetyType } from '#schemas/codes.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { safetyMeasureDraft } from '#schemas/resources/safety-measure-checks.ts'
import { safetyKey, safetyMeasure } from '#schemas/resources/safety-measure.ts'

const ticks = (count: number) => Array.from({ length: count }, () => true)

describe('[spec 3][spec 5] every item of the checklists is ticked', () => {
  test.each([
    ['1', 20],
    ['2', 9],
    ['3', 7],
    ['4', 6],
    ['5', 6],
  ] as const)('type %s has %d items', (code, count) => {
    const draft = safetyMeasureDraft(code)
    expect(draft.allows({ checks: ticks(count), common: ticks(3) })).toBe(true)
    expect(draft.allows({ checks: ticks(count - 1), common: ticks(3) })).toBe(false)
    expect(draft.allows({ checks: [...ticks(count - 1), false], common: ticks(3) })).toBe(false)
    expect(draft.allows({ checks: ticks(count), common: [true, true, false] })).toBe(false)
  })

  test('what is missing is named by ec00001', () => {
    const wrong = safetyMeasureDraft('4')({ checks: [], common: ticks(3) })
    expect(wrong instanceof type.errors && wrong[0]?.expected).toBe('ec00001')
  })
})

test('one for each request, day and type', () => {
  const keys = SafetyType.options.map(({ code }) => safetyKey('r1', '2026-11-20', code))
  expect(new Set(keys).size).toBe(5)
})

test.each([
  [{ id: 's1', requestId: 'r1', safetyType: 3, workingDate: '2026-11-20' }, true],
  [{ id: 's1', requestId: 'r1', safetyType: '3', workingDate: '2026-13-20' }, false],
  [{ id: 's1', requestId: 'r1', workingDate: '2026-11-20' }, false],
])('[PL2] %j is a row: %s', (row, fits) =>
  expect(!(wireOf(safetyMeasure)(row) instanceof type.errors)).toBe(fits),
)
