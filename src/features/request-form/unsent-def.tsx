import { useLingui } from '@lingui/react/macro'
import type { SendState as State } from '#schemas/change-queue.ts'
import { Def } from '#ui/defs.tsx'
import { SendState } from '#ui/send-state.tsx'

/** The row 送信状況 of a record's view; nothing where all is sent. */
export function UnsentDef({ state }: { state: State | null }) {
  const { t } = useLingui()
  return (
    state && (
      <Def label={t`送信状況`}>
        <SendState state={state} />
      </Def>
    )
  )
}
