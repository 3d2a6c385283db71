/**
 * A form for a resource whose declaration (`schemas/resources/<slug>.ts`) defines fields and validation. A missing
 * control or an unknown field is a type error:
 * `form.fields({ risk: (field, declared) => <field.CheckboxesField label={t`リスク`} {...declared} />, … })`
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
import { isRequiredNow, namesRead, optionsOf } from '#schemas/declare/form-values.ts'
import { isBlank } from '#schemas/text.ts'
import { lazyRules, useLazySchema, useDraftForm, type FieldComponents } from './use-draft-form.ts'

/** The controls that fit a type of value. */
type ControlsOf<V> = V extends string[]
  ? Pick<FieldComponents, 'CheckboxesField'>
  : Omit<FieldComponents, 'CheckboxesField'>

/** The parts of a field's declaration that its control shows. */
type DeclaredProps<F> = F extends { kind: 'text' }
  ? { required: boolean; max: number }
  : { required: boolean; options: readonly { code: string; label: string }[] }

type Control<F> = (field: ControlsOf<InputValue<F>>, declared: DeclaredProps<F>) => ReactNode

/** The part of a form that a listener uses. */
interface Listened<I> {
  state: { values: I }
  setFieldValue<K extends keyof I & string>(name: K, value: I[K]): void
}

/** A control with a listener that is called when its value changes. */
interface Ruled<F, I> {
  control: Control<F>
  listeners?: { onChange: (change: { value: InputValue<F>; fieldApi: { form: Listened<I> } }) => void }
}

export type ControlsFor<D extends Declaration> = {
  readonly [K in TypedField<D>]: Control<D['fields'][K]> | Ruled<D['fields'][K], InputOf<D>>
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
type AppField = ComponentType<{ name: string; children: (field: FieldComponents) => ReactNode }>

/** @returns the form of `useDraftForm`, with `fields`, which renders the controls in the given order */
export function useDeclaredForm<D extends Declaration>(options: DeclaredFormOptions<D>) {
  const { declaration, server, ...formOptions } = options
  const { defaultValues } = formOptions
  const schema = useLazySchema(declaredRules, ({ draftOf }) => draftOf(declaration, defaultValues))
  const [initial] = useState<Readonly<Record<string, unknown>>>(defaultValues)
  const form = useDraftForm<InputOf<D>, DraftOf<D>>({ ...formOptions, schema })
  const fields = (controls: ControlsFor<D>): ReactNode =>
    (Object.entries(controls) as [string, AnyControl | { control: AnyControl }][]).map(([name, given]) => {
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

/** The part of a validator's argument that is used here. */
interface Validated {
  value: unknown
  fieldApi: { form: { state: { values: object } } }
}

/** Returns the validators for `requiredWhile` and `sameAs` of a declared field, which read other fields (spec 5). */
export function crossRules(field: Field | undefined): { validators?: object } {
  if (!field?.requiredWhile && field?.sameAs === undefined) return {}
  const { requiredWhile = {}, sameAs } = field
  const isSentence = field.kind === 'text' && field.wording === 'sentence'
  return {
    validators: {
      // A change of these fields validates this field again.
      onChangeListenTo: [...Object.keys(requiredWhile), ...(sameAs === undefined ? [] : [sameAs])],
      onDynamic({ value, fieldApi }: Validated) {
        const { values } = fieldApi.form.state
        if (isEmpty(value) && isRequiredNow(field, values)) return isSentence ? 'requiredSentence' : 'ec00001'
        const isOther = sameAs !== undefined && value !== Reflect.get(values, sameAs)
        return isOther ? 'mismatch' : undefined
      },
    },
  }
}

/** True if a schema would also treat the value as empty (`text-rules.ts`). */
const isEmpty = (value: unknown) =>
  typeof value === 'string' ? isBlank(value) : Array.isArray(value) ? value.length === 0 : value == null
