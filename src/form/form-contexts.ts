/** How components find their field and form. */
import { useLingui } from '@lingui/react'
import { createFormHookContexts } from '@tanstack/react-form'
import { fieldMessage } from '#messages/messages.ts'
import type { FormAutosave } from './form-autosave.ts'

export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts()

/**
 * Returns a function that loads the form's validation rules. It returns a promise that a submit awaits, or null if the
 * rules are loaded.
 */
export const useFormReady = () =>
  Reflect.get(useFormContext(), 'ready') as (() => Promise<void> | null) | undefined

/** The autosave of the surrounding form. Every form of `useDraftForm` has one. */
export const useFormAutosave = () => Reflect.get(useFormContext(), 'formAutosave') as FormAutosave

export interface FieldLabels {
  /** The field's name on screen, also used in its messages. */
  label: string
  required?: boolean | undefined
  help?: string | undefined
}

/** Returns value, error and change handler of the surrounding field. */
export function useBoundField<T>(label: string) {
  const field = useFieldContext<T>()
  const { i18n } = useLingui()
  // TanStack types the errors of a form's schema as `never`.
  const errors: readonly unknown[] = field.state.meta.errors
  return {
    value: field.state.value,
    error: fieldMessage(i18n, errors, label),
    onChange: (value: T) => field.handleChange(value),
  }
}
