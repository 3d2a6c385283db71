import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { use, useEffect, useState, useSyncExternalStore, type FormEvent, type ReactNode } from 'react'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Button, type ButtonProps } from '#ui/controls/button.tsx'
import { FormLayout } from '#ui/layout/layout.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { FormDraftsContext } from './form-drafts.ts'
import { useFormContext, useFormAutosave, useFormReady } from './form-contexts.ts'
import { BUSY_AFTER_MS, leaveField } from './focus-first-error.ts'
import { useLeaveGuard } from './use-leave-guard.tsx'

/** Returns the form's submit handler. It ignores a second submit while one runs or after the save (spec 5). */
export function useSubmit() {
  const form = useFormContext()
  const autosave = useFormAutosave()
  const ready = useFormReady()
  const [failed, setFailed] = useState<{ error: unknown }>()
  // If the code of the rules cannot be loaded, the error page is shown, as for a screen's code. The draft stays stored.
  if (failed) throw failed.error
  const submit = () => {
    if (!form.state.isSubmitting && !autosave.isOver()) void form.handleSubmit()
  }
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    leaveField(event.currentTarget)
    const missing = ready?.()
    if (!missing) return submit()
    // The submit continues even if the form has been closed meanwhile, like a save in progress.
    void missing.then(submit, (error: unknown) => setFailed({ error }))
  }
}

export function PlainForm({ children }: { children: ReactNode }) {
  const form = useFormContext()
  const submit = useSubmit()
  return (
    // With `autoComplete="off"` the browser does not write typed text to its session-restore files.
    <form id={form.formId} noValidate onSubmit={submit} autoComplete="off">
      {children}
    </form>
  )
}

/** The form element with the column of fields. */
export function FormBody({ children }: { children: ReactNode }) {
  const { read } = useFormAutosave()
  const isRead = useSyncExternalStore(read.subscribe, read.get)
  const hasDrafts = use(FormDraftsContext) !== null
  return (
    <PlainForm>
      {/* The form is hidden until it is known if the draft notice appears, so that its appearance moves nothing. */}
      <FormLayout waits={hasDrafts && !isRead}>
        <DraftNotice />
        {children}
      </FormLayout>
    </PlainForm>
  )
}

function useLongSubmit(): boolean {
  const { store } = useFormContext()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const { unsubscribe } = store.subscribe(({ isSubmitting }) => {
      if (isSubmitting) return void (timer ??= setTimeout(() => setLong(true), BUSY_AFTER_MS))
      clearTimeout(timer)
      timer = undefined
      setLong(false)
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [store])
  return isLong
}

/** Submits the form from anywhere in the screen, and shows busy while the form saves. */
export function SubmitButton({ variant = 'primary', busy, ...props }: ButtonProps) {
  const form = useFormContext()
  const isLong = useLongSubmit()
  return (
    <Button {...props} type="submit" form={form.formId} variant={variant} busy={busy === true || isLong} />
  )
}

interface SubmitBarProps {
  hint?: string | undefined
  unchanged?: string | undefined
  children: string
}

/**
 * The action bar of a form: 保存, and above it what prevents saving.
 * @param hint states what will happen, for example while offline
 * @param unchanged message after 保存 without any change, for forms that do not save unchanged input
 */
export function SubmitBar({ hint, unchanged, children }: SubmitBarProps) {
  const { t } = useLingui()
  const form = useFormContext()
  const count = useStore(
    form.store,
    ({ fieldMeta }) =>
      Object.values<{ errors: unknown[] }>(fieldMeta).filter(({ errors }) => errors.length > 0).length,
  )
  const isUnchanged = useStore(
    form.store,
    ({ submissionAttempts, isDefaultValue, isSubmitting }) =>
      submissionAttempts > 0 && isDefaultValue && !isSubmitting,
  )
  return (
    <ActionBar
      hint={hint}
      error={count > 0 ? t`確認が必要な項目が${count}件あります` : isUnchanged ? unchanged : undefined}
    >
      <SubmitButton wide>{children}</SubmitButton>
    </ActionBar>
  )
}

/** Asks for confirmation before unsaved input is left. A save in progress navigates without asking. */
export function LeaveGuard() {
  const form = useFormContext()
  const autosave = useFormAutosave()
  const isDirty = () => {
    const { isSubmitting, isSubmitSuccessful } = form.state
    if (isSubmitting) return false
    // After a failed save the app may navigate to free storage space. The app asks the user only if the draft is not stored.
    if (isSubmitSuccessful) return !autosave.isSafe()
    return form.state.isDirty || autosave.isChanged()
  }
  return useLeaveGuard(isDirty, () => void autosave.giveUp())
}
