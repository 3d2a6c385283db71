import { createFormHookContexts } from '@tanstack/react-form'
import type { FormAutosave } from './form-autosave.ts'

/** Contexts through which components find their field and form. */
export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts()

/**
 * Returns a function that loads the form's validation rules. It returns a promise that a submit awaits, or null if the
 * rules are loaded.
 */
export const useFormReady = () =>
  Reflect.get(useFormContext(), 'ready') as (() => Promise<void> | null) | undefined

/** The autosave of the surrounding form. Every form of `useDraftForm` has one. */
export const useFormAutosave = (): FormAutosave =>
  Reflect.get(useFormContext(), 'formAutosave') as FormAutosave
