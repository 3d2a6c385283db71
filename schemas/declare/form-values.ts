/** The values of a form: its initial input, and the content that a save stores. Does not import ArkType. */
import { isSameContent } from '#schemas/change-history.ts'
import type { ContentOf, Declaration, Field, InputOf, TypedField } from '#schemas/declare/declare.ts'
import { isBlank } from '#schemas/text.ts'

const typedOf = ({ fields }: Declaration) =>
  Object.entries<Field>(fields).filter(([, { from }]) => from === undefined)

/** The form's input for a saved content; [] or '' for an empty field. */
export const inputOf = <D extends Declaration>(declaration: D, content: Partial<ContentOf<D>> = {}) =>
  Object.fromEntries(
    typedOf(declaration).map(([name, { kind }]) => [
      name,
      Reflect.get(content, name) ?? (kind === 'codes' ? [] : ''),
    ]),
  ) as InputOf<D>

/**
 * The options of a coded field: the codes of its table, and those with which the form opened. The CRM may have sent
 * codes that the table lacks, and an edit of another field must not change them.
 * @param names the CRM's names of codes (`namesRead`)
 */
export function optionsOf(field: Field, opened: unknown, names: ReadonlyMap<string, string> = new Map()) {
  if (!('table' in field)) return []
  const { options } = field.table
  const unknown = [opened ?? []]
    .flat()
    .map(String)
    .filter((code) => code !== '' && options.every((option) => option.code !== code))
  const labelled = (code: string) => ({ code, label: names.get(code) ?? field.table.label(code) })
  return [...options, ...[...new Set(unknown)].map(labelled)]
}

/** The content that a save stores; null for blank values (crm-contract 2). */
export const contentOfDraft = <D extends Declaration>(declaration: D, draft: InputOf<D>) =>
  Object.fromEntries(
    typedOf(declaration).map(([name]) => {
      const value: unknown = Reflect.get(draft, name)
      return [name, typeof value === 'string' && isBlank(value) ? null : value]
    }),
  ) as Pick<ContentOf<D>, TypedField<D> & keyof ContentOf<D>>

/** True if the values of other fields make this field required (spec 5). */
export const isRequiredNow = ({ requiredWhile }: Pick<Field, 'requiredWhile'>, values: object): boolean =>
  requiredWhile !== undefined &&
  Object.entries(requiredWhile).every(([name, wanted]) => wanted.includes(String(Reflect.get(values, name))))

export const emptyContent = <D extends Declaration>({ fields }: D): ContentOf<D> =>
  Object.fromEntries(
    Object.entries<Field>(fields).map(([name, { kind }]) => [name, kind === 'codes' ? [] : null]),
  ) as ContentOf<D>

const SEPARATOR = /\s*[,、，;；\n]\s*/

/** The CRM's text for a field's codes. With several codes it contains several names. */
const namesText = ({ codeNames = {} }: Declaration, name: string, server: object): string => {
  const text: unknown = Reflect.get(server, codeNames[name] ?? '')
  return typeof text === 'string' ? text.trim() : ''
}

/** The CRM's names for a field's codes; empty if it is not clear which name belongs to which code. */
export function namesRead(declaration: Declaration, name: string, server: object = {}) {
  const text = namesText(declaration, name, server)
  const codes = [(Reflect.get(server, name) as unknown) ?? []].flat().map(String)
  const texts = codes.length === 1 ? [text] : text.split(SEPARATOR)
  const isClear = text !== '' && texts.length === codes.length
  return new Map(isClear ? codes.map((code, at) => [code, texts[at] ?? code]) : [])
}

/** A value as texts. A code is shown by the CRM's name in `server`, otherwise by the table's label. */
export function fieldTexts(declaration: Declaration, name: string, value: unknown, server: object = {}) {
  const field: Field | undefined = declaration.fields[name]
  const table = field && 'table' in field ? field.table : null
  const names = namesRead(declaration, name, server)
  const allNames = namesText(declaration, name, server)
  if (names.size === 0 && allNames !== '' && isSameContent(Reflect.get(server, name), value))
    return [allNames]
  return [value ?? []]
    .flat()
    .map(String)
    .filter((text) => text !== '')
    .map((text) => names.get(text) ?? table?.label(text) ?? text)
}
