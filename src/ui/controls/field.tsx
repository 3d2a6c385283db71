import { useLingui } from '@lingui/react/macro'
import { CircleAlert } from 'lucide-react'
import { type AriaAttributes, createContext, type ReactNode, use, useId } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import styles from './field.module.css'

interface FieldProps {
  label: string
  required?: boolean | undefined
  help?: ReactNode
  error?: string | undefined
  count?: { n: number; max: number } | undefined
  tool?: ReactNode
  id?: string | undefined
  /** One control: TextInput, TextArea, Select, DateInput or TimeInput. The control gets its ids from LabelledField. */
  children: ReactNode
}

/** A label, help text, control, error and character counter, connected to the control by ids. */
export function LabelledField({ label, required, help, error, count, tool, id, children }: FieldProps) {
  const { t } = useLingui()
  const generatedId = useId()
  const control = id ?? generatedId
  const ids = fieldIds(control, { required, help, error })
  const max = count?.max
  return (
    <div className={cx(styles.field, error !== undefined && styles.invalid)}>
      <div>
        <label className={styles.label} htmlFor={control}>
          {label}
        </label>
        {required && <RequiredMark id={ids.required} />}
      </div>
      <Help id={ids.help}>{help}</Help>
      <div className={styles.control}>
        <FieldContext
          value={{
            id: control,
            'aria-describedby': ids.describedBy,
            'aria-invalid': error !== undefined || undefined,
            'aria-required': required || undefined,
          }}
        >
          {children}
        </FieldContext>
      </div>
      {error !== undefined && <FieldError id={ids.error}>{error}</FieldError>}
      {(tool || count) && (
        <div className={styles.foot}>
          {tool}
          {count && (
            <p className={cx('num', count.n > count.max && styles.over)}>{t`${count.n} / ${max}文字`}</p>
          )}
        </div>
      )}
    </div>
  )
}

/** The id and the aria attributes that connect a control to its LabelledField. */
const FieldContext = createContext<AriaAttributes & { id?: string }>({})

export const useFieldTies = () => use(FieldContext)

const Help = ({ id, children }: { id: string; children: ReactNode }) =>
  children && (
    <div className={styles.help} id={id}>
      {children}
    </div>
  )

/** ※必須: visible beside the label and announced as a description, but not part of the accessible name. */
function RequiredMark({ id }: { id: string }) {
  const { t } = useLingui()
  return (
    <span className={styles.required} id={id} aria-hidden="true">
      {t`※必須`}
    </span>
  )
}

export const FieldError = ({ id, children }: { id: string; children: ReactNode }) => (
  <p className={styles.error} id={id}>
    <Icon as={CircleAlert} />
    <span>{children}</span>
  </p>
)

function fieldIds(
  id: string,
  { required, help, error }: { required?: boolean | undefined; help?: ReactNode; error?: string | undefined },
) {
  const ids = { required: `${id}-required`, help: `${id}-help`, error: `${id}-error` }
  const describing = [required && ids.required, help && ids.help, error !== undefined && ids.error]
  return { ...ids, describedBy: describing.filter(Boolean).join(' ') || undefined }
}

interface FieldGroupProps {
  label: string
  hideLabel?: boolean | undefined
  required?: boolean | undefined
  help?: ReactNode
  error?: string | undefined
  busy?: boolean | undefined
  id?: string | undefined
  /** Renders the controls. Each control takes `describedBy` as its aria-describedby value. */
  children: (describedBy: string | undefined) => ReactNode
}

/** Several controls under one label, for example photos or a group of choices. */
export function FieldGroup({ label, hideLabel, busy, id, children, ...parts }: FieldGroupProps) {
  const { required, help, error } = parts
  const generatedId = useId()
  const group = id ?? generatedId
  const ids = fieldIds(group, parts)
  return (
    <fieldset
      id={group}
      className={cx(styles.field, error !== undefined && styles.invalid)}
      aria-describedby={ids.describedBy}
      aria-invalid={error !== undefined || undefined}
      aria-busy={busy || undefined}
    >
      <legend className={hideLabel ? 'vh' : styles.label}>
        {label}
        {required && <RequiredMark id={ids.required} />}
      </legend>
      <Help id={ids.help}>{help}</Help>
      <div className={hideLabel ? undefined : styles.control}>{children(ids.describedBy)}</div>
      {error !== undefined && <FieldError id={ids.error}>{error}</FieldError>}
    </fieldset>
  )
}
