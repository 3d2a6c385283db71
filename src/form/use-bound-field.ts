import { useLingui } from '@lingui/react'
import { fieldMessage } from '#messages/messages.ts'
import { useFieldContext } from './form-contexts.ts'

export interface FieldLabels {
  /** The field's name on screen, also used in its messages. */
  label: string
  required?: boolean | undefined
  help?: string | undefined
}

/**
 * Returns value, error and change handler of the surrounding field. The errors are read as `unknown`, because TanStack
 * types the errors of a form's schema as `never`.
 */
export function useBoundField<T>(label: string) {
  const field = useFieldContext<T>()
  const { i18n } = useLingui()
  const errors: readonly unknown[] = field.state.meta.errors
  return {
    value: field.state.value,
    error: fieldMessage(i18n, errors, label),
    // A blur handler is not needed, because forms validate on submit and afterwards on every change.
    onChange: (value: T) => field.handleChange(value),
  }
}
