/**
 * The fields of ログイン and ロック中. They behave like all form fields (`use-draft-form.ts`) but do not use the form library,
 * which would double the download of a first visit (decisions/speed). They are uncontrolled: a browser may fill in a
 * saved login without an event, and React state would overwrite it.
 */
import { type FormEvent, useRef, useState, type ComponentProps } from 'react'
import { focusFirstError, BUSY_AFTER_MS, leaveField } from '#form/focus-first-error.ts'
import { useLingui } from '@lingui/react/macro'
import { filledText, firstMessages } from '#messages/first-messages.ts'
import { LabelledField } from '#ui/controls/field.tsx'
import { TextInput } from '#ui/controls/input.tsx'
import { useLater } from '#ui/feedback/long-wait.tsx'

type FieldName = 'userName' | 'password'

const fieldOf = (form: HTMLFormElement | null, name: FieldName) =>
  form?.querySelector<HTMLInputElement>(`input[name=${name}]`)

/**
 * Returns the properties of a form and of its fields.
 * @param names the fields of the form; all are required
 * @param start initial values
 * @param run called on submit with a function that returns a field's text, unless an earlier call of `run` is
 * unfinished. `run` resolves to new field values, or to null if the form closes
 */
export function useLoginFields<Name extends FieldName>(
  names: readonly Name[],
  start: Partial<Record<Name, string>>,
  run: (text: (name: Name) => string) => Promise<Partial<Record<Name, string>> | null>,
) {
  const form = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState<readonly Name[]>([])
  const [areErrorsShown, showErrors] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const textIn = (name: Name) => fieldOf(form.current, name)?.value ?? ''
  const judge = () => {
    const found = names.filter((name) => textIn(name).trim() === '')
    setMissing(found)
    return found
  }
  const fill = (given: Partial<Record<Name, string>>) => {
    for (const name of names) {
      const field = fieldOf(form.current, name)
      const text = given[name]
      if (field && text !== undefined) field.value = text
    }
    judge()
  }
  const submit = async (element: HTMLFormElement) => {
    leaveField(element)
    if (isRunning) return
    showErrors(true)
    if (judge().length > 0) return focusFirstError(element)
    setRunning(true)
    try {
      const newValues = await run(textIn)
      if (!newValues) return
      fill(newValues)
      // A field that `run` has emptied shows no error before the next submit.
      showErrors(false)
    } finally {
      setRunning(false)
    }
  }
  return {
    // A short run shows no spinner.
    isBusy: useLater(BUSY_AFTER_MS, isRunning),
    fill,
    form: {
      ref: form,
      noValidate: true,
      // Keeps typed text out of the browser's session-restore files. The fields' own `autocomplete` still applies.
      autoComplete: 'off',
      onSubmit(event: FormEvent<HTMLFormElement>) {
        event.preventDefault()
        void submit(event.currentTarget)
      },
    },
    field: (name: Name) => ({
      isMissing: areErrorsShown && missing.includes(name),
      input: { name, defaultValue: start[name] ?? '', onChange: judge },
    }),
  }
}

type LoginFieldProps = ReturnType<ReturnType<typeof useLoginFields>['field']> & {
  label: string
  help?: string
  required?: boolean
} & Omit<ComponentProps<typeof TextInput>, 'name' | 'defaultValue' | 'onChange'>

/** A text field of ログイン or ロック中. `useLoginFields` returns its properties. */
export function LoginField({ label, help, required = true, isMissing, input, ...own }: LoginFieldProps) {
  const { i18n } = useLingui()
  const error = isMissing ? filledText(i18n, firstMessages.ec00001, { field: label }) : undefined
  return (
    <LabelledField label={label} required={required} help={help} error={error}>
      <TextInput {...own} {...input} enterKeyHint="go" />
    </LabelledField>
  )
}
