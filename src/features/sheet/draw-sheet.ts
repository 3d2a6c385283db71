/** Draws a filled-in paper form, such as KY活動表, as an A5 page. Much text becomes smaller, and is not cut. */
import { linesOf } from '#lib/line-breaks.ts'
import { browserImages, isBlank } from '#lib/image/browser-images.ts'
import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { pastDayText, stampText } from '#lib/time/tokyo-time.ts'
import type { DrawnSheet, SheetField, SheetTexts } from './sheet-spec.ts'

/** A page's content from top to bottom: title, facts of the visit, rows, further texts. */
export interface SheetPage {
  title: string
  facts: readonly Labelled[]
  rows: readonly { label: string; texts: readonly Labelled[] }[]
  more: readonly Labelled[]
}

interface Labelled {
  label: string
  text: string
}

/** Size of an A5 page in px, at 248 dpi. The long edge equals that of a sent photo. */
export const PAGE = { width: 1448, height: 2048 }
const MARGIN = 96
/** Text height in px, 10 pt in print. */
const TEXT = 36
/** Smallest text height in px on a page with too much text. */
const LEAST_TEXT = 8
/** Height of the title, and line height, as multiples of the text height. */
const TITLE = 1.4
const LEADING = 1.45
/** Width of the label column, as a multiple of the text height. */
const INDENT = 9
const QUALITY = 0.9

type Measure = (text: string, height: number) => number

interface LaidText {
  text: string
  x: number
  /** Distance of the line's middle from the top of the page, in px. */
  y: number
  height: number
  isLabel: boolean
}

type LaidPage = ReturnType<typeof layOut>

/** Lays out a page. The texts get smaller until the page fits. */
export function layOutSheet(measure: Measure, page: SheetPage, height = TEXT): LaidPage {
  const laid = layOut(measure, page, height)
  return laid.end > PAGE.height - MARGIN && height > LEAST_TEXT
    ? layOutSheet(measure, page, height * 0.93)
    : laid
}

function layOut(measure: Measure, { title, facts, rows, more }: SheetPage, height: number) {
  const texts: LaidText[] = []
  /** Distances of the horizontal rules from the top of the page, in px. */
  const rules: number[] = []
  const leading = height * LEADING
  let top = MARGIN
  const put = (text: string, x: number, textHeight: number, isLabel: boolean) => {
    const fits = (line: string) => measure(line, textHeight) <= PAGE.width - MARGIN - x
    const lines = linesOf(text, fits)
    for (const [index, line] of lines.entries())
      texts.push({
        text: line,
        x,
        y: top + textHeight * LEADING * (index + 0.5),
        height: textHeight,
        isLabel,
      })
    return lines.length * textHeight * LEADING
  }
  const putLabelled = ({ label, text }: Labelled) => {
    const labelHeight = put(label, MARGIN, height * 0.85, true)
    const x = MARGIN + INDENT * height
    // A text begins below the label if the label is wider than the label column.
    if (measure(label, height * 0.85) > INDENT * height - height / 2) top += labelHeight
    top += put(text, x, height, false)
  }
  const rule = () => {
    rules.push(top + leading / 4)
    top += leading / 2
  }
  top += put(title, MARGIN, height * TITLE, false)
  rule()
  for (const fact of facts) putLabelled(fact)
  rule()
  for (const row of rows) {
    top += put(row.label, MARGIN, height, true)
    for (const text of row.texts) putLabelled(text)
    rule()
  }
  for (const text of more) putLabelled(text)
  return { texts, rules, end: top }
}

/** Returns a page as JPEG. @throws if the browser draws nothing or cannot encode the page */
export async function sheetPicture(page: SheetPage): Promise<ArrayBuffer> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, PAGE)
  try {
    const context = canvas.getContext('2d')
    if (!context) throw new Error('sheet: no canvas')
    draw(context, page)
    if (isBlank(context, PAGE.width, PAGE.height)) throw new Error('sheet: nothing was drawn')
    return await browserImages.encode(canvas, QUALITY)
  } finally {
    canvas.width = canvas.height = 0
  }
}

function draw(context: CanvasRenderingContext2D, page: SheetPage) {
  const { fontFamily } = getComputedStyle(document.body)
  const font = (height: number) => `${height}px ${fontFamily}`
  const measure: Measure = (text, height) => {
    context.font = font(height)
    return context.measureText(text).width
  }
  const { texts, rules } = layOutSheet(measure, page)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, PAGE.width, PAGE.height)
  context.textBaseline = 'middle'
  for (const { text, x, y, height, isLabel } of texts) {
    context.font = font(height)
    context.fillStyle = isLabel ? '#333' : '#000'
    context.fillText(text, x, y)
  }
  context.fillStyle = '#666'
  for (const y of rules) context.fillRect(MARGIN, y, PAGE.width - MARGIN * 2, 2)
}

/** Returns a filled-in paper form as a page without empty texts. @param facts the visit's facts (`visitFacts`) */
export function sheetPage(
  spec: DrawnSheet,
  { fields, rows }: SheetTexts,
  facts: SheetPage['facts'],
  i18n: I18n,
): SheetPage {
  const texts = (declaredFields: readonly SheetField[], typed: Readonly<Record<string, string>>) =>
    declaredFields.flatMap(({ name, label, kind }) => {
      const text = typed[name] ?? ''
      return text === '' ? [] : [{ label: i18n._(label), text: kind === 'now' ? stampText(text) : text }]
    })
  return {
    title: i18n._(spec.heading),
    facts,
    rows: rows.map((row, index) => ({
      label: `${i18n._(spec.rows.label)} ${index + 1}`,
      texts: texts(spec.rows.fields, row),
    })),
    more: [
      ...texts(spec.fields, fields),
      ...spec.stopsIn({ fields, rows }).map((stop) => ({ label: '', text: i18n._(stop) })),
    ],
  }
}

/** Returns the visit's facts for the page. @param request null, or why it is not on the device */
export function visitFacts(request: RequestRecord | string | null, day: string, i18n: I18n) {
  const known = typeof request === 'string' || !request ? [] : [request]
  return [
    ...known.map(({ requestCode }) => ({ label: i18n._(msg`依頼番号`), text: requestCode })),
    ...known.map(({ locationName }) => ({ label: i18n._(msg`現場`), text: locationName })),
    { label: i18n._(msg`作業日`), text: pastDayText(day) },
  ]
}
