import { createFormHookContexts } from '@tanstack/react-form'
import type { FormAutosave } from './form-autosave.ts'

/** Contexts through which components find their field and form. */
export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts()

/**
 * A function that loads the form's rules: its result is a promise that a submit awaits, or null if they are loaded.
 */
export const useFormReady = () =>
  Reflect.get(useFormContext(), 'ready') as (() => Promise<void> | null) | undefined

/** The autosave of the surrounding form. Every form of `useDraftForm` has one. */
export const useFormAutosave = (): FormAutosave =>
  Reflect.get(useFormContext(), 'formAutosave') as FormAutosave
