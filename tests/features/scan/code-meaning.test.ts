import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { targetsOf, type ScanTarget } from '#features/scan/code-meaning.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import { requestOn } from '../../support/visit-records.ts'

const TODAY = '2026-11-20'
const ORIGIN = 'https://genba.example.jp'

const row = (id: string, day: string, requestCode: string, devices: string[]): ListedRequest => ({
  ...requestOn(id, day, { requestCode }),
  address: null,
  tel: null,
  devices,
  needs: null,
})
const rows = [
  row('r1', '2026-11-18', 'R26-112001', ['D-100', 'D-200']),
  row('r1', TODAY, 'R26-112001', ['D-100', 'D-200']),
  row('r1', '2026-11-21', 'R26-112001', ['D-100']),
  row('r2', TODAY, 'R26-112002', ['D-200', 'D-300']),
  row('r3', '2026-11-22', 'R26-112003', ['D-400']),
  row('r3', '2026-11-25', 'R26-112003', ['D-400']),
  row('r4', '2026-11-19', 'R26-112004', ['D-500']),
]
const isToday = ({ workingDate }: ListedRequest) => workingDate === TODAY
const name = (target: ScanTarget) =>
  target.kind === 'request'
    ? `${target.id} ${target.workingDate ?? 'no day'}`
    : `reports of ${target.deviceId}`
const led = (...texts: string[]) =>
  targetsOf(texts, { rows, isToday, today: TODAY, origin: ORIGIN }).map(name)

describe('[decisions/camera] what a code leads to', () => {
  test.each([
    ['依頼番号', 'R26-112001', ['r1 2026-11-20']],
    ['依頼番号 in full width and lower case, with blanks', ' ｒ２６－１１２００１\n', ['r1 2026-11-20']],
    ['the id of a request', 'r1', ['r1 2026-11-20']],
    ['a request of later days: the next one', 'R26-112003', ['r3 2026-11-22']],
    ['a request of an earlier day', 'R26-112004', ['r4 2026-11-19']],
    ['a machine with a request of today', 'D-100', ['r1 2026-11-20']],
    ['a machine with two requests of today', 'd-200', ['r1 2026-11-20', 'r2 2026-11-20']],
    ['a machine without one: its past reports', 'D-400', ['reports of D-400']],
    ['an address of a request and a day', `${ORIGIN}/request/r1?workingDate=2026-11-21`, ['r1 2026-11-21']],
    ['an address of a request without a day', `${ORIGIN}/request/r1`, ['r1 2026-11-20']],
    [
      'an address of a request that is not here',
      `${ORIGIN}/request/r9?workingDate=2026-11-20`,
      ['r9 2026-11-20'],
    ],
    ['… with no real day', `${ORIGIN}/request/r9?workingDate=2026-99-99`, ['r9 no day']],
    ['an address of a machine', `${ORIGIN}/report/D-300`, ['r2 2026-11-20']],
    ['an address of a machine that is not here', `${ORIGIN}/report/D%2F9`, ['reports of D/9']],
    ['an address of another screen', `${ORIGIN}/logout`, []],
    ['a broken address', `${ORIGIN}/report/%E0%A4%A`, []],
    ['an address of another system', 'https://evil.example/request/r1', []],
    ['a script', 'javascript:alert(1)//r1', []],
    ['a code of another system', '4901234567894', []],
    ['nothing that can be seen', '\u200B\u202E', []],
    ['a longer text than any id', 'R26-112001'.repeat(1000), []],
  ])('%s', (_, text, expected) => expect(led(text)).toEqual(expected))

  test('of several codes each target counts once, and those that lead nowhere do not count', () => {
    expect(led('R26-112001', 'D-100', `${ORIGIN}/request/r1`, '4901234567894')).toEqual(['r1 2026-11-20'])
    expect(led('D-400', 'R26-112001')).toEqual(['reports of D-400', 'r1 2026-11-20'])
  })

  test('any text leads to targets of this device, to a bounded id of an own address, or nowhere', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.boolean(), (text, isAddress) => {
        const all = targetsOf([isAddress ? `${ORIGIN}/report/${text}` : text], {
          rows,
          isToday,
          today: TODAY,
          origin: ORIGIN,
        })
        for (const target of all)
          if (target.kind === 'device') expect(target.deviceId.length).toBeLessThanOrEqual(100)
          else expect(rows).toContain(target.row)
      }),
    )
  })
})
