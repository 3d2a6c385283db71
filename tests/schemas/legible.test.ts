/** Invisible characters, and characters that change how other text is shown, never get from another system to a screen. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalReasons, successTexts } from '#schemas/api-error.ts'
import { declared } from '#schemas/collections/declared.ts'
import type { Declaration } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { pastReportWire } from '#schemas/resources/past-report.ts'
import { requestWire } from '#schemas/resources/request.ts'
import { userInfo } from '#schemas/device/session.ts'
import { supplierStaffWire } from '#schemas/resources/supplier-staff.ts'
import { legible, regularText } from '#schemas/text.ts'
import { fieldsOf } from '../support/declared-values.ts'

/** Unicode's directional characters, characters without width, and control characters. */
const UNSEEN = Array.from(
  '\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2061\u2066\u2067\u2068\u2069\u206F\u061C\uFEFF\u00AD\u034F\u180E\u3164\uFFA0\u2800\uFFF9\u{E0041}\u{1D173}\u0000\u0007\u001B\u009B',
)
const ANY_UNSEEN = new RegExp(`[${UNSEEN.join('')}]`, 'u')
const hidden = UNSEEN.join('')
const spiked = `${hidden}甲${hidden}乙${hidden}`

const SEEN = [
  '葛\u{E0100}城',
  '☎\uFE0F',
  '👨‍👩‍👧',
  '❤️‍🔥',
  '👩🏽‍🔧',
  '1️⃣',
  '髙﨑',
  'が',
  'か\u3099',
  'שער 3',
  'a\tb\r\nc\u0085d\u2028e　f',
]

describe('a text without what nobody sees', () => {
  test.each(UNSEEN.map((sign) => [sign.codePointAt(0)?.toString(16) ?? '', sign]))('U+%s goes', (_, sign) => {
    expect(legible(`甲${sign}乙${sign}`)).toBe('甲乙')
    expect(regularText(`甲${sign}乙${sign}`)).toBe('甲乙')
  })

  test.each(SEEN)('%s stays', (text) => expect(legible(text)).toBe(text))

  test('so does every character of Unicode that is ignored or controls, but for blanks and variants', () => {
    const ignored = /(?![\s\u0085\p{Variation_Selector}])[\p{Default_Ignorable_Code_Point}\p{Cc}]/u
    const all = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code))
    expect(all.filter((sign) => ignored.test(sign) && legible(`甲${sign}`) !== '甲')).toEqual([])
  })

  test('nothing is left of it, whatever it is mixed with', () => {
    const pieces = fc.constantFrom(...UNSEEN, '\uFE0F', '\u{E0100}', '甲', '👨', '\u3099', ' ', '\n')
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (text) => {
          const shown = legible(text)
          expect(shown.replaceAll('👨\u200D👨', '')).not.toMatch(
            /(?<!👨\uFE0F?)\u200D|[\u202A-\u202E\u2066-\u2069\u200B]/,
          )
          expect(legible(shown)).toBe(shown)
          expect(regularText(regularText(text))).toBe(regularText(text))
        },
      ),
    )
  })
})

const request = {
  id: 'r1',
  requestCode: '\u202E甲乙\u200B',
  workingDate: '2026-11-20',
  workingDateType: spiked,
  notificationDistributionName: spiked,
  situation: spiked,
  messageTts: spiked,
  safetyDirectionName: spiked,
  ...Object.fromEntries(
    ['inLocationContact', 'outLocationContact'].map((name) => [
      name,
      Object.fromEntries(
        ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email', 'tel1'].map((each) => [
          each,
          spiked,
        ]),
      ),
    ]),
  ),
  safety: [{ id: 's1', needFlag: spiked, safetyType: spiked }],
  goods: [{ name: spiked, goodsDetail: [{ itemName: spiked, quantity: spiked, model: spiked }] }],
  device: [{ deviceModel: spiked, site1: spiked, site2: spiked }],
  underPitSurvey: [{ site: spiked, depth: spiked, hatch: spiked }],
  quickReport: { id: 'q1', type: spiked, editStatus: spiked },
  ttsOrder: {
    orderFlag: spiked,
    parkingMethod: spiked,
    inMethod: spiked,
    locationArea: { name: spiked },
    customer: { name: spiked, prefectureName: spiked, city: spiked, address1: spiked, address2: spiked },
    salesMearge: { name: spiked },
  },
}
const TEXTS_OF_A_REPORT = [
  'reportCatName',
  'supplierName',
  'supplierStaffName',
  'requestDetail',
  'specialComment',
]
const report = {
  id: 'p1',
  workingDate: '2026-11-20',
  ...Object.fromEntries(TEXTS_OF_A_REPORT.map((name) => [name, spiked])),
  emergencyReport: [{ emergencyContentsName: spiked, emergencyContentsDetails: spiked, riskName: spiked }],
}

describe('[PL2] what the CRM writes', () => {
  test.each([
    ['a request', requestWire, request],
    ['a past report', pastReportWire, report],
    ['a colleague', supplierStaffWire, { id: 'u1', name: spiked, userFlag: spiked }],
    ['who is signed in', userInfo, { id: 'u1', userFlag: 1, loginUserName: spiked }],
  ] as const)('%s', (_, schema, row) => {
    expect(JSON.stringify(row)).toContain('\u202E')
    const read: unknown = schema.assert(row)
    expect(JSON.stringify(read)).toContain('甲乙')
    expect(JSON.stringify(read)).not.toMatch(ANY_UNSEEN)
  })

  test.each(Object.entries<Declaration>(declared))('%s', (_, declaration) => {
    const texts = fieldsOf(declaration).flatMap(([name, { kind, responseName = name }]) =>
      kind === 'time' ? [] : [responseName],
    )
    const told = Object.entries(declaration.crmOnlyFields).flatMap(([name, kind]) =>
      kind === 'text' ? [name] : [],
    )
    const names = Object.entries(declaration.names).map(([name, kind]) => [
      name.replace('?', ''),
      kind === 'day' || kind === 'date' ? '2026-11-20' : kind === 'text' || kind === 'code' ? spiked : '1',
    ])
    const named = [...texts, ...told, ...Object.values(declaration.codeNames ?? {})].map((name) => [
      name,
      spiked,
    ])
    const read = wireOf(declaration).assert({ id: '1', ...Object.fromEntries([...named, ...names]) })
    expect(JSON.stringify(read)).not.toMatch(ANY_UNSEEN)
  })

  test('the reasons of a refusal, and what it says with success', () => {
    expect(refusalReasons({ message: [spiked, hidden] })).toEqual(['甲乙'])
    expect(successTexts({ message: spiked })).toEqual(['甲乙'])
  })
})
