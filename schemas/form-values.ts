/** A form's values of a declared resource: what it starts with, and what its save says. Without ArkType. */
import type { ContentOf, Declaration, Field, InputOf, TypedField } from './declare.ts'
import { isBlank } from './text.ts'

const typedOf = ({ fields }: Declaration) =>
  Object.entries<Field>(fields).filter(([, { from }]) => from === undefined)

/** The form as it is typed: what the content says, and nothing chosen ([] or '') where it says nothing. */
export const inputOf = <D extends Declaration>(
  declaration: D,
  content: Partial<ContentOf<D>> = {},
): InputOf<D> =>
  Object.fromEntries(
    typedOf(declaration).map(([name, { kind }]) => [
      name,
      Reflect.get(content, name) ?? (kind === 'codes' ? [] : ''),
    ]),
  ) as InputOf<D>

/**
 * What a coded field offers: its table, and what the form opens with that no table knows, as it is. The CRM may have set it, and
 * an edit of something else leaves it alone.
 */
export function optionsOf(field: Field, opened: unknown): readonly { code: string; label: string }[] {
  if (!('table' in field)) return []
  const { options } = field.table
  const unknown = [opened ?? []]
    .flat()
    .map(String)
    .filter((code) => code !== '' && options.every((option) => option.code !== code))
  return [...options, ...[...new Set(unknown)].map((code) => ({ code, label: field.table.label(code) }))]
}

/** What a save says of the typed fields: null for what says nothing (crm-contract 2). */
export const contentOfDraft = <D extends Declaration>(
  declaration: D,
  draft: InputOf<D>,
): Pick<ContentOf<D>, TypedField<D> & keyof ContentOf<D>> =>
  Object.fromEntries(
    typedOf(declaration).map(([name]) => {
      const value: unknown = Reflect.get(draft, name)
      return [name, typeof value === 'string' && isBlank(value) ? null : value]
    }),
  ) as Pick<ContentOf<D>, TypedField<D> & keyof ContentOf<D>>

/** A content that says nothing. */
export const emptyContent = <D extends Declaration>({ fields }: D): ContentOf<D> =>
  Object.fromEntries(
    Object.entries<Field>(fields).map(([name, { kind }]) => [name, kind === 'codes' ? [] : null]),
  ) as ContentOf<D>

/** A value in words: the labels of its codes. */
export const fieldText = (declaration: Declaration, name: string, value: unknown): string => {
  const field: Field | undefined = declaration.fields[name]
  const texts = [value ?? []].flat().map(String)
  const table = field && 'table' in field ? field.table : null
  return texts
    .filter((text) => text !== '')
    .map((text) => table?.label(text) ?? text)
    .join('、')
}
