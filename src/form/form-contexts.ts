import { createFormHookContexts } from '@tanstack/react-form'
import type { FormKeeper } from './form-keeper.ts'

/** How field and form components find their field and form. */
export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts()

/** What a submit waits for, as the form's schema says; null where nothing is missing. */
export const useFormReady = () =>
  Reflect.get(useFormContext(), 'ready') as (() => Promise<void> | null) | undefined

/** What keeps the form's input; every form of `useDraftForm` carries one. */
export const useFormKeeper = (): FormKeeper => Reflect.get(useFormContext(), 'keeper') as FormKeeper
