import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { useFormAutosave } from './form-contexts.ts'
import type { TakenDraft } from './form-drafts.ts'

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
