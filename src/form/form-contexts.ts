import { createFormHookContexts } from '@tanstack/react-form'

/** How field and form components find their field and form. */
export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts()
