import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { CalendarX, Check, CircleX, Hourglass, LoaderCircle, type LucideIcon, PencilLine } from 'lucide-react'
import { useState } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import styles from './send-state.module.css'

/** `draft`: unsaved input of a form, which is stored on the device and not sent. */
export type SendStateName = 'draft' | 'waiting' | 'sending' | 'done' | 'failed' | 'expired'

const icons: Record<SendStateName, LucideIcon> = {
  draft: PencilLine,
  waiting: Hourglass,
  sending: LoaderCircle,
  done: Check,
  failed: CircleX,
  expired: CalendarX,
}

/** The words of the send states, the same on every screen. */
export const sendStateWords = {
  draft: msg`入力途中`,
  waiting: msg`待機`,
  sending: msg`送信中`,
  done: msg`成功`,
  failed: msg`失敗`,
  expired: msg`期限切れ`,
} satisfies Record<SendStateName, MessageDescriptor>

export function useSendStateWords(): Record<SendStateName, string> {
  const { i18n } = useLingui()
  const words = Object.entries(sendStateWords).map(([state, word]) => [state, i18n._(word)])
  return Object.fromEntries(words) as Record<SendStateName, string>
}

/** A card's line with its send state. Once shown the line stays, so that the content below does not move. */
export function SendStateLine({ state }: { state: SendStateName | null }) {
  const [wasShown, setShown] = useState(state !== null)
  if (state !== null && !wasShown) setShown(true)
  if (state === null && !wasShown) return null
  return (
    <div>
      {state === null ? (
        <span className={cx(styles.state, styles.none)}>&nbsp;</span>
      ) : (
        <SendStateBadge state={state} />
      )}
    </div>
  )
}

interface SendStateBadgeProps {
  state: SendStateName
  label?: string | undefined
  count?: number | undefined
}

export function SendStateBadge({ state, label, count }: SendStateBadgeProps) {
  const { t } = useLingui()
  const words = useSendStateWords()
  return (
    <span className={cx(styles.state, styles[state], 'num')}>
      <Icon as={icons[state]} />
      <span>
        {label ?? words[state]}
        {count !== undefined && ` ${t`${count}件`}`}
      </span>
    </span>
  )
}
