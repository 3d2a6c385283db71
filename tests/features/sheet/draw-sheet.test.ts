/** What was typed is on the page, all of it, and legible in print. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layOutSheet, PAGE, type SheetPage, sheetPage } from '#features/sheet/draw-sheet.ts'
import { gasSheet } from '#features/sheet/sheets.ts'
import { i18n } from '../../support/i18n.ts'

/** Each character is a square, as in Japanese. */
const measure = (text: string, height: number) => Array.from(text).length * height

/** 1 pt of A5, 210 mm high, in px. */
const POINT = (PAGE.height / 210) * (25.4 / 72)

const bare = (text: string) => text.replaceAll(/\s/g, '')
const text = (maxLength: number) => fc.string({ maxLength, unit: 'grapheme-composite' })

function expectWhole(page: SheetPage) {
  const { texts } = layOutSheet(measure, page)
  const typed = [page.facts, ...page.rows.map((row) => row.texts), page.more].flat()
  const drawn = bare(texts.map((each) => each.text).join(''))
  for (const each of typed) expect(drawn).toContain(bare(each.text))
  for (const each of texts) {
    expect(each.x + measure(each.text, each.height)).toBeLessThanOrEqual(PAGE.width)
    expect(each.y + each.height / 2).toBeLessThanOrEqual(PAGE.height)
  }
  return Math.min(...texts.map(({ height }) => height))
}

const facts = [
  { label: '依頼番号', text: 'R26-113051' },
  { label: '現場', text: 'レジデンス森下 排水槽' },
  { label: '作業日', text: '2026/11/20（金）' },
]
const row = (place: string) => ({ place, oxygen: '20.9', sulfide: '0.5', at: '2026-11-20T09:12:00+09:00' })

describe('[decisions/forms] the picture of a sheet', () => {
  test('has all that was typed, up to the limits of every field', () => {
    const longest = fc.record({
      place: text(120),
      measurer: text(120),
      conditions: text(300),
      action: text(300),
      rows: fc.integer({ min: 1, max: gasSheet.rows.most }),
    })
    fc.assert(
      fc.property(longest, ({ place, rows, ...fields }) => {
        const values = { fields, rows: Array.from({ length: rows }, () => row(place)), pictures: [] }
        expectWhole(sheetPage(gasSheet, values, facts, i18n))
      }),
      { numRuns: 60 },
    )
  })

  test('of three points is printed on A5 with texts of 8 pt or more', () => {
    const fields = {
      method: '酸素・硫化水素濃度計',
      condition: '換気中',
      conditions: '送風機1台、気温18度',
      measurer: '大西 修',
      action: 'なし',
    }
    const values = { fields, rows: ['上部', '中部', '下部'].map(row), pictures: [] }
    expect(expectWhole(sheetPage(gasSheet, values, facts, i18n)) / POINT).toBeGreaterThanOrEqual(8)
  })

  test('says why the work was stopped, and leaves out what is empty', () => {
    const values = { fields: { action: '' }, rows: [{ ...row('下部'), oxygen: '17.9' }], pictures: [] }
    const { more } = sheetPage(gasSheet, values, facts, i18n)
    expect(more.map((each) => each.text)).toEqual(['酸素が18%未満の測定点があります。'])
  })
})
