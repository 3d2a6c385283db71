import { useLingui } from '@lingui/react/macro'
import { CalendarX, Check, CircleX, Hourglass, LoaderCircle, type LucideIcon, PencilLine } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './send-state.module.css'

/** draft: what a form holds before 保存; it is on the device, and nothing of it is sent yet. */
export type SendStateName = 'draft' | 'waiting' | 'sending' | 'done' | 'failed' | 'expired'

const icons: Record<SendStateName, LucideIcon> = {
  draft: PencilLine,
  waiting: Hourglass,
  sending: LoaderCircle,
  done: Check,
  failed: CircleX,
  expired: CalendarX,
}

/** 入力途中, 待機, 送信中, 成功, 失敗, 期限切れ: the same words everywhere. */
export function useSendStateWords(): Record<SendStateName, string> {
  const { t } = useLingui()
  return {
    draft: t`入力途中`,
    waiting: t`待機`,
    sending: t`送信中`,
    done: t`成功`,
    failed: t`失敗`,
    expired: t`期限切れ`,
  }
}

/**
 * The line of a record's state on a card. Once it has said something it stays, empty: what is sent while somebody reads moves
 * nothing under the thumb.
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
        <SendState state={state} />
      )}
    </div>
  )
}

/** Where a record is: word, icon and colour. `label` replaces the word (送信済), `count` follows it (失敗 1件). */
export function SendState(props: {
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
