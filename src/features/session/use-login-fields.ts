/**
 * The two fields of ログイン, by the rules of every form (`use-draft-form.ts`) and without the forms' library: a first visit
 * waits for this form alone, and the library is as large as all the rest that it waits for here (decisions/speed).
 *
 * The fields themselves hold the values: a browser fills in a saved login when it likes, also before the app listens and
 * without an event, and a state beside them would write over it.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { focusFirstError } from '#form/focus-first-error.ts'
import { BUSY_AFTER_MS, leaveField } from '#form/submitting.ts'

interface LoginDraft {
  userName: string
  password: string
}

const NAMES = ['userName', 'password'] as const

const fieldOf = (form: HTMLFormElement | null, name: keyof LoginDraft) =>
  form?.querySelector<HTMLInputElement>(`input[name=${name}]`)

/**
 * @param start what the fields begin with
 * @param signIn one at a time; what the fields are given from then on, or null where it leads away
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
      // a phone's keyboard adds a space to a word that it proposes
      const left = await signIn({ userName: textIn('userName').trim(), password: textIn('password') })
      if (!left) return
      fill(left)
      // what was cleared is not yet called missing
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
      // what is typed stays out of the browser's own session files (the fields say theirs)
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
