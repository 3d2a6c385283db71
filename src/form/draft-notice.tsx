import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { useState, useSyncExternalStore } from 'react'
import { messageText } from '#messages/messages.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmSheet } from '#ui/confirm-sheet.tsx'
import { FlashBanner } from '#ui/flash.tsx'
import { useFormKeeper } from './form-contexts.ts'

/** Says that the form opened with what was typed before, and offers to start fresh. */
export function DraftNotice() {
  const { i18n } = useLingui()
  const keeper = useFormKeeper()
  const isRestored = useSyncExternalStore(keeper.restored.subscribe, keeper.restored.get)
  const [asking, setAsking] = useState(false)
  if (!isRestored) return null
  return (
    <>
      <FlashBanner
        mode="info"
        text={<Trans>入力途中の内容を復元しました。</Trans>}
        action={
          <Button wide onClick={() => setAsking(true)}>
            <Trans>最初から入力する</Trans>
          </Button>
        }
      />
      {asking && (
        <ConfirmSheet
          question={messageText(i18n, 'ec00007')}
          destructive
          onYes={() => {
            setAsking(false)
            void keeper.startFresh()
          }}
          onNo={() => setAsking(false)}
        />
      )}
    </>
  )
}
