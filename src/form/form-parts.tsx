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

/** The form's submit handler. A second submit during the first, or after the save, is ignored (spec 5). */
export function useSubmit() {
  const form = useFormContext()
  const autosave = useFormAutosave()
  const ready = useFormReady()
  const [failed, setFailed] = useState<{ error: unknown }>()
  // If the validation rules cannot be loaded, the router's error page appears, as for missing code of a screen. The
  // draft stays.
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
    // The input is also submitted if the form is closed before the validation rules are loaded.
    void missing.then(submit, (error: unknown) => setFailed({ error }))
  }
}

export function PlainForm({ children }: { children: ReactNode }) {
  const form = useFormContext()
  const submit = useSubmit()
  return (
    // `autoComplete="off"` is needed to keep the input out of the browser's session-restore files.
    <form id={form.formId} noValidate onSubmit={submit} autoComplete="off">
      {children}
    </form>
  )
}

/** The form element with a column of fields, and the notice about a restored draft. */
export function FormBody({ children }: { children: ReactNode }) {
  const { read } = useFormAutosave()
  const isRead = useSyncExternalStore(read.subscribe, read.get)
  const hasDrafts = use(FormDraftsContext) !== null
  return (
    <PlainForm>
      {/* The form is hidden until it is known whether the notice about a draft appears, so that the fields do not
          move. */}
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

/** Submits the surrounding form, and shows a busy state during the save. */
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
 * The action bar of a form with the button 保存.
 * @param hint says what the save will do, for example while offline
 * @param unchanged message if the user presses 保存 without a change, for forms that do not save unchanged input
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

/** Asks before unsaved input is left. A save in progress may navigate without a question. */
export function LeaveGuard() {
  const form = useFormContext()
  const autosave = useFormAutosave()
  const isDirty = () => {
    const { isSubmitting, isSubmitSuccessful } = form.state
    if (isSubmitting) return false
    // A save that failed on the device ('not-saved') also counts as successful here. The user may then leave without a
    // question if the draft is stored, for example to free space on another screen.
    if (isSubmitSuccessful) return !autosave.isSafe()
    return form.state.isDirty || autosave.isChanged()
  }
  return useLeaveGuard(isDirty, () => void autosave.giveUp())
}
