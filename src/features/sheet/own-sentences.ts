import type { FormDrafts } from '#form/form-drafts.ts'
import { rememberSentences } from '#form/phrases.ts'
import { PHRASES } from '#messages/phrases.ts'
import type { SheetField, SheetSpec, SheetTexts } from './sheet-spec.ts'

type Texts = Readonly<Record<string, string>>

/** The long texts of a row, each with a name of its own. */
const long = (declared: readonly SheetField[], typed: Texts, row: string) =>
  declared.flatMap(({ name, phrases }) =>
    phrases ? [[`${name}${row}`, typed[name] ?? '', PHRASES[phrases]] as const] : [],
  )

/** Makes the sentences of a sheet's long texts the user's own. A failure leaves the earlier ones. */
export async function rememberOfSheet(
  drafts: FormDrafts,
  spec: SheetSpec,
  { fields, rows }: SheetTexts,
): Promise<void> {
  const texts = [
    ...long(spec.fields, fields, ''),
    ...rows.flatMap((row, at) => long(spec.rows.fields, row, `-${at}`)),
  ]
  await rememberSentences(
    drafts,
    Object.fromEntries(texts.map(([id, text]) => [id, text])),
    new Map(texts.map(([id, , phrases]) => [id, phrases])),
  )
}
