import { useLingui } from '@lingui/react/macro'
import { CalendarX, Check, CircleX, Hourglass, LoaderCircle, type LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import styles from './send-state.module.css'

export type SendStateName = 'waiting' | 'sending' | 'done' | 'failed' | 'expired'

const icons: Record<SendStateName, LucideIcon> = {
  waiting: Hourglass,
  sending: LoaderCircle,
  done: Check,
  failed: CircleX,
  expired: CalendarX,
}

/** 待機, 送信中, 成功, 失敗, 期限切れ: the same words everywhere. */
export function useSendStateWords(): Record<SendStateName, string> {
  const { t } = useLingui()
  return { waiting: t`待機`, sending: t`送信中`, done: t`成功`, failed: t`失敗`, expired: t`期限切れ` }
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
