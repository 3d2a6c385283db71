import { createContext, use } from 'react'

interface FieldTies {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

/** Passes ids and validity from a LabelledField to the control inside it. */
export const FieldContext = createContext<FieldTies | null>(null)

/** The id and aria attributes that connect a control to its LabelledField. */
export function useFieldTies() {
  const ties = use(FieldContext)
  if (!ties) return {}
  return {
    id: ties.id,
    'aria-describedby': ties.describedBy,
    'aria-invalid': ties.invalid || undefined,
    'aria-required': ties.required || undefined,
  }
}
