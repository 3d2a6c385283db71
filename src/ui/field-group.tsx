import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { FieldError, fieldIds } from './field.tsx'
import field from './field.module.css'

interface FieldGroupProps {
  label: string
  error?: string | undefined
  busy?: boolean | undefined
  /** Several controls; they are given what describes them. */
  children: (describedBy: string | undefined) => ReactNode
}

/** A field of several controls under one name: photos. */
export function FieldGroup({ label, error, busy, children }: FieldGroupProps) {
  const id = useId()
  const ids = fieldIds(id, { error })
  return (
    <fieldset
      id={id}
      className={cx(field.field, error !== undefined && field.invalid)}
      aria-describedby={ids.describedBy}
      aria-invalid={error !== undefined || undefined}
      aria-busy={busy || undefined}
    >
      <legend className={field.label}>{label}</legend>
      <div className={field.control}>{children(ids.describedBy)}</div>
      {error !== undefined && <FieldError id={ids.error}>{error}</FieldError>}
    </fieldset>
  )
}
