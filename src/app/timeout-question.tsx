import { useLingui } from '@lingui/react/macro'
import { messages } from '#messages/messages.ts'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import type { TimeoutQuestion as Question } from '#app/watch-timeout.ts'

/** Asks after INVALID_TOKEN whether to log in now or later (spec 8). Typed input stays as a draft in both cases. */
export function TimeoutQuestion({ answer }: Pick<Question, 'answer'>) {
  const { i18n, t } = useLingui()
  return (
    <ConfirmSheet
      question={i18n._(messages.ec00005)}
      yes={t`ログイン`}
      no={t`あとで`}
      onYes={() => answer(true)}
      onNo={() => answer(false)}
    />
  )
}
