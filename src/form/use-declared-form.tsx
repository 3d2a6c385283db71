/**
 * The form of a declared resource (`schemas/<slug>.ts`): what may be submitted, and which fields it has, come from the
 * declaration. Each typed field has exactly one control; one that is missing, and one that is no field, do not compile.
 *
 *     {form.fields({
 *       risk: (field, said) => <field.CheckboxesField label={t`リスク`} {...said} />,
 *       …
 *     })}
 */
import { useState, type ComponentType, type ReactNode } from 'react'
import type { Declaration, DraftOf, Field, InputOf, InputValue, TypedField } from '#schemas/declare.ts'
import { namesRead, optionsOf } from '#schemas/form-values.ts'
import { crossRules } from './required-if.ts'
import { laterRules, useLaterRules } from './later-rules.ts'
import { useDraftForm, type FieldComponents } from './use-draft-form.ts'

/** The controls that a value fits. */
type ControlsOf<V> = V extends string[]
  ? Pick<FieldComponents, 'CheckboxesField'>
  : Omit<FieldComponents, 'CheckboxesField'>

/** What the declaration says of a field that its control shows. */
type SaidOf<F> = F extends { kind: 'text' }
  ? { required: boolean; max: number }
  : { required: boolean; options: readonly { code: string; label: string }[] }

type Control<F> = (field: ControlsOf<InputValue<F>>, said: SaidOf<F>) => ReactNode

/** A control with what else its change does. */
interface Ruled<C, V> {
  control: C
  listeners?: { onChange: (change: { value: V }) => void }
}

export type ControlsFor<D extends Declaration> = {
  readonly [K in TypedField<D>]:
    | Control<D['fields'][K]>
    | Ruled<Control<D['fields'][K]>, InputValue<D['fields'][K]>>
}

interface DeclaredFormOptions<D extends Declaration> {
  declaration: D
  /** As it is typed: '' or [] where nothing is chosen. */
  defaultValues: InputOf<D>
  /** What the CRM last said of the record: it names codes that no table knows. */
  server?: object | undefined
  /** As in `useDraftForm`. */
  onSubmit: (draft: DraftOf<D>) => Promise<void | 'not-saved'> | void
  savesUnchanged?: boolean
  autosave: { key: string }
}

const declaredRules = laterRules(() => import('#schemas/derive.ts'))

type AnyControl = (field: FieldComponents, said: unknown) => ReactNode
interface AnyRuled {
  control: AnyControl
}
type AppField = ComponentType<{ name: string; children: (field: FieldComponents) => ReactNode }>

/** @returns the form as `useDraftForm` does, and `fields`: its controls in the order they are given */
export function useDeclaredForm<D extends Declaration>({
  declaration,
  defaultValues,
  server,
  onSubmit,
  savesUnchanged = true,
  autosave,
}: DeclaredFormOptions<D>) {
  const schema = useLaterRules(declaredRules, ({ draftOf }) => draftOf(declaration, defaultValues))
  const [opened] = useState<Readonly<Record<string, unknown>>>(defaultValues)
  const form = useDraftForm<InputOf<D>, DraftOf<D>>({
    schema,
    defaultValues,
    onSubmit,
    savesUnchanged,
    autosave,
  })
  const fields = (controls: ControlsFor<D>): ReactNode =>
    (Object.entries(controls) as [string, AnyControl | AnyRuled][]).map(([name, given]) => {
      const { control, ...more } = typeof given === 'function' ? { control: given } : given
      const said = saidOf(declaration.fields[name], opened[name], namesRead(declaration, name, server))
      // TanStack's own type names the fields of one form; here they are only known by the declaration
      const Field = form.AppField as unknown as AppField
      return (
        <Field key={name} name={name} {...crossRules(declaration.fields[name])} {...more}>
          {(field) => control(field, said)}
        </Field>
      )
    })
  return Object.assign(form, { fields })
}

function saidOf(field: Field | undefined, opened: unknown, names: ReadonlyMap<string, string>) {
  const required = field !== undefined && 'required' in field
  if (field?.kind === 'text') return { required, max: field.max }
  return { required, options: field ? optionsOf(field, opened, names) : [] }
}
