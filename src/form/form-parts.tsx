import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { use, useEffect, useState, useSyncExternalStore, type FormEvent, type ReactNode } from 'react'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Button, type ButtonProps } from '#ui/controls/button.tsx'
import { FormLayout } from '#ui/layout/layout.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { FormDraftsContext } from './form-drafts.ts'
import { useFormContext, useFormKeeper, useFormReady } from './form-contexts.ts'
import { BUSY_AFTER_MS, leaveField } from './submitting.ts'
import { useLeaveGuard } from './use-leave-guard.tsx'

/** What the form element does on a submit; a second one while one runs, or after the save, is ignored (spec 5). */
export function useSubmit() {
  const form = useFormContext()
  const keeper = useFormKeeper()
  const ready = useFormReady()
  const [failed, setFailed] = useState<{ error: unknown }>()
  // the code of its rules cannot be had, as of a screen's own: what was typed is kept
  if (failed) throw failed.error
  const submit = () => {
    if (!form.state.isSubmitting && !keeper.isOver()) void form.handleSubmit()
  }
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    event.stopPropagation()
    leaveField(event.currentTarget)
    const missing = ready?.()
    if (!missing) return submit()
    // also where the form is left meanwhile, as a save that is under way goes on
    void missing.then(submit, (error: unknown) => setFailed({ error }))
  }
}

/** The form element. */
export function PlainForm({ children }: { children: ReactNode }) {
  const form = useFormContext()
  const submit = useSubmit()
  return (
    // what is typed into a form stays out of the browser's own session files (the login's fields say theirs)
    <form id={form.formId} noValidate onSubmit={submit} autoComplete="off">
      {children}
    </form>
  )
}

/** The form element with the column of fields of a screen. */
export function FormBody({ children }: { children: ReactNode }) {
  const { read } = useFormKeeper()
  const isRead = useSyncExternalStore(read.subscribe, read.get)
  const isKept = use(FormDraftsContext) !== null
  return (
    <PlainForm>
      {/* not seen before it is known whether the notice stands above: nothing moves when it comes */}
      <FormLayout waits={isKept && !isRead}>
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

/** Submits the form from wherever it stands; busy while it is saved. */
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
 * The foot of a form's screen: 保存, and above it what stands in the way.
 * @param hint what will happen (offline)
 * @param unchanged said where 保存 was pressed and all is as the form opened: of a form that does not save that
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

/** Asks before unsaved input is left. A save that is under way leaves by itself, and is not asked. */
export function LeaveGuard() {
  const form = useFormContext()
  const keeper = useFormKeeper()
  const isDirty = () => {
    const { isSubmitting, isSubmitSuccessful } = form.state
    if (isSubmitting) return false
    // a save that failed on the device may lead elsewhere, to make room: the draft is there again, unless there is none
    if (isSubmitSuccessful) return !keeper.isSafe()
    return form.state.isDirty || keeper.isChanged()
  }
  return useLeaveGuard(isDirty, () => void keeper.giveUp())
}
