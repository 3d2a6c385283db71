import type { I18n } from '@lingui/core'
import { stampText } from '#lib/time/tokyo-time.ts'
import type { SheetPage } from './draw-sheet.ts'
import type { SheetField, SheetSpec, SheetValues } from './sheet-spec.ts'

/** Returns a filled-in sheet as a page. Texts that were left empty are not on it. @param facts of its visit */
export function sheetPage(
  spec: SheetSpec,
  { fields, rows }: SheetValues,
  facts: SheetPage['facts'],
  i18n: I18n,
): SheetPage {
  const texts = (declared: readonly SheetField[], typed: Readonly<Record<string, string>>) =>
    declared.flatMap(({ name, label, kind }) => {
      const text = typed[name] ?? ''
      return text === '' ? [] : [{ label: i18n._(label), text: kind === 'now' ? stampText(text) : text }]
    })
  return {
    title: i18n._(spec.heading),
    facts,
    rows: rows.map((row, at) => ({
      label: `${i18n._(spec.rows.label)} ${at + 1}`,
      texts: texts(spec.rows.fields, row),
    })),
    more: [
      ...texts(spec.fields, fields),
      ...spec.stopsIn({ fields, rows }).map((stop) => ({ label: '', text: i18n._(stop) })),
    ],
  }
}
