import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { CalendarX, Check, CircleX, Hourglass, LoaderCircle, type LucideIcon, PencilLine } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './send-state.module.css'

/** draft: unsaved input of a form. It is stored on the device, and none of it is sent. */
export type SendStateName = 'draft' | 'waiting' | 'sending' | 'done' | 'failed' | 'expired'

const icons: Record<SendStateName, LucideIcon> = {
  draft: PencilLine,
  waiting: Hourglass,
  sending: LoaderCircle,
  done: Check,
  failed: CircleX,
  expired: CalendarX,
}

/** 入力途中, 待機, 送信中, 成功, 失敗 and 期限切れ, the words used on every screen. */
export const sendStateWords = {
  draft: msg`入力途中`,
  waiting: msg`待機`,
  sending: msg`送信中`,
  done: msg`成功`,
  failed: msg`失敗`,
  expired: msg`期限切れ`,
} satisfies Record<SendStateName, MessageDescriptor>

/** Returns the words in the language that is shown. */
export function useSendStateWords(): Record<SendStateName, string> {
  const { i18n } = useLingui()
  const { draft, waiting, sending, done, failed, expired } = sendStateWords
  return {
    draft: i18n._(draft),
    waiting: i18n._(waiting),
    sending: i18n._(sending),
    done: i18n._(done),
    failed: i18n._(failed),
    expired: i18n._(expired),
  }
}

/**
 * The send state of a record on its card. The line stays, empty, after the state is gone, so that the content below
 * does not move.
 */
export function SendStateLine({ state }: { state: SendStateName | null }) {
  const [wasThere, setThere] = useState(state !== null)
  if (state !== null && !wasThere) setThere(true)
  if (state === null && !wasThere) return null
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

/** A send state with word, icon and colour. `label` replaces the word (送信済); `count` follows it (失敗 1件). */
export function SendStateBadge(props: {
  state: SendStateName
  label?: string | undefined
  count?: number | undefined
}) {
  const { state, label, count } = props
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
