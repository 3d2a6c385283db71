/**
 * The two fields of ログイン, by the rules of every form (`use-draft-form.ts`) and without the forms' library: a first visit
 * waits for this form alone, and the library is as large as all the rest that it waits for here (decision 0106).
 */
import { type ChangeEvent, type FormEvent, useEffect, useState } from 'react'
import { focusFirstError } from '#form/focus-first-error.ts'
import { BUSY_AFTER_MS, leaveField } from '#form/submitting.ts'

interface LoginDraft {
  userName: string
  password: string
}

/**
 * @param start what the fields begin with
 * @param signIn one at a time; what the form holds from then on, or null where it leads away
 */
export function useLoginFields(start: LoginDraft, signIn: (draft: LoginDraft) => Promise<LoginDraft | null>) {
  const [draft, setDraft] = useState(start)
  const [isJudged, setJudged] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const isLong = useLong(isRunning)
  const isMissing = (name: keyof LoginDraft) => draft[name].trim() === ''
  const submit = async (form: HTMLFormElement) => {
    leaveField(form)
    if (isRunning) return
    setJudged(true)
    if (isMissing('userName') || isMissing('password')) return focusFirstError(form)
    setRunning(true)
    try {
      // a phone's keyboard adds a space to a word that it proposes
      const left = await signIn({ ...draft, userName: draft.userName.trim() })
      if (!left) return
      setDraft(left)
      // what was cleared is not yet called missing
      setJudged(false)
    } finally {
      setRunning(false)
    }
  }
  return {
    isBusy: isLong,
    fill: setDraft,
    form: {
      noValidate: true,
      // what is typed stays out of the browser's own session files (the fields say theirs)
      autoComplete: 'off',
      onSubmit(event: FormEvent<HTMLFormElement>) {
        event.preventDefault()
        void submit(event.currentTarget)
      },
    },
    field: (name: keyof LoginDraft) => ({
      isMissing: isJudged && isMissing(name),
      input: {
        value: draft[name],
        onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
          setDraft((before) => ({ ...before, [name]: value })),
      },
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
