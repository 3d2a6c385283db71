/**
 * The fields of ログイン and ロック中, with the rules of all forms (`use-draft-form.ts`) but without the form library: a first
 * visit and a locked start wait only for these forms, and the library is as large as everything else they wait for
 * (decisions/speed).
 *
 * The fields are uncontrolled: a browser fills in a saved login at any time, even before the app listens and without an
 * event, and React state would overwrite it.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { focusFirstError, BUSY_AFTER_MS, leaveField } from '#form/focus-first-error.ts'

type FieldName = 'userName' | 'password'

const fieldOf = (form: HTMLFormElement | null, name: FieldName) =>
  form?.querySelector<HTMLInputElement>(`input[name=${name}]`)

/**
 * @param names the fields of the form; each is required
 * @param start initial values
 * @param run reads the text of a field by its argument; runs once at a time; resolves to new field values, or null if
 * the form goes away
 */
export function useLoginFields<Name extends FieldName>(
  names: readonly Name[],
  start: Partial<Record<Name, string>>,
  run: (text: (name: Name) => string) => Promise<Partial<Record<Name, string>> | null>,
) {
  const form = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState<readonly Name[]>([])
  const [isJudged, setJudged] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const isLong = useLong(isRunning)
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
    setJudged(true)
    if (judge().length > 0) return focusFirstError(element)
    setRunning(true)
    try {
      const left = await run(textIn)
      if (!left) return
      fill(left)
      // A cleared field is not reported as missing yet.
      setJudged(false)
    } finally {
      setRunning(false)
    }
  }
  return {
    isBusy: isLong,
    fill,
    form: {
      ref: form,
      noValidate: true,
      // Keeps the browser from writing what was typed to its session-restore files. Each field's own `autocomplete`
      // still applies.
      autoComplete: 'off',
      onSubmit(event: FormEvent<HTMLFormElement>) {
        event.preventDefault()
        void submit(event.currentTarget)
      },
    },
    field: (name: Name) => ({
      isMissing: isJudged && missing.includes(name),
      input: { name, defaultValue: start[name] ?? '', onChange: judge },
    }),
  }
}

function useLong(isRunning: boolean): boolean {
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(isRunning), isRunning ? BUSY_AFTER_MS : 0)
    return () => clearTimeout(timer)
  }, [isRunning])
  return isLong && isRunning
}
