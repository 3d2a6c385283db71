import { type ReactNode, useId } from 'react'
import { cx } from '#ui/base/cx.ts'
import { FieldError, fieldIds, RequiredMark } from './field.tsx'
import field from './field.module.css'

interface FieldGroupProps {
  label: string
  required?: boolean | undefined
  help?: ReactNode
  error?: string | undefined
  busy?: boolean | undefined
  /** Renders the controls. Each control takes `describedBy` as its aria-describedby value. */
  children: (describedBy: string | undefined) => ReactNode
}

/** Several controls under one label, for example photos. */
export function FieldGroup({ label, required, help, error, busy, children }: FieldGroupProps) {
  const id = useId()
  const ids = fieldIds(id, { required, help, error })
  return (
    <fieldset
      id={id}
      className={cx(field.field, error !== undefined && field.invalid)}
      aria-describedby={ids.describedBy}
      aria-invalid={error !== undefined || undefined}
      aria-busy={busy || undefined}
    >
      <legend>
        <span className={field.label}>{label}</span>
        {required && <RequiredMark id={ids.required} />}
      </legend>
      {help && (
        <div className={field.help} id={ids.help}>
          {help}
        </div>
      )}
      <div className={field.control}>{children(ids.describedBy)}</div>
      {error !== undefined && <FieldError id={ids.error}>{error}</FieldError>}
    </fieldset>
  )
}
