import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { Button } from '#ui/controls/button.tsx'
import { FlashBanner } from '#ui/feedback/flash.tsx'
import { useFormKeeper } from './form-contexts.ts'
import type { TakenDraft } from './form-drafts.ts'

/**
 * Says that the form opened with what was typed before, and offers to start fresh; that is done at once, and can be taken
 * back for as long as a banner stays. The notice keeps its place from then on: the fields must not move under the thumb.
 */
export function DraftNotice() {
  const { t } = useLingui()
  const keeper = useFormKeeper()
  const isRestored = useSyncExternalStore(keeper.restored.subscribe, keeper.restored.get)
  const [isDropped, setDropped] = useState(false)
  const { offer, takeBack, isOpen, isOver } = useWayBack()
  const isDropping = useRef(false)
  const startFresh = async () => {
    // a second press would find nothing to take, and leave no way back to what the first one took
    if (isDropping.current || !keeper.restored.get()) return
    isDropping.current = true
    setDropped(true)
    await keeper
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
        <Button wide disabled={!isOpen} onClick={takeBack}>
          {isOver ? t`元に戻せる時間を過ぎました` : t`元に戻す`}
        </Button>
      }
    />
  )
}

/** One way back, open for as long as a banner stays; what was kept for it goes with it, or with the form. */
function useWayBack() {
  const [isOpen, setOpen] = useState(false)
  const [isOver, setOver] = useState(false)
  const way = useRef<TakenDraft | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const end = () => {
    clearTimeout(timer.current)
    const taken = way.current
    way.current = null
    return taken
  }
  useEffect(() => () => void end()?.forget(), [])
  const offer = (taken: TakenDraft | null) => {
    way.current = taken
    setOpen(taken !== null)
    timer.current = setTimeout(() => {
      setOpen(false)
      setOver(true)
      void end()?.forget()
    }, FLASH_DISMISS_MS)
  }
  return {
    isOpen,
    /** Its time has passed: a disabled button says why. */
    isOver,
    offer,
    takeBack() {
      setOpen(false)
      const taken = end()
      void taken?.back().catch((error: unknown) => {
        // it is not there again: what the device did not take can be tried once more
        offer(taken)
        throw error
      })
    },
  }
}
