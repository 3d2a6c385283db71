/**
 * A form for a resource whose declaration (`schemas/resources/<slug>.ts`) defines fields and validation. A missing
 * control or an unknown field is a type error.
 *
 *     {form.fields({
 *       risk: (field, declared) => <field.CheckboxesField label={t`リスク`} {...declared} />,
 *       …
 *     })}
 */
import { useState, type ComponentType, type ReactNode } from 'react'
import type {
  Declaration,
  DraftOf,
  Field,
  InputOf,
  InputValue,
  TypedField,
} from '#schemas/declare/declare.ts'
import { namesRead, optionsOf } from '#schemas/declare/form-values.ts'
import { crossRules } from './required-if.ts'
import { lazyRules, useLazySchema } from './lazy-schema.ts'
import { useDraftForm, type FieldComponents } from './use-draft-form.ts'

/** The controls that fit a type of value. */
type ControlsOf<V> = V extends string[]
  ? Pick<FieldComponents, 'CheckboxesField'>
  : Omit<FieldComponents, 'CheckboxesField'>

/** The parts of a field's declaration that its control shows. */
type DeclaredProps<F> = F extends { kind: 'text' }
  ? { required: boolean; max: number }
  : { required: boolean; options: readonly { code: string; label: string }[] }

type Control<F> = (field: ControlsOf<InputValue<F>>, declared: DeclaredProps<F>) => ReactNode

/** A control with a listener that is called when its value changes. */
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
  /** Initial input; '' or [] without a choice. */
  defaultValues: InputOf<D>
  /** The record as read from the CRM. The record has the labels of codes that are not in the app's code tables. */
  server?: object | undefined
  onSubmit: (draft: DraftOf<D>) => Promise<void | 'not-saved'> | void
  savesUnchanged?: boolean
  autosave: { key: string }
}

const declaredRules = lazyRules(() => import('#schemas/declare/derive.ts'))

type AnyControl = (field: FieldComponents, declared: unknown) => ReactNode
interface AnyRuled {
  control: AnyControl
}
type AppField = ComponentType<{ name: string; children: (field: FieldComponents) => ReactNode }>

/** @returns the form of `useDraftForm`, with `fields`, which renders the controls in the given order */
export function useDeclaredForm<D extends Declaration>(options: DeclaredFormOptions<D>) {
  const { declaration, server, ...formOptions } = options
  const { defaultValues } = formOptions
  const schema = useLazySchema(declaredRules, ({ draftOf }) => draftOf(declaration, defaultValues))
  const [initial] = useState<Readonly<Record<string, unknown>>>(defaultValues)
  const form = useDraftForm<InputOf<D>, DraftOf<D>>({ ...formOptions, schema })
  const fields = (controls: ControlsFor<D>): ReactNode =>
    (Object.entries(controls) as [string, AnyControl | AnyRuled][]).map(([name, given]) => {
      const { control, ...more } = typeof given === 'function' ? { control: given } : given
      const field = declaration.fields[name]
      const declared = declaredProps(field, initial[name], namesRead(declaration, name, server))
      // The cast is needed because TanStack's type lists the fields of one concrete form.
      const Field = form.AppField as unknown as AppField
      return (
        <Field key={name} name={name} {...crossRules(field)} {...more}>
          {(components) => control(components, declared)}
        </Field>
      )
    })
  return Object.assign(form, { fields })
}

function declaredProps(field: Field | undefined, initial: unknown, names: ReadonlyMap<string, string>) {
  const required = field !== undefined && 'required' in field
  if (field?.kind === 'text') return { required, max: field.max }
  return { required, options: field ? optionsOf(field, initial, names) : [] }
}
