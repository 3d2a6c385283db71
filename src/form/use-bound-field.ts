import { useLingui } from '@lingui/react'
import { fieldMessage } from '#messages/field-message.ts'
import { useFieldContext } from './form-contexts.ts'

export interface FieldLabels {
  /** The field's name on the screen; its messages speak of it. */
  label: string
  required?: boolean | undefined
  help?: string | undefined
}

/**
 * The field that a component stands in. TanStack infers the errors of a form-level schema as `never` below the top:
 * they are read as unknown, and the message table makes words of them.
 */
export function useBoundField<T>(label: string) {
  const field = useFieldContext<T>()
  const { i18n } = useLingui()
  const errors: readonly unknown[] = field.state.meta.errors
  return {
    value: field.state.value,
    error: fieldMessage(i18n, errors, label),
    // that it is left says nothing: forms judge at the submit, and then while one types
    onChange: (value: T) => field.handleChange(value),
  }
}
