import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { Def } from '#ui/layout/defs.tsx'
import { SendStateBadge } from '#ui/feedback/send-state.tsx'

/**
 * The row 送信状況 of a detail screen. Once shown it stays, so that the rows below do not move when everything is sent.
 * @param state null if everything is sent
 */
export function UnsentDef({ state }: { state: SendState | null }) {
  const { t } = useLingui()
  const [wasThere, setThere] = useState(state !== null)
  if (state !== null && !wasThere) setThere(true)
  if (state === null && !wasThere) return null
  return (
    <Def label={t`送信状況`}>
      {state === null ? t`未送信の変更はありません` : <SendStateBadge state={state} />}
    </Def>
  )
}
