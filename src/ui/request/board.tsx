import { useLingui } from '@lingui/react/macro'
import type { ReactNode, Ref } from 'react'
import { cx } from '#ui/base/cx.ts'
import { usePane } from '#ui/layout/pane.ts'
import styles from './board.module.css'

interface BoardProps {
  /** Example: 09:00 */
  start: string
  end?: string | undefined
  /** OrderFlagTag and EmergencyTag. */
  tags?: ReactNode
  place: string
  /** The request code. */
  code: string
  /** Example: 11月20日（金）. Not shown on the compact board. */
  date?: string | undefined
  /** True on every request screen except 依頼詳細. */
  compact?: boolean | undefined
  /** The h1 of the wide layout, beside the request code (with AppBar `titleInBoard`). */
  title?: string | undefined
  /** The ref of useStuck. */
  ref?: Ref<HTMLElement> | undefined
}

/** 板: the panel that shows which job, when and where. It never has buttons or sentences. */
export function Board({ start, end, tags, place, code, date, compact, title, ref }: BoardProps) {
  const { t } = useLingui()
  return (
    <BoardWrap>
      <section
        ref={ref}
        className={cx(styles.board, compact ? styles.compact : styles.large)}
        aria-label={t`依頼の概要`}
      >
        <p className={styles.time}>
          <time>{start}</time>
          {end !== undefined && <i>〜</i>}
          {end !== undefined && <time>{end}</time>}
        </p>
        <p className={styles.tags}>{tags}</p>
        <p className={styles.place}>
          {compact ? <span>{place}</span> : place}
          {compact && <small className="num">{code}</small>}
        </p>
        {!compact && (
          <div className={styles.meta}>
            <div className={styles.code}>
              {title !== undefined && <BoardTitle>{title}</BoardTitle>}
              <span>
                {t`依頼番号`} <b className="num">{code}</b>
              </span>
            </div>
            {date !== undefined && <b className="num">{date}</b>}
          </div>
        )}
      </section>
    </BoardWrap>
  )
}

/**
 * The h1 of the wide layout, shown on the board instead of the app bar (AppBar `titleInBoard`). It takes no focus, so
 * that keyboard users stay on their row of the list beside it.
 */
export const BoardTitle = ({ children }: { children: string }) =>
  usePane() === 'view' && <h1 className={styles.title}>{children}</h1>

/** The green background below the app bar, for a Board or, as the search landmark, for a Seg. */
export function BoardWrap({ search, children }: { search?: boolean; children: ReactNode }) {
  const Ground = search ? 'search' : 'div'
  return (
    <Ground className={cx(styles.wrap, search && styles.flush)} data-board="">
      {children}
    </Ground>
  )
}
