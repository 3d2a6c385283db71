/** What is written on the board is on the picture, all of it, and can be read at one megapixel. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { drawMarks, layOutBoard, markedSize } from '#features/camera/draw-marks.ts'
import { BOARD_FIELDS, MARK_TEXT_MAX, type MarkKind } from '#lib/image/marks.ts'

/** Each character is a square, as in Japanese. */
const measure = (text: string, height: number) => Array.from(text).length * height

const labels = {
  code: '依頼番号',
  place: '現場',
  device: '機器',
  work: '作業',
  day: '日付',
  state: '状態',
  note: '備考',
}

const text = fc.string({ maxLength: MARK_TEXT_MAX, unit: 'binary' })
const texts = fc.record({
  code: text,
  place: text,
  device: text,
  work: text,
  day: text,
  state: text,
  note: text,
})
const corner = fc.constantFrom(
  'top-left' as const,
  'top-right' as const,
  'bottom-left' as const,
  'bottom-right' as const,
)
const size = fc.record({ width: fc.constantFrom(1000, 750, 400), height: fc.constantFrom(1000, 750, 560) })

describe('[decisions/camera] the board', () => {
  test('is inside the picture with all that was typed, whatever was', () => {
    fc.assert(
      fc.property(texts, corner, size, (typed, at, picture) => {
        const laid = layOutBoard(measure, picture, { corner: at, texts: typed }, labels)
        expect(laid.x).toBeGreaterThanOrEqual(0)
        expect(laid.y).toBeGreaterThanOrEqual(0)
        expect(laid.x + laid.width).toBeLessThanOrEqual(picture.width)
        expect(laid.y + laid.height).toBeLessThanOrEqual(picture.height + 1e-6)
        const filled = BOARD_FIELDS.filter((field) => typed[field].trim() !== '')
        const bare = (parts: string[]) => parts.join('').replaceAll(/\s/g, '')
        expect(bare(laid.texts.map((each) => each.text))).toBe(
          bare(filled.map((field) => labels[field] + typed[field])),
        )
        for (const each of laid.texts) {
          expect(each.y).toBeGreaterThan(laid.y)
          expect(each.y).toBeLessThan(laid.y + laid.height)
          expect(each.x + measure(each.text, laid.textHeight)).toBeLessThanOrEqual(laid.x + laid.width)
        }
      }),
    )
  })

  test.each([
    [{ width: 1155, height: 866 }, 20],
    [{ width: 2048, height: 1536 }, 36],
    [{ width: 96, height: 128 }, 20],
  ])('on a picture of %j has texts of %d px or more, with every row of a day filled', (picture, px) => {
    const { width, height } = markedSize(picture)
    const edge = Math.max(width, height)
    const typed = {
      code: 'R2611-000123',
      place: '湾岸第二ビル 地下二階 機械室',
      device: '加圧給水ポンプユニット KF2ほか2台',
      work: '定期点検',
      day: '2026/11/20',
      state: '作業前',
      note: '逆止弁の交換前。左の系統から。',
    }
    const units = { width: (width * 1000) / edge, height: (height * 1000) / edge }
    const laid = layOutBoard(measure, units, { corner: 'bottom-left', texts: typed }, labels)
    expect((laid.textHeight * edge) / 1000).toBeGreaterThanOrEqual(px)
  })

  test('is drawn on a picture of at most 2048 px and its own shape', () => {
    expect(markedSize({ width: 8000, height: 6000 })).toEqual({ width: 2048, height: 1536 })
    expect(markedSize({ width: 120, height: 90 })).toEqual({ width: 1200, height: 900 })
  })
})

describe('[decisions/camera] the order of drawing', () => {
  /** The steps that put something on the canvas, in order. */
  function stepsOf(kind: MarkKind) {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 1000, height: 750 })
    const steps: string[] = []
    const known: Record<string, unknown> = { canvas, measureText: () => ({ width: 10 }) }
    const context = new Proxy(
      {},
      { get: (_, name: string) => known[name] ?? (() => void steps.push(name)), set: () => true },
    ) as CanvasRenderingContext2D
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never)
    const mark = { kind, from: { x: 0.1, y: 0.9 }, to: { x: 0.2, y: 0.95 }, text: '漏れ' }
    const texts = { code: 'R1', place: '', device: '', work: '', day: '', state: '', note: '' }
    const board = { isShown: true, corner: 'bottom-left' as const, texts }
    drawMarks(context, { width: 1000, height: 750 } as ImageBitmap, { board, list: [mark] }, labels)
    vi.restoreAllMocks()
    return steps
  }

  test.each([
    ['arrow', 'stroke'],
    ['circle', 'stroke'],
    ['text', 'strokeText'],
  ] as const)('%s is over the board, which hides nothing that was drawn on purpose', (kind, step) => {
    const steps = stepsOf(kind)
    expect(steps).toContain('fillRect')
    expect(steps.indexOf(step)).toBeGreaterThan(steps.indexOf('fillRect'))
  })

  test('blur is under the board, whose texts stay readable', () => {
    const steps = stepsOf('blur')
    expect(steps.lastIndexOf('drawImage')).toBeLessThan(steps.indexOf('fillRect'))
  })
})
