import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { pastDayText, stampText } from '#lib/time/tokyo-time.ts'
import type { SheetPage } from './draw-sheet.ts'
import type { DrawnSheet, SheetField, SheetTexts } from './sheet-spec.ts'

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

/**
 * Returns the visit's facts for the page.
 * @param request null or the reason for its absence if the request is not on the device
 */
export function visitFacts(
  request: RequestRecord | string | null,
  day: string,
  i18n: I18n,
): SheetPage['facts'] {
  const known = typeof request === 'string' || !request ? [] : [request]
  return [
    ...known.map(({ requestCode }) => ({ label: i18n._(msg`依頼番号`), text: requestCode })),
    ...known.map(({ locationName }) => ({ label: i18n._(msg`現場`), text: locationName })),
    { label: i18n._(msg`作業日`), text: pastDayText(day) },
  ]
}
