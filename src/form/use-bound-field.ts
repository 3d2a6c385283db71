import { useLingui } from '@lingui/react'
import { fieldMessage } from '#messages/field-message.ts'
import { useFieldContext } from './form-contexts.ts'

export interface FieldLabels {
  /** The field's name on the screen, also used in its messages. */
  label: string
  required?: boolean | undefined
  help?: string | undefined
}

/**
 * Returns value, error and change handler of the surrounding field. TanStack types the errors of a form-level schema as
 * `never` for nested fields, so they are read as unknown and translated by the message table.
 */
export function useBoundField<T>(label: string) {
  const field = useFieldContext<T>()
  const { i18n } = useLingui()
  const errors: readonly unknown[] = field.state.meta.errors
  return {
    value: field.state.value,
    error: fieldMessage(i18n, errors, label),
    // There is no blur handler: a form validates on submit, and after that on every change.
    onChange: (value: T) => field.handleChange(value),
  }
}
