import { useLingui } from '@lingui/react/macro'
import { useStore } from '@tanstack/react-form'
import { useRouter, type RouterHistory } from '@tanstack/react-router'
import {
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
  type FormEvent,
  type ReactNode,
  useRef,
} from 'react'
import { messageText } from '#messages/messages.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Button, type ButtonProps } from '#ui/controls/button.tsx'
import { FormLayout } from '#ui/layout/layout.tsx'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { FormDraftsContext, type TakenDraft } from './form-drafts.ts'
import { useFormContext, useFormAutosave, useFormReady } from './form-contexts.ts'
import { BUSY_AFTER_MS, leaveField } from './focus-first-error.ts'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { FlashBanner } from '#ui/feedback/flash.tsx'

/** The form's submit handler. A second submit during the first, or after the save, is ignored (spec 5). */
function useSubmit() {
  const form = useFormContext()
  const autosave = useFormAutosave()
  const ready = useFormReady()
  const [failed, setFailed] = useState<{ error: unknown }>()
  // If the validation rules cannot be loaded, the router's error page appears. The draft stays.
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

interface SheetFormProps {
  heading: string
  onClose: () => void
  footer: ReactNode
  children: ReactNode
}

/** A form in a sheet. Its element has no box of its own, so the sheet's gaps apply to the fields. */
export function SheetForm({ children, ...sheet }: SheetFormProps) {
  const form = useFormContext()
  const submit = useSubmit()
  return (
    <Sheet {...sheet}>
      <form id={form.formId} noValidate onSubmit={submit} autoComplete="off" style={{ display: 'contents' }}>
        {children}
      </form>
    </Sheet>
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
  /** Says what the save will do, for example while offline. */
  hint?: string | undefined
  /** Message if the user presses 保存 without a change, for forms that do not save unchanged input. */
  unchanged?: string | undefined
  children: string
}

/** The action bar of a form with the button 保存. */
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

/** A navigation as the router passes it to a blocker. */
type BlockedNavigation = Parameters<Parameters<RouterHistory['block']>[0]['blockerFn']>[0]

const NO_BLOCKER = { ignoreBlocker: true }

/** Repeats a blocked navigation. Must be called while the browser is on the form's history entry. */
function repeatNavigation(
  history: RouterHistory,
  { action, currentLocation: from, nextLocation: to }: BlockedNavigation,
) {
  if (action === 'PUSH') return history.push(to.href, to.state, NO_BLOCKER)
  if (action === 'REPLACE') return history.replace(to.href, to.state, NO_BLOCKER)
  history.go(to.state.__TSR_index - from.state.__TSR_index, NO_BLOCKER)
}

/**
 * Asks before unsaved input is left (spec 5, ec00007): in a dialog before a navigation to another path, and by the
 * browser before the tab closes. A save in progress may navigate without a question.
 * A blocked navigation is repeated after はい. During the question the browser stays on the form's history entry, so
 * that the phone's back button answers いいえ.
 */
export function LeaveGuard() {
  const { i18n } = useLingui()
  const { history } = useRouter()
  const form = useFormContext()
  const autosave = useFormAutosave()
  const [blocked, setBlocked] = useState<BlockedNavigation | null>(null)
  const isDirty = () => {
    const { isSubmitting, isSubmitSuccessful, isDirty: isTyped } = form.state
    if (isSubmitting) return false
    // A save that failed on the device ('not-saved') also counts as successful here. The user may then leave without a
    // question if the draft is stored, for example to free space on another screen.
    return isSubmitSuccessful ? !autosave.isSafe() : isTyped || autosave.isChanged()
  }
  const isBlocked = useEffectEvent((next: BlockedNavigation) => {
    const isSameScreen = next.currentLocation.pathname === next.nextLocation.pathname
    if (isSameScreen || !isDirty()) return false
    setBlocked(blocked && next.action === 'BACK' ? null : next)
    return true
  })
  const asksBeforeUnload = useEffectEvent(isDirty)
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => asksBeforeUnload(),
        blockerFn: (next) => isBlocked(next),
      }),
    [history],
  )
  if (!blocked) return null
  return (
    <ConfirmSheet
      question={messageText(i18n, 'ec00007')}
      destructive
      onYes={() => {
        void autosave.giveUp()
        setBlocked(null)
        repeatNavigation(history, blocked)
      }}
      onNo={() => setBlocked(null)}
    />
  )
}

/**
 * A notice that the form opened with restored input, with a button that empties the form, and then an undo for
 * FLASH_DISMISS_MS. The notice stays afterwards, so that the fields do not move.
 */
export function DraftNotice() {
  const { t } = useLingui()
  const autosave = useFormAutosave()
  const isRestored = useSyncExternalStore(autosave.restored.subscribe, autosave.restored.get)
  const [isDropped, setDropped] = useState(false)
  const { state, offer, undo } = useUndo()
  const isDropping = useRef(false)
  const startFresh = async () => {
    // A second press is ignored, because its undo would replace that of the first.
    if (isDropping.current || !autosave.restored.get()) return
    isDropping.current = true
    setDropped(true)
    await autosave
      .startFresh()
      .then(offer)
      .finally(() => (isDropping.current = false))
  }
  if (isRestored)
    return (
      <FlashBanner
        mode="info"
        text={t`入力途中の内容を復元しました。`}
        action={<Button wide onClick={() => void startFresh()}>{t`最初から入力する`}</Button>}
      />
    )
  if (!isDropped) return null
  return (
    <FlashBanner
      mode="info"
      text={t`入力途中の内容を削除しました。`}
      action={
        <Button wide disabled={state !== 'open'} onClick={undo}>
          {state === 'over' ? t`元に戻せる時間を過ぎました` : t`元に戻す`}
        </Button>
      }
    />
  )
}

/** An undo that expires after FLASH_DISMISS_MS. The draft is deleted when the undo expires or the form is closed. */
function useUndo() {
  const [state, setState] = useState<'closed' | 'open' | 'over'>('closed')
  const offered = useRef<TakenDraft | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = () => {
    clearTimeout(timer.current)
    const taken = offered.current
    offered.current = null
    return taken
  }
  useEffect(() => () => void end()?.forget(), [])
  const offer = (taken: TakenDraft | null) => {
    offered.current = taken
    setState(taken ? 'open' : 'closed')
    timer.current = setTimeout(() => {
      setState('over')
      void end()?.forget()
    }, FLASH_DISMISS_MS)
  }
  const undo = () => {
    setState('closed')
    const taken = end()
    void taken?.back().catch((error: unknown) => {
      offer(taken)
      throw error
    })
  }
  return { state, offer, undo }
}
