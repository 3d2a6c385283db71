import type { ReactNode } from 'react'
import { useFormContext } from '#form/form-contexts.ts'
import { useSubmit } from '#form/form-parts.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'

interface SheetFormProps {
  heading: string
  onClose: () => void
  footer: ReactNode
  children: ReactNode
}

/** A form in a sheet. Its element has no box of its own, so the sheet's gaps apply to the fields. */
export function SheetForm({ children, ...sheet }: SheetFormProps) {
  const form = useFormContext()
  const submit = useSubmit()
  return (
    <Sheet {...sheet}>
      <form id={form.formId} noValidate onSubmit={submit} autoComplete="off" style={{ display: 'contents' }}>
        {children}
      </form>
    </Sheet>
  )
}
