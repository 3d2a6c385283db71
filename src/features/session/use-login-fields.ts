/**
 * The two fields of ログイン, with the rules of all forms (`use-draft-form.ts`) but without the form library: a first visit
 * waits only for this form, and the library is as large as everything else it waits for (decisions/speed).
 *
 * The fields are uncontrolled: a browser fills in a saved login at any time, even before the app listens and without an
 * event, and React state would overwrite it.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { focusFirstError, BUSY_AFTER_MS, leaveField } from '#form/focus-first-error.ts'

interface LoginDraft {
  userName: string
  password: string
}

const NAMES = ['userName', 'password'] as const

const fieldOf = (form: HTMLFormElement | null, name: keyof LoginDraft) =>
  form?.querySelector<HTMLInputElement>(`input[name=${name}]`)

/**
 * @param start initial values
 * @param signIn runs once at a time; resolves to new field values, or null if it navigates
 */
export function useLoginFields(
  start: LoginDraft,
  signIn: (draft: LoginDraft) => Promise<Partial<LoginDraft> | null>,
) {
  const form = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState<readonly (keyof LoginDraft)[]>([])
  const [isJudged, setJudged] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const isLong = useLong(isRunning)
  const textIn = (name: keyof LoginDraft) => fieldOf(form.current, name)?.value ?? ''
  const judge = () => {
    const found = NAMES.filter((name) => textIn(name).trim() === '')
    setMissing(found)
    return found
  }
  const fill = (given: Partial<LoginDraft>) => {
    for (const name of NAMES) {
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
      // A phone's keyboard adds a space after a suggested word.
      const left = await signIn({ userName: textIn('userName').trim(), password: textIn('password') })
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
      // Excludes the input from the browser's session files (the fields set their own autocomplete).
      autoComplete: 'off',
      onSubmit(event: FormEvent<HTMLFormElement>) {
        event.preventDefault()
        void submit(event.currentTarget)
      },
    },
    field: (name: keyof LoginDraft) => ({
      isMissing: isJudged && missing.includes(name),
      input: { name, defaultValue: start[name], onChange: judge },
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
