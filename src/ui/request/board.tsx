import { useLingui } from '@lingui/react/macro'
import type { ReactNode, Ref } from 'react'
import { cx } from '#ui/layout/cx.ts'
import { usePane } from '#ui/layout/pane.ts'
import styles from './board.module.css'

interface BoardProps {
  /** 09:00 */
  start: string
  end?: string | undefined
  /** OrderFlagTag and EmergencyTag. */
  tags?: ReactNode
  place: string
  /** The request code. */
  code: string
  /** 11月20日（金）; not on the compact board. */
  date?: string | undefined
  /** On every request screen but 依頼詳細. */
  compact?: boolean | undefined
  /** The h1 of the wide layout, beside the request code (with AppBar `titleInBoard`). */
  title?: string | undefined
  /** From useStuck. */
  ref?: Ref<HTMLElement> | undefined
}

/** 板: which job, when, where. Never holds buttons or prose. */
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
 * The h1 of the wide layout, on the board in place of the app bar (AppBar `titleInBoard`). It takes no focus: the list stands
 * beside it, and who goes through it by keyboard stays on its row.
 */
export const BoardTitle = ({ children }: { children: string }) =>
  usePane() === 'view' && <h1 className={styles.title}>{children}</h1>

/** The green ground under the app bar: for Board, or, as the search landmark, for Seg. */
export function BoardWrap({ search, children }: { search?: boolean; children: ReactNode }) {
  const Ground = search ? 'search' : 'div'
  return (
    <Ground className={cx(styles.wrap, search && styles.flush)} data-board="">
      {children}
    </Ground>
  )
}
